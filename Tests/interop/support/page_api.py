"""A client of the page's API, and a reader of its event stream."""

import contextlib
import http.client
import json
import socket
import threading
import urllib.parse

from processes import PATIENCE


class Answer:
    """An answer: status, headers and the JSON in its body."""

    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    @property
    def json(self):
        return json.loads(self.body)

    def problem(self, status, detail=""):
        """Checks that the answer is a problem with this status and a text in its detail; returns its type."""
        assert self.status == status, self.body
        assert self.headers["Content-Type"] == "application/problem+json"
        document = self.json
        assert document["status"] == status
        assert detail in document["detail"], document
        return document["type"]

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Page:
    """The API of a speaker, for a client on this machine or on one of a test network."""

    def __init__(self, speaker, client="127.0.0.1", machine=None):
        """`speaker` is a renderer on this machine, or an address of a speaker on any."""
        self.netloc = urllib.parse.urlsplit(getattr(speaker, "description_url", speaker)).netloc
        #: The loopback address that requests of this machine come from.
        self.client = client
        self._machine = machine

    def connect(self):
        source = None if self._machine else (self.client, 0)
        connection = http.client.HTTPConnection(self.netloc, timeout=2 * PATIENCE, source_address=source)
        # A socket stays on the machine that opened it.
        if self._machine:
            self._machine.do(connection.connect)
        return connection

    def request(self, method, path, body=None, **headers):
        connection = self.connect()
        with contextlib.closing(connection):
            connection.request(method, path, body, {name.replace("_", "-"): text for name, text in headers.items()})
            return Answer(connection.getresponse())

    def get(self, path, query=None, **headers):
        return self.request("GET", f"{path}?{urllib.parse.urlencode(query)}" if query else path, **headers)

    def post(self, path, body=None, **headers):
        """Sends a command: `post("volume", {"level": 40})`."""
        text = body if isinstance(body, str) else json.dumps({} if body is None else body)
        return self.request("POST", "/api/" + path, text, **{"Content-Type": "application/json", **headers})

    def do(self, path, body=None):
        """Sends a command that must succeed; returns its result."""
        answer = self.post(path, body)
        assert answer.status == 200, answer.body
        return answer.json

    @property
    def state(self):
        answer = self.get("/api/state")
        assert answer.status == 200
        return answer.json


class Events:
    """The event stream of a page, read by a thread: `events` has pairs of type and data, `ids` the ids."""

    def __init__(self, page, path="/api/events", **headers):
        self.connection = page.connect()
        self.connection.request("GET", path, headers={name.replace("_", "-"): text for name, text in headers.items()})
        # Keep the socket: `getresponse` takes it over, because the server closes the connection after the stream.
        self.socket = self.connection.sock
        self.response = self.connection.getresponse()
        self.events, self.ids, self.comments, self.has_ended = [], [], 0, False
        #: The number of events that `wait_for` has passed.
        self._passed = 0
        self._changed = threading.Condition()
        self._thread = None
        if self.response.status == 200:
            self._thread = threading.Thread(target=self._read, daemon=True)
            self._thread.start()

    def _read(self):
        fields = {}
        with contextlib.suppress(OSError, ValueError, http.client.HTTPException):
            for raw in self.response:
                line = raw.decode().rstrip("\n")
                with self._changed:
                    if not line and "event" in fields:
                        self.events.append((fields["event"], json.loads(fields["data"])))
                        self.ids.append(fields.get("id"))
                        fields = {}
                    elif line.startswith(":"):
                        self.comments += 1
                    elif line:
                        name, _, value = line.partition(": ")
                        fields[name] = value
                    self._changed.notify_all()
        with self._changed:
            self.has_ended = True
            self._changed.notify_all()

    def wait(self, condition, seconds=PATIENCE):
        """Waits until the condition holds for this stream."""
        with self._changed:
            assert self._changed.wait_for(lambda: condition(self), timeout=seconds), self.events

    def wait_for(self, kind, condition=lambda data: True):
        """The data of the next event of a type that meets a condition. Passes the events before it."""
        found = []

        def is_found(stream):
            while not found and self._passed < len(stream.events):
                name, data = stream.events[self._passed]
                self._passed += 1
                found.extend([data] if name == kind and condition(data) else [])
            return found

        self.wait(is_found)
        return found[0]

    @property
    def state(self):
        """The state that results from applying all events in order."""
        state = {}
        for kind, data in list(self.events):
            if kind in ("state", "change"):
                state |= data
        return state

    def wait_for_state(self, condition, seconds=PATIENCE):
        self.wait(lambda stream: stream.events and condition(stream.state), seconds)

    def close(self):
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        if self._thread:
            self._thread.join(PATIENCE)
        self.response.close()
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
