"""Music over a network that breaks while it plays: what is heard is what is in the file, and nothing twice."""

import contextlib
import http.server
import os
import shutil
import threading
import time

import pytest

import network
import sound
from link import NETWORK, BadLink
from processes import MEDIA_SERVER, PATIENCE, Process, wait_until
from room import Room

# Where CI runs nothing is left out: what cannot be had fails there.
pytestmark = [
    pytest.mark.skipif(
        not os.environ.get("CI") and not network.are_available(), reason="network namespaces need root"
    ),
    pytest.mark.timeout(300),
]

#: Longer than any test; in a form of few packets, which a busy machine carries in time, too.
SECONDS, RATE, CHANNELS = 150, 22050, 1
#: How much of the ten seconds that are held at most is there before something happens.
HELD = 8
#: What is heard after what is lost.
SHORT = "noise3-44100-16-2-0.2s.flac"
SERVER = f"{NETWORK}.2"
OTHER_NETWORK = "203.0.113"
#: How long an outage of minutes lasts, in seconds.
OUTAGE = 200


@pytest.fixture(scope="module")
def music(tmp_path_factory, fixtures):
    music = sound.Music(tmp_path_factory.mktemp("music") / "music", fixtures, SECONDS, RATE, CHANNELS)
    shutil.copy(sound.FOLDER / SHORT, music.folder)
    return music


@pytest.fixture
def far(machine):
    """The media server's machine."""
    return machine()


@pytest.fixture
def link(here, far, music):
    """An ordinary line, at first: fast enough for the buffer to fill while music plays, not at once."""
    link = BadLink(here, far, rate=music.bit_rate * 6, delay=0.003, jitter=0.004)
    yield link
    link.close()


@pytest.fixture
def serve(far, music):
    """Starts media servers; what still runs at the end is stopped."""
    running = []

    def serve(port=0, host="0.0.0.0"):
        running.append(
            Process(*far.command(MEDIA_SERVER, "--folder", str(music.folder), "--host", host, "--port", str(port)))
        )
        running[-1].machine = far
        running[-1].port = int(running[-1].wait_for(r"http://[0-9.]+:(\d+)").group(1))
        return running[-1]

    yield serve
    for server in running:
        server.stop()
        print("\n".join(server.err))


@pytest.fixture
def room(here, link, tmp_path):
    room = Room(here, tmp_path)
    yield room
    room.close()


def url(server, name="music.flac", address=SERVER):
    return f"http://{address}:{server.port}/{name}"


class Listening:
    """Hears the music, and knows how much of it is there."""

    def __init__(self, room, link, music):
        self.room, self.link, self.music = room, link, music
        self.states = ["PLAYING"]

    @property
    def arrived(self):
        """In seconds of the music, as is `heard`."""
        return self.link.transfer.place * 8 / self.music.bit_rate

    @property
    def heard(self):
        return self.room.capture.size / self.music.bytes_per_second

    def hold(self):
        wait_until(lambda: self.arrived - self.heard >= HELD, 3 * PATIENCE, explain=lambda: (self.arrived, self.heard))

    def waits(self):
        self.room.wait_for_state("TRANSITIONING", 2 * PATIENCE)
        time.sleep(3)
        assert self.room.states == [*self.states, "TRANSITIONING"]

    def goes_on(self, *states):
        """More arrives, and is heard; these are the states since the last time."""
        arrived = self.arrived
        wait_until(lambda: self.arrived >= arrived + 1, 3 * PATIENCE, explain=lambda: (self.arrived, self.heard))
        self.states += states
        wait_until(lambda: self.room.states == self.states, explain=lambda: self.room.states)

    def hears(self, seconds):
        heard = self.heard
        wait_until(lambda: self.heard >= heard + seconds, seconds + PATIENCE, explain=lambda: self.room.states)

    def stops(self):
        """Nothing was wrong with what was heard."""
        self.room.ask("Stop")
        self.room.wait_for_state("STOPPED", PATIENCE)
        captured = self.room.capture.read()
        assert self.music.samples.startswith(captured), len(captured)
        assert set(self.room.values("TransportStatus")) <= {"OK"}


@pytest.fixture
def listening(room, link, music):
    return Listening(room, link, music)


def test_what_passes_before_all_that_is_held_is_heard_is_not_heard(listening, room, here, link, serve):
    """One after the other, in one track: cables, addresses, interfaces, servers."""
    server = serve()
    room.play(url(server))

    for told in (True, False):
        listening.hold()
        link.pull(told)
        time.sleep(2)
        link.plug()
        listening.goes_on()

    # Another address by DHCP.
    listening.hold()
    here.ip("address", "add", "198.51.100.7/24", "dev", "eth0")
    here.ip("address", "delete", "198.51.100.1/24", "dev", "eth0")
    # The kernel takes a secondary address away with its primary one; a DHCP client sets it again.
    with contextlib.suppress(Exception):
        here.ip("address", "add", "198.51.100.7/24", "dev", "eth0")
    listening.goes_on()
    # Not all of it was fetched twice.
    assert any("bytes=" in line and line.endswith("206") for line in server.err)

    # The interface is removed, and added.
    listening.hold()
    here.ip("link", "set", "eth0", "down")
    here.ip("address", "flush", "dev", "eth0")
    time.sleep(4)
    here.ip("link", "set", "eth0", "up")
    here.ip("address", "add", "198.51.100.1/24", "dev", "eth0")
    listening.goes_on()

    # The server starts anew.
    listening.hold()
    server.stop()
    time.sleep(3)
    server = serve(server.port)
    listening.goes_on()

    # While nobody listens it may be gone for as long as it likes.
    room.ask("Pause")
    room.wait_for_state("PAUSED_PLAYBACK", PATIENCE)
    server.stop()
    time.sleep(2)
    server = serve(server.port)
    room.ask("Play", Speed=1)
    listening.goes_on("PAUSED_PLAYBACK", "PLAYING")

    # It moves, and what is at its old place sends on to the new one.
    listening.hold()
    server.stop()
    with sends_on(server, serve()):
        listening.goes_on()
        listening.stops()


