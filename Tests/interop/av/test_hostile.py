"""Attacks during playback: each is refused, honest clients are served, and the sound is not affected."""

import concurrent.futures
import contextlib
import random
import re
import socket
import struct
import time
import urllib.parse
from xml.sax.saxutils import escape

import pytest

import soap
from attacked_renderer import MEMORY, Resources, AttackedRenderer, wait
from processes import PATIENCE
from test_http import CONTROL, DESCRIPTION, Connection, request

# All tests run in one pytest-xdist worker, because they share the renderer.
pytestmark = [pytest.mark.timeout(600), pytest.mark.xdist_group("attacks")]

MUSIC = "noise12-44100-16-2-30s.flac"


@pytest.fixture(scope="module")
def attacked(tmp_path_factory, media, fixtures):
    attacked = AttackedRenderer(tmp_path_factory.mktemp("attacks"), fixtures[MUSIC], media.url(MUSIC))
    yield attacked
    attacked.stop()
    print("\n".join(attacked.renderer.err[-100:]))


@pytest.fixture
def client(attacked):
    with attacked.attack() as client:
        yield client


@pytest.fixture
def connect(attacked, client):
    with contextlib.ExitStack() as stack:
        yield lambda: stack.enter_context(Connection(attacked.renderer))


def envelope(inner, prologue=""):
    return (
        f'<?xml version="1.0"?>{prologue}<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>'
        f"{inner}</s:Body></s:Envelope>"
    )


def post(body, path=CONTROL, *headers):
    body = body if isinstance(body, bytes) else body.encode()
    return request("POST", path, f"Content-Length: {len(body)}", *headers).encode() + body


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "ha" * 10}">' for n in range(10))
NOTHING = '<u:Nothing xmlns:u="urn:schemas-upnp-org:service:AVTransport:1">{}</u:Nothing>'

WIRE = {
    "64 kB header": (request("GET", "/", "X: " + "a" * 65536), 431),
    "10 000 headers": (request("GET", "/", *(f"X-{n}: y" for n in range(10_000))), 431),
    "100 kB URL": (request("GET", "/" + "a" * 100_000), 414),
    "100 kB URL without end": ("GET /" + "a" * 100_000, 414),
    "negative length": (request("POST", CONTROL, "Content-Length: -1"), 400),
    "huge length": (request("POST", CONTROL, "Content-Length: 9999999999"), 413),
    "length beyond numbers": (request("POST", CONTROL, "Content-Length: 99999999999999999999999"), 400),
    "contradicting lengths": (request("POST", CONTROL, "Content-Length: 1", "Content-Length: 2", body="ab"), 400),
    "length and chunks": (
        request("POST", CONTROL, "Content-Length: 3", "Transfer-Encoding: chunked", body="0\r\n\r\n"), 400),
    "huge chunk": (request("POST", CONTROL, "Transfer-Encoding: chunked", body="fffffffffffffffff\r\nab"), 400),
    "chunks without end": (
        request("POST", CONTROL, "Transfer-Encoding: chunked", body="1000\r\n" + ("x" * 4096 + "\r\n1000\r\n") * 300),
        413),
    "TLS hello": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(512), 400),
    "binary method": (b"\x80\x81\xfe\xff / HTTP/1.1\r\n\r\n", 400),
    "NUL": (b"GET /\0 HTTP/1.1\r\n\r\n", 400),
    "long method": (b"A" * 20_000, (400, 414, 501)),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    "foreign Host": (request("GET", DESCRIPTION, "Host: evil.example"), 403),
    "foreign Origin": (post(envelope(NOTHING), CONTROL, "Host: 127.0.0.1", "Origin: http://evil.example"), 403),
    "nested": (post(envelope(NOTHING.format("<a>" * 20_000 + "</a>" * 20_000))), 500),
    "nested without end": (post("<a>" * 300_000), 500),
    "billion laughs": (post(envelope(NOTHING.format("&l9;"), f"<!DOCTYPE a [{LAUGHS}]>")), 500),
    "quadratic": (post(envelope(NOTHING.format("&a;" * 50_000), f'<!DOCTYPE a [<!ENTITY a "{"a" * 50_000}">]>')), 500),
    "file entity": (
        post(envelope(NOTHING.format("&x;"), '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>')), 500),
    # libxml2 would need five seconds for every 10 000 attributes.
    "attributes": (post(envelope(NOTHING.format("<a " + " ".join(f'b{n}="c"' for n in range(50_000)) + "/>"))), 500),
    "namespaces": (
        post(envelope(NOTHING.format("".join(f"<a xmlns:b{n}='c'>" for n in range(60)) + "<b0:a/>" * 100_000))), 500),
    "long name": (post(envelope("<" + "a" * 500_000 + "/>")), 500),
    "long value": (post(envelope(NOTHING.format("<a>" + "&lt;" * 250_000 + "</a>"))), 500),
    "half a character": (post(b"\xff\xfe<\0a\0\0\xd8\0\0"), 500),
    "bytes of no encoding": (post(b'<?xml version="1.0" encoding="EUC-JP"?><a>\xff\xff\0\0</a>'), 500),
    "no XML": (post(random.Random(1).randbytes(100_000)), 500),
    "empty": (post(""), 500),
    "unknown URL": (request("GET", "/../../etc/passwd"), 404),
    "unknown method": (request("DELETE", DESCRIPTION), (405, 501)),
}


