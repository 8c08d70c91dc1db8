"""swiftlet-control groups rooms, and moves playback between them."""

import array
import contextlib
import json
import signal
import subprocess
import wave

import pytest

import network
import rooms
from processes import MEDIA_SERVER, PATIENCE, SWIFTLET_CONTROL, Process, wait_until, wait_until_equal
from songcast_sender import RATE, Pulses

pytestmark = network.needs_namespaces

#: Exit statuses: wrong usage, not offered.
USAGE, NOT_OFFERED = 64, 69

TRACKS = ["one.wav", "two.wav", "three.wav"]


class House:
    """Three Swiftlets named room2, room3 and room4, a renderer without a queue, a server with three long tracks, and a neighbour."""

    def __init__(self, machine, speakers, url):
        self.machine = machine
        self.speakers = speakers
        self.tracks = [f"{url}/{name}" for name in TRACKS]

    def run(self, *arguments, expect=0):
        """Runs swiftlet-control; returns its standard output and standard error."""
        done = subprocess.run(
            self.machine.command(SWIFTLET_CONTROL, *arguments, "--interface", "eth0"),
            capture_output=True, text=True, timeout=2 * PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == expect, (done.returncode, done.stdout, done.stderr)
        return done.stdout, done.stderr

    def objects(self, *arguments, expect=0):
        return [json.loads(line) for line in self.run(*arguments, "--json", expect=expect)[0].splitlines()]

    def groups(self):
        """The names of the leaders, each with the sorted names of the others."""
        return [(group["leader"], sorted(group["members"])) for group in self.objects("group")]

    def now(self, name):
        return self.objects("now", name)[0]

    def plays(self, name):
        wait_until(lambda: self.now(name)["state"] == "playing")

    def play_second_track(self, name):
        self.run("play", name, *self.tracks, "--replace")
        self.run("next", name)
        self.plays(name)
        self.run("seek", name, "30")
        wait_until(lambda: 30 <= self.now(name).get("position", 0) < 60)


@pytest.fixture
def house(tmp_path):
    folder = tmp_path / "music"
    folder.mkdir()
    period = array.array("h", Pulses().pcm(0, Pulses.PERIOD))
    period.byteswap()
    for name in TRACKS:
        with wave.open(str(folder / name), "wb") as file:
            file.setnchannels(2)
            file.setsampwidth(2)
            file.setframerate(RATE)
            for _ in range(4 * 300):
                file.writeframes(period.tobytes())
    (tmp_path / "house").mkdir()
    with rooms.house(tmp_path / "house", (0, 0, 0)) as (machine, speakers), contextlib.ExitStack() as stack:
        server = Process(*machine.command(MEDIA_SERVER, "--folder", str(folder), "--host", "192.0.2.1"))
        stack.callback(server.stop)
        renderer = Process(
            *machine.command("gmediarender", "-f", "Bedroom", "-I", "eth0", "--gstout-audiopipe=fakesink sync=true")
        )
        stack.callback(renderer.stop)
        house = House(machine, speakers, server.wait_for(r"http://\S+").group())
        names = {"room2", "room3", "room4", "Bedroom"}
        wait_until(lambda: names <= {device["name"] for device in house.objects("devices")})
        yield house


def test_groups_rooms(house):
    kitchen, study, bedroom = house.speakers
    house.run("play", "room2", house.tracks[0])
    assert house.run("group", "room2", "room3")[0] == "room2 + room3\n"
    wait_until(lambda: study.state == "Playing")
    study("Volume", "SetVolume", Value=100)
    study.sounds(4)
    # The study receives, so the others join the kitchen. The renderer cannot.
    assert house.objects("group", "room3", "--all") == [
        {"leader": "room2", "sender": "room2", "members": ["room3", "room4"]}
    ]
    wait_until(lambda: bedroom.state == "Playing")
    assert "room3 already plays with room2" in house.run("group", "room3", "room2", expect=USAGE)[1]
    assert "Bedroom cannot play the sound of other rooms" in house.run("group", "room2", "Bedroom", expect=NOT_OFFERED)[1]

    # A group survives the restart of a member.
    bedroom.renderer.stop()
    wait_until_equal(house.groups, [("room2", ["room3"])])
    bedroom.start()
    wait_until(lambda: bedroom.state == "Playing")
    assert house.groups() == [("room2", ["room3", "room4"])]

    assert house.run("ungroup", "room3")[0] == "room3 left room2.\n"
    assert study.state == "Stopped"
    wait_until_equal(house.groups, [("room2", ["room4"])])
    house.run("ungroup", "room2")
    wait_until_equal(house.groups, [])
    assert house.now("room2")["state"] == "playing"
    assert "No rooms play together" in house.run("group")[1]


def test_changes_the_volume_of_a_group(house):
    for name, volume in (("room2", "50"), ("room3", "20"), ("room4", "80")):
        house.run("volume", name, volume)
    house.run("group", "room2", "room3")
    assert house.objects("volume", "room2", "+10", "--group") == [
        {"room": "room2", "volume": 60}, {"room": "room3", "volume": 30},
    ]  # fmt: skip
    house.run("volume", "room3", "10", "--group")
    assert house.run("volume", "room2", "--group")[0] == "room2  40\nroom3  10\n"
    assert house.run("volume", "room4")[0] == "80\n"


def test_moves_playback_with_its_queue(house):
    _, study, bedroom = house.speakers
    house.run("play", "room3", house.tracks[0])
    house.run("group", "room2", "room3", "room4")
    house.play_second_track("room2")
    house.run("repeat", "room2", "on")
    outcome = house.objects("move", "room2", "room3")[0]
    assert outcome["track"]["uri"] == house.tracks[1]
    assert outcome["losses"] == []
    now = house.now("room3")
    assert (now["state"], now["number"], now["count"]) == ("playing", 2, 3)
    assert now["position"] >= 30
    assert house.objects("repeat", "room3") == [{"repeat": True}]
    # The first room keeps its queue. The room that heard it follows.
    assert house.now("room2")["state"] == "stopped"
    assert len(house.objects("queue", "room2")) == 3
    wait_until(lambda: bedroom.state == "Playing")
    assert house.groups() == [("room3", ["room4"])]
    # A member of the group hands its place on.
    house.run("move", "room4", "room2")
    wait_until_equal(house.groups, [("room3", ["room2"])])
    assert bedroom.state == "Stopped"
    assert study("Playlist", "TransportState")["Value"] == "Playing"


def test_moves_to_a_renderer_without_a_queue_and_back(house):
    house.play_second_track("room2")
    move = Process(*house.machine.command(SWIFTLET_CONTROL, "move", "room2", "Bedroom", "--json", "--interface", "eth0"))
    move.wait_for(r'"target":"Bedroom"')
    # It feeds the renderer.
    move.wait_for(r'"event":"playing"')
    move.stop(signal.SIGINT)
    now = house.now("Bedroom")
    assert (now["state"], now["track"]["uri"]) == ("playing", house.tracks[1])
    assert now["position"] >= 30
    assert house.now("room2")["state"] == "stopped"
    assert house.objects("move", "Bedroom", "room3")[0]["track"]["uri"] == house.tracks[1]
    now = house.now("room3")
    assert (now["state"], now["track"]["uri"]) == ("playing", house.tracks[1])
    assert now["position"] >= 30
    wait_until(lambda: house.now("Bedroom")["state"] == "stopped")
