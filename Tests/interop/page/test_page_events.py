"""The event stream of the page's API."""

import re
import socket
import time

import pytest

from page_api import Events, Page
from processes import EXIT_LIMIT, PATIENCE, wait_until
from test_radio import LONG


@pytest.fixture
def page(renderer):
    return Page(renderer)


def test_the_state_comes_first_and_then_changes(page):
    with Events(page) as events:
        events.wait(lambda stream: stream.events)
        assert events.response.headers["Content-Type"] == "text/event-stream"
        (kind, state), identity = events.events[0], events.ids[0]
        assert (kind, state["id"]) == ("state", identity)
        assert page.get("/api/state").json["id"] == identity
        page.do("volume", {"level": 40})
        events.wait(lambda stream: len(stream.events) > 1)
        kind, change = events.events[1]
        assert kind == "change"
        assert set(change) == {"id", "volume"}
        assert change["volume"]["level"] == 40
        boot, revision = identity.split("-")
        assert events.ids[1] == change["id"] == f"{boot}-{int(revision) + 1}"


def test_changes_are_merged(page):
    """A dragged slider causes at most five events per second, and the last value is always sent."""
    with Events(page) as events:
        events.wait(lambda stream: stream.events)
        begin = time.monotonic()
        for level in range(100, 0, -1):
            page.do("volume", {"level": level})
        events.wait_for_state(lambda state: state["volume"]["level"] == 1)
        assert len(events.events) <= 3 + (time.monotonic() - begin) / 0.2


def test_a_change_is_sent_once_to_every_stream(page):
    streams = [Events(page) for _ in range(16)]
    try:
        for stream in streams:
            stream.wait(lambda stream: stream.events)
        page.do("mute", {"muted": True})
        for stream in streams:
            stream.wait_for_state(lambda state: state["volume"]["muted"])
        assert len({tuple(stream.ids) for stream in streams}) == 1
    finally:
        for stream in streams:
            stream.close()


def test_a_known_id_gets_nothing_again(page):
    with Events(page) as events:
        events.wait(lambda stream: stream.events)
        identity = events.ids[0]
    with Events(page, Last_Event_ID=identity) as known, Events(page, Last_Event_ID="1-0") as unknown:
        unknown.wait(lambda stream: stream.events)
        assert unknown.events[0][0] == "state"
        page.do("volume", {"level": 7})
        known.wait(lambda stream: stream.events)
        assert known.events[0][0] == "change"
        identity = known.ids[0]
    page.do("volume", {"level": 8})
    with Events(page, Last_Event_ID=identity) as outdated:
        outdated.wait(lambda stream: stream.events)
        assert outdated.events[0][1]["volume"]["level"] == 8


def test_an_id_of_an_earlier_run_is_unknown(start):
    renderer = start()
    page = Page(renderer)
    identity = page.state["id"]
    renderer.stop()
    page = Page(start())
    with Events(page, Last_Event_ID=identity) as events:
        events.wait(lambda stream: stream.events)
        assert int(events.ids[0].split("-")[0]) > int(identity.split("-")[0])


def test_comments_come_often_enough_for_the_page(page):
    """The page takes a connection for dead after a silence, in which a comment may be late or lost."""
    silence = int(re.search(r"const silence = (\S+);", page.get("/page/store.js").body.decode()).group(1).replace("_", ""))
    with Events(page) as events:
        events.wait(lambda stream: stream.comments)
        begin = time.monotonic()
        events.wait(lambda stream: stream.comments >= 3)
    assert silence <= 6000 and (time.monotonic() - begin) * 1000 / 2 < silence


@pytest.mark.long
@pytest.mark.timeout(120)
def test_a_stream_outlives_the_idle_limit(page):
    """Comments come, and the limit of 60 s for idle connections does not apply."""
    with Events(page) as events:
        events.wait(lambda stream: stream.comments >= 35, seconds=100)
        page.do("volume", {"level": 3})
        events.wait_for_state(lambda state: state["volume"]["level"] == 3)


