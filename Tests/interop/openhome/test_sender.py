"""Other rooms play what the speaker plays: a receiver on another machine joins it."""

import contextlib
import re
import signal
import statistics
import time
import xml.etree.ElementTree as ET

import pytest

import soap
import songcast
import sound
from network import needs_namespaces
from processes import MEDIA_SERVER, Process, wait_until

pytestmark = needs_namespaces

#: Seconds from sending to hearing.
LATENCY = 0.15


class Living:
    """A speaker on the machine `here`, and its services as seen from `there`."""

    def __init__(self, here, there, start_on, *more):
        here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
        self.there = there
        self.server = Process(*here.command(MEDIA_SERVER, "--folder", str(sound.FOLDER)))
        self.base = self.server.wait_for(r"http://127\.0\.0\.1:\d+").group()
        self.renderer = start_on(here, name="Living", more=more)
        openhome = self.renderer.wait_for(r"http://192\.0\.2\.1:\d+/openhome/\S*").group()
        av = self.renderer.wait_for(r"http://192\.0\.2\.1:\d+/renderer/\S*").group()
        self.sender, self.product, self.transport = there.do(
            lambda: [soap.Service(*each) for each in ((openhome, "Sender"), (openhome, "Product"), (av, "AVTransport"))]
        )

    def call(self, service, action, **arguments):
        return self.there.do(lambda: service(action, **arguments))

    def sender_value(self, action):
        return self.call(self.sender, action)["Value"]

    def set(self, name):
        url = f"{self.base}/{name}"
        self.call(self.transport, "SetAVTransportURI", InstanceID=0, CurrentURI=url, CurrentURIMetaData="")
        return url

    def set_next(self, name):
        url = f"{self.base}/{name}"
        self.call(self.transport, "SetNextAVTransportURI", InstanceID=0, NextURI=url, NextURIMetaData="")
        return url

    def play(self):
        self.call(self.transport, "Play", InstanceID=0, Speed=1)

    def pause(self):
        self.call(self.transport, "Pause", InstanceID=0)

    def stop(self):
        self.call(self.transport, "Stop", InstanceID=0)

    def seek(self, target):
        self.call(self.transport, "Seek", InstanceID=0, Unit="REL_TIME", Target=target)

    @property
    def zone(self):
        """The zone in the sender's metadata."""
        res = ET.fromstring(self.sender_value("Metadata")).find(".//{urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/}res")
        return re.fullmatch(r"ohz://239\.255\.255\.250:51972/(.+)", res.text).group(1)


@pytest.fixture
def living(here, there, start_on, fixtures):
    with contextlib.ExitStack() as stack:

        def start(*more):
            made = Living(here, there, start_on, *more)
            stack.callback(made.server.stop)
            return made

        yield start


@pytest.fixture
def kitchen(there):
    """A receiver on the other machine."""
    receiver = songcast.Receiver(there)
    yield receiver
    receiver.close()


def is_part(stream, pcm):
    """Whether the frames are a part of the track's sound."""
    start = stream[0].start * stream[0].channels * stream[0].depth // 8
    heard = b"".join(frame.pcm for frame in stream)
    return heard == pcm[start : start + len(heard)]


def is_consecutive(frames):
    return [frame.number for frame in frames] == list(range(frames[0].number, frames[0].number + len(frames)))


