"""Networks that come, change and go, as the neighbours of a renderer see it."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import xml.etree.ElementTree as ET

import pytest

import database
import network
from devices import ANNOUNCEMENTS
from network import NetworkedRenderer, Switch, connect
from processes import PATIENCE
from soap import DEVICE

# Never skipped in CI: there the tests fail if namespaces cannot be created.
pytestmark = pytest.mark.skipif(
    not os.environ.get("CI") and not network.are_available(), reason="network namespaces need root"
)


@pytest.fixture
def switch(machine):
    return Switch(machine())


@pytest.fixture
def start(tmp_path):
    """Starts renderers on machines; what still runs at the end is stopped, and its log shown if the test fails."""
    running = []

    def start(machine, **options):
        running.append(NetworkedRenderer(machine, options.pop("state", tmp_path / "state"), **options))
        return running[-1]

    yield start
    for renderer in running:
        renderer.stop()
        print("\n".join(renderer.out + renderer.err))


def udn_of(announcement):
    return announcement.usn.split("::")[0]


def check_description(machine, announcement):
    """The description is where the announcement says, and is of the device announced."""
    description = ET.fromstring(machine.get(announcement.location))
    assert description.findtext(f".//{DEVICE}UDN") == udn_of(announcement)


def locations(announcements):
    return {re.match(r"http://([0-9.]+):\d+/", message.location).group(1) for message in announcements}


def test_it_starts_without_a_network_and_is_found_on_the_first_one(here, there, point, start):
    there.ip("link", "set", "eth0", "down")
    renderer = start(here)
    renderer.wait_for("Not on a network yet")
    there.ip("link", "set", "eth0", "up")
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    alive = point.wait_for_alive("192.0.2.1")
    assert locations(alive) == {"192.0.2.1"}
    # A byebye first makes control points forget an earlier run.
    assert point.heard[0].nts == "ssdp:byebye"
    check_description(there, alive[0])
    assert {answer.usn for answer in point.find("ssdp:all")} == point.usns("alive")


def test_it_starts_with_only_a_loopback_that_is_down(here, machine, listen, start):
    here.ip("link", "set", "lo", "down")
    renderer = start(here)
    renderer.wait_for("Not on a network yet")
    there = machine()
    connect(here, "eth0", there, "eth0")
    there.ip("address", "add", "192.0.2.2/24", "dev", "eth0")
    point = listen(there)
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    check_description(there, point.wait_for_alive("192.0.2.1")[0])


def test_the_cable_is_pulled_and_plugged(here, there, point, start):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    renderer = start(here)
    first = point.wait_for_alive("192.0.2.1")
    there.ip("link", "set", "eth0", "down")
    renderer.wait_for("No longer on eth0")
    point.forget()
    there.ip("link", "set", "eth0", "up")
    again = point.wait_for_alive("192.0.2.1")
    # No byebye could be sent, but a new BOOTID shows that state may be lost.
    assert point.notifications("byebye") == []
    assert {m.location for m in again} == {m.location for m in first}
    assert int(again[0].fields["BOOTID.UPNP.ORG"]) > int(first[0].fields["BOOTID.UPNP.ORG"])
    assert point.find()[0].location == again[0].location


def test_the_cable_is_pulled_ten_times_quickly(here, there, point, start):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start(here)
    point.wait_for_alive("192.0.2.1")
    for _ in range(10):
        there.ip("link", "set", "eth0", "down")
        there.ip("link", "set", "eth0", "up")
    point.forget()
    alive = point.wait_for_alive("192.0.2.1")
    check_description(there, alive[-1])
    assert point.find()[0].usn


def test_the_address_changes(here, there, point, start):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start(here)
    old = point.wait_for_alive("192.0.2.1")
    point.forget()
    here.ip("address", "add", "192.0.2.7/24", "dev", "eth0")
    here.ip("address", "delete", "192.0.2.1/24", "dev", "eth0")
    # The kernel takes a secondary address away with its primary one; a DHCP client sets it again.
    subprocess.run(["ip", "-n", here.name, "address", "add", "192.0.2.7/24", "dev", "eth0"], capture_output=True)
    new = point.wait_for_alive("192.0.2.7")
    assert locations(new) == {"192.0.2.7"}
    assert new[0].location.split(":")[2] == old[0].location.split(":")[2]
    check_description(there, new[0])
    assert there.get(old[0].location) is None
    assert locations(point.find("ssdp:all")) == {"192.0.2.7"}


def test_an_interface_is_added_and_removed(here, there, point, machine, listen, start):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start(here)
    first = point.wait_for_alive("192.0.2.1")
    elsewhere = machine()
    connect(here, "eth1", elsewhere, "eth0")
    elsewhere.ip("address", "add", "198.51.100.2/24", "dev", "eth0")
    other_point = listen(elsewhere)
    point.forget()
    here.ip("address", "add", "198.51.100.1/24", "dev", "eth1")
    added = other_point.wait_for_alive("198.51.100.1")
    # Announcements and answers have the address of their network.
    assert locations(added) == {"198.51.100.1"}
    for _ in range(5):
        assert locations(other_point.find("ssdp:all")) == {"198.51.100.1"}
        assert locations(point.find("ssdp:all")) == {"192.0.2.1"}
    check_description(elsewhere, added[0])
    assert udn_of(added[0]) == udn_of(first[0])
    assert locations(point.wait_for_alive("192.0.2.1")) == {"192.0.2.1"}
    # On the first network: no byebye, but an update with the new BOOTID before it is used (UDA 1.1 §1.2.4).
    assert point.notifications("byebye") == []
    update = point.notifications("update")[0]
    assert update.fields["BOOTID.UPNP.ORG"] == first[0].fields["BOOTID.UPNP.ORG"]
    assert update.fields["NEXTBOOTID.UPNP.ORG"] == added[0].fields["BOOTID.UPNP.ORG"]

    point.forget()
    here.ip("link", "delete", "eth1")
    assert locations(point.find()) == {"192.0.2.1"}
    assert point.notifications("byebye") == []


def test_one_of_two_interfaces_on_a_subnet_is_used(here, switch, machine, listen, start):
    first_port, second_port = switch.connect(here, "eth0"), switch.connect(here, "eth1")
    neighbour = machine()
    switch.connect(neighbour, "eth0")
    neighbour.ip("address", "add", "192.0.2.2/24", "dev", "eth0")
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    here.ip("address", "add", "192.0.2.3/24", "dev", "eth1")
    point = listen(neighbour)
    start(here)
    alive = point.wait_for_alive("192.0.2.1")
    assert locations(point.find("ssdp:all")) == {"192.0.2.1"}
    assert point.notifications("alive", "192.0.2.3") == []

    switch.pull(first_port)
    # As a DHCP client does. Otherwise the kernel would still prefer the route of this interface.
    here.ip("address", "flush", "dev", "eth0")
    taken_over = point.wait_for_alive("192.0.2.3")
    assert udn_of(taken_over[0]) == udn_of(alive[0])
    assert locations(point.find("ssdp:all")) == {"192.0.2.3"}
    # The description can be read at the new address.
    check_description(neighbour, taken_over[0])
    # The first interface is back, but the working one stays in use.
    switch.plug(first_port)
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    assert locations(point.find("ssdp:all")) == {"192.0.2.3"}
    point.forget()
    switch.pull(second_port)
    point.wait_for_alive("192.0.2.1")


def with_container(host, machine):
    """Creates a bridge like Docker's, with a container; returns the container."""
    container = machine()
    connect(host, "veth3f1c2ab", container, "eth0")
    host.ip("link", "add", "docker0", "type", "bridge")
    host.ip("link", "set", "veth3f1c2ab", "master", "docker0")
    host.ip("link", "set", "docker0", "up")
    host.ip("address", "add", "203.0.113.1/24", "dev", "docker0")
    container.ip("address", "add", "203.0.113.2/24", "dev", "eth0")
    return container


