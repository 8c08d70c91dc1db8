"""After a network change the renderer is found again, by announcement and by search.

Announcements are repeated after longer than a test waits, so one that arrives was caused by the change.
"""

import contextlib
import time

import pytest

from link import BadLink
from network import connect, needs_namespaces

pytestmark = needs_namespaces


@contextlib.contextmanager
def found_again(point, address, is_announced=True):
    """After the change in this block both devices must be announced, and found by a search."""
    point.forget()
    begin = time.monotonic()
    yield
    searched = point.search_until_found(address).heard_at - begin
    print(f"found by a search after {searched * 1000:.0f} ms")
    if not is_announced:
        return
    devices = {}

    def both(point):
        for message in point.notifications("alive", address):
            devices.setdefault(message.usn.split("::")[0], message.heard_at - begin)
        return len(devices) == 2

    point.wait(both)
    print("announced after", *(f"{seconds * 1000:.0f} ms" for seconds in devices.values()))


def test_found_on_the_first_network(here, there, point, start_on):
    there.ip("link", "set", "eth0", "down")
    start_on(here).wait_for("Not on a network yet")
    with found_again(point, "192.0.2.1"):
        there.ip("link", "set", "eth0", "up")
        here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")


@pytest.fixture
def renderer(here, point, start_on):
    """A renderer that has been announced."""
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    renderer = start_on(here)
    point.wait_for_alive("192.0.2.1")
    return renderer


def test_found_after_the_cable_is_plugged_in(there, point, renderer):
    there.ip("link", "set", "eth0", "down")
    renderer.wait_for("No longer on eth0")
    with found_again(point, "192.0.2.1"):
        there.ip("link", "set", "eth0", "up")


def test_found_at_a_new_address(here, point, renderer):
    with found_again(point, "192.0.2.7"):
        here.ip("address", "add", "192.0.2.7/24", "dev", "eth0")
        here.ip("address", "delete", "192.0.2.1/24", "dev", "eth0")
        # Removing the primary address also removes the secondary one; a DHCP client sets it again.
        with contextlib.suppress(Exception):
            here.ip("address", "add", "192.0.2.7/24", "dev", "eth0")


def test_found_on_an_added_interface_and_after_its_removal(here, point, renderer, machine, listen):
    elsewhere = machine()
    connect(here, "eth1", elsewhere, "eth0")
    elsewhere.ip("address", "add", "198.51.100.2/24", "dev", "eth0")
    with found_again(listen(elsewhere), "198.51.100.1"):
        here.ip("address", "add", "198.51.100.1/24", "dev", "eth1")
    # Nothing is announced on the other interface, because nothing changed there.
    with found_again(point, "192.0.2.1", is_announced=False):
        here.ip("link", "delete", "eth1")


def test_found_on_a_slow_lossy_link(here, machine, listen, start_on):
    far = machine()
    link = BadLink(here, far, loss=0.2, delay=0.1, jitter=0.05)
    try:
        point = listen(far)
        renderer = start_on(here, interfaces=["eth0"])
        point.find()
        link.pull()
        renderer.wait_for("No longer on eth0")
        with found_again(point, "198.51.100.1"):
            link.plug()
    finally:
        link.close()
