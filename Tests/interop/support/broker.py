"""A real mosquitto on loopback, a client of it, and fixtures for both."""

import contextlib
import os
import socket
import subprocess
import threading
import uuid

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from processes import PATIENCE, Process, wait_until

#: The prefix of all topics of the speaker.
PREFIX = "home/kitchen"


def free_port():
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as free:
        return free.getsockname()[1]


class Broker(Process):
    """A running broker. The port stays the same after `restart`."""

    def __init__(self, folder, lines=("allow_anonymous true",), port=None, certificates=None):
        self.port = port or free_port()
        self.folder, self.lines = folder, lines
        path = folder / "mosquitto.conf"
        tls = []
        if certificates:
            tls = [f"cafile {certificates}/ca.pem", f"certfile {certificates}/server.pem", f"keyfile {certificates}/server.key"]
        path.write_text("\n".join([f"listener {self.port} 127.0.0.1", *tls, *lines, "log_dest stderr", ""]))
        super().__init__("mosquitto", "-c", str(path), "-v")
        self.wait_for_log("mosquitto version .* running")


class Client:
    """A client that subscribes to a topic, by default to all, and can publish."""

    def __init__(self, port, topic="#", user=None, ca=None):
        self.messages = []
        self._changed = threading.Condition()
        self.client = paho.Client(CallbackAPIVersion.VERSION2, client_id=f"test-{uuid.uuid4().hex[:8]}")
        if user:
            self.client.username_pw_set(*user)
        if ca:
            self.client.tls_set(ca)
        self.client.on_message = self._on_message
        subscribed = threading.Event()
        self.client.on_subscribe = lambda *_: subscribed.set()
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        self.client.subscribe(topic, qos=1)
        assert subscribed.wait(PATIENCE)

    def _on_message(self, _client, _data, message):
        with self._changed:
            self.messages.append(message)
            self._changed.notify_all()

    def publish(self, topic, payload, retain=False):
        """Publishes with QoS 1 and waits for the broker's answer."""
        self.client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(PATIENCE)

    def of(self, topic):
        """The payloads of a topic so far."""
        return [message.payload for message in list(self.messages) if message.topic == topic]

    def value(self, topic):
        """The last text of a topic; None if it was removed or never published."""
        texts = self.of(topic)
        return texts[-1].decode() if texts and texts[-1] else None

    def wait(self, topic, text, seconds=PATIENCE):
        wait_until(
            lambda: self.value(topic) == text, seconds, explain=lambda: f"{topic}: {self.of(topic)}, not {text!r}"
        )

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


def certificates(folder, name="127.0.0.1"):
    """Creates an authority (`ca.pem`) in the folder, and a broker's certificate for the name or address."""
    folder.mkdir(parents=True, exist_ok=True)
    kind = "IP" if name[0].isdigit() else "DNS"

    def openssl(*arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, cwd=folder)

    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days", 2,
            "-subj", f"/CN=Authority {folder.name}")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", "server.key", "-out", "server.csr", "-subj", f"/CN={name}")
    (folder / "extensions").write_text(f"subjectAltName={kind}:{name}")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-out",
            "server.pem", "-days", 2, "-extfile", "extensions")
    # The broker drops its privileges before it reads the key.
    for path in folder.iterdir():
        path.chmod(0o644)
    return folder


@pytest.fixture
def open_folder(tmp_path):
    """A folder that mosquitto can read after it has dropped its privileges."""
    for path in [tmp_path, *tmp_path.parents]:
        if path.stat().st_uid == os.getuid() and path != path.parent and str(path).startswith("/tmp/"):
            path.chmod(0o755)
    return tmp_path


@pytest.fixture
def run_broker(open_folder):
    """Starts brokers, which end with the test."""
    running = []

    def run(lines=("allow_anonymous true",), **options):
        running.append(Broker(open_folder, lines, **options))
        return running[-1]

    yield run
    for broker in running:
        broker.stop()
        print("\n".join(broker.err[-20:]))


@pytest.fixture
def mqtt_client():
    """Makes clients, which are closed at the end."""
    made = []

    def connect(*arguments, **options):
        made.append(Client(*arguments, **options))
        return made[-1]

    yield connect
    for one in made:
        one.close()


@pytest.fixture
def speak_mqtt(start, open_folder):
    """Starts a renderer with these lines of configuration."""

    def speak(port, *lines, scheme="mqtt", **options):
        path = open_folder / "swiftlet.toml"
        text = [f'mqtt.broker = "{scheme}://127.0.0.1:{port}"', f'mqtt.prefix = "{PREFIX}"', *lines]
        path.write_text("\n".join(text) + "\n")
        renderer = start(more=("--config", str(path)), **options)
        assert renderer.port
        return renderer

    return speak


@pytest.fixture
def mqtt_pair(run_broker, mqtt_client, speak_mqtt):
    """A broker, a client of it and a connected speaker."""
    broker = run_broker()
    listener = mqtt_client(broker.port)
    renderer = speak_mqtt(broker.port)
    listener.wait(f"{PREFIX}/availability", "online")
    return broker, listener, renderer