def test_container_bridges_are_ignored(here, there, point, machine, listen, start):
    container_point = listen(with_container(here, machine))
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    renderer = start(here)
    alive = point.wait_for_alive("192.0.2.1")
    assert locations(point.find("ssdp:all")) == {"192.0.2.1"}
    assert container_point.search("ssdp:all") == [] and container_point.heard == []
    assert not any("docker0" in line or "veth" in line for line in renderer.out)
    # Nor does the HTTP server answer there.
    port = alive[0].location.split(":")[2]
    assert container_point.machine.get(f"http://203.0.113.1:{port}") is None


@pytest.mark.keys("interfaces")
def test_a_named_container_bridge_is_used(here, there, point, machine, listen, start):
    container = with_container(here, machine)
    container_point = listen(container)
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start(here, interfaces=["docker0"])
    check_description(container, container_point.wait_for_alive("203.0.113.1")[0])
    assert point.search("ssdp:all") == [] and point.heard == []


def test_a_named_interface_may_appear_later(here, machine, listen, start):
    renderer = start(here, interfaces=["eth7"])
    renderer.wait_for("waiting for eth7")
    there = machine()
    connect(here, "eth7", there, "eth0")
    point = listen(there)
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth7")
    point.wait_for_alive("192.0.2.1")


def test_it_works_without_ipv6(here, there, point, start):
    subprocess.run(here.command("sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1"), check=True)
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start(here)
    check_description(there, point.wait_for_alive("192.0.2.1")[0])


