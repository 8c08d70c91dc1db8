"""A change by any controller is visible to all others: UPnP AV, OpenHome and the page."""

import contextlib
import time

import pytest

import soap
from page_api import Events, Page
from subscriber import Subscriber
from test_radio import LONG


class Witness:
    """All receivers of events: subscribers of both devices, and the event stream of the page."""

    def __init__(self, renderer, stack):
        self.page = Page(renderer)
        self.stream = stack.enter_context(Events(self.page))
        self.stream.wait(lambda stream: stream.events)
        self.services, self.subscribers = {}, {}
        for device, url in (("av", renderer.description_url), ("openhome", renderer.openhome_url)):
            for name, urls in soap.services(url).items():
                self.services[device, name] = soap.Service(url, name)
                subscriber = self.subscribers[device, name] = stack.enter_context(contextlib.closing(Subscriber()))
                headers = {"CALLBACK": f"<{subscriber.url}>", "NT": "upnp:event", "TIMEOUT": "Second-300"}
                status, _, _ = soap.request("SUBSCRIBE", urls["eventSubURL"], headers)
                assert status == 200, (name, status)
                subscriber.wait(lambda events: events)

    def av(self, service, action, **arguments):
        return self.services["av", service](action, InstanceID=0, **arguments)

    def openhome(self, service, action, **arguments):
        return self.services["openhome", service](action, **arguments)

    def evented(self, device, service, variable, value):
        """Returns a function that waits for an event, after this call, in which the variable has this value."""
        subscriber = self.subscribers[device, service]
        known = len(subscriber.events)
        return lambda: subscriber.wait(
            lambda events: any(event.values.get(variable) == value for event in events[known:])
        )

    def streamed(self, section, condition):
        known = len(self.stream.events)
        return lambda: self.stream.wait(
            lambda stream: any(section in data and condition(data[section]) for _, data in stream.events[known:])
        )


@pytest.fixture
def witness(renderer, media):
    with contextlib.ExitStack() as stack:
        witness = Witness(renderer, stack)
        witness.address = media.url(LONG)
        yield witness


def see(change, *observers):
    """Makes a change, and waits until every observer has seen it. Prints the time until each of them has."""
    begin = time.monotonic()
    change()
    for observe in observers:
        observe()
        print(f"{(time.monotonic() - begin) * 1000:.0f} ms")


VOLUME = {
    "av": lambda w: w.av("RenderingControl", "SetVolume", Channel="Master", DesiredVolume=23),
    "openhome": lambda w: w.openhome("Volume", "SetVolume", Value=23),
    "page": lambda w: w.page.do("volume", {"level": 23}),
}
MUTE = {
    "av": lambda w: w.av("RenderingControl", "SetMute", Channel="Master", DesiredMute=1),
    "openhome": lambda w: w.openhome("Volume", "SetMute", Value=1),
    "page": lambda w: w.page.do("mute", {"muted": True}),
}
STOP = {
    "av": lambda w: w.av("AVTransport", "Stop"),
    "openhome": lambda w: w.openhome("Transport", "Stop"),
    "page": lambda w: w.page.do("stop"),
}
SOURCE = {
    "av": lambda w: w.av("AVTransport", "Play", Speed=1),
    "openhome": lambda w: w.openhome("Product", "SetSourceIndex", Value=2),
    "page": lambda w: w.page.do("source", {"source": "upnp"}),
}
QUEUE = {
    "openhome": lambda w: w.openhome("Playlist", "Insert", AfterId=0, Uri=w.address, Metadata=""),
    "page": lambda w: w.page.do("queue/add", {"items": [{"uri": w.address, "title": "A"}], "where": "end"}),
}
PRESET = {
    "openhome": lambda w: w.openhome("Radio", "SetId", Value=w.preset, Uri=w.address),
    "page": lambda w: w.page.do("presets/play", {"id": w.preset}),
}


@pytest.mark.parametrize("by", VOLUME)
def test_a_volume_is_seen_by_all(witness, by):
    see(
        lambda: VOLUME[by](witness),
        witness.streamed("volume", lambda volume: volume["level"] == 23),
        witness.evented("av", "RenderingControl", "Volume", "23"),
        witness.evented("openhome", "Volume", "Volume", "23"),
    )


@pytest.mark.parametrize("by", MUTE)
def test_mute_is_seen_by_all(witness, by):
    see(
        lambda: MUTE[by](witness),
        witness.streamed("volume", lambda volume: volume["muted"]),
        witness.evented("av", "RenderingControl", "Mute", "1"),
        witness.evented("openhome", "Volume", "Mute", "1"),
    )


@pytest.mark.parametrize("by", STOP)
def test_a_state_is_seen_by_all(witness, by):
    witness.av("AVTransport", "SetAVTransportURI", CurrentURI=witness.address, CurrentURIMetaData="")
    see(
        lambda: witness.av("AVTransport", "Play", Speed=1),
        witness.streamed("playing", lambda playing: playing["state"] == "playing"),
        witness.evented("av", "AVTransport", "TransportState", "PLAYING"),
        witness.evented("openhome", "Transport", "TransportState", "Playing"),
    )
    see(
        lambda: STOP[by](witness),
        witness.streamed("playing", lambda playing: playing["state"] == "stopped"),
        witness.evented("av", "AVTransport", "TransportState", "STOPPED"),
        witness.evented("openhome", "Transport", "TransportState", "Stopped"),
    )


@pytest.mark.parametrize("by", SOURCE)
def test_a_source_is_seen_by_all(witness, by):
    witness.av("AVTransport", "SetAVTransportURI", CurrentURI=witness.address, CurrentURIMetaData="")
    witness.page.do("source", {"source": "radio"})
    see(
        lambda: SOURCE[by](witness),
        witness.streamed("source", lambda source: source["current"] == "upnp"),
        witness.evented("openhome", "Product", "SourceIndex", "2"),
    )


@pytest.mark.parametrize("by", QUEUE)
def test_the_queue_is_seen_by_all(witness, by):
    playlist = witness.subscribers["openhome", "Playlist"]
    (before,) = {event.values["IdArray"] for event in playlist.events}
    see(
        lambda: QUEUE[by](witness),
        witness.streamed("queue", lambda queue: queue["count"] == 1),
        lambda: playlist.wait(lambda events: events[-1].values.get("IdArray", before) != before),
    )


@pytest.mark.parametrize("by", PRESET)
def test_a_preset_is_seen_by_all(witness, by):
    radio = witness.subscribers["openhome", "Radio"]
    (before,) = {event.values["IdArray"] for event in radio.events}
    see(
        lambda: witness.page.do("presets/add", {"title": "Station", "uri": witness.address}),
        witness.streamed("presets", lambda presets: [item["title"] for item in presets["items"]] == ["Station"]),
        lambda: radio.wait(lambda events: events[-1].values.get("IdArray", before) != before),
    )
    witness.preset = witness.page.state["presets"]["items"][0]["id"]
    see(
        lambda: PRESET[by](witness),
        witness.streamed("presets", lambda presets: presets["preset_id"] == witness.preset),
        witness.evented("openhome", "Radio", "Id", str(witness.preset)),
    )
