"""OpenHome controllers find the speaker by DNS-SD when the network changes."""

import signal
import time

import pytest

import network
from avahi import Avahi
from network import NetworkedRenderer
from processes import wait_until, wait_until_equal

pytestmark = network.needs_namespaces


OPENHOME = "_openhome._tcp"
NAME = "Kitchen (OpenHome)"


@pytest.fixture
def avahi(tmp_path):
    """Starts daemons on machines."""
    daemons = []

    def avahi(machine):
        daemons.append(Avahi(machine, tmp_path / machine.name))
        return daemons[-1]

    yield avahi
    for daemon in daemons:
        daemon.stop()


@pytest.fixture
def found(here, there, avahi, tmp_path):
    """A discovered renderer called Kitchen at 192.0.2.1; yields its daemon and the neighbour's."""
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    daemon, neighbour = avahi(here), avahi(there)
    renderer = NetworkedRenderer(here, tmp_path / "state", before=daemon.before)
    wait_for(neighbour, "192.0.2.1")
    yield daemon, neighbour
    assert renderer.stop()[0] == 0
    # The service is withdrawn on exit.
    wait_until(lambda: neighbour.urls(OPENHOME) == {})


def wait_for(neighbour, address):
    """Waits until the only service is at this address, and its description can be read."""
    began = time.monotonic()

    def is_there():
        urls = neighbour.urls(OPENHOME)
        return list(urls) == [NAME] and urls[NAME].startswith(f"http://{address}:")

    wait_until(is_there, explain=lambda: neighbour.urls(OPENHOME))
    print(f"found at {address} after {time.monotonic() - began:.2f} s")
    assert b"<deviceType>urn:" in neighbour.machine.get(neighbour.urls(OPENHOME)[NAME])


def test_the_cable_is_pulled_and_plugged(there, found):
    _, neighbour = found
    there.ip("link", "set", "eth0", "down")
    wait_until(lambda: neighbour.urls(OPENHOME) == {})
    there.ip("link", "set", "eth0", "up")
    wait_for(neighbour, "192.0.2.1")


def test_another_address(here, found):
    _, neighbour = found
    here.ip("address", "add", "192.0.2.7/24", "dev", "eth0")
    here.ip("address", "delete", "192.0.2.1/24", "dev", "eth0")
    # Removing the primary address also removes the secondary one; a DHCP client sets it again.
    here.ip("address", "replace", "192.0.2.7/24", "dev", "eth0")
    wait_for(neighbour, "192.0.2.7")


def test_a_restart_of_avahi(found):
    daemon, neighbour = found
    daemon.restart()
    wait_for(neighbour, "192.0.2.1")


@pytest.fixture
def second(here, there, avahi, tmp_path):
    """A renderer called Kitchen on a network with another service of that name."""
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    daemon, neighbour = avahi(here), avahi(there)
    first = neighbour.publish("Kitchen", OPENHOME, 81)
    wait_until_equal(lambda: daemon.names(OPENHOME), {"Kitchen"})
    configuration = tmp_path / "swiftlet.toml"
    configuration.write_text('name = "Kitchen"\nopenhome_suffix = ""\n')
    renderer = NetworkedRenderer(
        here, tmp_path / "state", name=None, before=daemon.before, more=("--config", str(configuration)))
    wait_until_equal(lambda: neighbour.names(OPENHOME), {"Kitchen", "Kitchen #2"})
    yield renderer, configuration, first, neighbour
    assert renderer.stop()[0] == 0


def test_a_new_name_has_no_number(second):
    renderer, configuration, _, neighbour = second
    configuration.write_text('name = "Bath"\nopenhome_suffix = ""\n')
    renderer.process.send_signal(signal.SIGHUP)
    renderer.wait_for_log("Reloaded ")
    wait_until_equal(lambda: neighbour.names(OPENHOME), {"Kitchen", "Bath"})


def test_the_number_is_dropped_when_the_name_is_free(second):
    *_, first, neighbour = second
    first.stop()
    wait_until_equal(lambda: neighbour.names(OPENHOME), {"Kitchen"})
