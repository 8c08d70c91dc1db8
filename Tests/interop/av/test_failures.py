"""Items that cannot be played: each has its error message, and the renderer keeps working."""

import shutil
import time
from xml.sax.saxutils import escape

import pytest

import soap
import sound
from attacked_renderer import Thread, wait
from processes import MediaServer, wait_until, wait_until_equal
from soap import Service

GOOD = "noise3-44100-16-2-0.2s.flac"

CASES = {
    "no such file": ("/nothing.flac", "There is no such file."),
    "connection refused": ("http://127.0.0.1:9/a.flac", "The server refuses connections."),
    "no such host": ("http://no-such-host.invalid/a.flac", "The host name of the server cannot be resolved."),
    "a page": ("/page.flac", "The stream contains no audio."),
    "noise": ("/noise.flac", "The stream contains no audio."),
    "another scheme": ("gopher://127.0.0.1/a.flac", "The scheme “gopher” is not supported: use http or https."),
    "no bytes": ("/empty.flac", "The file is empty."),
    "no end of redirections": (f"/{GOOD}?redirect=loop", "The server redirects too often."),
    "forbidden": (f"/{GOOD}?status=403", "Access is denied or requires a login."),
    "out of order": (f"/{GOOD}?status=503", "The server answered with status 503."),
    "only a head": ("/head.flac", "The stream contains no audio."),
}


class Watch:
    """A controller that keeps polling. A fault or a missing answer fails the test."""

    def __init__(self, transport):
        self.slowest = self.answers = 0
        self._transport = transport

    def _ask(self):
        for action in ("GetTransportInfo", "GetPositionInfo", "GetMediaInfo"):
            before = time.monotonic()
            self._transport(action, InstanceID=0)
            self.slowest = max(self.slowest, time.monotonic() - before)
            self.answers += 1

    def __enter__(self):
        self._thread = Thread(self._ask)
        return self

    def __exit__(self, *_):
        self._thread.stop()


@pytest.fixture
def server(fixtures, tmp_path):
    """A media server with one valid file and several invalid ones."""
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
def renderer(start, capture):
    """A renderer that plays into `capture`, at full volume."""
    renderer = start(output=capture.output)
    Service(renderer.description_url, "RenderingControl")(
        "SetVolume", InstanceID=0, Channel="Master", DesiredVolume=100)  # fmt: skip
    return renderer


@pytest.fixture
def transport(renderer):
    return Service(renderer.description_url, "AVTransport")


def play(transport, url):
    transport("SetAVTransportURI", InstanceID=0, CurrentURI=url, CurrentURIMetaData="")
    transport("Play", InstanceID=0, Speed=1)


def reported_state(transport):
    info = transport("GetTransportInfo", InstanceID=0)
    return info["CurrentTransportState"], info["CurrentTransportStatus"]


@pytest.fixture
def wait_until_played(transport, capture, fixtures):
    """Waits until every sample of GOOD was played and the renderer has stopped without an error."""

    def wait():
        samples = fixtures[GOOD].pcm()
        wait_until(
            lambda: capture.read().endswith(samples), explain=lambda: f"{capture.size} bytes played, {reported_state(transport)}")
        wait_until_equal(lambda: reported_state(transport), ("STOPPED", "OK"))

    return wait


@pytest.mark.parametrize("case", CASES)
def test_the_error_is_reported_and_the_next_item_plays(renderer, transport, server, wait_until_played, case):
    url, sentence = CASES[case]
    with Watch(transport) as watch:
        before = time.monotonic()
        play(transport, server.base + url if url.startswith("/") else url)
        wait_until_equal(lambda: reported_state(transport), ("STOPPED", "ERROR_OCCURRED"))
        seconds = time.monotonic() - before
    print(f"{case}: {seconds:.2f} s; slowest of {watch.answers} answers {watch.slowest * 1000:.1f} ms")
    renderer.wait_for_log(sentence.replace("(", r"\(").replace(")", r"\)"))
    play(transport, server.url(GOOD))
    wait_until_played()


@pytest.mark.parametrize("kind", ["text/html", "audio/mpeg", "application/octet-stream", "video/mp4", "none"])
def test_a_wrong_content_type_is_ignored(transport, server, wait_until_played, kind):
    """The renderer detects the format by content, not by the Content-Type."""
    play(transport, server.url(GOOD, f"type={kind}"))
    wait_until_played()
    assert transport("GetMediaInfo", InstanceID=0)["MediaDuration"].startswith("0:00:00")


@pytest.mark.parametrize("sent", [1_000, 30_000])
def test_a_stream_that_keeps_breaking_off_is_an_error(renderer, transport, server, wait_until_played, sent):
    play(transport, server.url(GOOD, f"close-after={sent}&ranges=no"))
    wait_until_equal(lambda: reported_state(transport), ("STOPPED", "ERROR_OCCURRED"))
    renderer.wait_for_log("The stream broke off and could not be resumed.|The audio is damaged.")
    play(transport, server.url(GOOD))
    wait_until_played()


def test_unplayable_uris_do_not_crash(start):
    """Unknown schemes crash some renderers."""
    renderer = start()
    transport = soap.services(renderer.description_url)["AVTransport"]
    instance = ("InstanceID", "0")
    for uri in (
        "bogus://127.0.0.1/a.mp3", "x-rincon:RINCON_0", "file:///etc/passwd", "file:///dev/zero", "dvd://",
        "rtsp://127.0.0.1/",
        "http://", "http:///a", "http://[", "http://127.0.0.1:99999/", "http://127.0.0.1:0/", "//a", ":", "appsrc://",
        "cdda://1", "udp://0.0.0.0:5004", "http://a b/", "http://\u00e4/", "data:audio/wav;base64,AAAA", "x" * 100_000,
    ):
        arguments = [instance, ("CurrentURI", escape(uri)), ("CurrentURIMetaData", "")]
        status, _, body = soap.call(transport, "SetAVTransportURI", arguments)
        if status == 200:
            soap.call(transport, "Play", [instance, ("Speed", "1")])

        def has_stopped():
            body = soap.call(transport, "GetTransportInfo", [instance])[2]
            return b"STOPPED" in body or b"NO_MEDIA_PRESENT" in body

        wait(has_stopped, f"{uri} plays")
        assert renderer.process.poll() is None, uri
