"""Speakers that send and receive: all rooms hear the same at the same time."""

import array
import contextlib
import json
import os
import re
import statistics
import urllib.request
import wave

import pytest

import network
import rooms
from processes import MEDIA_SERVER, PATIENCE, Process, wait_until
from songcast_sender import RATE, Pulses

pytestmark = network.needs_namespaces

#: Milliseconds by which two rooms may differ on a busy machine.
APART = 10
#: Seconds of music; SWIFTLET_ROOMS=600 measures.
SECONDS = int(os.environ.get("SWIFTLET_ROOMS", "5"))


@pytest.fixture
def music(tmp_path):
    """A folder with pulses.wav."""
    period = array.array("h", Pulses().pcm(0, Pulses.PERIOD))
    period.byteswap()
    with wave.open(str(tmp_path / "pulses.wav"), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        for _ in range(4 * SECONDS + 40):
            file.writeframes(period.tobytes())
    return tmp_path


def sender_of(room):
    """The address and the metadata that a controller passes to other rooms."""
    metadata = room("Sender", "Metadata")["Value"]
    return re.search(r">(ohz:[^<]*)<", metadata).group(1), metadata


def receive(room, sender):
    uri, metadata = sender
    room("Volume", "SetVolume", Value=100)
    room("Receiver", "SetSender", Uri=uri, Metadata=metadata)
    room("Receiver", "Play")


@pytest.mark.parametrize(
    ("songcast", "line"),
    [("unicast", None), ("multicast", None), ("unicast", {"jitter": 0.005}), ("unicast", {"loss": 0.02})],
    ids=["unicast", "multicast", "jitter", "loss"],
)
def test_all_rooms_hear_the_same(tmp_path, music, songcast, line, record_property):
    (tmp_path / "house").mkdir()
    with rooms.house(tmp_path / "house", (0, 100, -100), songcast, line) as (machine, (kitchen, study, bedroom)):
        server = Process(*machine.command(MEDIA_SERVER, "--folder", str(music), "--host", "192.0.2.1"))
        with contextlib.ExitStack() as stack:
            stack.callback(server.stop)
            url = server.wait_for(r"http://\S+").group() + "/pulses.wav"
            # Below 100, the card gets 32 bits, as those of the other rooms.
            kitchen("Volume", "SetVolume", Value=99)
            assert not kitchen.puts_sound_first
            receive(study, sender_of(kitchen))
            # The study only receives, so the bedroom joins the kitchen.
            receive(bedroom, sender_of(study))
            assert study.state == bedroom.state == "Waiting"

            def play(action, **arguments):
                kitchen("AVTransport", action, device="renderer", InstanceID=0, **arguments)

            play("SetAVTransportURI", CurrentURI=url, CurrentURIMetaData="")
            play("Play", Speed=1)
            for room in (study, bedroom):
                wait_until(lambda room=room: room.state == "Playing")
            assert kitchen("Sender", "Status2")["Value"] == "Sending"
            assert study("Sender", "Status2")["Value"] != "Sending"
            assert all(room.puts_sound_first for room in (kitchen, study, bedroom))
            # The first message about the track may get lost.
            wait_until(lambda: bedroom("Info", "Track")["Uri"] == url)
            bedroom.sounds(SECONDS * 4)
            for room in (study, bedroom):
                record_property("packets lost", room.lost_packets)
            play("Pause")
            for room in (study, bedroom):
                wait_until(lambda room=room: room.state == "Waiting")
            for name, one, other in (("sender", kitchen, study), ("forwarded", kitchen, bedroom), ("both", study, bedroom)):
                differences = rooms.apart(one.heard(), other.heard())
                assert len(differences) >= SECONDS * 2
                assert statistics.median(differences) < APART, differences
                late = sorted(differences[40:]) or differences
                record_property(f"apart, ms: p95 of {name}", round(late[len(late) * 95 // 100], 3))
                print(f"{name}: p95 {late[len(late) * 95 // 100]:.3f} ms, first {differences[0]:.3f} ms, {len(late)} pulses")


def announce(room, **body):
    """Posts to the API, and returns the status."""
    request = urllib.request.Request(
        f"http://{room.address}:49494/api/announce", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )

    def post():
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status

    return room.machine.do(post)


def announcing(room):
    def get():
        with urllib.request.urlopen(f"http://{room.address}:49494/api/state", timeout=PATIENCE) as answer:
            return json.load(answer)["announcement"]["playing"]

    return room.machine.do(get)


def test_a_room_that_receives_announces_in_the_whole_group(tmp_path, music):
    (tmp_path / "house").mkdir()
    with rooms.house(tmp_path / "house", (0, 100), "unicast") as (machine, (kitchen, study)):
        server = Process(*machine.command(MEDIA_SERVER, "--folder", str(music), "--host", "192.0.2.1"))
        with contextlib.ExitStack() as stack:
            stack.callback(server.stop)
            url = server.wait_for(r"http://\S+").group() + "/pulses.wav"
            kitchen("Volume", "SetVolume", Value=99)
            receive(study, sender_of(kitchen))
            kitchen("AVTransport", "SetAVTransportURI", device="renderer", InstanceID=0, CurrentURI=url, CurrentURIMetaData="")
            kitchen("AVTransport", "Play", device="renderer", InstanceID=0, Speed=1)
            wait_until(lambda: study.state == "Playing")
            study.sounds(4)
            # The sender mixes it into the sound of all rooms.
            assert announce(study, chime=True, group=True) == 200
            assert announcing(kitchen) and not announcing(study)
            wait_until(lambda: not announcing(kitchen))
            # On itself only.
            assert announce(study, chime=True) == 200
            assert announcing(study) and not announcing(kitchen)