def test_malformed_requests_are_refused(connect):
    wrong = {}
    for name, (text, expected) in WIRE.items():
        connection = connect()
        connection.send(text)
        status, headers, body = connection.answer()
        if status not in (expected if isinstance(expected, tuple) else (expected,)):
            wrong[name] = status
        if status == 500 and soap.fault(body) not in (401, 402):
            wrong[name] = body
        # After a parse error the connection is closed.
        if status in (400, 413, 414, 431) and not (headers["connection"] == "close" and connection.is_closed()):
            wrong[name] = "not closed"
    assert not wrong


@pytest.mark.parametrize(
    "text",
    ["GET", "GET / HTTP/1.1\r\nHost: 127", request("POST", CONTROL, "Content-Length: 1000", body="<s:Env"),
     request("POST", CONTROL, "Transfer-Encoding: chunked", body="ff\r\n<s:Env")],
    ids=["method", "header", "body", "chunk"],
)
def test_a_truncated_request_is_a_bad_request(connect, text):
    connection = connect()
    connection.send(text)
    connection.end()
    assert connection.answer()[0] == 400 and connection.is_closed()


def test_external_entities_are_not_fetched(connect):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        prologue = f'<!DOCTYPE a SYSTEM "{url}/dtd" [<!ENTITY x SYSTEM "{url}/x"><!ENTITY % y SYSTEM "{url}/y">%y;]>'
        connection = connect()
        connection.send(post(envelope(NOTHING.format("&x;"), prologue)))
        assert connection.answer()[0] == 500
        listener.settimeout(0.5)
        with pytest.raises(TimeoutError):
            listener.accept()


def test_standard_error_has_only_log_lines(attacked):
    """Libraries could print warnings to standard error and fill the journal."""
    line = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} \w+: |<\d>|Name: ")
    other = [text for text in attacked.renderer.err if not line.match(text)]
    assert not other


def test_incomplete_requests_time_out(connect):
    halves = [
        "G", "GET / HTTP/1.1\r\nX:", request("POST", CONTROL, "Content-Length: 10", body="half"),
        request("POST", CONTROL, "Transfer-Encoding: chunked", body="a\r\nhalf"),
    ]
    connections = [connect() for _ in halves]
    start = time.monotonic()
    for connection, half in zip(connections, halves, strict=True):
        connection.send(half)
    for connection in connections:
        assert connection.answer()[0] == 408 and connection.is_closed()
    assert time.monotonic() - start > 9


def test_a_dripping_request_times_out(connect):
    connection = connect()
    connection.send("GET / HTTP/1.1\r\n")
    for _ in range(24):
        connection.send("X: y\r\n")
        time.sleep(0.5)
    assert connection.answer()[0] == 408


def test_300_half_open_connections_do_not_block_others(connect, client):
    for _ in range(300):
        connect().send("POST / HTTP/1.1\r\nContent-Le")
    rounds = len(client.waits)
    wait(lambda: len(client.waits) >= rounds + 3, "no honest client is served")


def test_memory_of_long_headers_is_returned(start):
    """Memory of closed connections must be returned, not only at the end of a track."""
    renderer = start()
    resources = Resources(renderer.process.pid)

    def open_many(count):
        with contextlib.ExitStack() as stack:
            for _ in range(count):
                stack.enter_context(Connection(renderer)).send(request("GET", "/", "X: " + "a" * 16_000)[:-2])
            assert soap.get(renderer.description_url)[0]

    open_many(20)
    memory = resources.memory
    open_many(1000)
    wait(lambda: resources.memory <= memory + MEMORY, "memory does not come back")


def test_idle_connections_are_closed_when_descriptors_run_out(start):
    """Incomplete connections could use up all descriptors, and block new ones until they time out."""
    renderer = start(before=("sh", "-c", 'ulimit -n 64; exec "$@"', "sh"))
    with contextlib.ExitStack() as stack:
        connections = [stack.enter_context(Connection(renderer)) for _ in range(100)]
        for one in connections:
            one.send("GET / HTTP/1.1\r\nHo")
        assert soap.get(renderer.description_url)[0]
        # The oldest connections were closed without an answer.
        with contextlib.suppress(ConnectionError):
            assert connections[0].is_closed()


