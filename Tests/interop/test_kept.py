"""What outlives the program: a kill at any moment, a full disk, another version."""

import base64
import contextlib
import http.client
import os
import pathlib
import random
import signal
import subprocess
import threading
import xml.etree.ElementTree as ET

import pytest

import soap
from processes import wait_until
from test_playlist import Playlist


class List:
    """What the playlist ought to be: ids in order, the current one, repeat."""

    def __init__(self, ids=(), current=0, repeat=0):
        self.ids, self.current, self.repeat = list(ids), current, repeat
        self.last = 0

    @property
    def state(self):
        return tuple(self.ids), self.current, self.repeat

    def edit(self, chance):
        """A command at random, as the playlist should take it: its name and arguments."""
        match chance.randrange(6):
            case 0 if self.ids:
                index = chance.randrange(len(self.ids))
                one = self.ids.pop(index)
                if one == self.current:
                    # What follows it takes its place, or else the first.
                    self.current = (self.ids[index:] or self.ids or [0])[0]
                return "DeleteId", {"Value": one}
            case 1:
                self.repeat = chance.randrange(2)
                return "SetRepeat", {"Value": self.repeat}
            case _:
                place = chance.randint(0, len(self.ids))
                return self.insert(place)

    def insert(self, place):
        self.last += 1
        after = self.ids[place - 1] if place else 0
        self.ids.insert(place, self.last)
        self.current = self.current or self.last
        return "Insert", {"AfterId": after, "Uri": uri(self.last), "Metadata": metadata(self.last)}


def uri(one):
    return f"http://host/{one}"


def metadata(one):
    return "é" * (one % 900)


def state_of(playlist):
    """The same of the real one, whose tracks are what they were."""
    ids = playlist.ids
    entries = ET.fromstring(playlist("ReadList", IdList=" ".join(map(str, ids)))["TrackList"])
    for entry, one in zip(entries, ids, strict=True):
        assert entry.findtext("Uri") == uri(one) and (entry.findtext("Metadata") or "") == metadata(one)
    return tuple(ids), playlist.id, int(playlist("Repeat")["Value"])