@contextlib.contextmanager
def sends_on(old, new):
    """Where the old server was."""

    class Redirector(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(302)
            self.send_header("Location", url(new))
            self.send_header("Content-Length", "0")
            self.end_headers()

    server = new.machine.do(lambda: http.server.ThreadingHTTPServer(("0.0.0.0", old.port), Redirector))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


def test_one_of_two_interfaces_goes(here, far, link, serve, music, tmp_path):
    """The server is behind both: the stream goes on over the other one."""
    other = BadLink(here, far, rate=music.bit_rate * 6, name="eth1", net=OTHER_NETWORK, transfer=link.transfer)
    far.ip("address", "add", "192.0.2.1/32", "dev", "lo")
    for net, metric in ((NETWORK, "100"), (OTHER_NETWORK, "200")):
        here.ip("route", "add", "192.0.2.1", "via", f"{net}.2", "metric", metric)
    room = Room(here, tmp_path, interfaces=("eth0", "eth1"))
    try:
        listening = Listening(room, link, music)
        room.play(url(serve(), address="192.0.2.1"))
        listening.hold()
        link.pull()
        here.ip("link", "set", "eth0", "down")
        listening.goes_on()
        listening.stops()
    finally:
        room.close()
        other.close()


def test_what_lasts_longer_than_what_is_held_is_waited_for(listening, room, link, serve, music):
    """One after the other, in one track: the state says so, nothing is lost, and it goes on."""
    slow = music.bit_rate * 1.5
    link.rate = slow
    server = serve()
    room.play(url(server))
    listening.hears(1)

    for told in (True, False):
        link.pull(told)
        listening.waits()
        link.plug()
        listening.goes_on("TRANSITIONING", "PLAYING")
        listening.hears(1)

    # The line is too slow for a while.
    link.rate = music.bit_rate * 0.3
    listening.waits()
    link.rate = slow
    listening.goes_on("TRANSITIONING", "PLAYING")
    listening.hears(1)

    # The server goes when nothing is left to hear: that the stream has ended is no reason to go on without it.
    link.rate = music.bit_rate * 0.3
    room.wait_for_state("TRANSITIONING", 2 * PATIENCE)
    server.stop()
    time.sleep(3)
    serve(server.port)
    link.rate = slow
    listening.goes_on("TRANSITIONING", "PLAYING")
    listening.hears(1)
    listening.stops()


def test_a_playlist_goes_on_when_a_track_is_lost_for_good(room, serve, music, fixtures):
    playlist = room.service(room.renderer.openhome_url, "Playlist")
    server, other = serve(), serve()
    first = room.do(lambda: playlist("Insert", AfterId=0, Uri=url(server), Metadata=""))["NewId"]
    second = room.do(lambda: playlist("Insert", AfterId=first, Uri=url(other, SHORT), Metadata=""))["NewId"]
    room.do(lambda: playlist("Play"))
    room.wait_until_heard(2 * music.bytes_per_second)
    server.stop()
    # What was held is heard, the server is waited for, and then it is the other's turn.
    wait_until(lambda: room.do(lambda: playlist("Id"))["Value"] == second, 120, explain=lambda: room.states)
    wait_until(lambda: room.do(lambda: playlist("TransportState"))["Value"] == "Stopped")
    captured, last = room.capture.read(), fixtures[SHORT].pcm()
    assert captured.endswith(last) and music.samples.startswith(captured[: -len(last)])


def test_a_station_is_found_again_after_an_outage(room, link, serve):
    """A cable that is out for longer than all that is held: the station goes on, where it is by then."""
    server = serve()
    room.play(url(server, "music.flac?endless=1&icy=16000&icy-name=Radio&rate=60000&length=no"))
    room.wait_until_heard(1)
    link.pull()
    room.wait_for_state("TRANSITIONING", 2 * PATIENCE)
    time.sleep(3)
    link.plug()
    room.wait_for_state("PLAYING", PATIENCE)
    heard = room.capture.size
    room.wait_until_heard(heard + 50_000)
    assert room.states == ["PLAYING", "TRANSITIONING", "PLAYING"]


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("gone", ["server", "network"])
def test_an_outage_of_minutes_is_waited_for(listening, link, serve, gone):
    """Less than the five minutes after which the renderer gives up, where nothing else follows that could be played."""
    server = serve()
    listening.room.play(url(server))
    listening.hears(1)
    if gone == "server":
        server.stop()
    else:
        link.pull()
    listening.room.wait_for_state("TRANSITIONING", 2 * PATIENCE)
    time.sleep(OUTAGE)
    assert listening.room.states == [*listening.states, "TRANSITIONING"]
    if gone == "server":
        serve(server.port)
    else:
        link.plug()
    listening.goes_on("TRANSITIONING", "PLAYING")
    listening.hears(1)
    listening.stops()
