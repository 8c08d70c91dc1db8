"""swiftlet-control on a network with swiftlet, minidlna and gmediarender."""

import json
import signal
import socket
import threading

import pytest

import device_network
import network
from network import NetworkedRenderer
from processes import PATIENCE, wait_until

pytestmark = network.needs_namespaces

#: Exit statuses: refused by the device, wrong usage, no such device, not reachable.
REFUSED, USAGE, NO_DEVICE, UNREACHABLE = 1, 64, 68, 69


@pytest.fixture(scope="module")
def devices(tmp_path_factory):
    with device_network.running(tmp_path_factory.mktemp("devices")) as devices:
        yield devices


def test_lists_all_devices(devices):
    rows = devices.run("devices")[0].splitlines()
    assert rows[0].split() == ["NAME", "TYPE", "ADDRESS", "MODEL"]
    assert [row.split("  ")[0] for row in rows[1:]] == ["Bedroom", "Kitchen", "Kitchen (OpenHome)", "Library"]
    kitchen = wait_until(lambda: devices.listed().get("Kitchen"))
    assert kitchen["type"] == "urn:schemas-upnp-org:device:MediaRenderer:1"
    assert kitchen["deviations"] == 0
    assert "urn:schemas-upnp-org:service:AVTransport:1" in kitchen["services"]


def test_lists_only_servers(devices):
    assert [row.split("  ")[0] for row in devices.run("servers")[0].splitlines()] == ["NAME", "Library"]


@pytest.mark.parametrize("name", ["Kitchen", "Library", "Bedroom"])
def test_shows_what_a_device_offers(devices, name):
    shown = devices.run("inspect", name)[0]
    assert "ConnectionManager:1" in shown
    assert "  GetProtocolInfo() -> Source: string, Sink: string" in shown
    lines = [json.loads(line) for line in devices.run("inspect", name, "ConnectionManager", "--json")[0].splitlines()]
    actions = {action["name"]: action for action in lines[0]["actions"]}
    assert [argument["name"] for argument in actions["GetProtocolInfo"]["arguments"]] == ["Source", "Sink"]


@pytest.mark.parametrize("name", ["Kitchen", "Bedroom"])
def test_calls_actions_of_renderers(devices, name):
    devices.run("call", name, "RenderingControl", "SetVolume", "Channel=Master", "DesiredVolume=37")
    answer = devices.run("call", name, "RenderingControl", "GetVolume", "Channel=Master", "--json")[0]
    assert json.loads(answer) == {"CurrentVolume": "37"}


def test_calls_actions_of_a_server(devices):
    answer = devices.run(
        "call", "Library", "ContentDirectory", "Browse", "ObjectID=0", "BrowseFlag=BrowseDirectChildren", "Filter=*",
        "StartingIndex=0", "RequestedCount=2", "SortCriteria=", "--json",
    )[0]  # fmt: skip
    assert json.loads(answer)["NumberReturned"] == "2"


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["Kitchen", "RenderingControl", "SetVolume", "Channel=Master", "DesiredVolume=101"], REFUSED, "601"),
        (["Kitchen", "RenderingControl", "SetVolume", "Channel=Master"], USAGE, "DesiredVolume"),
        (["Kitchen", "RenderingControl", "SetVolume", "Loud=1"], USAGE, "Loud"),
        (["Kitchen", "RenderingControl", "Fly"], UNREACHABLE, "GetVolume"),
        (["Kitchen", "Dimming", "SetVolume"], UNREACHABLE, "AVTransport"),
        (["Kitchn", "AVTransport", "Stop"], NO_DEVICE, 'Did you mean "Kitchen"?'),
        (["itchen", "AVTransport", "Stop"], NO_DEVICE, "Did you mean \"Kitchen\""),
        (["http://192.0.2.1:9/none.xml", "AVTransport", "Stop"], UNREACHABLE, "connection refused"),
        (["http://198.51.100.1/d.xml", "AVTransport", "Stop"], UNREACHABLE, "unreachable"),
    ],
)
def test_reports_errors_with_a_message_and_a_status(devices, arguments, status, message):
    assert message in devices.run("call", *arguments, expect=status)[1]


def watched(watching):
    """The events that `watch` has printed so far."""
    return [json.loads(line) for line in list(watching.out)]


