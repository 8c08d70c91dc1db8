"""HTTP on the wire: valid and invalid requests."""

import contextlib
import re
import socket

import pytest

from processes import PATIENCE

DESCRIPTION = "/renderer/description.xml"
CONTROL = "/renderer/AVTransport/control"
EVENTS = "/renderer/AVTransport/events"
STOP = (
    '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>'
    '<u:Stop xmlns:u="urn:schemas-upnp-org:service:AVTransport:1"><InstanceID>0</InstanceID></u:Stop>'
    "</s:Body></s:Envelope>"
)


class Connection:
    """A connection that sends raw requests and parses answers."""

    def __init__(self, renderer):
        self._socket = socket.create_connection(("127.0.0.1", renderer.port), timeout=PATIENCE)
        self._received = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()

    def send(self, text):
        # The server may close the connection before it has read a refused request.
        with contextlib.suppress(ConnectionError):
            self._socket.sendall(text if isinstance(text, bytes) else text.encode())

    def end(self):
        self._socket.shutdown(socket.SHUT_WR)

    def _receive(self):
        data = self._socket.recv(65536)
        self._received += data
        return data

    def answer(self, has_body=True):
        """The next answer: status, headers by lower-case name, body."""
        while b"\r\n\r\n" not in self._received:
            assert self._receive(), f"closed after {self._received}"
        head, _, self._received = self._received.partition(b"\r\n\r\n")
        start, *lines = head.decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length = int(headers.get("content-length", 0)) if has_body else 0
        while len(self._received) < length:
            assert self._receive(), "closed within a body"
        body, self._received = self._received[:length], self._received[length:]
        return int(start.split()[1]), headers, body

    def is_closed(self):
        """Whether the connection ends without more data."""
        return self._received == b"" and self._receive() == b""


@pytest.fixture
def renderer(shared_renderer):
    return shared_renderer


@pytest.fixture
def connect(renderer):
    with contextlib.ExitStack() as stack:
        yield lambda: stack.enter_context(Connection(renderer))


def request(method, path, *headers, body="", version="1.1"):
    host = [] if any(header.startswith("Host:") for header in headers) else ["Host: 127.0.0.1"]
    lines = [f"{method} {path} HTTP/{version}", *host, *headers, "", body]
    return "\r\n".join(lines)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (request("GET", "/nothing"), 404),
        (request("GET", "/../etc/passwd"), 404),
        (request("POST", DESCRIPTION, "Content-Length: 0"), 405),
        (request("GET", CONTROL), 405),
        (request("GET", EVENTS), 405),
        (request("SUBSCRIBE", DESCRIPTION), 405),
        (request("POST", CONTROL), 411),
        (request("POST", CONTROL, "Content-Length: 1048577"), 413),
        (request("POST", CONTROL, "Content-Length: 1048577", "Expect: 100-continue"), 413),
        (request("POST", CONTROL, "Transfer-Encoding: chunked", body="100001\r\n" + "x" * 0x100001 + "\r\n"), 413),
        (request("GET", "/" + "a" * 9000), 414),
        ("GET /" + "a" * 9000, 414),
        (request("GET", "/", "X: " + "a" * 17000), 431),
        ("GET / HTTP/1.1\r\n" + "X: a\r\n" * 4000, 431),
        (request("M-POST", CONTROL, "Content-Length: 0"), 501),
        (request("FLY", "/"), 501),
        (request("GET", "/", version="2.0"), 505),
        ("GET /\r\n\r\n", 505),
        ("GET / HTTP/1.1\nHost: a\n\n", 400),
        (request("POST", CONTROL, "Content-Length: -1"), 400),
        (request("POST", CONTROL, "Content-Length: 1", "Content-Length: 2", body="ab"), 400),
        (request("POST", CONTROL, "Content-Length: 1", "Transfer-Encoding: chunked", body="0\r\n\r\n"), 400),
        (request("POST", CONTROL, "Transfer-Encoding: chunked", body="zz\r\n"), 400),
        ("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
        ("\0\1\2\r\n\r\n", 400),
    ],
)
def test_invalid_requests_are_refused(connect, text, status):
    connection = connect()
    connection.send(text)
    answer, headers, _ = connection.answer()
    assert answer == status
    assert headers["date"].endswith(" GMT") and "UPnP/1.1" in headers["server"] and "content-length" in headers
    if status == 405:
        assert headers["allow"]
    if status not in (403, 404, 405):
        assert headers["connection"] == "close" and connection.is_closed()