def test_a_client_that_never_reads_is_throttled(attacked, client):
    """Backpressure: no answers are produced that the client does not read, and no more requests are read."""
    with socket.create_connection(("127.0.0.1", attacked.renderer.port), timeout=1) as one:
        with contextlib.suppress(TimeoutError, ConnectionError):
            for _ in range(100):
                one.sendall(request("GET", DESCRIPTION).encode() * 1000)
            pytest.fail("all requests were read")
        rounds = len(client.waits)
        wait(lambda: len(client.waits) >= rounds + 3, "no honest client is served")


def test_10000_dropped_connections(attacked, client):
    address = ("127.0.0.1", attacked.renderer.port)
    pieces = [b"", b"GET ", b"GET / HTTP/1.1\r\n\r\n", request("GET", DESCRIPTION).encode()]

    def drop(numbers):
        for number in numbers:
            with socket.create_connection(address, timeout=PATIENCE) as one:
                with contextlib.suppress(ConnectionError):
                    one.sendall(pieces[number % 4])
                if number % 3 == 0:
                    # Reset the connection.
                    one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(drop, (range(start, 10_000, 8) for start in range(8))))


def test_callstranger_is_refused(attacked, client):
    """CVE-2020-12695: callbacks must lead to the subscriber's network. See also test_neighbours.py."""
    for service in attacked.services.values():
        for callback in (
            "http://192.0.2.1/", "http://10.255.255.1/", "http://evil.example/", "http://localhost/", "http://[::1]/",
            "http://169.254.169.254/latest/meta-data/", "ftp://127.0.0.1/", "http://127.0.0.1@192.0.2.1/",
            "http://192.0.2.1#127.0.0.1/", "http://239.255.255.250:1900/", "http://127.255.255.255/", "//127.0.0.1/",
        ):
            headers = {"CALLBACK": f"<{callback}>", "NT": "upnp:event"}
            assert soap.request("SUBSCRIBE", service["eventSubURL"], headers)[0] == 412, callback


def test_dns_rebinding_is_refused(attacked, client, connect):
    """A web page whose host name resolves to the speaker can neither read nor change anything."""
    paths = [
        (method, urllib.parse.urlsplit(service[url]).path)
        for service in attacked.services.values()
        for method, url in (("GET", "SCPDURL"), ("POST", "controlURL"), ("SUBSCRIBE", "eventSubURL"))
    ]
    for method, path in [("GET", DESCRIPTION), *paths]:
        for headers in (
            ["Host: rebound.example"],
            ["Host: 127.0.0.1.rebound.example"],
            *([["Host: 127.0.0.1", "Origin: http://rebound.example"]] if method != "GET" else []),
        ):
            connection = connect()
            connection.send(request(method, path, "Content-Length: 0", *headers))
            assert connection.answer()[0] == 403, (method, path, headers)


def test_a_flood_of_subscriptions(attacked, client):
    services = [service["eventSubURL"] for service in attacked.services.values()]
    # Half of the callbacks refuse connections, half never answer.
    with socket.create_server(("127.0.0.1", 0), backlog=128) as silent:
        ports = (9, silent.getsockname()[1])
        answers, sids = [], []
        for number in range(700):
            callback = f"<http://127.0.0.1:{ports[number % 2]}/{'x' * 1000}/{number}>"
            url = services[number % len(services)]
            status, headers, _ = soap.request("SUBSCRIBE", url, {"CALLBACK": callback, "NT": "upnp:event"})
            answers.append(status)
            if status == 200:
                sids.append((url, headers["SID"]))
        # One of the 512 belongs to the honest client.
        assert answers.count(200) == 511 and answers.count(503) == 189
        # Repeated renewals.
        for _ in range(200):
            soap.request("SUBSCRIBE", sids[0][0], {"SID": sids[0][1]})
        for url, sid in sids:
            assert soap.request("UNSUBSCRIBE", url, {"SID": sid})[0] == 200


SEARCH = "M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: {}\r\n\r\n"


