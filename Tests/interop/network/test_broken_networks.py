"""Playback while the network breaks: every sample of the file is played once, in order."""

import contextlib
import http.server
import shutil
import threading
import time

import pytest

import network
import sound
from failing_network import RemotePlayer
from link import NETWORK, BadLink
from processes import MEDIA_SERVER, PATIENCE, Process, wait_until

pytestmark = [
    network.needs_namespaces,
    pytest.mark.timeout(300),
]

#: Longer than any test. The low rate needs few packets, so that a busy machine can forward them in time.
SECONDS, RATE, CHANNELS = 150, 22050, 1
#: Seconds in the buffer (10 at most) before the network breaks.
BUFFERED = 8
#: Seconds that must be left in the buffer when data arrives again.
LEFT = 0.5
#: The track after a lost one.
SHORT = "noise3-44100-16-2-0.2s.flac"
SERVER = f"{NETWORK}.2"
OTHER_NETWORK = "203.0.113"
#: The length of a long outage in seconds.
OUTAGE = 200


@pytest.fixture(scope="module")
def music(tmp_path_factory, fixtures):
    music = sound.Music(tmp_path_factory.mktemp("music") / "music", fixtures, SECONDS, RATE, CHANNELS)
    shutil.copy(sound.FOLDER / SHORT, music.folder)
    return music


@pytest.fixture
def far(machine):
    """The machine of the media server."""
    return machine()


@pytest.fixture
def link(here, far, music):
    """A link that is fast enough to fill the buffer during playback, but not at once."""
    link = BadLink(here, far, rate=music.bit_rate * 6, delay=0.003, jitter=0.004)
    yield link
    link.close()


@pytest.fixture
def serve(far, music):
    """Starts media servers, which are stopped at the end."""
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
def player(here, link, tmp_path):
    player = RemotePlayer(here, tmp_path)
    yield player
    player.close()


def url(server, name="music.flac", address=SERVER):
    return f"http://{address}:{server.port}/{name}"


class Playback:
    """The playback of the music: how much has arrived and was played.

    A renderer that gets no processor may also be TRANSITIONING for a moment while its buffer is full, so an outage counts
    as inaudible if sound was left in the buffer when data arrived again.
    """

    def __init__(self, player, link, music):
        self.player, self.link, self.music = player, link, music
        #: The least sound in the buffer when data arrived, in seconds, since the buffer was full for the first time.
        self.left = None
        link.transfer.on_progress = self._on_progress

    def _on_progress(self):
        if self.left is not None:
            self.left = min(self.left, self.arrived - self.played)

    @property
    def arrived(self):
        """Seconds of music that have been downloaded."""
        return self.link.transfer.place * 8 / self.music.bit_rate

    @property
    def played(self):
        """Seconds of music that have been played."""
        return self.player.capture.size / self.music.bytes_per_second

    def fill_buffer(self):
        wait_until(lambda: self.arrived - self.played >= BUFFERED, 3 * PATIENCE, explain=lambda: (self.arrived, self.played))
        if self.left is None:
            self.left = BUFFERED

    def expect_waiting(self):
        """Expects TRANSITIONING, and no other state for three seconds."""
        self.player.wait_for_state("TRANSITIONING", 2 * PATIENCE)
        states = self.player.states
        time.sleep(3)
        assert self.player.states == states

    def expect_resumed(self):
        """Expects new data, and PLAYING."""
        arrived = self.arrived
        wait_until(lambda: self.arrived >= arrived + 1, 3 * PATIENCE, explain=lambda: (self.arrived, self.played))
        self.player.wait_for_state("PLAYING", PATIENCE)

    def expect_resumed_inaudibly(self):
        """Expects new data before the buffer is empty."""
        self.expect_resumed()
        assert self.left > LEFT

    def play_for(self, seconds):
        played = self.played
        wait_until(lambda: self.played >= played + seconds, seconds + PATIENCE, explain=lambda: self.player.states)

    def stop(self):
        """Stops, and compares all that was played with the file."""
        self.player.ask("Stop")
        self.player.wait_for_state("STOPPED", PATIENCE)
        captured = self.player.capture.read()
        assert self.music.samples.startswith(captured), len(captured)
        assert set(self.player.values("TransportStatus")) <= {"OK"}


@pytest.fixture
def playback(player, link, music):
    return Playback(player, link, music)


def test_outages_shorter_than_the_buffer_are_inaudible(playback, player, here, link, serve):
    """Cables, addresses, interfaces and servers fail one after the other during one track."""
    server = serve()
    player.play(url(server))

    for loses_carrier in (True, False):
        playback.fill_buffer()
        link.pull(loses_carrier)
        time.sleep(2)
        link.plug()
        playback.expect_resumed_inaudibly()

    # Another address by DHCP.
    playback.fill_buffer()
    here.ip("address", "add", "198.51.100.7/24", "dev", "eth0")
    here.ip("address", "delete", "198.51.100.1/24", "dev", "eth0")
    # Removing the primary address also removes the secondary one; a DHCP client sets it again.
    with contextlib.suppress(Exception):
        here.ip("address", "add", "198.51.100.7/24", "dev", "eth0")
    playback.expect_resumed_inaudibly()
    # The stream was resumed by a range request.
    assert any("bytes=" in line and line.endswith("206") for line in server.err)

    # The interface goes down and comes back.
    playback.fill_buffer()
    here.ip("link", "set", "eth0", "down")
    here.ip("address", "flush", "dev", "eth0")
    time.sleep(4)
    here.ip("link", "set", "eth0", "up")
    here.ip("address", "add", "198.51.100.1/24", "dev", "eth0")
    playback.expect_resumed_inaudibly()

    # The server restarts.
    playback.fill_buffer()
    server.stop()
    time.sleep(3)
    server = serve(server.port)
    playback.expect_resumed_inaudibly()

    # The server restarts during a pause.
    player.ask("Pause")
    player.wait_for_state("PAUSED_PLAYBACK", PATIENCE)
    server.stop()
    time.sleep(2)
    server = serve(server.port)
    player.ask("Play", Speed=1)
    playback.expect_resumed_inaudibly()

    # The server moves, and its old address redirects to the new one.
    playback.fill_buffer()
    server.stop()
    with redirecting(server, serve()):
        playback.expect_resumed_inaudibly()
        playback.stop()


