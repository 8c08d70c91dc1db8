"""An event listener that records the raw messages."""

import contextlib
import re
import socket
import threading
import time
import xml.etree.ElementTree as ET

from processes import PATIENCE

OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


def check_rate(times, interval):
    """Fails if messages that arrived at these times were sent more often than once per `interval`, in seconds.

    Both sides may be late on a busy machine. But a message is sent after the one before it was answered, and has only changes
    since the one before it was sent. So its first change is later than the arrival of the second message before it.
    """
    for first, start in enumerate(times):
        for count, end in enumerate(times[first + 2 :]):
            assert count * interval <= end - start, times


class Event:
    """A received NOTIFY."""

    def __init__(self, head, body, connection):
        self.heard_at = time.monotonic()
        self.connection = connection
        self.start, *lines = head.decode().split("\r\n")
        self.headers = {name.upper(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        self.values = {child.tag: child.text for child in ET.fromstring(body).iter() if len(child) == 0}
        if "LastChange" in self.values:
            instance = ET.fromstring(self.values["LastChange"])[0]
            self.values = {child.tag.split("}")[1]: child.get("val") for child in instance}

    @property
    def seq(self):
        return int(self.headers["SEQ"])


class Subscriber:
    """Answers every event with `answer`. An empty answer closes the connection; None sends nothing."""

    def __init__(self, answer=OK, address="127.0.0.1"):
        self.answer = answer
        self.events = []
        self.sid = None
        self.changed = threading.Condition()
        self._sockets = [socket.create_server((address, 0), backlog=16)]
        self.port = self._sockets[0].getsockname()[1]
        self.url = f"http://{address}:{self.port}/event?a=b"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        for one in self._sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            for number in range(1 << 30):
                connection = self._sockets[0].accept()[0]
                self._sockets.append(connection)
                threading.Thread(target=self._serve, args=(connection, number), daemon=True).start()

    def _serve(self, connection, number):
        rest = b""
        with contextlib.suppress(OSError):
            while True:
                while not (whole := re.search(rb"(.*?)\r\n\r\n", rest, re.DOTALL)) or len(rest) < whole.end() + (
                    length := int(re.search(rb"\r\nContent-Length: *(\d+)", rest, re.IGNORECASE).group(1))
                ):
                    data = connection.recv(65536)
                    if not data:
                        return
                    rest += data
                body, rest = rest[whole.end() : whole.end() + length], rest[whole.end() + length :]
                with self.changed:
                    self.events.append(Event(whole.group(1), body, number))
                    self.changed.notify_all()
                if self.answer is None:
                    continue
                connection.sendall(self.answer.encode())
                if "close" in self.answer or not self.answer or "HTTP/1.0" in self.answer:
                    connection.close()
                    return

    def wait(self, condition):
        with self.changed:
            assert self.changed.wait_for(lambda: condition(self.events), PATIENCE), [e.values for e in self.events]

    def wait_for_volume(self, volume):
        self.wait(lambda events: any(event.values.get("Volume") == str(volume) for event in events))
