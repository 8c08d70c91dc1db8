"""MQTT: the speaker follows changes of its network, with a mosquitto on another machine."""

import pytest

from broker import PREFIX
from network import connect, needs_namespaces
from processes import Process, wait_until

pytestmark = needs_namespaces

BROKER = "192.0.2.2"
PORT = 1883


@pytest.fixture
def broker(there, open_folder):
    """A mosquitto on the other machine."""
    path = open_folder / "mosquitto.conf"
    path.write_text(f"listener {PORT} 0.0.0.0\nallow_anonymous true\nlog_dest stderr\n")
    broker = Process(*there.command("mosquitto", "-c", str(path), "-v"))
    broker.wait_for_log("mosquitto version .* running")
    yield broker
    broker.stop()
    print("\n".join(broker.err[-40:]))


@pytest.fixture
def speaker(here, broker, start_on):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    speaker = start_on(here, more=("--mqtt-broker", f"mqtt://{BROKER}", "--mqtt-prefix", PREFIX))
    wait_until(lambda: is_online(broker, 1))
    return speaker


def is_online(broker, times):
    """Whether the speaker has connected and published its availability this often."""
    return sum("New client connected" in line and "swiftlet-" in line for line in broker.err) >= times and (
        sum(f"{PREFIX}/availability" in line and "PUBLISH from" in line for line in broker.err) >= times
    )


def test_another_address_is_followed_at_once(here, broker, speaker):
    here.ip("address", "add", "192.0.2.7/24", "dev", "eth0")
    here.ip("address", "delete", "192.0.2.1/24", "dev", "eth0")
    here.ip("address", "replace", "192.0.2.7/24", "dev", "eth0")
    # The keep-alive would notice it much later, for another reason.
    speaker.wait_for_log("MQTT: The connection to the broker is lost: the network has changed")
    wait_until(lambda: any("New client connected from 192.0.2.7" in line for line in broker.err))
    wait_until(lambda: is_online(broker, 2))


def test_another_interface_is_followed_at_once(here, there, broker, speaker):
    """Such as from Ethernet to Wi-Fi."""
    connect(here, "wlan0", there, "wlan0")
    there.ip("address", "add", f"{BROKER}/32", "dev", "lo")
    there.ip("address", "add", "198.51.100.2/24", "dev", "wlan0")
    here.ip("address", "add", "198.51.100.1/24", "dev", "wlan0")
    here.ip("link", "set", "eth0", "down")
    here.ip("route", "add", BROKER, "via", "198.51.100.2")
    # If eth0 still has its address when the speaker looks, it asks the broker.
    speaker.wait_for_log("MQTT: The connection to the broker is lost: (the network has changed|the broker does not answer since)")
    wait_until(lambda: any("New client connected from 198.51.100.1" in line for line in broker.err))


def test_a_pulled_cable_is_noticed_and_the_broker_found_when_it_is_back(here, there, broker, speaker):
    """The address stays, so only the broker can say whether the connection has survived."""
    there.ip("link", "set", "eth0", "down")
    speaker.wait_for_log("MQTT: The connection to the broker is lost: the broker does not answer since the network")
    there.ip("link", "set", "eth0", "up")
    wait_until(lambda: is_online(broker, 2))


def test_an_interface_of_no_concern_changes_nothing(here, there, broker, speaker):
    def answers():
        return sum("Sending PUBACK to swiftlet-" in line for line in broker.err)

    before = answers()
    connect(here, "docker0", there, "other0")
    here.ip("address", "add", "203.0.113.1/24", "dev", "docker0")
    # The probe is answered on the same connection.
    wait_until(lambda: answers() > before)
    assert not any("is lost" in line for line in speaker.err)
    assert sum("New client connected" in line for line in broker.err) == 1
