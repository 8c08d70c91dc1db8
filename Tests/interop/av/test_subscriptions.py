"""GENA subscriptions and event delivery, with well-behaved and failing subscribers."""

import re
import time

import pytest

import soap
from processes import PATIENCE
from subscriber import OK, check_rate

INSTANCE, MASTER = ("InstanceID", "0"), ("Channel", "Master")


class Service:
    def __init__(self, renderer, name):
        self._addresses = soap.services(renderer.description_url)[name]

    def request(self, method, **headers):
        """Status and headers."""
        return soap.request(method, self._addresses["eventSubURL"], headers)[:2]

    def subscribe(self, *callbacks, timeout="Second-300"):
        callback = "".join(f"<{url}>" for url in callbacks)
        return self.request("SUBSCRIBE", CALLBACK=callback, NT="upnp:event", TIMEOUT=timeout)

    def add(self, subscriber, timeout="Second-300"):
        status, headers = self.subscribe(subscriber.url, timeout=timeout)
        assert status == 200
        subscriber.sid = headers["SID"]

    def set_volume(self, volume):
        arguments = [INSTANCE, MASTER, ("DesiredVolume", str(volume))]
        assert soap.call(self._addresses, "SetVolume", arguments)[0] == 200


@pytest.fixture
def rendering(renderer):
    return Service(renderer, "RenderingControl")


@pytest.fixture
def shared_rendering(shared_renderer):
    return Service(shared_renderer, "RenderingControl")


def test_an_event_has_the_required_headers(renderer, rendering, subscriber):
    one = subscriber()
    rendering.add(one)
    one.wait(lambda events: len(events) == 1)
    rendering.set_volume(31)
    one.wait_for_volume(31)
    first, second = one.events
    assert first.start == "NOTIFY /event?a=b HTTP/1.1"
    assert first.headers["HOST"] == f"127.0.0.1:{one.port}"
    assert first.headers["CONTENT-TYPE"] == 'text/xml; charset="utf-8"'
    assert (first.headers["NT"], first.headers["NTS"]) == ("upnp:event", "upnp:propchange")
    assert first.headers["SID"] == one.sid and re.fullmatch("uuid:[0-9a-f-]{36}", one.sid)
    assert "TRANSFER-ENCODING" not in first.headers
    assert (first.seq, second.seq) == (0, 1)
    # The first event has the complete state, the second only changes. They share a connection.
    assert {"Volume", "Mute"} < set(first.values)
    assert set(second.values) <= {"Volume", "VolumeDB"}
    assert first.connection == second.connection


def test_dead_and_slow_subscribers_do_not_delay_others(rendering, subscriber):
    prompt = [subscriber() for _ in range(200)]
    slow = [subscriber(None) for _ in range(10)]
    dead = [subscriber() for _ in range(10)]
    for one in dead:
        one.close()
    for one in [*slow, *dead, *prompt]:
        rendering.add(one)
    for one in prompt:
        one.wait(lambda events: len(events) == 1)
    for volume in (21, 22, 23):
        start = time.monotonic()
        rendering.set_volume(volume)
        for one in prompt:
            one.wait_for_volume(volume)
        took = max(one.events[-1].heard_at for one in prompt) - start
        print(f"200 subscribers reached in {took * 1000:.0f} ms")
        # The deliveries to the slow ones have not timed out yet, so nobody has waited for them.
        assert all(len(one.events) == 1 for one in slow)
    assert all([event.seq for event in one.events] == list(range(len(one.events))) for one in prompt)


def test_fast_changes_are_coalesced(rendering, subscriber):
    one = subscriber()
    rendering.add(one)
    one.wait(lambda events: len(events) == 1)
    for volume in range(1, 61):
        rendering.set_volume(volume)
    one.wait_for_volume(60)
    # The first change is sent at once, later ones are coalesced to one event per 0.2 s (RenderingControl:1 §2.2.1).
    assert one.events[1].values["Volume"] == "1"
    check_rate([event.heard_at for event in one.events], 0.2)
    assert [event.seq for event in one.events] == list(range(len(one.events)))