@pytest.mark.parametrize("name", ["Kitchen", "Bedroom"])
def test_watches_a_renderer(devices, name):
    devices.run("call", name, "RenderingControl", "SetVolume", "Channel=Master", "DesiredVolume=10")
    watching = devices.watch(name, "RenderingControl", "--events-only")
    try:
        watching.wait_for('"initial"')
        devices.run("call", name, "RenderingControl", "SetVolume", "Channel=Master", "DesiredVolume=44")
        watching.wait_for('"Volume.Master.":"44"')
        assert watching.stop(signal.SIGINT)[0] == 0
    finally:
        watching.stop()
    events = watched(watching)
    assert [event["event"] for event in events] == ["initial"] + ["change"] * (len(events) - 1)
    assert {event["service"] for event in events} == {"RenderingControl"}
    assert events[0]["variables"]["Volume[Master]"] == "10"


def test_watches_a_server(devices):
    """minidlna 1.3.0 connects for its first event, but sends none until its files change. It is polled then."""
    watching = devices.watch("Library", "ContentDirectory")
    try:
        watching.wait_for('"initial".*"SystemUpdateID"')
    finally:
        watching.stop()
    assert [event["event"] for event in watched(watching)][-1] == "initial"


def test_watches_all_services(devices):
    watching = devices.watch("Kitchen (OpenHome)")
    try:
        for service in (
            "Product", "Playlist", "Radio", "Receiver", "Info", "Time", "Volume", "Transport", "Pins", "Sender",
        ):
            watching.wait_for(f'"initial","service":"{service}"')
    finally:
        assert watching.stop()[0] == 0


def test_polls(devices):
    devices.run("call", "Kitchen", "RenderingControl", "SetVolume", "Channel=Master", "DesiredVolume=10")
    watching = devices.watch("Kitchen", "RenderingControl", "--poll", "0.1")
    try:
        watching.wait_for('"initial".*"Volume.Master.":"10"')
        devices.run("call", "Kitchen", "RenderingControl", "SetVolume", "Channel=Master", "DesiredVolume=11")
        watching.wait_for('"change".*"Volume.Master.":"11"')
    finally:
        watching.stop()


def test_twenty_watch_one_device(devices):
    url = devices.listed()["Kitchen"]["url"]
    devices.run("call", "Kitchen", "RenderingControl", "SetVolume", "Channel=Master", "DesiredVolume=10")
    watching = [devices.watch(url, "RenderingControl", "--events-only", "--count", "2") for _ in range(20)]
    try:
        for watch in watching:
            watch.wait_for('"initial"')
        devices.run("call", "Kitchen", "RenderingControl", "SetVolume", "Channel=Master", "DesiredVolume=12")
        for watch in watching:
            assert watch.process.wait(timeout=PATIENCE) == 0
    finally:
        for watch in watching:
            watch.stop()
    for watch in watching:
        assert [event["event"] for event in watched(watch)] == ["initial", "change"]


def test_reports_that_a_device_stops(devices, tmp_path):
    here = devices.neighbour
    attic = NetworkedRenderer(here, tmp_path / "state", name="Attic", interfaces=["eth0"])
    udn = wait_until(lambda: devices.listed().get("Attic"))["udn"]
    watching = devices.watch("uuid:" + udn.removeprefix("uuid:"), "RenderingControl")
    try:
        watching.wait_for('"initial"')
        attic.stop()
        watching.wait_for('"lapsed"')
    finally:
        watching.stop()
        attic.stop()


def test_does_not_follow_a_location_to_another_network(devices):
    """A forged announcement must not make the control point ask a service on its own machine."""
    there = devices.machine
    trap = there.do(lambda: socket.create_server(("127.0.0.1", 0)))
    caught = []
    threading.Thread(target=lambda: caught.append(trap.accept()), daemon=True).start()
    location = f"http://127.0.0.1:{trap.getsockname()[1]}/"
    notice = (
        f"NOTIFY * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nNT: upnp:rootdevice\r\nNTS: ssdp:alive\r\n"
        f"USN: uuid:forged::upnp:rootdevice\r\nLOCATION: {location}\r\n\r\n"
    ).encode()

    def forge():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("192.0.2.2"))
            while not stopped.wait(0.1):
                sender.sendto(notice, network.GROUP)

    stopped = threading.Event()
    sender = threading.Thread(target=lambda: there.do(forge))
    sender.start()
    try:
        rows = devices.run("devices")[0]
    finally:
        stopped.set()
        sender.join()
        trap.close()
    assert "Kitchen" in rows
    assert not caught