def test_a_flood_of_searches_and_garbage(attacked, client):
    chance = random.Random(2)
    whole = SEARCH.format("ssdp:all").encode()
    # Other renderers on this machine answer, too.
    ours = f"LOCATION: http://127.0.0.1:{attacked.renderer.port}/".encode()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        one.settimeout(2)
        start = time.monotonic()
        for number in range(30_000):
            data = [
                whole,
                whole[: chance.randrange(len(whole))],
                chance.randbytes(chance.randrange(1500)),
                SEARCH.format("upnp:rootdevice\r\n" * 80).encode(),
                SEARCH.format("uuid:" + "x" * 1300).encode(),
                b"NOTIFY * HTTP/1.1\r\nNTS: ssdp:alive\r\nLOCATION: http://127.0.0.1:9/\r\n\r\n",
            ][number % 6]
            with contextlib.suppress(OSError):
                one.sendto(data, [("239.255.255.250", 1900), ("127.0.0.1", 1900)][number // 6 % 2])
        size, last = 0, start
        with contextlib.suppress(TimeoutError):
            while True:
                answer = one.recv(65536)
                size += len(answer) if ours in answer else 0
                last = time.monotonic()
        print(f"{size} bytes of answers in {last - start:.1f} s")
        # The budget is 128 KiB at once, then 128 KiB per second. The answers to one search may exceed it, by less than 16 KiB.
        assert 0 < size <= 128 * 1024 * (1 + last - start) + 16 * 1024
        # The next search is answered.
        one.sendto(SEARCH.format("upnp:rootdevice").encode(), ("239.255.255.250", 1900))
        while ours not in one.recv(65536):
            pass


def test_a_flood_of_actions(attacked, client):
    """Eight clients send valid and invalid actions as fast as they can."""
    services = attacked.services
    transport, rendering, connections = (
        services[name] for name in ("AVTransport", "RenderingControl", "ConnectionManager"))
    playlist, pins, radio = (services[name] for name in ("Playlist", "Pins", "Radio"))
    instance, many = ("InstanceID", "0"), " ".join(map(str, range(100_000)))
    asked = [
        (transport, "GetPositionInfo", [instance], {200}),
        (transport, "GetMediaInfo", [instance], {200}),
        (transport, "Play", [instance, ("Speed", "1")], {200}),
        (transport, "Seek", [instance, ("Unit", "REL_TIME"), ("Target", "99:99:99")], {711}),
        (transport, "Seek", [instance, ("Unit", "X_DLNA_REL_BYTE"), ("Target", "-1")], {710}),
        (transport, "Seek", [instance, ("Unit", "TRACK_NR"), ("Target", "9" * 400)], {711}),
        (transport, "Play", [("InstanceID", "1"), ("Speed", "1")], {718}),
        (transport, "Play", [instance], {402}),
        (transport, "Nothing", [instance], {401}),
        (transport, "SetNextAVTransportURI",
         [instance, ("NextURI", "x" * 100_000), ("NextURIMetaData", escape("<a>" * 30_000))], {200}),
        (rendering, "SetVolume", [instance, ("Channel", "Master"), ("DesiredVolume", "100000")], {601}),
        (rendering, "SetVolume", [instance, ("Channel", "Master"), ("DesiredVolume", "9" * 40)], {601}),
        (rendering, "GetVolume", [instance, ("Channel", "LF")], {402}),
        (connections, "GetProtocolInfo", [], {200}),
        (playlist, "Insert", [("AfterId", "0"), ("Uri", "x" * 10_000), ("Metadata", escape("<a>" * 10_000))], {200}),
        (playlist, "DeleteAll", [], {200}),
        (playlist, "ReadList", [("IdList", many)], {200, 402}),
        (playlist, "Read", [("Id", "4294967295")], {800}),
        (radio, "ReadList", [("IdList", many)], {200, 402}),
        (pins, "ReadList", [("Ids", "[" * 100_000)], {801}),
        (pins, "SetDevice",
         [("Index", "99999"), ("Mode", "x"), ("Type", "x"), ("Uri", "x"), ("Title", "x"), ("Description", "x"),
          ("ArtworkUri", "x"), ("Shuffle", "1")], {803}),
    ]
    deadline = time.monotonic() + 5

    def hammer(seed):
        chance, unexpected, count = random.Random(seed), set(), 0
        while time.monotonic() < deadline:
            service, action, arguments, expected = chance.choice(asked)
            status, _, body = soap.call(service, action, arguments)
            answer = soap.fault(body) if status == 500 else status
            # On a busy machine, the other clients may keep a large request from arriving in time.
            if answer not in {*expected, 408}:
                unexpected.add((action, str(arguments)[:100], answer))
            count += 1
        return count, unexpected

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        results = list(pool.map(hammer, range(8)))
    print("answers", [count for count, _ in results])
    assert not set.union(*(unexpected for _, unexpected in results))
    # Restore the state for the next tests: no next track, and an empty playlist.
    soap.call(transport, "SetNextAVTransportURI", [instance, ("NextURI", ""), ("NextURIMetaData", "")])
    soap.call(playlist, "DeleteAll", [])