@pytest.mark.parametrize(
    "answer",
    [
        "HTTP/1.0 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    ],
)
def test_minimal_http_answers_are_accepted(rendering, subscriber, answer):
    one = subscriber(answer)
    rendering.add(one)
    for volume in (1, 2, 3):
        rendering.set_volume(volume)
        one.wait_for_volume(volume)
    assert [event.seq for event in one.events] == list(range(len(one.events)))


def test_a_subscriber_that_answers_500_stays_subscribed(rendering, subscriber):
    one = subscriber("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n")
    rendering.add(one)
    one.wait(lambda events: len(events) >= 1)
    rendering.set_volume(41)
    one.answer = OK
    one.wait_for_volume(41)
    rendering.set_volume(42)
    one.wait_for_volume(42)
    seqs = [event.seq for event in one.events]
    assert seqs == sorted(seqs)


def test_a_subscriber_that_answers_412_is_removed(rendering, subscriber):
    one = subscriber()
    rendering.add(one)
    one.wait(lambda events: len(events) == 1)
    one.answer = "HTTP/1.1 412 Precondition Failed\r\nContent-Length: 0\r\n\r\n"
    rendering.set_volume(41)
    one.wait_for_volume(41)
    end = time.monotonic() + PATIENCE
    while (status := rendering.request("SUBSCRIBE", SID=one.sid)[0]) == 200 and time.monotonic() < end:
        time.sleep(0.05)
    assert status == 412


def test_callbacks_are_tried_in_order(rendering, subscriber):
    dead, alive = subscriber(), subscriber()
    dead.close()
    assert rendering.subscribe(dead.url, alive.url)[0] == 200
    alive.wait(lambda events: len(events) == 1)
    rendering.set_volume(12)
    alive.wait_for_volume(12)


@pytest.mark.parametrize(
    "callback",
    [
        "http://192.0.2.1/",
        "http://evil.example/",
        "http://localhost:{port}/",
        "https://127.0.0.1:{port}/",
        "http://224.0.0.1:{port}/",
        "http://0.0.0.0:{port}/",
        "http://255.255.255.255/",
        "http://127.255.255.255/",
        "http://127.1:{port}/",
        "http://2130706433:{port}/",
        "http://0x7f.0.0.1:{port}/",
        "http://[::1]:{port}/",
        "http://user@127.0.0.1:{port}/",
        "http://127.0.0.1:0/",
        "http://127.0.0.1:65536/",
        "ftp://127.0.0.1/",
        "http://127.0.0.1:{port}/ a",
        "http://127.0.0.1:{port}/\ta",
        "",
    ],
)
def test_a_foreign_callback_is_refused(shared_rendering, subscriber, callback):
    listener = subscriber()
    callback = callback.format(port=listener.port)
    assert shared_rendering.subscribe(callback)[0] == 412
    # Next to a valid callback it is ignored.
    status, _ = shared_rendering.subscribe(callback, listener.url)
    assert status == 200
    listener.wait(lambda events: len(events) == 1)
    assert listener.events[0].start == "NOTIFY /event?a=b HTTP/1.1"


VALID = {"CALLBACK": "<http://127.0.0.1:9/>", "NT": "upnp:event"}
UNKNOWN = "uuid:00000000-0000-4000-8000-000000000000"


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("SUBSCRIBE", {}, 412),
        ("SUBSCRIBE", {"NT": "upnp:event"}, 412),
        ("SUBSCRIBE", {"NT": "upnp:event", "CALLBACK": "http://127.0.0.1:9/"}, 412),
        ("SUBSCRIBE", {"CALLBACK": VALID["CALLBACK"]}, 412),
        ("SUBSCRIBE", {**VALID, "NT": "upnp:propchange"}, 412),
        ("SUBSCRIBE", {**VALID, "SID": UNKNOWN}, 400),
        ("SUBSCRIBE", {"SID": UNKNOWN, "NT": "upnp:event"}, 400),
        ("SUBSCRIBE", {"SID": UNKNOWN}, 412),
        ("SUBSCRIBE", {"SID": "rubbish"}, 412),
        ("SUBSCRIBE", {"SID": ""}, 412),
        ("UNSUBSCRIBE", {}, 412),
        ("UNSUBSCRIBE", {"SID": UNKNOWN}, 412),
        ("UNSUBSCRIBE", {**VALID, "SID": UNKNOWN}, 400),
        # A missing or invalid TIMEOUT means 30 minutes.
        ("SUBSCRIBE", {**VALID}, "Second-1800"),
        ("SUBSCRIBE", {**VALID, "TIMEOUT": "infinite"}, "Second-1800"),
        ("SUBSCRIBE", {**VALID, "TIMEOUT": "Second-infinite"}, "Second-1800"),
        ("SUBSCRIBE", {**VALID, "TIMEOUT": "Second-99999999999999999999"}, "Second-1800"),
        ("SUBSCRIBE", {**VALID, "TIMEOUT": "Second-600"}, "Second-600"),
    ],
)
def test_subscription_requests_have_the_required_status(shared_rendering, method, headers, status):
    answer, fields = shared_rendering.request(method, **headers)
    if isinstance(status, int):
        assert answer == status
    else:
        assert (answer, fields["TIMEOUT"], fields["Content-Length"]) == (200, status, "0")
        assert fields["SID"].startswith("uuid:") and fields["DATE"] and "UPnP/1.1" in fields["SERVER"]


