"""Renderers on machines of their own, and what other machines see of them."""

import re
import xml.etree.ElementTree as ET

from soap import DEVICE


def udn_of(announcement):
    return announcement.usn.split("::")[0]


def check_description(machine, announcement):
    """Checks that the announced LOCATION has the description of the announced device."""
    description = ET.fromstring(machine.get(announcement.location))
    assert description.findtext(f".//{DEVICE}UDN") == udn_of(announcement)


def locations(announcements):
    return {re.match(r"http://([0-9.]+):\d+/", message.location).group(1) for message in announcements}
