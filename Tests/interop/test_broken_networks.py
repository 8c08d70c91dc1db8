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
from link import BadLink
from processes import MEDIA_SERVER, PATIENCE, Process, wait_until
from room import Room

# Where CI runs nothing is left out: what cannot be had fails there.
pytestmark = [
    pytest.mark.skipif(
        not os.environ.get("CI") and not network.are_available(), reason="network namespaces need root"
    ),
    pytest.mark.timeout(300),
    pytest.mark.line,
]

SECONDS = 14
#: What is heard after what is lost.
SHORT = "noise3-44100-16-2-0.2s.flac"
SERVER = "10.9.1.2"


@pytest.fixture(scope="module")
def music(tmp_path_factory, fixtures):
    music = sound.Music(tmp_path_factory.mktemp("music") / "music", fixtures, SECONDS)
    shutil.copy(sound.FOLDER / SHORT, music.folder)
    return music


@pytest.fixture
def far(machine):
    """The media server's machine."""
    return machine()


@pytest.fixture
def link(here, far, music):
    """An ordinary line, at first: fast enough for the buffer to fill while music plays, not at once."""
    link = BadLink(here, far, rate=music.bit_rate * 3, delay=0.003, jitter=0.004)
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


def heard_to_the_end(room, music):
    room.wait_for_state("STOPPED", SECONDS + PATIENCE)
    captured = room.capture.read()
    assert captured == music.samples, (len(captured), len(music.samples), room.states)
    assert set(room.values("TransportStatus")) <= {"OK"}


@pytest.mark.parametrize("told", [True, False])
def test_a_cable_out_for_two_seconds_is_not_heard(room, link, serve, music, told):
    room.play(url(serve()))
    room.wait_until_heard(4 * music.bytes_per_second)
    link.pull(told)
    time.sleep(2)
    link.plug()
    heard_to_the_end(room, music)
    assert room.states == ["PLAYING", "STOPPED"]


@pytest.mark.parametrize("told", [True, False])
def test_a_cable_out_for_longer_than_the_buffer_lasts(room, link, serve, music, told):
    link.rate = music.bit_rate * 1.5
    room.play(url(serve()))
    room.wait_until_heard(2 * music.bytes_per_second)
    link.pull(told)
    room.wait_for_state("TRANSITIONING", PATIENCE)
    time.sleep(3)
    assert room.states == ["PLAYING", "TRANSITIONING"]
    link.plug()
    heard_to_the_end(room, music)
    assert room.states == ["PLAYING", "TRANSITIONING", "PLAYING", "STOPPED"]


def test_another_address_by_dhcp_is_not_heard(room, here, serve, music):
    server = serve()
    room.play(url(server))
    room.wait_until_heard(3 * music.bytes_per_second)
    here.ip("address", "add", "10.9.1.7/24", "dev", "eth0")
    here.ip("address", "delete", "10.9.1.1/24", "dev", "eth0")
    # The kernel takes a secondary address away with its primary one; a DHCP client sets it again.
    with contextlib.suppress(Exception):
        here.ip("address", "add", "10.9.1.7/24", "dev", "eth0")
    heard_to_the_end(room, music)
    assert room.states == ["PLAYING", "STOPPED"]
    # Not all of it was fetched twice.
    assert any("bytes=" in line and line.endswith("206") for line in server.err)


def test_an_interface_removed_and_added(room, here, serve, music, link):
    server = serve()
    room.play(url(server))
    room.wait_until_heard(3 * music.bytes_per_second)
    here.ip("link", "set", "eth0", "down")
    here.ip("address", "flush", "dev", "eth0")
    time.sleep(4)
    here.ip("link", "set", "eth0", "up")
    here.ip("address", "add", "10.9.1.1/24", "dev", "eth0")
    heard_to_the_end(room, music)
    assert room.states == ["PLAYING", "STOPPED"]


def test_one_of_two_interfaces_goes(here, far, link, serve, music, tmp_path):
    """The server is behind both: the stream goes on over the other one."""
    other = BadLink(here, far, rate=music.bit_rate * 3, name="eth1", net=2)
    far.ip("address", "add", "10.7.0.1/32", "dev", "lo")
    for net, metric in ((1, "100"), (2, "200")):
        here.ip("route", "add", "10.7.0.1", "via", f"10.9.{net}.2", "metric", metric)
    room = Room(here, tmp_path, interfaces=("eth0", "eth1"))
    try:
        server = serve()
        room.play(url(server, address="10.7.0.1"))
        room.wait_until_heard(3 * music.bytes_per_second)
        link.pull()
        here.ip("link", "set", "eth0", "down")
        heard_to_the_end(room, music)
        assert room.states == ["PLAYING", "STOPPED"]
    finally:
        room.close()
        other.close()


