"""swiftlet-control with the libraries of minidlna, gerbera and rygel."""

import json
import shlex
import signal
import subprocess

import pytest

import network
from processes import PATIENCE, SWIFTLET_CONTROL, Process, wait_until, wait_until_equal

pytestmark = [
    network.needs_namespaces,
    pytest.mark.xdist_group("libraries"),
]

#: Exit status: wrong usage, no such device or object.
USAGE, NO_OBJECT = 64, 68

#: File, title, artist, album, length in seconds.
TRACKS = [
    ("one.flac", "Thunder & Rain", "AC/DC", 'The "Best" <Of>', 3),
    ("two.mp3", "Süßer Morgen", "Björk", "Debut", 4),
    ("three.flac", "Night Train", "Björk", "Debut", 5),
]


def make_tracks(folder):
    folder.mkdir()
    for name, title, artist, album, seconds in TRACKS:
        subprocess.run(
            ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", f"sine=440:sample_rate=44100:duration={seconds}",
             "-ac", "2", "-metadata", f"title={title}", "-metadata", f"artist={artist}", "-metadata", f"album={album}",
             str(folder / name)], check=True,
        )  # fmt: skip


def minidlna(machine, folder, music):
    settings = folder / "minidlna.conf"
    settings.write_text(
        f"media_dir=A,{music}\nfriendly_name=minidlna library\ndb_dir={folder}/minidlna\nlog_dir={folder}\n"
        "network_interface=eth0\nport=8200\n"
    )
    return Process(*machine.command("minidlnad", "-S", "-f", str(settings), "-P", str(folder / "minidlna.pid")))


def gerbera(machine, folder, music):
    home = folder / "gerbera"
    (home / ".config/gerbera").mkdir(parents=True)
    (home / ".config/gerbera/config.xml").write_text(
        f"""<?xml version="1.0" encoding="UTF-8"?>
        <config version="2" xmlns="http://mediatomb.cc/config/2">
        <server><ui enabled="no"/><name>gerbera library</name><udn>uuid:00000000-0000-0000-0000-00000000000a</udn>
        <pc-directory upnp-hide="yes"/><home>{home}</home><webroot>/usr/share/gerbera/web</webroot>
        <storage><sqlite3 enabled="yes"><database-file>{home}/gerbera.db</database-file></sqlite3></storage></server>
        <import hidden-files="no"><scripting script-charset="UTF-8"><virtual-layout type="builtin"/></scripting>
        <mappings><extension-mimetype ignore-unknown="no"><map from="flac" to="audio/x-flac"/>
        <map from="mp3" to="audio/mpeg"/></extension-mimetype>
        <mimetype-upnpclass><map from="audio/*" to="object.item.audioItem.musicTrack"/></mimetype-upnpclass>
        <mimetype-contenttype><treat mimetype="audio/mpeg" as="mp3"/><treat mimetype="audio/x-flac" as="flac"/>
        </mimetype-contenttype></mappings></import></config>"""
    )
    # Version 1 calls the option --add.
    usage = subprocess.run(["gerbera", "--help"], capture_output=True, text=True, check=False).stdout
    add = "--add-file" if "--add-file" in usage else "--add"
    command = ["gerbera", "-m", str(home), "-f", ".config/gerbera", "-e", "eth0", "-p", "49152", add, str(music)]
    return Process(*machine.command("env", f"HOME={home}", *command))


def rygel(machine, folder, music):
    home = folder / "rygel"
    home.mkdir()
    (home / "rygel.conf").write_text(
        "[general]\ninterface=eth0\nport=0\nupnp-enabled=true\nenable-transcoding=true\nlog-level=*:3\n"
        f"[MediaExport]\nenabled=true\ntitle=rygel library\nuris={music}\nmonitor-changes=false\n"
        "[Playbin]\nenabled=false\n[MPRIS]\nenabled=false\n[External]\nenabled=false\n"
    )
    directories = [f"{name}={home}" for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")]
    # dbus-run-session ends without rygel, which then keeps its output open.
    alone = ["unshare", "--pid", "--fork", "--kill-child"]
    # Rygel reads tags in a process that lowers its priority by 19. On a busy machine that needs over 10 s for a file, and
    # rygel then leaves the file out for ever.
    alone = ["nice", "-n", "-19", *alone]
    command = [*alone, "dbus-run-session", "--", "rygel", "-c", str(home / "rygel.conf")]
    return Process(*machine.command("env", *directories, *command))


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
    here, there = network.Machine(), network.Machine()
    # gerbera exits if its IPv6 address is still tentative.
    subprocess.run(here.command("sysctl", "-q", "-w", "net.ipv6.conf.default.disable_ipv6=1"), check=True)
    network.connect(here, "eth0", there, "eth0")
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    here.ip("route", "add", "default", "via", "192.0.2.254")
    there.ip("address", "add", "192.0.2.2/24", "dev", "eth0")
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