def test_a_kill_at_any_moment_leaves_the_list_as_it_was_a_moment_before(start, tmp_path):
    """Whenever it is killed, the list is one that there was, no older than what was on the disk; no id comes again."""
    seed = random.randrange(1 << 30)
    chance = random.Random(seed)
    state = tmp_path / "state"
    seen = [List().state]
    highest = 0
    for _ in range(6):
        renderer = start(state=state)
        playlist = Playlist(renderer)
        found = state_of(playlist)
        assert found in seen, (seed, found, seen)
        model = List(*found)
        # Whichever id comes next, what follows is known from it.
        one = int(playlist("Insert", AfterId=0, Uri="http://any/", Metadata="")["NewId"])
        assert one > highest, seed
        playlist("DeleteId", Value=one)
        model.last = one
        playlist("Insert", **model.insert(0)[1])
        wait_until(lambda: f"http://host/{model.last}".encode() in (state / "playlist").read_bytes())
        seen = [model.state]
        killer = threading.Timer(chance.random() * 1.5, renderer.process.kill)
        killer.start()
        with contextlib.suppress(OSError, http.client.HTTPException):
            while True:
                action, arguments = model.edit(chance)
                # A command whose answer does not come may have been carried out.
                seen.append(model.state)
                playlist(action, **arguments)
        killer.join()
        renderer.stop()
        highest = model.last


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a disk of its own, with room for 256 kB: what runs things there, and the folder as seen from here."""
    folder = tmp_path / "disk"
    folder.mkdir()
    script = f"mount -t tmpfs -o size=256k none {folder} && echo mounted && exec sleep infinity"
    holder = subprocess.Popen(["unshare", "--mount", "sh", "-c", script], stdout=subprocess.PIPE)
    assert holder.stdout.readline() == b"mounted\n"
    yield (
        ("nsenter", "--mount", "--target", str(holder.pid)), folder,
        pathlib.Path(f"/proc/{holder.pid}/root") / folder.relative_to("/"),
    )
    holder.kill()
    holder.wait()


def fill(path):
    """Takes all the room there is."""
    with path.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(1024))


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_full_disk_stops_nothing_and_takes_nothing_away(start, small_disk, end):
    before, folder, seen = small_disk
    renderer = start(state=folder, before=before)
    playlist = Playlist(renderer)
    ids = playlist.append("http://host/1", "http://host/2")
    wait_until(lambda: b"http://host/2" in (seen / "playlist").read_bytes())
    fill(seen / "filler")
    more = [int(playlist("Insert", AfterId=2, Uri="http://host/3", Metadata="m" * 5000)["NewId"]) for _ in range(3)]
    volume = soap.Service(renderer.openhome_url, "Volume")
    volume("SetVolume", Value=33)
    assert playlist.ids == [*ids, *reversed(more)]
    renderer.wait_for_log("no space left on device")
    # What was there is there, even if it ends now.
    renderer.stop(end)
    renderer = start(state=folder, before=before)
    playlist = Playlist(renderer)
    assert playlist.ids == ids and not list(seen.glob("*.unreadable-*"))
    (last,) = playlist.append("http://host/4" + "x" * 5000)
    assert last > 2
    renderer.wait_for_log("no space left on device")
    # And when there is room it is written.
    os.unlink(seen / "filler")
    wait_until(lambda: b"http://host/4" in (seen / "playlist").read_bytes())
    renderer.stop(signal.SIGKILL)
    assert Playlist(start(state=folder, before=before)).ids == [*ids, last]
    # Said once, not once a second.
    assert len([line for line in renderer.err if "no space left" in line]) == 1


@pytest.mark.parametrize("name", ["playlist", "speaker", "radio", "pins"])
def test_what_a_later_version_wrote_is_set_aside_and_said(start, tmp_path, name):
    state = tmp_path / "state"
    state.mkdir()
    later = f"swiftlet {name} 99\nwhat nobody knows yet\n"
    (state / name).write_text(later)
    renderer = start(state=state)
    playlist = Playlist(renderer)
    (one,) = playlist.append("http://host/1")
    renderer.wait_for_log(rf"/{name} was written by a later version")
    (aside,) = state.glob(f"{name}.unreadable-*")
    assert aside.read_text() == later
    renderer.stop()
    assert Playlist(start(state=state)).ids == [one]
    assert aside.read_text() == later


#: Files of the first version, as it wrote them: every later program reads them.
FIRST = {
    "pins": "swiftlet pins 1\nnext 102\nplace 2\nid 1\nmode url\ntype stream\nuri http://host/pin\ntitle A\\nB\n"
    "description \nartwork \nshuffle true\n",
    "radio": "swiftlet radio 1\nuri http://host/radio\nmetadata <a>\\n</a>\npreset 0\n",
    "speaker": "swiftlet speaker 1\nvolume 33\nmuted true\nbalance -4\nsource radio\nstandby true\n",
    "device": "swiftlet device 1\nseed d84ce99d-f5a2-4914-8cee-efc7223a13cf\nboot 1\n",
    "playlist": "c3dpZnRsZXQgcGxheWxpc3QgMQqs9du5PgAAAAnPaXOs9du5DgAAAAAAAAAjGkrYBQAAAAAEAAAAAAYABwCs9du5MQAAAAEAAABZEllT"
    "AQEAAAAAAAAAEgAAAAkAAABodHRwOi8vaG9zdC8xLmZsYWM8w6k+JmFtcDsEAQAAAKz127k1AAAAAQAAAC0fZxQBAgAAAAEAAAASAAAAEgAAAGh0"
    "dHA6Ly9ob3N0LzIuZmxhYzzDqT4mYW1wOzzDqT4mYW1wO6z127k+AAAAAQAAAGEJQiQBAwAAAAIAAAASAAAAGwAAAGh0dHA6Ly9ob3N0LzMuZmxh"
    "YzzDqT4mYW1wOzzDqT4mYW1wOzzDqT4mYW1wO6z127kFAAAAAgAAABoFE0oCAgAAAKz127kCAAAAAwAAADdxPBgGAaz127kCAAAAAwAAAHZAJwEH"
    "Aaz127kFAAAAAwAAAJyDlGoEAwAAAKz127kBAAAABAAAACL9SegI",
}


def test_what_the_first_version_wrote_is_read(start, tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    for name, content in FIRST.items():
        (state / name).write_bytes(base64.b64decode(content) if name == "playlist" else content.encode())
    renderer = start(state=state)
    playlist = Playlist(renderer)
    assert (playlist.ids, playlist.id) == ([1, 3], 3)
    tracks = [(f"http://host/{one}.flac", "<é>&amp;" * one) for one in (1, 3)]
    assert [tuple(playlist("Read", Id=one).values()) for one in (1, 3)] == tracks
    assert (playlist("Repeat")["Value"], playlist("Shuffle")["Value"]) == ("1", "1")
    answers = [
        ("Volume", "Volume", "33"), ("Volume", "Mute", "1"), ("Volume", "Balance", "-4"), ("Product", "Standby", "1"),
        ("Product", "SourceIndex", "1"), ("Radio", "Channel", "http://host/radio"),
        ("Pins", "GetIdArray", "[0,0,1,0,0,0]"),
    ]  # fmt: skip
    for service, action, value in answers:
        assert next(iter(soap.Service(renderer.openhome_url, service)(action).values())) == value, action
    assert playlist.append("http://host/4")[0] > 3
    assert not list(state.glob("*.unreadable-*"))