def test_a_server_that_starts_anew_is_waited_for(room, serve, music):
    server = serve()
    room.play(url(server))
    room.wait_until_heard(3 * music.bytes_per_second)
    server.stop()
    time.sleep(3)
    serve(server.port)
    heard_to_the_end(room, music)
    assert room.states == ["PLAYING", "STOPPED"]


def test_a_server_that_goes_when_nothing_is_left_to_hear(room, link, serve, music):
    """That the stream has ended is no reason to go on without it."""
    server = serve()
    room.play(url(server))
    room.wait_until_heard(2 * music.bytes_per_second)
    link.rate = music.bit_rate * 0.3
    room.wait_for_state("TRANSITIONING", PATIENCE)
    server.stop()
    time.sleep(3)
    link.rate = music.bit_rate * 3
    serve(server.port)
    heard_to_the_end(room, music)
    assert room.states == ["PLAYING", "TRANSITIONING", "PLAYING", "STOPPED"]


def test_a_server_that_moves_is_followed(room, far, serve, music):
    """What is at its old place sends on to the new one."""
    server = serve()
    room.play(url(server))
    room.wait_until_heard(3 * music.bytes_per_second)
    server.stop()
    new = serve()

    class Redirector(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(302)
            self.send_header("Location", url(new))
            self.send_header("Content-Length", "0")
            self.end_headers()

    old = far.do(lambda: http.server.ThreadingHTTPServer(("0.0.0.0", server.port), Redirector))
    threading.Thread(target=old.serve_forever, daemon=True).start()
    try:
        heard_to_the_end(room, music)
    finally:
        old.shutdown()
        old.server_close()
    assert room.states == ["PLAYING", "STOPPED"]


def test_a_line_that_becomes_too_slow_and_recovers(room, link, serve, music):
    room.play(url(serve()))
    room.wait_until_heard(2 * music.bytes_per_second)
    link.rate = music.bit_rate * 0.3
    room.wait_for_state("TRANSITIONING", PATIENCE)
    link.rate = music.bit_rate * 3
    heard_to_the_end(room, music)
    assert room.states == ["PLAYING", "TRANSITIONING", "PLAYING", "STOPPED"]


def test_what_is_lost_for_good_gives_way_to_the_next(room, serve, music, fixtures):
    server, other = serve(), serve()
    room.play(url(server), url(other, SHORT))
    room.wait_until_heard(2 * music.bytes_per_second)
    server.stop()
    # What was held is heard, the server is waited for, and then it is the other's turn.
    assert wait_until(lambda: room.values("AVTransportURI")[-1] == url(other, SHORT), 120), room.states
    room.wait_for_state("STOPPED", PATIENCE)
    captured, last = room.capture.read(), fixtures[SHORT].pcm()
    first = captured[: -len(last)]
    assert captured.endswith(last) and music.samples.startswith(first)
    assert len(first) >= 2 * music.bytes_per_second


def test_a_paused_track_outlasts_its_server(room, serve, music):
    """While nobody listens the server may be gone for as long as it likes."""
    server = serve()
    room.play(url(server))
    room.wait_until_heard(2 * music.bytes_per_second)
    room.ask("Pause")
    room.wait_for_state("PAUSED_PLAYBACK", PATIENCE)
    server.stop()
    time.sleep(3)
    serve(server.port)
    room.ask("Play", Speed=1)
    heard_to_the_end(room, music)
    assert room.states == ["PLAYING", "PAUSED_PLAYBACK", "PLAYING", "STOPPED"]


def test_a_playlist_goes_on_when_a_track_is_lost_for_good(room, serve, music, fixtures):
    playlist = room.service(room.renderer.openhome_url, "Playlist")
    server, other = serve(), serve()
    first = room.do(lambda: playlist("Insert", AfterId=0, Uri=url(server), Metadata=""))["NewId"]
    second = room.do(lambda: playlist("Insert", AfterId=first, Uri=url(other, SHORT), Metadata=""))["NewId"]
    room.do(lambda: playlist("Play"))
    room.wait_until_heard(2 * music.bytes_per_second)
    server.stop()
    assert wait_until(lambda: room.do(lambda: playlist("Id"))["Value"] == second, 120)
    assert wait_until(lambda: room.do(lambda: playlist("TransportState"))["Value"] == "Stopped")
    assert room.capture.read().endswith(fixtures[SHORT].pcm())


def test_a_station_is_found_again_after_an_outage(room, link, serve):
    """A cable that is out for longer than all that is held: the station goes on, where it is by then."""
    server = serve()
    room.play(url(server, "music.flac?endless=1&icy=16000&icy-name=Radio&rate=250000&length=no"))
    room.wait_until_heard(1)
    link.pull()
    room.wait_for_state("TRANSITIONING", PATIENCE)
    time.sleep(3)
    link.plug()
    room.wait_for_state("PLAYING", PATIENCE)
    heard = len(room.capture.read())
    room.wait_until_heard(heard + 100_000)
    assert room.states == ["PLAYING", "TRANSITIONING", "PLAYING"]
