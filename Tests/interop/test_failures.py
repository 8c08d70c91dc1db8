"""What is wrong with an item: told soon and in words, while everything else goes on."""

import shutil
import threading
import time

import pytest

import sound
from processes import MediaServer, wait_until
from soap import Service

GOOD = "noise3-44100-16-2-0.2s.flac"

CASES = {
    "no such file": ("/nothing.flac", "The server has no such file."),
    "nobody listens": ("http://127.0.0.1:9/a.flac", "The server refuses connections."),
    "no such host": ("http://no-such-host.invalid/a.flac", "There is no server of that name."),
    "a page": ("/page.flac", "It is not audio."),
    "noise": ("/noise.flac", "It is not audio."),
    "another scheme": ("gopher://127.0.0.1/a.flac", "Addresses of the kind “gopher” are not played."),
    "no bytes": ("/empty.flac", "The file is empty."),
    "no end of redirections": (f"/{GOOD}?redirect=loop", "The server redirects without end."),
    "forbidden": (f"/{GOOD}?status=403", "The server does not allow us to read it."),
    "out of order": (f"/{GOOD}?status=503", "The server answered with status 503."),
    "only a head": ("/head.flac", "It is not audio."),
}


class Watch:
    """A controller that asks all the time, and what it has seen."""

    def __init__(self, transport):
        self.slowest = self.answers = 0
        self._transport, self._ends = transport, False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        while not self._ends:
            for action in ("GetTransportInfo", "GetPositionInfo", "GetMediaInfo"):
                before = time.monotonic()
                self._transport(action, InstanceID=0)
                self.slowest = max(self.slowest, time.monotonic() - before)
                self.answers += 1

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ends = True
        self._thread.join()


@pytest.fixture
def server(fixtures, tmp_path):
    """A media server with a good file, and others that are not what they say."""
    folder = tmp_path / "media"
    folder.mkdir()
    shutil.copy(sound.FOLDER / GOOD, folder)
    (folder / "page.flac").write_bytes(b"<!DOCTYPE html><html><body>Gone fishing.</body></html>")
    (folder / "noise.flac").write_bytes(fixtures[GOOD].pcm()[:30_000])
    (folder / "empty.flac").touch()
    (folder / "head.flac").write_bytes((folder / GOOD).read_bytes()[:60])
    server = MediaServer(folder)
    yield server
    server.stop()


@pytest.fixture
def transport(renderer):
    return Service(renderer.description_url, "AVTransport")


def play(transport, url):
    transport("SetAVTransportURI", InstanceID=0, CurrentURI=url, CurrentURIMetaData="")
    transport("Play", InstanceID=0, Speed=1)


def told(transport):
    info = transport("GetTransportInfo", InstanceID=0)
    return info["CurrentTransportState"], info["CurrentTransportStatus"]


@pytest.mark.parametrize("case", CASES)
def test_is_told_and_survived(renderer, transport, server, case):
    url, sentence = CASES[case]
    with Watch(transport) as watch:
        before = time.monotonic()
        play(transport, server.base + url if url.startswith("/") else url)
        wait_until(lambda: told(transport) == ("STOPPED", "ERROR_OCCURRED"))
        seconds = time.monotonic() - before
    print(f"{case}: {seconds:.2f} s; slowest of {watch.answers} answers {watch.slowest * 1000:.1f} ms")
    renderer.wait_for_log(sentence.replace("(", r"\(").replace(")", r"\)"))
    play(transport, server.url(GOOD))
    wait_until(lambda: told(transport) == ("STOPPED", "OK"))


@pytest.mark.parametrize("kind", ["text/html", "audio/mpeg", "application/octet-stream", "video/mp4", "none"])
def test_a_wrong_type_is_no_trouble(transport, server, kind):
    """What it is counts, not what the server calls it."""
    play(transport, server.url(GOOD, f"type={kind}"))
    wait_until(lambda: told(transport) == ("STOPPED", "OK"))
    assert transport("GetMediaInfo", InstanceID=0)["MediaDuration"].startswith("0:00:00")


@pytest.mark.parametrize("sent", [1_000, 30_000])
def test_what_breaks_off_for_good_is_given_up(renderer, transport, server, sent):
    play(transport, server.url(GOOD, f"close-after={sent}&ranges=no"))
    wait_until(lambda: told(transport) == ("STOPPED", "ERROR_OCCURRED"))
    renderer.wait_for_log("The stream broke off and could not be resumed.|The audio is damaged.")
    play(transport, server.url(GOOD))
    wait_until(lambda: told(transport) == ("STOPPED", "OK"))
