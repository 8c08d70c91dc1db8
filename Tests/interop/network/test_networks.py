"""Networks that appear, change and disappear, as seen from other machines."""

import subprocess

import pytest

from neighbours import check_description, locations, udn_of
from network import Switch, connect, needs_namespaces

pytestmark = needs_namespaces


@pytest.fixture
def switch(machine):
    return Switch(machine())


def test_it_starts_without_a_network_and_is_found_on_the_first_one(here, there, point, start_on):
    there.ip("link", "set", "eth0", "down")
    renderer = start_on(here)
    renderer.wait_for("Not on a network yet")
    there.ip("link", "set", "eth0", "up")
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    alive = point.wait_for_alive("192.0.2.1")
    assert locations(alive) == {"192.0.2.1"}
    # A byebye first makes control points forget an earlier run.
    assert point.heard[0].nts == "ssdp:byebye"
    check_description(there, alive[0])
    everything = point.usns("alive")
    found = point.find("ssdp:all", until=lambda answers: {answer.usn for answer in answers} >= everything)
    assert {answer.usn for answer in found} == everything


def test_it_starts_with_only_a_loopback_that_is_down(here, machine, listen, start_on):
    here.ip("link", "set", "lo", "down")
    renderer = start_on(here)
    renderer.wait_for("Not on a network yet")
    there = machine()
    connect(here, "eth0", there, "eth0")
    there.ip("address", "add", "192.0.2.2/24", "dev", "eth0")
    point = listen(there)
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    check_description(there, point.wait_for_alive("192.0.2.1")[0])


def test_the_cable_is_pulled_and_plugged(here, there, point, start_on):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    renderer = start_on(here)
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


def test_the_cable_is_pulled_ten_times_quickly(here, there, point, start_on):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start_on(here)
    point.wait_for_alive("192.0.2.1")
    for _ in range(10):
        there.ip("link", "set", "eth0", "down")
        there.ip("link", "set", "eth0", "up")
    point.forget()
    alive = point.wait_for_alive("192.0.2.1")
    check_description(there, alive[-1])
    assert point.find()[0].usn


def test_the_address_changes(here, there, point, start_on):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start_on(here)
    old = point.wait_for_alive("192.0.2.1")
    point.forget()
    here.ip("address", "add", "192.0.2.7/24", "dev", "eth0")
    here.ip("address", "delete", "192.0.2.1/24", "dev", "eth0")
    # Removing the primary address also removes the secondary one; a DHCP client sets it again.
    subprocess.run(["ip", "-n", here.name, "address", "add", "192.0.2.7/24", "dev", "eth0"], capture_output=True)
    new = point.wait_for_alive("192.0.2.7")
    assert locations(new) == {"192.0.2.7"}
    assert new[0].location.split(":")[2] == old[0].location.split(":")[2]
    check_description(there, new[0])
    assert there.get(old[0].location) is None
    assert locations(point.find("ssdp:all")) == {"192.0.2.7"}


def test_an_interface_is_added_and_removed(here, there, point, machine, listen, start_on):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start_on(here)
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


def test_one_of_two_interfaces_on_a_subnet_is_used(here, switch, machine, listen, start_on):
    first_port, second_port = switch.connect(here, "eth0"), switch.connect(here, "eth1")
    neighbour = machine()
    switch.connect(neighbour, "eth0")
    neighbour.ip("address", "add", "192.0.2.2/24", "dev", "eth0")
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    here.ip("address", "add", "192.0.2.3/24", "dev", "eth1")
    point = listen(neighbour)
    start_on(here)
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


def test_container_bridges_are_ignored(here, there, point, machine, listen, start_on):
    container_point = listen(with_container(here, machine))
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    renderer = start_on(here)
    alive = point.wait_for_alive("192.0.2.1")
    assert locations(point.find("ssdp:all")) == {"192.0.2.1"}
    assert container_point.search("ssdp:all") == [] and container_point.heard == []
    assert not any("docker0" in line or "veth" in line for line in renderer.out)
    # Nor does the HTTP server answer there.
    port = alive[0].location.split(":")[2]
    assert container_point.machine.get(f"http://203.0.113.1:{port}") is None


@pytest.mark.keys("interfaces")
def test_a_named_container_bridge_is_used(here, there, point, machine, listen, start_on):
    container = with_container(here, machine)
    container_point = listen(container)
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start_on(here, interfaces=["docker0"])
    check_description(container, container_point.wait_for_alive("203.0.113.1")[0])
    assert point.search("ssdp:all") == [] and point.heard == []


def test_a_named_interface_may_appear_later(here, machine, listen, start_on):
    renderer = start_on(here, interfaces=["eth7"])
    renderer.wait_for("waiting for eth7")
    there = machine()
    connect(here, "eth7", there, "eth0")
    point = listen(there)
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth7")
    point.wait_for_alive("192.0.2.1")


def test_it_works_without_ipv6(here, there, point, start_on):
    subprocess.run(here.command("sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1"), check=True)
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start_on(here)
    check_description(there, point.wait_for_alive("192.0.2.1")[0])


def test_an_interface_is_replaced_by_another_with_its_name(here, there, point, machine, listen, start_on):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    start_on(here)
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