def test_port_and_uuid_survive_restarts(here, there, point, start):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    seen, boots = set(), []
    for ending in (signal.SIGTERM, signal.SIGKILL, signal.SIGINT):
        renderer = start(here)
        alive = point.wait_for_alive("192.0.2.1")
        seen.add((udn_of(alive[0]), alive[0].location))
        boots.append(int(alive[0].fields["BOOTID.UPNP.ORG"]))
        renderer.stop(ending)
        point.forget()
    assert len(seen) == 1
    assert boots == sorted(set(boots))


def test_bootid_wraps_to_one(here, there, point, start, tmp_path):
    state = tmp_path / "state"
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    highest = str(2**31 - 1)
    first = start(here, state=state)
    point.wait_for_alive("192.0.2.1")
    first.stop()
    point.forget()
    database.replace(state, "device", {**database.settings(state, "device"), "boot": str(2**31 - 2)})
    renderer = start(here, state=state)
    assert {m.fields["BOOTID.UPNP.ORG"] for m in point.wait_for_alive("192.0.2.1")} == {highest}
    there.ip("link", "set", "eth0", "down")
    renderer.wait_for("No longer on eth0")
    there.ip("link", "set", "eth0", "up")

    def later(point):
        """The numbers after the highest one; that is repeated for a while."""
        return {m.fields["BOOTID.UPNP.ORG"] for m in point.notifications("alive")} - {highest}

    point.wait(later)
    assert later(point) == {"1"}


def cards(folder, *addresses):
    """What /sys/class/net has of a machine with these network cards."""
    for number, address in enumerate(addresses):
        card = folder / f"eth{number}"
        (card / "device").mkdir(parents=True)
        (card / "address").write_text(f"{address}\n")
        (card / "addr_assign_type").write_text("0\n")
    return folder


@pytest.mark.parametrize(
    ("second_cards", "is_same"),
    [
        (["b8:27:eb:00:00:02"], False),
        # The same machine with another card, and with one of its two taken out.
        (["b8:27:eb:00:00:01", "00:e0:4c:00:00:03"], True),
    ],
)
def test_a_copied_system_has_another_uuid(here, there, point, start, tmp_path, second_cards, is_same):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    udns = []
    for number, addresses in enumerate((["b8:27:eb:00:00:01"], second_cards)):
        sys = cards(tmp_path / f"sys{number}", *addresses)
        script = f'mount --bind "{sys}" /sys/class/net && exec "$@"'
        renderer = start(here, before=("unshare", "--mount", "sh", "-c", script, "sh"))
        udns.append(udn_of(point.wait_for_alive("192.0.2.1")[0]))
        renderer.stop()
        point.forget()
    assert (udns[0] == udns[1]) == is_same


