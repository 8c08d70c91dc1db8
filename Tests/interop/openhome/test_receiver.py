"""Songcast's receiver, controlled by OpenHome: senders, the source, and what survives a restart. Without sound."""

import signal
import xml.etree.ElementTree as ET

import pytest

import database
import soap
from page_api import Page
from processes import wait_until
from test_openhome import listening

ZONE = "ohz://239.255.255.250:51972/kitchen-test"
METADATA = (
    '<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/">'
    f'<item id="0"><dc:title>Küche &amp; Bad</dc:title><res protocolInfo="ohz:*:*:u">{ZONE}</res></item></DIDL-Lite>'
)
SONGCAST = {"type": "Receiver", "name": "Songcast"}


class Receiver(soap.Service):
    def __init__(self, renderer):
        super().__init__(renderer.openhome_url, "Receiver")

    @property
    def sender(self):
        sender = self("Sender")
        return sender["Uri"], sender["Metadata"]

    def follow(self, uri, metadata=""):
        self("SetSender", Uri=uri, Metadata=metadata)


async def test_a_sender_selects_the_source(renderer, notify_server):
    receiver = Receiver(renderer)
    assert receiver.sender == ("", "")
    assert receiver("ProtocolInfo")["Value"] == "ohz:*:*:*,ohm:*:*:*,ohu:*.*.*"
    async with listening(renderer.openhome_url, notify_server) as listener:
        device = listener.device
        assert "Receiver" in soap.Service(renderer.openhome_url, "Product")("Attributes")["Value"].split()
        receiver.follow(ZONE, METADATA)
        await listener.wait_for(source=SONGCAST, can_pause=False, can_skip_next=False, can_skip_previous=False)
        assert receiver.sender == (ZONE, METADATA)
        assert await device.songcast_receiver_sender() == {"uri": ZONE, "metadata": METADATA}
        assert (await device.track_info())["title"] == "Küche & Bad"
        # SetSender does not play.
        assert await device.songcast_receiver_transport_state() == await device.transport_state() == "Stopped"
        await device.set_source(0)
        await listener.wait_for(source={"type": "Playlist", "name": "Playlist"})
        await device.songcast_receiver_leave()
        assert await device.songcast_receiver_sender() is None
        assert (await device.source())["type"] == "Playlist"


@pytest.mark.parametrize("uri", [
    "http://127.0.0.1/a.flac", "ohz://239.255.255.250:51972/", "ohz://192.0.2.1:51972/kitchen", "ohm://192.0.2.1:51970",
    "ohu://somewhere:1", "x" * 2000,
])  # fmt: skip
def test_a_bad_sender_is_refused(renderer, uri):
    receiver, product = Receiver(renderer), soap.Service(renderer.openhome_url, "Product")
    receiver.follow(ZONE)
    product("SetSourceIndex", Value=0)
    assert receiver.fault("SetSender", Uri=uri, Metadata="") == 800
    assert receiver.sender == (ZONE, "")
    assert product("SourceIndex")["Value"] == "0"


def test_senders_are_evented(renderer, subscriber):
    receiver, listener = Receiver(renderer), subscriber()
    headers = {"CALLBACK": f"<{listener.url}>", "NT": "upnp:event", "TIMEOUT": "Second-300"}
    assert soap.request("SUBSCRIBE", receiver.service["eventSubURL"], headers)[0] == 200
    listener.wait(lambda events: len(events) == 1)
    with listener.changed:
        initial = listener.events[0].values
    assert initial.keys() == {"Uri", "Metadata", "TransportState", "ProtocolInfo"}
    assert initial["TransportState"] == "Stopped"
    receiver.follow(ZONE, METADATA)
    listener.wait(lambda events: any(event.values.get("Uri") == ZONE for event in events))
    with listener.changed:
        assert listener.events[-1].values == {"Uri": ZONE, "Metadata": METADATA}
    receiver.follow("")
    listener.wait(lambda events: not events[-1].values.get("Uri", "?"))


def test_broken_metadata_is_repaired(renderer):
    receiver = Receiver(renderer)
    receiver.follow(ZONE, "<DIDL-Lite><item><title>A & B")
    assert next(ET.fromstring(receiver.sender[1]).iter("title")).text == "A & B"


def test_the_page_and_its_api_show_the_source(renderer):
    Receiver(renderer).follow(ZONE, METADATA)
    page = Page(renderer)
    state = page.state
    assert state["source"]["current"] == "receiver"
    assert {"id": "receiver", "name": "Songcast"} in state["source"]["sources"]
    assert state["playing"]["title"] == "Küche & Bad"
    assert state["playing"]["can"] == {"play": True, "pause": False, "seek": False, "next": False, "previous": False}
    assert state["playing"]["waiting"] is False
    Receiver(renderer).follow("")
    problem = page.post("play", {"source": "receiver"}).problem(409, "No Songcast sender")
    assert problem == "/problems/no-sender"


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_the_sender_survives_a_restart(start, tmp_path, end):
    state = tmp_path / "state"
    first = start(state=state)
    Receiver(first).follow(ZONE, METADATA)
    if end == signal.SIGKILL:
        saved = {"uri": ZONE, "metadata": METADATA, "joined": "false"}
        wait_until(lambda: database.settings(state, "receiver") == saved)
        wait_until(lambda: database.settings(state, "speaker").get("source") == "receiver")
    first.stop(end)
    second = start(state=state)
    receiver, product = Receiver(second), soap.Service(second.openhome_url, "Product")
    assert receiver.sender == (ZONE, METADATA)
    assert receiver("TransportState")["Value"] == "Stopped"
    assert product("Source", Index=product("SourceIndex")["Value"])["Type"] == "Receiver"
    receiver.follow("")
    second.stop()
    assert Receiver(start(state=state)).sender == ("", "")
