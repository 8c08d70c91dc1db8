"""A simulated broker that can be old, silent or confused, and keeps what it receives for tests."""

import contextlib
import socket
import threading

import pytest

CONNECT, PUBLISH, SUBSCRIBE, PINGREQ, DISCONNECT = 1, 3, 8, 12, 14


class FakeBroker:
    """A minimal broker. It knows only MQTT 3.1.1, unless `versions` names 5 as well."""

    #: CONNACK with code 1, in the form of 3.1.1.
    WRONG_VERSION = b"\x20\x02\x00\x01"

    def __init__(self, answer=None, refusal=WRONG_VERSION, versions=(4,), acknowledges=True):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        #: Replaces the answer to every CONNECT; None for the usual answers.
        self.answer = answer
        #: Sent to a CONNECT of another version, before the connection is closed.
        self.refusal = refusal
        self.versions = versions
        #: Whether publications are acknowledged.
        self.acknowledges = acknowledges
        #: The protocol levels of all CONNECTs: 4 is 3.1.1.
        self.levels = []
        #: Topic and payload of everything published, including last wills.
        self.published = []
        self.connection = None
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                self.connection, _ = self.server.accept()
                with self.connection:
                    will = []
                    with contextlib.suppress(OSError, EOFError, ValueError):
                        self._talk(self.connection, will)
                    # Without a DISCONNECT, or with one that asks for it, the broker publishes the last will.
                    self.published += will

    def _talk(self, connection, will):
        stream = connection.makefile("rb")
        version = 0
        while head := stream.read(1):
            body, kind = stream.read(self._length(stream)), head[0] >> 4
            if kind == CONNECT:
                version = body[6]
                self.levels.append(version)
                if self.answer is not None:
                    connection.sendall(self.answer)
                    continue
                if version not in self.versions:
                    connection.sendall(self.refusal)
                    return
                will.append(self._will(body))
                connection.sendall(b"\x20\x03\x00\x00\x00" if version == 5 else b"\x20\x02\x00\x00")
            elif kind == PUBLISH:
                size = int.from_bytes(body[:2], "big")
                # Swiftlet sends no properties, so that their length is one byte.
                begin = 4 + size + (version == 5)
                self.published.append((body[2 : 2 + size].decode(), body[begin:].decode()))
                if self.acknowledges:
                    connection.sendall(b"\x40\x02" + body[2 + size : 4 + size])
            elif kind == SUBSCRIBE:
                connection.sendall(b"\x90\x04" + body[:2] + b"\x00\x00" if version == 5 else b"\x90\x03" + body[:2] + b"\x00")
            elif kind == PINGREQ:
                connection.sendall(b"\xd0\x00")
            elif kind == DISCONNECT:
                if body[:1] != b"\x04":
                    will.clear()
                return

    @staticmethod
    def _length(stream):
        length, shift = 0, 0
        while True:
            (byte,) = stream.read(1)
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return length

    @staticmethod
    def _will(body):
        """Topic and payload of the last will in a CONNECT."""
        rest = body[10:]
        if body[6] == 5:
            rest = rest[1 + rest[0] :]
        fields = []
        for number in range(3):
            if number == 1 and body[6] == 5:
                rest = rest[1 + rest[0] :]
            size = int.from_bytes(rest[:2], "big")
            fields.append(rest[2 : 2 + size])
            rest = rest[2 + size :]
        return fields[1].decode(), fields[2].decode()

    def of(self, topic):
        """The payloads of a topic so far."""
        return [payload for name, payload in list(self.published) if name == topic]

    def send(self, topic, payload, is_retained=False):
        """Sends a message to the connected client."""
        topic = topic.encode()
        properties = b"\x00" if self.levels[-1] == 5 else b""
        body = len(topic).to_bytes(2, "big") + topic + properties + payload
        self.connection.sendall(bytes([0x31 if is_retained else 0x30, len(body)]) + body)

    def close(self):
        with contextlib.suppress(OSError):
            self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()


@pytest.fixture
def fake_broker():
    """Makes simulated brokers, which are closed at the end."""
    made = []

    def fake_broker(**options):
        made.append(FakeBroker(**options))
        return made[-1]

    yield fake_broker
    for broker in made:
        broker.close()


class RefusingServer:
    """Closes every connection at once, and counts them."""

    def __init__(self, port):
        self.server = socket.create_server(("127.0.0.1", port))
        self.attempts = 0
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                self.server.accept()[0].close()
                self.attempts += 1

    def close(self):
        with contextlib.suppress(OSError):
            self.server.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self.server.close()
