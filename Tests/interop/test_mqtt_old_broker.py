"""MQTT: simulated brokers that support only MQTT 3.1.1, do not answer, or send garbage."""

import contextlib
import socket
import threading

import pytest

from broker import PREFIX
from processes import wait_until


class FakeBroker:
    """A minimal broker for MQTT 3.1.1. It stores nothing."""

    #: CONNACK with code 1, in the form of 3.1.1.
    WRONG_VERSION = b"\x20\x02\x00\x01"

    def __init__(self, answer=None, refusal=WRONG_VERSION):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        #: Replaces the answer to every CONNECT; None for the usual answers.
        self.answer = answer
        #: Sent to a CONNECT of another version, before the connection is closed.
        self.refusal = refusal
        #: The protocol levels of all CONNECTs: 4 is 3.1.1.
        self.levels = []
        self.published = []
        self.connection = None
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                self.connection, _ = self.server.accept()
                with contextlib.suppress(OSError, EOFError), self.connection:
                    self._talk(self.connection)

    def _talk(self, connection):
        stream = connection.makefile("rb")
        while head := stream.read(1):
            length, shift = 0, 0
            while True:
                (byte,) = stream.read(1)
                length |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            body, kind = stream.read(length), head[0] >> 4
            if kind == 1:
                self.levels.append(body[6])
                if self.answer is not None:
                    connection.sendall(self.answer)
                elif body[6] != 4:
                    connection.sendall(self.refusal)
                    return
                else:
                    connection.sendall(b"\x20\x02\x00\x00")
            elif kind == 3:
                size = int.from_bytes(body[:2], "big")
                self.published.append((body[2 : 2 + size].decode(), body[4 + size :].decode()))
                connection.sendall(b"\x40\x02" + body[2 + size : 4 + size])
            elif kind == 8:
                connection.sendall(b"\x90\x03" + body[:2] + b"\x00")
            elif kind == 12:
                connection.sendall(b"\xd0\x00")

    def send(self, topic, payload, is_retained=False):
        topic = topic.encode()
        body = len(topic).to_bytes(2, "big") + topic + payload
        self.connection.sendall(bytes([0x31 if is_retained else 0x30, len(body)]) + body)

    def close(self):
        with contextlib.suppress(OSError):
            self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()


@pytest.fixture
def fake_broker():
    made = []

    def fake_broker(**options):
        made.append(FakeBroker(**options))
        return made[-1]

    yield fake_broker
    for broker in made:
        broker.close()


@pytest.mark.parametrize("refusal", [FakeBroker.WRONG_VERSION, b""])
def test_an_old_broker_gets_its_own_version(fake_broker, speak_mqtt, refusal):
    broker = fake_broker(refusal=refusal)
    renderer = speak_mqtt(broker.port)
    renderer.wait_for_log("MQTT: connected")
    assert broker.levels == [5, 4]
    wait_until(lambda: (f"{PREFIX}/availability", "online") in broker.published)
    # MQTT 3.1.1 has no option that suppresses retained messages, so the speaker must ignore them.
    broker.send(f"{PREFIX}/set/volume", b"12", is_retained=True)
    broker.send(f"{PREFIX}/set/volume", b"34")
    wait_until(lambda: (f"{PREFIX}/volume", "34") in broker.published)
    assert (f"{PREFIX}/volume", "12") not in broker.published
    assert any(topic == f"{PREFIX}/error" and "Retained commands" in text for topic, text in broker.published)


@pytest.mark.parametrize("answer", [
    b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\xff" * 64, b"\x20\x02\x00\x03", b"\x20\xff\xff\xff\xff\xff", b"\x00" * 64,
])
def test_nonsense_ends_the_connection_only(fake_broker, speak_mqtt, answer):
    broker = fake_broker(answer=answer)
    renderer = speak_mqtt(broker.port)
    renderer.wait_for_log("MQTT: The (connection to the broker is lost|broker refuses)")
    wait_until(lambda: len(broker.levels) >= 3)
    assert sum("MQTT: " in line for line in renderer.err) <= 2
    assert renderer.stop()[0] == 0


def test_a_silent_broker_is_given_up(fake_broker, speak_mqtt):
    broker = fake_broker(answer=b"")
    renderer = speak_mqtt(broker.port)
    # The speaker gives up after the timeout of a ping.
    wait_until(lambda: any("MQTT: The connection to the broker is lost" in line for line in renderer.err), 60)
    wait_until(lambda: len(broker.levels) >= 2)
