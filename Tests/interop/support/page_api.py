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


class Page:
    """The API of a renderer."""

    def __init__(self, renderer, client="127.0.0.1"):
        self.netloc = urllib.parse.urlsplit(renderer.description_url).netloc
        #: The loopback address that requests come from.
        self.client = client

    def connect(self):
        return http.client.HTTPConnection(self.netloc, timeout=PATIENCE, source_address=(self.client, 0))

    def request(self, method, path, body=None, **headers):
        connection = self.connect()
        with contextlib.closing(connection):
            connection.request(method, path, body, {name.replace("_", "-"): text for name, text in headers.items()})
            return Answer(connection.getresponse())

    def get(self, path, **headers):
        return self.request("GET", path, **headers)

    def post(self, path, body, **headers):
        """Sends a command: `post("volume", {"level": 40})`."""
        text = body if isinstance(body, str) else json.dumps(body)
        return self.request("POST", "/api/" + path, text, **{"Content-Type": "application/json", **headers})

    def do(self, path, body=None):
        """Sends a command that must succeed; returns its result."""
        answer = self.post(path, {} if body is None else body)
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