def test_head_returns_the_headers_of_get(connect):
    connection = connect()
    connection.send(request("HEAD", DESCRIPTION))
    status, headers, _ = connection.answer(has_body=False)
    connection.send(request("GET", DESCRIPTION))
    assert status == 200 and int(headers["content-length"]) == len(connection.answer()[2]) > 0


@pytest.mark.parametrize(
    ("version", "header", "is_kept"),
    [
        ("1.1", "X: y", True),
        ("1.1", "Connection: close", False),
        ("1.1", "Connection: Keep-Alive", True),
        ("1.0", "X: y", False),
        ("1.0", "Connection: keep-alive", True),
    ],
)
def test_keep_alive_follows_version_and_header(connect, version, header, is_kept):
    connection = connect()
    connection.send(request("GET", DESCRIPTION, header, version=version))
    assert connection.answer()[0] == 200
    if is_kept:
        connection.send(request("GET", DESCRIPTION, header, version=version))
        assert connection.answer()[0] == 200
    else:
        assert connection.is_closed()


def test_pipelined_requests_are_answered_in_order(connect):
    connection = connect()
    paths = [DESCRIPTION, "/nothing", "/renderer/AVTransport/scpd.xml", "/nothing", DESCRIPTION] * 20
    connection.send("".join(request("GET", path) for path in paths))
    answers = [connection.answer() for _ in paths]
    assert [answer[0] for answer in answers] == [404 if path == "/nothing" else 200 for path in paths]
    assert b"<scpd" in answers[2][2] and answers[0][2] == answers[-1][2]


def test_a_chunked_body_is_accepted(connect):
    connection = connect()
    chunks = "".join(f"{len(part):X};name=value\r\n{part}\r\n" for part in re.findall(".{1,7}", STOP))
    connection.send(request("POST", CONTROL, "Transfer-Encoding: Chunked", body=chunks + "0\r\nTrailer: x\r\n\r\n"))
    assert connection.answer()[0] == 200
    # The next request is parsed correctly.
    connection.send(request("GET", DESCRIPTION))
    assert connection.answer()[0] == 200


def test_a_request_may_arrive_byte_by_byte(connect):
    connection = connect()
    for byte in request("POST", CONTROL, f"Content-Length: {len(STOP)}", body=STOP).encode():
        connection.send(bytes([byte]))
    assert connection.answer()[0] == 200


def test_expect_100_continue_is_answered(connect):
    connection = connect()
    connection.send(request("POST", CONTROL, f"Content-Length: {len(STOP)}", "Expect: 100-continue"))
    assert connection.answer()[0] == 100
    connection.send(STOP)
    assert connection.answer()[0] == 200


def test_a_half_closed_connection_is_answered(connect):
    connection = connect()
    connection.send(request("GET", DESCRIPTION))
    connection.end()
    assert connection.answer()[0] == 200
    assert connection.is_closed()


@pytest.mark.parametrize(
    ("host", "status"),
    [
        (None, 400),
        ("127.0.0.1", 200),
        ("[::1]:80", 200),
        ("kitchen", 200),
        ("kitchen.local:49152", 200),
        ("kitchen.lan", 200),
        ("kitchen.home.arpa", 200),
        ("KITCHEN.LOCAL.", 200),
        ("evil.example", 403),
        ("127.0.0.1.evil.example", 403),
        ("local", 200),
        ("evil.example:80", 403),
        ("a b", 400),
    ],
)
def test_only_local_host_names_are_accepted(connect, host, status):
    connection = connect()
    host = "" if host is None else f"Host: {host}\r\n"
    connection.send(f"GET {DESCRIPTION} HTTP/1.1\r\n{host}\r\n")
    assert connection.answer()[0] == status


@pytest.mark.parametrize("origin", ["http://evil.example", "https://evil.example", "null", "http://192.168.1.9"])
@pytest.mark.parametrize(("method", "path"), [("POST", CONTROL), ("SUBSCRIBE", EVENTS)])
def test_requests_with_a_foreign_origin_are_refused(connect, origin, method, path):
    connection = connect()
    headers = (f"Origin: {origin}", "Host: 127.0.0.1", f"Content-Length: {len(STOP)}")
    connection.send(request(method, path, *headers, body=STOP))
    assert connection.answer()[0] == 403
