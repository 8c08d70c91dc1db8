"""UPnP AV and OpenHome controllers send random commands at once. Answers and events of all services must agree."""

import asyncio
import base64
import os
import random
import struct
import time
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from xml.sax.saxutils import escape

import pytest

import soap
from processes import PATIENCE
from test_radio import presets

#: Seconds of random commands; 60 for a thorough run.
SECONDS = float(os.environ.get("STRESS_SECONDS", "6"))

NAMES = ["noise1-44100-16-2-3s.flac", "noise12-44100-16-2-30s.flac", "noise7-48000-16-2-3s.flac",
         "noise3-44100-16-2-0.2s.flac", "cbr.mp3", "no-such-file.flac"]

#: Senders of Songcast that do not exist, no sender, and a bad one.
SENDERS = ["ohz://239.255.255.250:51972/test", "ohu://127.0.0.1:9", "", "http://127.0.0.1/"]

#: The seed of the random commands.
SEED = int(os.environ.get("STRESS_SEED", "0"))

#: The faults that these commands can cause, by AVTransport and by OpenHome (unknown ids, indices and modes).
FAULTS = {701, 710, 711, 800, 801, 802, 803, 804, 805, 811, 812}

ACTIVE = {"PLAYING", "TRANSITIONING", "PAUSED_PLAYBACK", "Playing", "Buffering", "Paused", "Waiting"}
SOURCES = {"Playlist": "Playlist", "Radio": "Radio", "UpnpAv": "AVTransport", "Receiver": "Receiver"}


def ask(services, kind, action, **arguments):
    """Calls an action; returns its results by name, or the fault code."""
    service = services[kind]
    status, _, body = soap.call(service, action, list(arguments.items()))
    if status == 500:
        return soap.fault(body)
    assert status == 200, (action, arguments, body)
    response = ET.fromstring(body)[0][0]
    assert response.tag == f"{{{service['serviceType']}}}{action}Response"
    return {result.tag: result.text or "" for result in response}


class Family:
    """A controller that sends random commands."""

    def __init__(self, services, media, seed):
        self.services, self.media, self.chance = services, media, random.Random(seed)
        self.count = 0

    def uri(self):
        return escape(self.media.url(self.chance.choice(NAMES), f"header=x:{self.chance.randrange(1000)}"))

    def send_commands(self, seconds):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            kind, action, arguments = self.chance.choice(self.choices())
            answer = ask(self.services, kind, action, **arguments)
            assert isinstance(answer, dict) or answer in FAULTS, (kind, action, arguments, answer)
            self.count += 1
            if self.chance.random() < 0.3:
                time.sleep(self.chance.random() * 0.2)


class AV(Family):
    def choices(self):
        zero = {"InstanceID": "0"}
        master = {**zero, "Channel": "Master"}
        return [
            ("AVTransport", "SetAVTransportURI", {**zero, "CurrentURI": self.uri(), "CurrentURIMetaData": ""}),
            ("AVTransport", "SetNextAVTransportURI", {**zero, "NextURI": self.uri(), "NextURIMetaData": ""}),
            ("AVTransport", "Play", {**zero, "Speed": "1"}),
            ("AVTransport", "Play", {**zero, "Speed": "1"}),
            ("AVTransport", "Pause", zero),
            ("AVTransport", "Stop", zero),
            ("AVTransport", "Next", zero),
            ("AVTransport", "Seek", {**zero, "Unit": "REL_TIME", "Target": "0:00:01"}),
            ("RenderingControl", "SetVolume", {**master, "DesiredVolume": str(self.chance.randrange(101))}),
            ("RenderingControl", "SetMute", {**master, "DesiredMute": str(self.chance.randrange(2))}),
        ]


