"""Stored state: kills, full disks, later versions, and invalid settings."""

import contextlib
import http.client
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import threading
import xml.etree.ElementTree as ET

import pytest

import database
import soap
from processes import wait_until
from test_playlist import Playlist


class Model:
    """The expected playlist: ids in order, current id, repeat."""

    def __init__(self, ids=(), current=0, repeat=0):
        self.ids, self.current, self.repeat = list(ids), current, repeat
        self.last = 0

    @property
    def state(self):
        return tuple(self.ids), self.current, self.repeat

    def edit(self, chance):
        """Applies a random command to the model; returns its name and arguments."""
        match chance.randrange(6):
            case 0 if self.ids:
                index = chance.randrange(len(self.ids))
                one = self.ids.pop(index)
                if one == self.current:
                    # The next track becomes current, or the first one at the end.
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
    """The state of the real playlist. Checks the tracks as well."""
    ids = playlist.ids
    entries = ET.fromstring(playlist("ReadList", IdList=" ".join(map(str, ids)))["TrackList"])
    for entry, one in zip(entries, ids, strict=True):
        assert entry.findtext("Uri") == uri(one) and (entry.findtext("Metadata") or "") == metadata(one)
    return tuple(ids), playlist.id, int(playlist("Repeat")["Value"])


def test_a_kill_at_any_moment_loses_only_the_last_edits(start, tmp_path):
    """After a kill the playlist has a state from after the last confirmed commit, and no id is reused."""
    seed = random.randrange(1 << 30)
    chance = random.Random(seed)
    state = tmp_path / "state"
    seen = [Model().state]
    highest = 0
    for _ in range(6):
        renderer = start(state=state)
        playlist = Playlist(renderer)
        found = state_of(playlist)
        assert found in seen, (seed, found, seen)
        model = Model(*found)
        # Insert a track to learn the next id.
        one = int(playlist("Insert", AfterId=0, Uri="http://any/", Metadata="")["NewId"])
        assert one > highest, seed
        playlist("DeleteId", Value=one)
        model.last = one
        playlist("Insert", **model.insert(0)[1])
        wait_until(lambda: f"http://host/{model.last}" in database.addresses(state))
        seen = [model.state]
        killer = threading.Timer(chance.random() * 1.5, renderer.process.kill)
        killer.start()
        with contextlib.suppress(OSError, http.client.HTTPException):
            while True:
                action, arguments = model.edit(chance)
                # A command without an answer may still have been executed.
                seen.append(model.state)
                playlist(action, **arguments)
        killer.join()
        renderer.stop()
        highest = model.last


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a file system of 1 MB: a command prefix that mounts it, its path there, and its path from here."""
    folder = tmp_path / "disk"
    folder.mkdir()
    script = f"mount -t tmpfs -o size=1m none {folder} && echo mounted && exec sleep infinity"
    holder = subprocess.Popen(["unshare", "--mount", "sh", "-c", script], stdout=subprocess.PIPE)
    assert holder.stdout.readline() == b"mounted\n"
    yield (
        ("nsenter", "--mount", "--target", str(holder.pid)), folder,
        pathlib.Path(f"/proc/{holder.pid}/root") / folder.relative_to("/"),
    )
    holder.kill()
    holder.wait()


def fill(path):
    """Writes until the file system is full."""
    with path.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(1024))


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_full_disk_neither_stops_playback_nor_loses_data(start, small_disk, end):
    before, folder, seen = small_disk
    renderer = start(state=folder, before=before)
    playlist = Playlist(renderer)
    ids = playlist.append("http://host/1", "http://host/2")
    wait_until(lambda: "http://host/2" in database.addresses(seen))
    fill(seen / "filler")
    more = [int(playlist("Insert", AfterId=2, Uri="http://host/3", Metadata="m" * 150_000)["NewId"]) for _ in range(3)]
    volume = soap.Service(renderer.openhome_url, "Volume")
    volume("SetVolume", Value=33)
    assert playlist.ids == [*ids, *reversed(more)]
    renderer.wait_for_log("database or disk is full")
    # Earlier data is kept, even if the program ends now.
    renderer.stop(end)
    renderer = start(state=folder, before=before)
    playlist = Playlist(renderer)
    assert playlist.ids == ids and not list(seen.glob("*.unreadable-*"))
    fill(seen / "filler2")
    last = int(playlist("Insert", AfterId=ids[-1], Uri="http://host/4", Metadata="m" * 150_000)["NewId"])
    assert last > 2
    renderer.wait_for_log("database or disk is full")
    # The data is written once there is space.
    os.unlink(seen / "filler")
    os.unlink(seen / "filler2")
    wait_until(lambda: "http://host/4" in database.addresses(seen))
    renderer.stop(signal.SIGKILL)
    assert Playlist(start(state=folder, before=before)).ids == [*ids, last]
    # The warning is logged once, not for every attempt.
    assert len([line for line in renderer.err if "disk is full" in line]) == 1


def test_a_database_of_a_later_version_is_moved_aside(start, tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    with contextlib.closing(sqlite3.connect(state / database.NAME)) as later:
        later.execute("PRAGMA journal_mode = WAL")
        later.execute("PRAGMA user_version = 99")
    content = (state / database.NAME).read_bytes()
    renderer = start(state=state)
    playlist = Playlist(renderer)
    (one,) = playlist.append("http://host/1")
    renderer.wait_for_log(rf"/{database.NAME} was written by a later version")
    (aside,) = state.glob(f"{database.NAME}.unreadable-*")
    assert aside.read_bytes() == content
    renderer.stop()
    assert Playlist(start(state=state)).ids == [one]
    assert aside.read_bytes() == content


def test_invalid_settings_are_moved_aside(start, tmp_path):
    damaged = {
        "speaker": {"volume": "loud"}, "radio": {"uri": "http://a/"}, "receiver": {"uri": "ohu://"}, "pins": {"next": "2", "place": "9"},
        "device": {"seed": "x"},
    }  # fmt: skip
    state = tmp_path / "state"
    first = start(state=state)
    assert first.description_url
    first.stop()
    for name, settings in damaged.items():
        database.replace(state, name, settings)
    renderer = start(state=state)
    services = {name: soap.Service(renderer.openhome_url, name) for name in ("Volume", "Radio", "Receiver", "Pins")}
    assert services["Volume"]("Volume")["Value"] == "100"
    assert services["Radio"]("Channel") == {"Uri": "", "Metadata": ""}
    assert services["Receiver"]("Sender") == {"Uri": "", "Metadata": ""}
    assert services["Pins"]("GetIdArray")["IdArray"] == "[0,0,0,0,0,0]"
    for name in damaged:
        renderer.wait_for_log(f"{name} settings are invalid")
    renderer.stop()
    for name, settings in damaged.items():
        assert database.settings(state, f"{name}.unreadable") == settings