def test_streams_are_limited_and_spared_when_others_make_room(renderer, page):
    pages = [Page(renderer, f"127.0.0.{number}") for number in (1, 2, 3, 4)]
    streams = [Events(client) for _ in range(16) for client in pages]
    try:
        for stream in streams:
            stream.wait(lambda stream: stream.events)
        with Events(page) as further:
            assert further.response.status == 503
            assert further.response.headers["Retry-After"] == "10"
        # Idle connections are closed to make room for new ones.
        idle = [socket.create_connection(page.netloc.split(":"), timeout=PATIENCE) for _ in range(256)]
        page.do("volume", {"level": 5})
        for stream in streams:
            stream.wait_for_state(lambda state: state["volume"]["level"] == 5)
        for connection in idle:
            connection.close()
        streams.pop(0).close()
        wait_until(lambda: _opens(page))
    finally:
        for stream in streams:
            stream.close()


def test_one_address_leaves_streams_for_others(renderer, page):
    streams = [Events(page) for _ in range(16)]
    try:
        with Events(page) as further:
            assert further.response.status == 503
        # Further addresses take the rest; then they share.
        streams += [Events(Page(renderer, f"127.0.0.{number}")) for number in (2, 3, 4) for _ in range(16)]
        with Events(Page(renderer, "127.0.0.5")) as late:
            late.wait(lambda stream: stream.events)
            wait_until(lambda: sum(stream.has_ended for stream in streams) == 1)
    finally:
        for stream in streams:
            stream.close()


def test_the_owner_gets_a_stream_when_guests_have_taken_them(renderer, page):
    token = page.do("lock", {"pin": "1234"})["token"]
    streams = [Events(Page(renderer, f"127.0.0.{number}")) for number in (1, 2, 3, 4) for _ in range(16)]
    try:
        with Events(page, Authorization=f"Bearer {token}") as owner:
            owner.wait(lambda stream: stream.events)
            with Events(Page(renderer, "127.0.0.5")) as late:
                late.wait(lambda stream: stream.events)
            assert not owner.has_ended
    finally:
        for stream in streams:
            stream.close()


def _opens(page):
    with Events(page) as events:
        return events.response.status == 200


def test_a_client_that_does_not_read_is_closed(page, media):
    """It uses no more memory than its backlog, and other clients get their events."""
    silent_reader = socket.socket()
    silent_reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    host, port = page.netloc.split(":")
    silent_reader.connect((host, int(port)))
    silent_reader.sendall(f"GET /api/events HTTP/1.1\r\nHost: {page.netloc}\r\n\r\n".encode())
    items = [{"uri": media.url(LONG), "title": "t" * 8000} for _ in range(30)]
    with Events(page) as events:
        events.wait(lambda stream: stream.events)
        # Each change of the queue causes an event with 30 long titles; one is sent per interval.
        ids = page.do("queue/add", {"items": items, "where": "end"})["ids"]
        for number in range(100):
            count = len(events.events)
            page.do("queue/move", {"ids": ids[:1], "after": 0 if number % 2 else ids[5]})
            events.wait(lambda stream, count=count: len(stream.events) > count)
            if _is_closed(silent_reader):
                break
        else:
            raise AssertionError("the client was not closed")
        page.do("volume", {"level": 9})
        events.wait_for_state(lambda state: state["volume"]["level"] == 9)
    silent_reader.close()


def _is_closed(connection):
    """Whether the server has closed the connection, without reading from it."""
    return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != 1


def test_a_client_of_http_1_0_gets_plain_text(page):
    host, port = page.netloc.split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as client:
        client.sendall(b"GET /api/events HTTP/1.0\r\n\r\n")
        text = b""
        while b"event: state" not in text:
            text += client.recv(4096)
        head = text.split(b"\r\n\r\n")[0].lower()
        assert b"transfer-encoding" not in head
        assert b"connection: close" in head


def test_a_stop_ends_the_streams(renderer, page):
    with Events(page) as events:
        events.wait(lambda stream: stream.events)
        status, seconds = renderer.stop()
        assert status == 0
        assert seconds < EXIT_LIMIT
        events.wait(lambda stream: stream.has_ended)
