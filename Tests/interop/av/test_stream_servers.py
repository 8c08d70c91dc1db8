"""Servers whose answers libraries for HTTP read differently."""

import contextlib
import http.server
import os
import pathlib
import tempfile
import threading

import pytest

import sound
from processes import wait_until
from soap import Service


@contextlib.contextmanager
def serving(handler):
    """Runs a server; yields its base URL."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


class Quiet(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.mark.parametrize("length", [2**63, 2**64 - 2, 2**64 - 1, 10**30])
def test_an_absurd_length_is_unknown(renderer, length):
    """Regression: swyh-rs sends 2^64-2 beside icy-name for endless samples, and nothing played."""

    class Samples(Quiet):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "audio/l16;rate=44100;channels=2")
            self.send_header("Content-Length", str(length))
            self.send_header("icy-name", "swyh-rs")
            self.end_headers()
            with contextlib.suppress(OSError):
                while True:
                    self.wfile.write(bytes(65_536))

    transport = Service(renderer.description_url, "AVTransport")
    with serving(Samples) as url:
        transport("SetAVTransportURI", InstanceID=0, CurrentURI=f"{url}/stream/swyh.raw", CurrentURIMetaData="")
        transport("Play", InstanceID=0, Speed=1)
        wait_until(lambda: transport("GetPositionInfo", InstanceID=0)["RelTime"] >= "0:00:02")
        info = transport("GetTransportInfo", InstanceID=0)
        assert (info["CurrentTransportState"], info["CurrentTransportStatus"]) == ("PLAYING", "OK")
        assert transport("GetPositionInfo", InstanceID=0)["TrackDuration"] == "NOT_IMPLEMENTED"
        transport("Stop", InstanceID=0)


async def test_a_broken_stream_is_resumed_at_the_original_address(recorded, capture, fixtures):
    """Regression: the redirected address was requested again, whose token had expired, and access was denied."""
    fixture = fixtures["noise1-44100-16-2-3s.wav"]
    content = (sound.FOLDER / "noise1-44100-16-2-3s.wav").read_bytes()
    requests, ranges = [], []

    class Tokens(Quiet):
        def do_GET(self):
            requests.append(self.path)
            ranges.append(self.headers["Range"])
            if self.path == "/track":
                self.send_response(302)
                self.send_header("Location", f"/file?token={len(requests)}")
                self.end_headers()
                return
            # A token is valid for the request after its redirect.
            if self.path != f"/file?token={len(requests) - 1}":
                self.send_error(403)
                return
            start = int((self.headers["Range"] or "bytes=0-").removeprefix("bytes=").partition("-")[0])
            self.send_response(206 if start else 200)
            self.send_header("Content-Type", "audio/wav")
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("Content-Length", str(len(content) - start))
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
            self.end_headers()
            # The first answer breaks off.
            self.wfile.write(content[start:] if start else content[:200_000])
            self.close_connection = True

    with serving(Tokens) as url:
        await recorded.play_to_the_end(f"{url}/track")
        assert recorded.values("TransportStatus")[-1:] in ([], ["OK"])
    assert capture.read() == fixture.pcm()
    # The controller asks for the first byte before it sends the address.
    assert [ranges[index] for index, path in enumerate(requests) if path == "/track"][-2:] == [None, "bytes=200000-"]


def test_hls_loads_no_libsoup(renderer, media):
    """GStreamer's own demuxer for HLS reads with libsoup, which crashes when servers end early."""
    transport = Service(renderer.description_url, "AVTransport")
    transport("SetAVTransportURI", InstanceID=0, CurrentURI=media.url("hls.m3u8"), CurrentURIMetaData="")
    transport("Play", InstanceID=0, Speed=1)
    wait_until(lambda: transport("GetPositionInfo", InstanceID=0)["RelTime"] >= "0:00:02")
    mapped = pathlib.Path(f"/proc/{renderer.process.pid}/maps").read_text()
    assert "libgsthls" in mapped and "libsoup" not in mapped


@pytest.mark.skipif(not os.environ.get("CI") and os.geteuid() != 0, reason="needs another user")
def test_a_user_without_rights_plays(start, media):
    """Regression: a socket option that only root may set failed every stream of the service."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        user = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", f"HOME={folder}", f"XDG_CACHE_HOME={folder}")
        renderer = start(state=pathlib.Path(folder) / "state", before=user)
        transport = Service(renderer.description_url, "AVTransport")
        transport("SetAVTransportURI", InstanceID=0, CurrentURI=media.url("noise1-44100-16-2-3s.flac"), CurrentURIMetaData="")
        transport("Play", InstanceID=0, Speed=1)
        wait_until(lambda: transport("GetTransportInfo", InstanceID=0)["CurrentTransportState"] == "PLAYING")
        assert transport("GetTransportInfo", InstanceID=0)["CurrentTransportStatus"] == "OK"
        renderer.stop()
