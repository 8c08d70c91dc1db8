"""Renderers on machines of their own, and what other machines see of them."""

import os
import re
import xml.etree.ElementTree as ET

import pytest

import network
from soap import DEVICE

#: Skips a module without network namespaces. In CI, where nothing is skipped, its tests fail instead.
needs_namespaces = pytest.mark.skipif(
    not os.environ.get("CI") and not network.are_available(), reason="network namespaces need root"
)


def udn_of(announcement):
    return announcement.usn.split("::")[0]


def check_description(machine, announcement):
    """Checks that the announced LOCATION has the description of the announced device."""
    description = ET.fromstring(machine.get(announcement.location))
    assert description.findtext(f".//{DEVICE}UDN") == udn_of(announcement)


def locations(announcements):
    return {re.match(r"http://([0-9.]+):\d+/", message.location).group(1) for message in announcements}