class OpenHome(Family):
    def __init__(self, services, media, seed):
        super().__init__(services, media, seed)
        ids = base64.b64decode(ask(services, "Radio", "IdArray")["Array"])
        self.presets = [one for one in struct.unpack(">100I", ids) if one]

    def pin(self):
        mode, kind, uri = self.chance.choice([
            ("url", "stream", self.uri()), ("radio", "preset", "radio://preset?version=1&amp;id=2"),
            ("transport", "source", "transport://source?version=1&amp;id=Playlist"),
        ])
        return {
            "Index": str(self.chance.randrange(6)), "Mode": mode, "Type": kind, "Uri": uri, "Title": "Pin", "Description": "",
            "ArtworkUri": "", "Shuffle": "0",
        }

    def choices(self):
        value = self.chance.randrange
        return [
            ("Playlist", "Insert", {"AfterId": str(value(2) * value(9)), "Uri": self.uri(), "Metadata": ""}),
            ("Playlist", "Insert", {"AfterId": "0", "Uri": self.uri(), "Metadata": escape("<x>é</x>")}),
            ("Playlist", "DeleteId", {"Value": str(value(20))}),
            ("Playlist", "DeleteAll" if value(8) == 0 else "IdArray", {}),
            ("Playlist", "Play", {}),
            ("Playlist", "Pause", {}),
            ("Playlist", "Stop", {}),
            ("Playlist", "Next", {}),
            ("Playlist", "Previous", {}),
            ("Playlist", "SeekId", {"Value": str(value(20))}),
            ("Playlist", "SeekIndex", {"Value": str(value(5))}),
            ("Playlist", "SetRepeat", {"Value": str(value(2))}),
            ("Playlist", "SetShuffle", {"Value": str(value(2))}),
            ("Radio", "SetChannel", {"Uri": self.uri(), "Metadata": ""}),
            ("Radio", "Play", {}),
            ("Radio", "Stop", {}),
            ("Radio", "SetId", {"Value": str(self.chance.choice([*self.presets, 7])), "Uri": ""}),
            ("Radio", "SeekSecondAbsolute", {"Value": "1"}),
            ("Receiver", "SetSender", {"Uri": self.chance.choice(SENDERS), "Metadata": ""}),
            ("Receiver", "Play", {}),
            ("Receiver", "Stop", {}),
            ("Pins", "InvokeIndex", {"Index": str(value(7))}),
            ("Pins", "Swap", {"Index1": str(value(6)), "Index2": str(value(6))}),
            ("Pins", "SetDevice", self.pin()),
            ("Product", "SetSourceIndex", {"Value": str(value(4))}),
            ("Product", "SetStandby", {"Value": str(int(value(4) == 0))}),
            ("Transport", "Play", {}),
            ("Transport", "Pause", {}),
            ("Transport", "SkipNext", {}),
            ("Transport", "SkipPrevious", {}),
            ("Transport", "PlayAs", {
                "Mode": self.chance.choice(["Playlist", "Radio", "UpnpAv", "Receiver"]), "Command": self.chance.choice(["", "index=1"]),
            }),
            ("Transport", "SetRepeat", {"Repeat": str(value(2))}),
            ("Volume", "SetVolume", {"Value": str(value(102))}),
            ("Volume", "VolumeInc", {}),
            ("Volume", "SetBalance", {"Value": str(value(-16, 17))}),
            ("Volume", "SetMute", {"Value": str(value(2))}),
        ]


def listen(subscriber, services):
    """Subscribes to every service; returns the listeners by service."""
    listeners = {}
    for name, service in services.items():
        listeners[name] = subscriber()
        headers = {"CALLBACK": f"<{listeners[name].url}>", "NT": "upnp:event", "TIMEOUT": "Second-300"}
        assert soap.request("SUBSCRIBE", service["eventSubURL"], headers)[0] == 200
    return listeners


#: The compared values: service, variable, the action that returns it, and its result.
VIEW = [
    ("AVTransport", "TransportState", "GetTransportInfo", "CurrentTransportState"),
    ("AVTransport", "AVTransportURI", "GetMediaInfo", "CurrentURI"),
    ("RenderingControl", "Volume", "GetVolume", "CurrentVolume"),
    ("RenderingControl", "Mute", "GetMute", "CurrentMute"),
    ("Playlist", "TransportState", "TransportState", "Value"),
    ("Playlist", "Id", "Id", "Value"),
    ("Playlist", "IdArray", "IdArray", "Array"),
    ("Playlist", "Repeat", "Repeat", "Value"),
    ("Playlist", "Shuffle", "Shuffle", "Value"),
    ("Radio", "TransportState", "TransportState", "Value"),
    ("Radio", "Id", "Id", "Value"),
    ("Radio", "Uri", "Channel", "Uri"),
    ("Receiver", "TransportState", "TransportState", "Value"),
    ("Receiver", "Uri", "Sender", "Uri"),
    ("Pins", "IdArray", "GetIdArray", "IdArray"),
    ("Info", "Uri", "Track", "Uri"),
    ("Info", "TrackCount", "Counters", "TrackCount"),
    ("Time", "TrackCount", "Time", "TrackCount"),
    ("Time", "Duration", "Time", "Duration"),
    ("Transport", "StreamId", "StreamId", "StreamId"),
    ("Transport", "CanSkipNext", "ModeInfo", "CanSkipNext"),
    ("Transport", "Repeat", "Repeat", "Repeat"),
    ("Transport", "Shuffle", "Shuffle", "Shuffle"),
    ("Transport", "TransportState", "TransportState", "State"),
    ("Product", "SourceIndex", "SourceIndex", "Value"),
    ("Product", "Standby", "Standby", "Value"),
    ("Volume", "Volume", "Volume", "Value"),
    ("Volume", "Mute", "Mute", "Value"),
    ("Volume", "Balance", "Balance", "Value"),
]
ARGUMENTS = {
    "AVTransport": {"InstanceID": "0"},
    "RenderingControl": {"InstanceID": "0", "Channel": "Master"},
}