@pytest.mark.parametrize("with_signal", [signal.SIGTERM, signal.SIGINT])
def test_byebye_is_sent_on_exit(here, there, point, start, with_signal):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    renderer = start(here)
    point.wait_for_alive("192.0.2.1")
    usns = point.usns("alive")
    point.forget()
    status, seconds = renderer.stop(with_signal)
    assert status == 0 and seconds < 3
    point.wait(lambda point: point.usns("byebye") == usns)
    assert point.notifications("alive") == []


def test_two_renderers_share_the_ssdp_port(here, there, point, start, tmp_path):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    # A third party, as other software opens it.
    other = here.do(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    other.bind(("0.0.0.0", 1900))
    start(here, state=tmp_path / "first", name="Kitchen")
    start(here, state=tmp_path / "second", name="Bathroom")
    point.wait_for_alive("192.0.2.1", count=2 * ANNOUNCEMENTS)
    assert len({answer.location for answer in point.find()}) == 2
    assert len(point.find(to="192.0.2.1")) == 1
    other.close()


def test_gssdp_discover_finds_it(here, there, point, start):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start(here)
    location = point.wait_for_alive("192.0.2.1")[0].location
    discover = there.command("gssdp-discover", "-i", "eth0", "--timeout=3", "--target=upnp:rootdevice")
    found = subprocess.run(discover, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
    assert "resource available" in found and location in found


@pytest.mark.parametrize("mx", [1, 3])
def test_22_simultaneous_searches_are_all_answered(here, there, point, start, mx):
    """OpenHome's control-point library opens a socket for each list of devices, and searches once."""
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start(here)
    point.wait_for_alive("192.0.2.1")
    assert point.search_at_once(22, "urn:av-openhome-org:service:Product:1", mx) == 22


def test_forged_searches_do_not_silence_a_real_one(here, there, point, start):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    # The forged senders are not on the link: the answers to them leave through a router.
    here.ip("route", "add", "default", "via", "192.0.2.2")
    for name in ("all", "eth0"):
        subprocess.run(here.command("sysctl", "-qw", f"net.ipv4.conf.{name}.rp_filter=0"), check=True)
    start(here)
    point.wait_for_alive("192.0.2.1")
    # One of them is real, to show that the forged searches are heard. The documentation networks have too few addresses, so
    # they come from the network for benchmarks (RFC 2544).
    there.ip("address", "add", "198.18.0.0/32", "dev", "lo")
    with contextlib.closing(there.do(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))) as real:
        real.bind(("198.18.0.0", 0))
        real.settimeout(PATIENCE)
        port = real.getsockname()[1]
        # The kernel may drop an honest search, too: one of five has to arrive.
        for _ in range(5):
            point.forge_searches([(f"198.18.{number // 256}.{number % 256}", port) for number in range(2048)])
            if answers := point.search():
                break
        assert real.recv(65536).startswith(b"HTTP/1.1 200 OK")
    assert locations(answers) == {"192.0.2.1"}


def test_an_interface_is_replaced_by_another_with_its_name(here, there, point, machine, listen, start):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start(here)
    old = point.wait_for_alive("192.0.2.1")
    here.ip("link", "delete", "eth0")
    elsewhere = machine()
    connect(here, "eth0", elsewhere, "eth0")
    elsewhere.ip("address", "add", "192.0.2.2/24", "dev", "eth0")
    new_point = listen(elsewhere)
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    new = new_point.wait_for_alive("192.0.2.1")
    assert {message.location for message in new} == {message.location for message in old}
    check_description(elsewhere, new[0])
    assert locations(new_point.find("ssdp:all")) == {"192.0.2.1"}


def test_a_control_point_on_the_same_machine_finds_it(here, there, point, listen, start):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start(here)
    point.wait_for_alive("192.0.2.1")
    local = listen(here)
    assert locations(local.find("ssdp:all")) == locations(local.find("ssdp:all", to="192.0.2.1")) == {"192.0.2.1"}
    check_description(here, local.find()[0])


def test_callbacks_must_be_on_the_link_of_the_subscriber(here, there, point, machine, start):
    """CVE-2020-12695: on the other network there may be somebody who shall not be called."""
    elsewhere = machine()
    connect(here, "eth1", elsewhere, "eth0")
    here.ip("address", "add", "198.51.100.1/24", "dev", "eth1")
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start(here)
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
