"""swiftlet-control with the libraries of minidlna, gerbera and rygel."""

import json
import shlex
import signal
import subprocess

import pytest

import network
from media_servers import TRACKS, gerbera, make_tracks, minidlna, rygel, server_and_neighbour
from processes import PATIENCE, SWIFTLET_CONTROL, wait_until, wait_until_equal

pytestmark = [
    network.needs_namespaces,
    pytest.mark.xdist_group("libraries"),
]

#: Exit status: wrong usage, no such device or object.
USAGE, NO_OBJECT = 64, 68

class Libraries:
    """Three media servers with the same tracks on one machine, and swiftlet-control on its neighbour."""

    def __init__(self, here, there, folder):
        self.machine = there
        music = folder / "music"
        make_tracks(music)
        self._processes = [start(here, folder, music) for start in (minidlna, gerbera, rygel)]

    def close(self):
        for process in self._processes:
            process.stop(signal.SIGKILL)

    def control(self, *arguments):
        return subprocess.run(
            self.machine.command(SWIFTLET_CONTROL, *arguments, "--interface", "eth0"),
            capture_output=True, text=True, timeout=4 * PATIENCE, check=False,
        )  # fmt: skip

    def run(self, *arguments, expect=0):
        """The standard output and the standard error of a command."""
        done = self.control(*arguments)
        assert done.returncode == expect, (done.returncode, done.stdout, done.stderr)
        return done.stdout, done.stderr

    def urls(self):
        """The servers' URLs by name."""
        lines = self.control("servers", "--json", "--wait", "1.5").stdout.splitlines()
        return {server["name"]: server["url"] for server in map(json.loads, lines)}

    def objects(self, *arguments):
        return [json.loads(line) for line in self.run(*arguments, "--json")[0].splitlines()]

    def found(self, url, *words):
        """The titles that a search finds, without the artist and album that one of gerbera's views puts before them."""
        lines = self.control("search", url, *words, "--json").stdout.splitlines()
        shown = [json.loads(line)["title"] for line in lines]
        assert all(any(title.endswith(track[1]) for track in TRACKS) for title in shown), shown
        assert len(shown) == len(set(shown)), shown
        return {track[1] for track in TRACKS if any(title.endswith(track[1]) for title in shown)}


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    here, there = server_and_neighbour()
    libraries = Libraries(here, there, tmp_path_factory.mktemp("libraries"))
    yield libraries
    libraries.close()
    for machine in (here, there):
        machine.remove()


@pytest.fixture(scope="module", params=["minidlna", "gerbera", "rygel"])
def server(request, libraries):
    """The URL of a server that has found all tracks."""

    def url():
        return next((url for name, url in libraries.urls().items() if request.param in name.lower()), None)

    url = wait_until(url)
    wait_until_equal(lambda: libraries.found(url, "r"), {title for _, title, *_ in TRACKS})
    return url


def walk(libraries, server, path="", depth=4):
    """All items below a path, each with its path."""
    for child in libraries.objects("browse", server, path or "/"):
        place = f"{path}/{child['title']}"
        if child["type"] == "item":
            yield place, child
        elif depth > 1:
            yield from walk(libraries, server, place, depth - 1)


def test_lists_the_root(libraries, server):
    root = libraries.objects("browse", server)
    assert root and all(child["type"] == "container" and child["id"] and child["title"] for child in root)
    lines = libraries.run("browse", server)[0].splitlines()
    assert [line.split("  (")[0].strip() for line in lines] == [f"{child['title']}/" for child in root]


@pytest.mark.parametrize("words", [["thunder"], ["RAIN", "ac/dc"], ['"best"', "<of>"], ["& rain"]])
def test_finds_tracks(libraries, server, words):
    assert libraries.found(server, *words) == {"Thunder & Rain"}


def test_finds_nothing(libraries, server):
    assert "No track matches" in libraries.run("search", server, "xylophone", expect=NO_OBJECT)[1]


def test_shows_a_track_with_its_resources(libraries, server):
    tracks = libraries.objects("search", server, "björk")
    assert len(tracks) == 2
    for title, seconds, kind in [("Süßer Morgen", 4, "audio/mpeg"), ("Night Train", 5, "flac")]:
        track = next(track for track in tracks if track["title"].endswith(title))
        assert track["class"].startswith("object.item.audioItem")
        assert "Björk" in [artist["name"] for artist in track["artists"]] and track["album"] == "Debut"
        original = next(one for one in track["resources"] if kind in one["protocolInfo"])
        assert original["uri"].startswith("http://192.0.2.1:") and abs(original["duration"] - seconds) < 1
        assert libraries.machine.get(original["uri"])


def test_follows_a_path(libraries, server):
    path, track = next(pair for pair in walk(libraries, server) if pair[1]["title"] == "Thunder & Rain")
    assert libraries.objects("browse", server, path.lower())[0]["title"] == track["title"]
    shown = libraries.run("browse", server, path)[0]
    assert shown.startswith("Thunder & Rain\n") and all(one["uri"] in shown for one in track["resources"])
    container = path.removesuffix("/Thunder & Rain")
    lines = libraries.run("browse", server, container)[0].splitlines()
    assert any(line.strip().startswith("0:00:03  Thunder & Rain — AC/DC") for line in lines), lines
    message = libraries.run("browse", server, f"{container}/Thunder & Ran/x", expect=NO_OBJECT)[1]
    assert 'There is no "Thunder & Ran/x" in ' in message and 'Did you mean "Thunder & Rain"?' in message
    assert "is an item" in libraries.run("browse", server, f"{path}/x", expect=NO_OBJECT)[1]


def test_completes_paths(libraries, server):
    def completed(path):
        words = ["swiftlet-control", "browse", server, shlex.quote(path)]
        command = [SWIFTLET_CONTROL, "---completion", "browse", "--", "positional@1", "3", str(len(path)), *words]
        return subprocess.run(
            libraries.machine.command(*command), capture_output=True, text=True, timeout=4 * PATIENCE, check=True
        ).stdout.splitlines()

    roots = [f"/{child['title']}/" for child in libraries.objects("browse", server)]
    assert completed("") == completed("/Mu") == roots
    path = next(place for place, _ in walk(libraries, server) if place.endswith("/Thunder & Rain"))
    assert path in completed(path.removesuffix("Rain"))


def test_names_a_server_by_its_name(libraries):
    assert "Music/" in libraries.run("browse", "minidlna library")[0]
    assert "[2]" not in libraries.run("browse", "minidlna lib", "[1]")[0]


def test_only_servers_can_be_browsed(libraries):
    message = libraries.run("browse", "nothing", expect=NO_OBJECT)[1]
    assert 'There is no media server "nothing"' in message