def answered(services):
    """The values by actions: {(service, variable): value}."""
    return {
        (service, variable): ask(services, service, action, **ARGUMENTS.get(service, {}))[result]
        for service, variable, action, result in VIEW
    }


def evented(listeners):
    """The same values by the last events."""
    values = {}
    for service, variable, _, _ in VIEW:
        listener = listeners[service]
        with listener.changed:
            of_variable = [event.values[variable] for event in listener.events if variable in event.values]
        values[service, variable] = of_variable[-1] or "" if of_variable else None
    return values


def contradictions(view, types):
    """The values that contradict each other."""
    current = SOURCES[types[int(view["Product", "SourceIndex"])]]
    states = {source: view[source, "TransportState"] for source in SOURCES.values()}
    for source, state in states.items():
        # AVTransport shows the current source, unless a controller has set an item since.
        shows_current = source == "AVTransport" and states[current] in ACTIVE
        if source != current and state in ACTIVE and not shows_current:
            yield f"{source} is {state}, and {current} is the current source"
    if states["AVTransport"] in ACTIVE and view["AVTransport", "AVTransportURI"] != view["Info", "Uri"]:
        yield f"AVTransport shows {view['AVTransport', 'AVTransportURI']}, Info {view['Info', 'Uri']}"
    if view["Product", "Standby"] == "1" and states[current] in ACTIVE:
        yield "something plays in standby"
    if (states[current] in ACTIVE) != (view["Transport", "TransportState"] in ACTIVE):
        yield f"Transport says {view['Transport', 'TransportState']}, {current} says {states[current]}"
    for variable in ("Volume", "Mute"):
        if view["RenderingControl", variable] != view["Volume", variable]:
            yield f"RenderingControl and Volume disagree about {variable}"
    for variable in ("Repeat", "Shuffle"):
        if view["Transport", variable] != view["Playlist", variable]:
            yield f"Transport and Playlist disagree about {variable}"
    if view["Info", "TrackCount"] != view["Time", "TrackCount"]:
        yield "Info and Time disagree about TrackCount"
    uris = {"Playlist": view["track"], "AVTransport": view["AVTransport", "AVTransportURI"]}
    uris |= {source: view[source, "Uri"] for source in ("Radio", "Receiver")}
    if view["Info", "Uri"] != uris[current]:
        yield f"Info shows {view['Info', 'Uri']}, {current} has {uris[current]}"


@pytest.mark.timeout(SECONDS * 3 + 180)
async def test_av_and_openhome_controllers_see_the_same_state(start, tmp_path, subscriber, media):
    pairs = [(str(number), media.url(NAMES[number], "header=x:preset")) for number in range(3)]
    renderer = start(more=("--config", presets(tmp_path / "presets.toml", *pairs)))
    services = soap.services(renderer.description_url) | soap.services(renderer.openhome_url)
    listeners = listen(subscriber, services)
    xml = ET.fromstring(ask(services, "Product", "SourceXml")["Value"])
    types = [source.findtext("Type") for source in xml]

    families = [kind(services, media, SEED + seed) for seed, kind in enumerate((AV, OpenHome, AV, OpenHome))]
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(len(families)) as pool:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            await asyncio.gather(*(loop.run_in_executor(pool, family.send_commands, 1.5) for family in families))
            # Nothing is sent now, but the playing track may end, so the answers before and after must agree.
            stop_repeat_at = time.monotonic() + 3
            async with asyncio.timeout(PATIENCE):
                while not (view := await asyncio.to_thread(answered, services)) == evented(listeners) == await asyncio.to_thread(
                    answered, services
                ):
                    assert renderer.process.poll() is None
                    await asyncio.sleep(0.1)
                    # A short repeated track changes the values again and again.
                    if time.monotonic() > stop_repeat_at:
                        await asyncio.to_thread(ask, services, "Playlist", "SetRepeat", Value="0")
            track = await asyncio.to_thread(ask, services, "Playlist", "Read", Id=view["Playlist", "Id"])
            # An empty playlist has no current track.
            view["track"] = track["Uri"] if isinstance(track, dict) else ""
            assert not list(contradictions(view, types)), view
    print("answers", [family.count for family in families], view)
    assert min(family.count for family in families) > 0
