"""Playback over https, with trusted and untrusted certificates."""

import base64
import contextlib
import functools
import http.server
import pathlib
import select
import signal
import socket
import ssl
import struct
import subprocess
import threading

import pytest

import network
import sound
from processes import Renderer


def certificate(folder, name, names):
    """Puts a self-signed certificate and its key into the folder."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / "key.pem",
         "-out", folder / "certificate.pem", "-days", "2", "-subj", f"/CN={name}", "-addext", f"subjectAltName={names}"],
        check=True, capture_output=True,
    )  # fmt: skip
    return folder


@pytest.fixture(scope="session")
def authority(tmp_path_factory):
    """A folder with a self-signed certificate and its key."""
    return certificate(tmp_path_factory.mktemp("tls"), "127.0.0.1", "IP:127.0.0.1")


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files. `?chunked` sends one in chunks, and `?cut` ends the first such body between two chunks. `?reset`
    sends one up to the end of the connection, and resets the first connection."""

    protocol_version = "HTTP/1.1"
    #: Path and query of each request.
    requests = []

    def do_GET(self):
        self.requests.append(self.path)
        query = self.path.partition("?")[2]
        if not query:
            self.close_connection = True
            super().do_GET()
            return
        body = pathlib.Path(self.translate_path(self.path)).read_bytes()
        if query == "reset":
            self.send_until_close(body, reset=self.requests.count(self.path) == 1)
            return
        self.send_response(200)
        for header in (("Content-Type", "audio/wav"), ("Transfer-Encoding", "chunked"), ("Connection", "close")):
            self.send_header(*header)
        self.end_headers()
        is_cut = query == "cut" and self.requests.count(self.path) == 1
        for start in range(0, len(body) // 2 if is_cut else len(body), 10_000):
            piece = body[start : start + 10_000]
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        if not is_cut:
            self.wfile.write(b"0\r\n\r\n")

    def send_until_close(self, body, reset):
        self.send_response(200)
        self.send_header("Content-Type", "audio/wav")
        self.end_headers()
        self.close_connection = True
        self.wfile.write(body[: len(body) // 2] if reset else body)
        if reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            # Closes without TLS's close_notify.
            socket.close(self.connection.detach())


@contextlib.contextmanager
def serving(folder):
    """Runs an https server with the certificate in the folder and the audio files; yields its base URL."""
    handler = functools.partial(Handler, directory=str(sound.FOLDER))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"https://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="session")
def secure(authority, fixtures):
    """The base URL of an https server with the audio files."""
    with serving(authority) as url:
        yield url


async def test_an_untrusted_certificate_is_an_error(start, controlling, secure):
    renderer = start()
    async with controlling(renderer.description_url) as controller:
        await controller.dmr.async_set_transport_uri(f"{secure}/noise1-44100-16-2-3s.flac", "Title", "")
        await controller.dmr.async_play()
        await controller.wait(lambda: controller.values("TransportStatus")[-1:] == ["ERROR_OCCURRED"])
    assert any("certificate is self-signed or of an unknown authority" in line for line in renderer.err)


@network.needs_namespaces
async def test_a_certificate_for_another_host_is_an_error(tmp_path, controlling, fixtures):
    """The certificate is trusted, so that only the name is wrong."""
    folder = certificate(tmp_path, "nas.example.org", "DNS:nas.example.org")
    bind = f"mount --bind {folder / 'certificate.pem'} /etc/ssl/certs/ca-certificates.crt"
    renderer = Renderer(tmp_path / "state", before=("unshare", "--mount", "sh", "-c", f'{bind} && exec "$@"', "sh"))
    with contextlib.closing(contextlib.ExitStack()) as stack:
        stack.callback(renderer.stop)
        url = stack.enter_context(serving(folder))
        async with controlling(renderer.description_url) as controller:
            await controller.dmr.async_set_transport_uri(f"{url}/noise1-44100-16-2-3s.flac", "Title", "")
            await controller.dmr.async_play()
            renderer.wait_for_log("certificate is for another host")


@pytest.mark.keys("tls.accept")
async def test_a_listed_host_needs_no_trusted_certificate(tmp_path, start, controlling, secure):
    """A reload lists the host; the same address then plays."""
    path = tmp_path / "swiftlet.toml"
    path.write_text("")
    renderer = start(more=("--config", str(path)))
    async with controlling(renderer.description_url) as controller:
        await controller.dmr.async_set_transport_uri(f"{secure}/noise1-44100-16-2-3s.flac", "Title", "")
        await controller.dmr.async_play()
        renderer.wait_for_log("the key tls.accept can accept it")
        path.write_text('tls.accept = ["127.0.0.1"]\n')
        renderer.process.send_signal(signal.SIGHUP)
        renderer.wait_for_log(r"In force now: tls\.accept\.")
        await controller.play_to_the_end(f"{secure}/noise1-44100-16-2-3s.flac")
        assert controller.values("TransportStatus")[-1:] in ([], ["OK"])


@contextlib.contextmanager
def silent(port):
    """Accepts no more connections to this port of ::1, so that the kernel does not answer."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket(socket.AF_INET6))
        listener.bind(("::1", port))
        listener.listen(0)
        for _ in range(3):
            client = stack.enter_context(socket.socket(socket.AF_INET6))
            client.setblocking(False)
            client.connect_ex(("::1", port))
        yield


async def test_an_address_that_does_not_answer_is_passed_over(tmp_path, start, controlling, fixtures):
    """Regression: with TLS, the other addresses of a name were tried after the timeout of the first one."""
    path = tmp_path / "swiftlet.toml"
    path.write_text('tls.accept = ["localhost"]\n')
    renderer = start(more=("--config", str(path)))
    with serving(certificate(tmp_path, "localhost", "DNS:localhost")) as url, silent(int(url.split(":")[2])):
        async with controlling(renderer.description_url) as controller:
            await controller.play_to_the_end(f"{url.replace('127.0.0.1', 'localhost')}/noise1-44100-16-2-3s.flac")
            assert controller.values("TransportStatus")[-1:] in ([], ["OK"])


class Proxy(http.server.BaseHTTPRequestHandler):
    """Connects to any server on request (CONNECT, RFC 9110 section 9.3.6)."""

    #: The request line and the credentials of each request.
    requests = []

    def do_CONNECT(self):
        self.requests.append((self.path, self.headers["Proxy-Authorization"]))
        host, port = self.path.split(":")
        with socket.create_connection((host, int(port))) as server:
            self.send_response(200)
            self.end_headers()
            ends = {self.connection: server, server: self.connection}
            while ends:
                for ready in select.select(list(ends), [], [])[0]:
                    data = ready.recv(65536)
                    if data:
                        ends[ready].sendall(data)
                    else:
                        ends.pop(ready).shutdown(socket.SHUT_WR)
        self.close_connection = True


async def test_a_proxy_connects_to_the_server(tmp_path, start, controlling, secure):
    """The proxy of the environment sees only the name of the server, and gets the credentials of its own address."""
    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    thread = threading.Thread(target=proxy.serve_forever)
    thread.start()
    path = tmp_path / "swiftlet.toml"
    path.write_text('tls.accept = ["127.0.0.1"]\n')
    try:
        renderer = start(
            before=("env", f"http_proxy=http://user:secret@127.0.0.1:{proxy.server_port}"), more=("--config", str(path))
        )
        async with controlling(renderer.description_url) as controller:
            await controller.play_to_the_end(f"{secure}/noise1-44100-16-2-3s.flac")
            assert controller.values("TransportStatus")[-1:] in ([], ["OK"])
        credentials = "Basic " + base64.b64encode(b"user:secret").decode()
        assert set(Proxy.requests) == {(secure.removeprefix("https://"), credentials)}
    finally:
        proxy.shutdown()
        thread.join()
        proxy.server_close()


async def test_a_server_without_tls_is_an_error(start, controlling, media):
    renderer = start()
    async with controlling(renderer.description_url) as controller:
        url = media.url("noise1-44100-16-2-3s.flac").replace("http:", "https:")
        await controller.dmr.async_set_transport_uri(url, "Title", "")
        await controller.dmr.async_play()
        await controller.wait(lambda: controller.values("TransportStatus")[-1:] == ["ERROR_OCCURRED"])
    assert any("TLS handshake with the server failed" in line for line in renderer.err)


@network.needs_namespaces
@pytest.mark.parametrize("query, requests", [("", 1), ("?chunked", 1), ("?cut", 2), ("?reset", 2)])
async def test_certificates_of_the_system_are_trusted(
    tmp_path, capture, controlling, secure, authority, fixtures, query, requests
):
    """Simulates update-ca-certificates for one process. The end of a chunked body is seen through TLS, too."""
    Handler.requests.clear()
    path = f"/noise1-44100-16-2-3s.wav{query}"
    bind = f"mount --bind {authority / 'certificate.pem'} /etc/ssl/certs/ca-certificates.crt"
    renderer = Renderer(
        tmp_path / "state", output=capture.output, before=("unshare", "--mount", "sh", "-c", f'{bind} && exec "$@"', "sh")
    )
    with contextlib.closing(contextlib.ExitStack()) as stack:
        stack.callback(renderer.stop)
        async with controlling(renderer.description_url) as controller:
            await controller.dmr.async_set_volume_level(1.0)
            await controller.play_to_the_end(secure + path)
            assert controller.values("TransportStatus")[-1:] in ([], ["OK"])
    assert capture.read() == fixtures["noise1-44100-16-2-3s.wav"].pcm()
    assert Handler.requests.count(path) == requests
