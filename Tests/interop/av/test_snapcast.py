"""The output snapcast, with Debian's snapserver and snapclient, and the control script."""

import contextlib
import signal

import pytest

import snapcast
from page_api import Page
from processes import wait_until, wait_until_equal
from test_status import metrics

LONG = "noise12-44100-16-2-30s.flac"
#: Bytes that must come without a gap: a third of a second.
PART = 44100 // 3 * 4


@pytest.fixture
def server(tmp_path):
    server = snapcast.Server(tmp_path / "snapserver")
    yield server
    server.stop()


@pytest.fixture
def rooms(server, tmp_path):
    """Starts two clients."""
    with contextlib.ExitStack() as stack:

        def rooms():
            made = [snapcast.Client(server, tmp_path, name) for name in ("study", "bedroom")]
            for one in made:
                stack.callback(one.stop)
            return made

        yield rooms


@pytest.fixture
def music(fixtures):
    return fixtures[LONG.replace(".flac", ".wav")].pcm()


def play(page, url):
    # The music outlasts a slow machine.
    page.do("modes", {"repeat": True})
    page.do("queue/add", {"where": "replace", "items": [{"uri": url, "title": "Autumn", "artist": "Ann", "album": "Seasons"}]})


def state(page):
    return page.state["playing"]["state"]


@pytest.mark.keys("output")
def test_all_rooms_hear_the_samples_and_control_the_speaker(start, server, rooms, media, music):
    speaker = start(output=server.output)
    page = Page(speaker)
    server.start(speaker=f"http://127.0.0.1:{speaker.port}")
    server.process.wait_for_log("Kitchen")
    clients = rooms()
    play(page, media.url(LONG))
    for client in clients:
        wait_until(lambda client=client: client.has_heard(music, PART))
    assert page.state["output"]["name"] == server.output
    assert page.state["output"]["reasons"] == ["shared"]

    wait_until(lambda: server.properties.get("playbackStatus") == "playing")
    properties = server.properties
    assert properties["canControl"] and properties["canPause"] and properties["canSeek"]
    assert properties["volume"] == 100 and properties["loopStatus"] == "playlist" and not properties["shuffle"]
    metadata = properties["metadata"]
    assert (metadata["title"], metadata["artist"], metadata["album"]) == ("Autumn", ["Ann"], "Seasons")
    assert metadata["duration"] == 30

    server.control("pause")
    wait_until_equal(lambda: state(page), "paused")
    wait_until(lambda: server.properties["playbackStatus"] == "paused")
    server.control("setPosition", position=20)
    assert page.state["position"]["seconds"] == 20
    server.control("seek", offset=-5)
    assert page.state["position"]["seconds"] == 15
    server.set("volume", 40)
    assert page.state["volume"]["level"] == 40
    wait_until(lambda: server.properties["volume"] == 40)
    server.set("shuffle", True)
    server.set("loopStatus", "none")
    assert page.state["modes"] == {"repeat": False, "shuffle": True}
    server.control("playPause")
    wait_until_equal(lambda: state(page), "playing")
    server.control("stop")
    wait_until_equal(lambda: state(page), "stopped")

    speaker.stop()
    wait_until(lambda: not server.properties["canControl"])
    assert server.properties["playbackStatus"] == "stopped"


def test_it_waits_for_a_server_that_is_killed(start, server, rooms, media, music):
    server.start()
    server.process.wait_for_log("Kitchen")
    speaker = start(output=server.output, more=("--metrics", "true"))
    page = Page(speaker)
    clients = rooms()
    play(page, media.url(LONG))
    for client in clients:
        wait_until(lambda client=client: client.has_heard(music, PART))

    # Some crash when their server is gone (snapclient 0.26).
    for client in clients:
        client.stop()
    server.stop(signal.SIGKILL)
    speaker.wait_for("The audio device is gone")
    wait_until_equal(lambda: state(page), "buffering")
    assert "name" not in page.state["output"]
    assert "\nswiftlet_output 0\n" in metrics(speaker)[1]
    speaker.wait_for_log("The server of the output cannot be reached: .* Playback waits for it.")
    position = page.state["position"]["seconds"]
    assert position > 0

    server.start()
    speaker.wait_for(f"Now sound to {server.output}")
    wait_until_equal(lambda: state(page), "playing")
    place = int(position) * 44100 * 4
    rest = music[place:] + music[:place]
    for client in rooms():
        wait_until(lambda client=client: client.has_heard(rest, PART))


def test_a_server_that_hangs_is_given_up(start, server, media):
    server.start()
    server.process.wait_for_log("Kitchen")
    speaker = start(output=server.output)
    page = Page(speaker)
    play(page, media.url(LONG))
    wait_until_equal(lambda: state(page), "playing")
    server.process.process.send_signal(signal.SIGSTOP)
    try:
        speaker.wait_for("The audio device is gone")
    finally:
        server.process.process.send_signal(signal.SIGCONT)
    speaker.wait_for(f"Now sound to {server.output}")
    wait_until_equal(lambda: state(page), "playing")


@pytest.mark.keys("output")
def test_it_starts_without_a_server_and_stops_waiting(start, server, media):
    speaker = start(output=server.output)
    page = Page(speaker)
    play(page, media.url(LONG))
    speaker.wait_for_log(f"The server of the output cannot be reached: 127.0.0.1:{server.source}: Connection refused")
    assert state(page) == "buffering"
    page.do("stop")
    assert state(page) == "stopped"
    assert "error" not in page.state["playing"]