def test_a_subscription_belongs_to_one_service(renderer, rendering):
    _, headers = rendering.request("SUBSCRIBE", **VALID)
    other = Service(renderer, "AVTransport")
    assert other.request("UNSUBSCRIBE", SID=headers["SID"])[0] == 412
    assert rendering.request("UNSUBSCRIBE", SID=headers["SID"])[0] == 200


def test_a_subscription_expires_unless_renewed(renderer, rendering, subscriber):
    renewed, forgotten = subscriber(), subscriber()
    start = time.monotonic()
    for one in (renewed, forgotten):
        rendering.add(one, timeout="Second-10")
    status, headers = rendering.request("SUBSCRIBE", SID=renewed.sid, TIMEOUT="Second-300")
    assert (status, headers["SID"], headers["TIMEOUT"]) == (200, renewed.sid, "Second-300")
    renderer.wait_for_log(f"subscription expired.*{forgotten.sid}")
    assert time.monotonic() - start >= 10
    rendering.set_volume(77)
    renewed.wait_for_volume(77)
    assert [event.values.get("Volume") for event in forgotten.events].count("77") == 0
    assert rendering.request("UNSUBSCRIBE", SID=forgotten.sid)[0] == 412
    assert rendering.request("UNSUBSCRIBE", SID=renewed.sid)[0] == 200


def test_an_address_may_have_512_subscriptions(rendering):
    sids = []
    for _ in range(512):
        status, headers = rendering.request("SUBSCRIBE", **VALID)
        assert status == 200
        sids.append(headers["SID"])
    assert len(set(sids)) == 512
    assert rendering.request("SUBSCRIBE", **VALID)[0] == 503
    assert rendering.request("UNSUBSCRIBE", SID=sids[0])[0] == 200
    assert rendering.request("SUBSCRIBE", **VALID)[0] == 200


def test_idle_event_connections_are_closed(rendering, subscriber):
    """An open connection would block controllers that serve one connection at a time."""
    one = subscriber()
    rendering.add(one)
    one.wait(lambda events: len(events) == 1)
    time.sleep(6)
    rendering.set_volume(9)
    one.wait_for_volume(9)
    assert one.events[-1].connection != one.events[0].connection