@contextlib.contextmanager
def redirecting(old, new):
    """Redirects requests for the old server to the new one."""

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


def test_playback_continues_over_the_remaining_interface(here, far, link, serve, music, tmp_path):
    """The server is reachable over both interfaces, and one fails."""
    other = BadLink(here, far, rate=music.bit_rate * 6, name="eth1", net=OTHER_NETWORK, transfer=link.transfer)
    far.ip("address", "add", "192.0.2.1/32", "dev", "lo")
    for net, metric in ((NETWORK, "100"), (OTHER_NETWORK, "200")):
        here.ip("route", "add", "192.0.2.1", "via", f"{net}.2", "metric", metric)
    player = RemotePlayer(here, tmp_path, interfaces=("eth0", "eth1"))
    try:
        playback = Playback(player, link, music)
        player.play(url(serve(), address="192.0.2.1"))
        playback.fill_buffer()
        link.pull()
        here.ip("link", "set", "eth0", "down")
        playback.expect_resumed_inaudibly()
        playback.stop()
    finally:
        player.close()
        other.close()


def test_playback_waits_for_outages_longer_than_the_buffer(playback, player, link, serve, music):
    """Several outages during one track: the state is TRANSITIONING, and playback resumes without loss."""
    slow = music.bit_rate * 1.5
    link.rate = slow
    server = serve()
    player.play(url(server))
    playback.play_for(1)

    for loses_carrier in (True, False):
        link.pull(loses_carrier)
        playback.expect_waiting()
        link.plug()
        playback.expect_resumed()
        playback.play_for(1)

    # The link is too slow for a while.
    link.rate = music.bit_rate * 0.3
    playback.expect_waiting()
    link.rate = slow
    playback.expect_resumed()
    playback.play_for(1)

    # The server stops when the buffer is empty: the connection ends, but the track has not.
    link.rate = music.bit_rate * 0.3
    player.wait_for_state("TRANSITIONING", 2 * PATIENCE)
    server.stop()
    time.sleep(3)
    serve(server.port)
    link.rate = slow
    playback.expect_resumed()
    playback.play_for(1)
    playback.stop()


def test_the_playlist_continues_when_a_track_is_lost(player, serve, music, fixtures):
    playlist = player.service(player.renderer.openhome_url, "Playlist")
    server, other = serve(), serve()
    first = player.do(lambda: playlist("Insert", AfterId=0, Uri=url(server), Metadata=""))["NewId"]
    second = player.do(lambda: playlist("Insert", AfterId=first, Uri=url(other, SHORT), Metadata=""))["NewId"]
    player.do(lambda: playlist("Play"))
    player.wait_until_played(2 * music.bytes_per_second)
    server.stop()
    # The buffer is played, the renderer waits for the server, and then the next track follows.
    wait_until(lambda: player.do(lambda: playlist("Id"))["Value"] == second, 120, explain=lambda: player.states)
    wait_until(lambda: player.do(lambda: playlist("TransportState"))["Value"] == "Stopped")
    captured, last = player.capture.read(), fixtures[SHORT].pcm()
    assert captured.endswith(last) and music.samples.startswith(captured[: -len(last)])


def test_a_station_resumes_after_an_outage(player, link, serve):
    """An outage longer than the buffer: the station resumes at its current position."""
    server = serve()
    player.play(url(server, "music.flac?endless=1&icy=16000&icy-name=Radio&rate=60000&length=no"))
    player.wait_until_played(1)
    link.pull()
    player.wait_for_state("TRANSITIONING", 2 * PATIENCE)
    time.sleep(3)
    link.plug()
    player.wait_for_state("PLAYING", PATIENCE)
    played = player.capture.size
    player.wait_until_played(played + 50_000)
    assert "STOPPED" not in player.states


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("failure", ["server", "network"])
def test_playback_waits_for_an_outage_of_minutes(playback, link, serve, failure):
    """The renderer gives up after five minutes if no other track follows."""
    server = serve()
    playback.player.play(url(server))
    playback.play_for(1)
    if failure == "server":
        server.stop()
    else:
        link.pull()
    playback.player.wait_for_state("TRANSITIONING", 2 * PATIENCE)
    time.sleep(OUTAGE)
    assert playback.player.states[-1:] == ["TRANSITIONING"]
    if failure == "server":
        serve(server.port)
    else:
        link.plug()
    playback.expect_resumed()
    playback.play_for(1)
    playback.stop()
