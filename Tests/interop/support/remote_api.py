"""A client of the page's API on another machine than the speaker."""

import contextlib
import http.client
import json
import time
import urllib.parse

from processes import PATIENCE


class Answer:
    """An answer of the API."""

    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class API:
    """The API of a speaker. Requests come from `machine`."""

    def __init__(self, machine, base):
        self.machine = machine
        self.host = urllib.parse.urlsplit(base).netloc

    def request(self, method, path, body=None, headers=None):
        def ask():
            with contextlib.closing(http.client.HTTPConnection(self.host, timeout=2 * PATIENCE)) as connection:
                connection.request(method, path, body, headers or {})
                return Answer(connection.getresponse())

        return self.machine.do(ask)

    def get(self, path, headers=None, **query):
        text = urllib.parse.urlencode(query)
        return self.request("GET", f"{path}?{text}" if text else path, headers=headers)

    def post(self, path, **fields):
        return self.request("POST", path, json.dumps(fields), {"Content-Type": "application/json"})

    @contextlib.contextmanager
    def events(self, show=""):
        """An open event stream."""
        connection = self.machine.do(lambda: self._open(f"/api/events?show={show}" if show else "/api/events"))
        response = connection.getresponse()
        try:
            yield EventStream(response)
        finally:
            # The socket is closed only when the response is closed, too.
            response.close()
            connection.close()

    def _open(self, path):
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        connection.request("GET", path)
        return connection


class EventStream:
    """The events of a stream, one by one."""

    def __init__(self, response):
        self._response = response
        assert response.status == 200, response.status

    def next(self, event, end=None):
        """The data of the next event of a type; None after `end`."""
        name, data = "", ""
        end = end or time.monotonic() + PATIENCE
        while line := self._response.readline().decode():
            # Checked at least every 2 s, because the speaker sends comments in that interval.
            if time.monotonic() >= end:
                return None
            line = line.rstrip("\n")
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                data = line.removeprefix("data: ")
            elif not line:
                if name == event:
                    return json.loads(data)
                name, data = "", ""
        raise AssertionError(f"the stream ended before an event {event}")

    def wait_for(self, event, condition):
        """The data of the first event of a type that meets a condition."""
        seen = []
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            seen.append(self.next(event, end))
            if seen[-1] is not None and condition(seen[-1]):
                return seen[-1]
        raise AssertionError(f"no such event {event}; the last ones were {seen[-3:]}")