@pytest.mark.parametrize("mode", ["unicast", "multicast"])
@pytest.mark.parametrize("name", ["noise1-44100-16-2-3s.flac", "noise8-44100-24-2-3s.wav", "noise9-48000-24-1-3s.flac"])
def test_a_receiver_gets_the_samples(living, kitchen, fixtures, mode, name):
    speaker = living("--songcast", mode, "--songcast-channel", "300")
    fixture = fixtures[name]
    wait_until(lambda: speaker.sender_value("Status2") == "Ready")
    uri = kitchen.find(speaker.zone)
    assert uri == "ohm://239.253.1.44:51970" if mode == "multicast" else uri.startswith("ohu://192.0.2.1:")
    kitchen.join(uri)
    assert speaker.sender_value("Status2") == "Sending"
    assert not kitchen.frames
    url = speaker.set(name)
    speaker.play()
    frames = kitchen.wait_for(lambda frames: frames and frames[-1].flags & songcast.HALT)
    assert is_consecutive(frames)
    pcm = sound.swapped(fixture.path.read_bytes(), fixture.bits // 8)
    (streams,) = songcast.stretches(frames)
    assert all(is_part(stream, pcm) for stream in streams)
    stream = sum(streams, [])
    assert sum(f.samples for f in stream) > fixture.frames / 2
    assert {(f.rate, f.depth, f.channels, f.total) for f in stream} == {
        (fixture.rate, fixture.bits, fixture.channels, fixture.frames)
    }
    assert {f.codec for f in stream} == {"WAV" if name.endswith(".wav") else "FLAC"}
    assert all(f.flags & songcast.LOSSLESS and f.latency == 256 * fixture.rate * LATENCY for f in stream)
    assert kitchen.tracks[-1].uri == url
    assert ET.fromstring(kitchen.tracks[-1].metadata).findtext(".//{http://purl.org/dc/elements/1.1/}title")
    assert kitchen.texts[-1] == ""


def test_frames_are_sent_at_the_pace_of_the_sound(living, kitchen):
    speaker = living()
    kitchen.join(kitchen.find(speaker.zone))
    speaker.set("noise12-44100-16-2-30s.flac")
    speaker.play()
    frames = kitchen.wait_for(lambda frames: len(frames) > 600)
    assert statistics.median(f.samples for f in frames[:600]) in (220, 221, 220.5)
    # On a busy machine frames may come late, but on the whole each comes 5 ms after the one before it.
    lateness = [f.arrival - frames[0].arrival - f.start / f.rate for f in frames[:600]]
    assert abs(statistics.median(lateness)) < 0.05


def test_nothing_is_sent_without_listeners(living, kitchen):
    speaker = living()
    uri = kitchen.find(speaker.zone)
    speaker.set("noise12-44100-16-2-30s.flac")
    speaker.play()
    kitchen.join(uri)
    kitchen.wait_for(lambda frames: len(frames) > 100)
    assert speaker.sender_value("Audio") == "1"
    kitchen.leave()
    wait_until(lambda: speaker.sender_value("Status2") == "Ready")
    time.sleep(0.1)  # Datagrams on their way.
    count = len(kitchen.frames)
    time.sleep(1)
    assert len(kitchen.frames) == count
    # It joins again in the middle, within a second.
    kitchen.frames.clear()
    began = time.monotonic()
    kitchen.join(uri)
    frames = kitchen.wait_for(len)
    assert frames[0].start > 44100
    assert frames[0].arrival - began < 5
    speaker.stop()
    wait_until(lambda: speaker.sender_value("Audio") == "0")


def test_seek_pause_and_next_track(living, kitchen, fixtures):
    speaker = living()
    kitchen.join(kitchen.find(speaker.zone))
    pcm = {
        name: sound.swapped(fixtures[name].path.read_bytes(), 2)
        for name in ("noise12-44100-16-2-30s.flac", "noise2-44100-16-2-3s.flac", "noise7-48000-16-2-3s.flac")
    }
    long, second, third = pcm

    def parts():
        return songcast.stretches(kitchen.frames)

    def is_halted():
        return bool(kitchen.frames[-1].flags & songcast.HALT)

    speaker.set(long)
    speaker.play()
    kitchen.wait_for(lambda frames: len(frames) > 100)
    speaker.pause()
    kitchen.wait_for(lambda frames: frames[-1].flags & songcast.HALT)
    paused = len(kitchen.frames)
    speaker.play()
    wait_until(lambda: len(kitchen.frames) > paused + 100)
    speaker.seek("0:00:20")
    count = len(kitchen.frames)
    # What other rooms play after a pause follows what they have played.
    assert len(songcast.stretches(kitchen.frames[:count])) == 1
    wait_until(lambda: len(parts()) == 2 and len(kitchen.frames) > count + 100)
    speaker.set(second)
    speaker.set_next(third)
    wait_until(lambda: len(parts()) == 4 and is_halted())
    assert 20 <= parts()[1][0][0].start / 44100 < 21
    for streams, name in zip(parts(), (long, long, second, third), strict=True):
        assert all(is_part(stream, pcm[name]) for stream in streams)
    assert is_consecutive(kitchen.frames)
    wait_until(lambda: kitchen.tracks[-1].uri.endswith(third))


def test_what_controllers_see(living, there):
    speaker = living("--songcast", "multicast")
    wait_until(lambda: speaker.sender_value("Status2") == "Ready")
    assert "Sender" in speaker.call(speaker.product, "Attributes")["Value"].split()
    wait_until(lambda: "albumArtURI" in speaker.sender_value("Metadata"))
    metadata = ET.fromstring(speaker.sender_value("Metadata"))
    texts = {element.tag.split("}")[1]: element.text for element in metadata.iter()}
    assert texts["title"] == "Living"
    assert texts["class"] == "object.item.audioItem"
    assert there.get(texts["albumArtURI"]).startswith(b"\x89PNG")
    assert metadata.find(".//*[@protocolInfo]").get("protocolInfo") == "ohz:*:*:m"
    assert there.get(speaker.sender_value("PresentationUrl"))
    values = {name: speaker.sender_value(name) for name in ("Audio", "Status", "Status2", "Enabled")}
    assert values == {"Audio": "0", "Status": "Enabled", "Status2": "Ready", "Enabled": "1"}


@pytest.mark.keys("songcast", "songcast_channel")
def test_the_mode_changes_on_a_reload(living, kitchen, tmp_path):
    file = tmp_path / "swiftlet.toml"
    file.write_text('songcast = "unicast"\n')
    speaker = living("--config", str(file))
    zone = speaker.zone
    assert kitchen.find(zone).startswith("ohu://192.0.2.1:")
    # The channel of a speaker is random, but stays.
    file.write_text('songcast = "multicast"\n')
    speaker.renderer.process.send_signal(signal.SIGHUP)
    wait_until(lambda: kitchen.find(zone).startswith("ohm://239.253."))
    assert 'protocolInfo="ohz:*:*:m"' in speaker.sender_value("Metadata")
    file.write_text('songcast = "multicast"\nsongcast_channel = 301\n')
    speaker.renderer.process.send_signal(signal.SIGHUP)
    wait_until(lambda: kitchen.find(zone) == "ohm://239.253.1.45:51970")
    kitchen.join(kitchen.find(zone))
    speaker.set("noise12-44100-16-2-30s.flac")
    speaker.play()
    kitchen.wait_for(lambda frames: len(frames) > 20)


def test_it_can_be_off(living, kitchen):
    speaker = living("--songcast", "off")
    values = {name: speaker.sender_value(name) for name in ("Status", "Status2", "Enabled")}
    assert values == {"Status": "Disabled", "Status2": "Disabled", "Enabled": "0"}
    assert kitchen.find(speaker.zone) == "ohu://0.0.0.0:0"
