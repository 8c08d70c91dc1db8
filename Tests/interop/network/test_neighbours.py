"""Control points on other machines, on the same machine, and in other networks."""

import contextlib
import pathlib
import socket
import subprocess
import xml.etree.ElementTree as ET

import pytest

from devices import RENDERER
from neighbours import check_description, locations
from network import connect, needs_namespaces
from processes import PATIENCE, wait_until
from soap import DEVICE

pytestmark = needs_namespaces


def test_gssdp_discover_finds_it(here, there, point, start_on):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start_on(here)
    location = point.wait_for_alive("192.0.2.1")[0].location
    discover = there.command("gssdp-discover", "-i", "eth0", "--timeout=3", "--target=upnp:rootdevice")

    def is_found():
        found = subprocess.run(discover, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
        return "resource available" in found and location in found

    wait_until(is_found)


@pytest.mark.parametrize("mx", [1, 3])
def test_22_simultaneous_searches_are_all_answered(here, there, point, start_on, mx):
    """OpenHome's control point library opens a socket for each device list, and searches only once."""
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start_on(here)
    point.wait_for_alive("192.0.2.1")
    assert point.search_at_once(22, "urn:av-openhome-org:service:Product:1", mx) == 22


def test_forged_searches_do_not_silence_a_real_one(here, there, point, start_on):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    # The forged senders are not on the link: the answers to them leave through a router.
    here.ip("route", "add", "default", "via", "192.0.2.2")
    for name in ("all", "eth0"):
        subprocess.run(here.command("sysctl", "-qw", f"net.ipv4.conf.{name}.rp_filter=0"), check=True)
    start_on(here)
    point.wait_for_alive("192.0.2.1")
    # One sender is real, to show that the forged searches are received. The documentation networks have too few addresses, so
    # they come from the network for benchmarks (RFC 2544).
    there.ip("address", "add", "198.18.0.0/32", "dev", "lo")
    with contextlib.closing(there.do(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))) as real:
        real.bind(("198.18.0.0", 0))
        real.settimeout(PATIENCE)
        port = real.getsockname()[1]
        point.forge_searches([(f"198.18.{number // 256}.{number % 256}", port) for number in range(2048)])
        # A busy renderer has not read them all yet, and the kernel then drops further ones.
        wait_until(lambda: not unread(here))
        assert point.search_at_once(1, RENDERER, 1) == 1
        assert real.recv(65536).startswith(b"HTTP/1.1 200 OK")


def unread(machine):
    """The number of bytes that wait in the machine's UDP sockets."""
    lines = machine.do(lambda: pathlib.Path("/proc/thread-self/net/udp").read_text()).splitlines()[1:]
    return sum(int(line.split()[4].partition(":")[2], 16) for line in lines)


def test_a_control_point_on_the_same_machine_finds_it(here, there, point, listen, start_on):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start_on(here)
    point.wait_for_alive("192.0.2.1")
    local = listen(here)
    assert locations(local.find("ssdp:all")) == locations(local.find("ssdp:all", to="192.0.2.1")) == {"192.0.2.1"}
    check_description(here, local.find()[0])


def test_callbacks_must_be_on_the_link_of_the_subscriber(here, there, point, machine, start_on):
    """CVE-2020-12695: callbacks to other networks are refused."""
    elsewhere = machine()
    connect(here, "eth1", elsewhere, "eth0")
    here.ip("address", "add", "198.51.100.1/24", "dev", "eth1")
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start_on(here)
    description = ET.fromstring(there.get(point.wait_for_alive("192.0.2.1")[0].location))
    path = description.findtext(f".//{DEVICE}eventSubURL")
    port = point.notifications("alive")[0].location.split(":")[2].split("/")[0]

    def subscribe(callback):
        arguments = [
            "--header",
            f"CALLBACK: <http://{callback}/>",
            "--header",
            "NT: upnp:event",
            "--request",
            "SUBSCRIBE",
        ]
        url = f"http://192.0.2.1:{port}{path}"
        options = ["--silent", "--noproxy", "*", "--output", "/dev/null", "--write-out", "%{http_code}"]
        return subprocess.run(there.command("curl", *options, *arguments, url), capture_output=True, text=True).stdout

    answers = {
        callback: subscribe(callback)
        for callback in (
            "192.0.2.2:9",
            "192.0.2.3:9",
            "192.0.2.1:9",
            "192.0.2.255:9",
            "198.51.100.2:9",
            "198.51.100.1:9",
            "127.0.0.1:9",
            "203.0.113.7:9",
        )
    }
    assert {callback for callback, status in answers.items() if status == "200"} == {"192.0.2.2:9", "192.0.2.3:9"}
    assert set(answers.values()) == {"200", "412"}
