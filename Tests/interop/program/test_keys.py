"""The effect of every configuration key in the built program."""

import ast
import contextlib
import fcntl
import functools
import http.server
import math
import pathlib
import re
import signal
import socket
import struct
import subprocess
import termios
import threading
import time

import pytest
from async_upnp_client.profiles.dlna import TransportState

from network import NetworkedRenderer
from processes import PATIENCE, SWIFTLET, wait_until
from soap import Service, get
from sound_card import Card


def test_every_key_has_a_test():
    """Tests in all modules mark the keys that they cover with `@pytest.mark.keys`."""
    example = subprocess.run(
        [SWIFTLET, "config", "example"], capture_output=True, text=True, timeout=PATIENCE, check=True
    ).stdout
    assert covered_keys() == set(re.findall(r"^#([a-z_.]+) = ", example, re.MULTILINE))


def covered_keys():
    keys = set()
    for path in pathlib.Path(__file__).parents[1].glob("*/test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for mark in getattr(node, "decorator_list", []):
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.keys":
                    keys.update(argument.value for argument in mark.args)
    return keys


@pytest.fixture
def configured(start, tmp_path):
    """Starts a renderer with this configuration; its `reload` applies another one."""
    path = tmp_path / "swiftlet.toml"

    def configured(text, **options):
        path.write_text(text)
        renderer = start(more=("--config", str(path)), **options)

        def reload(text):
            path.write_text(text)
            renderer.process.send_signal(signal.SIGHUP)

        renderer.reload = reload
        return renderer

    return configured


def friendly_name(url):
    return re.search("<friendlyName>(.*)</friendlyName>", get(url)[1].decode()).group(1)


@pytest.mark.keys("name", "room")
def test_a_new_name_applies_at_once(configured):
    renderer = configured('name = "Kitchen"\nroom = "Ground floor"\n', name=None)
    product = Service(renderer.openhome_url, "Product")

    def names():
        answer = product("Product")
        return friendly_name(renderer.description_url), friendly_name(renderer.openhome_url), answer["Room"], answer["Name"]

    assert names() == ("Kitchen", "Kitchen (OpenHome)", "Ground floor", "Kitchen")
    renderer.reload('name = "Bath"\nroom = "Upstairs"\n')
    renderer.wait_for_log("In force now: name, room")
    wait_until(lambda: names() == ("Bath", "Bath (OpenHome)", "Upstairs", "Bath"))


@pytest.mark.keys("openhome_suffix")
def test_the_openhome_device_has_a_suffix(configured):
    """The suffix distinguishes the two devices of a speaker in a list of all devices."""
    renderer = configured('openhome_suffix = " [OH]"\n')

    def names():
        return friendly_name(renderer.description_url), friendly_name(renderer.openhome_url)

    assert names() == ("Kitchen", "Kitchen [OH]")
    renderer.reload('openhome_suffix = ""\n')
    renderer.wait_for_log("In force now: openhome_suffix")
    wait_until(lambda: names() == ("Kitchen", "Kitchen"))
    renderer.reload("")
    wait_until(lambda: names() == ("Kitchen", "Kitchen (OpenHome)"))
    product = Service(renderer.openhome_url, "Product")("Product")
    assert (product["Room"], product["Name"]) == ("Kitchen", "Swiftlet")


def test_a_new_name_is_announced(here, there, point, tmp_path):
    path = tmp_path / "swiftlet.toml"
    path.write_text('name = "Kitchen"\n')
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    renderer = NetworkedRenderer(here, tmp_path / "state", more=("--config", str(path)), name=None)
    try:
        before = {message.nt: message.fields["CONFIGID.UPNP.ORG"] for message in point.wait_for_alive("192.0.2.1")}
        point.forget()
        path.write_text('name = "Bath"\n')
        renderer.process.send_signal(signal.SIGHUP)
        alive = point.wait_for_alive("192.0.2.1")
        assert point.usns("byebye") == point.usns("alive")
        assert all(message.fields["CONFIGID.UPNP.ORG"] != before[message.nt] for message in alive)
        assert b"<friendlyName>Bath</friendlyName>" in there.get(alive[0].location)
    finally:
        renderer.stop()


@pytest.mark.keys("mixer")
async def test_the_mixer_sets_the_volume(start, controlling, media, tmp_path):
    card = Card(tmp_path)
    renderer = start(output=card.output, before=card.environment(), more=("--mixer", "alsa:stand_in/Master"))
    async with controlling(renderer.description_url) as controller:
        await controller.dmr.async_set_volume_level(0.5)
        # 50 OpenHome steps of 614/1024 dB are 30 dB, or 60 mixer steps of 0.5 dB below 120.
        wait_until(lambda: card.controls()[0].startswith("volume Master 0 120 60 60 "))


@pytest.mark.keys("device_release")
async def test_the_device_is_released_after_the_configured_delay(start, controlling, media, tmp_path):
    card = Card(tmp_path)
    renderer = start(output=card.output, before=card.environment(), more=("--device-release", "8"))
    async with controlling(renderer.description_url) as controller:
        await controller.play(media.url("noise12-44100-16-2-30s.flac"))
        wait_until(card.is_open)
        begin = time.monotonic()
        await controller.dmr.async_stop()
        await controller.wait_for_state(TransportState.STOPPED)
        wait_until(lambda: not card.is_open())
        # The default is 5 s.
        assert time.monotonic() - begin > 7


class Server:
    """Serves one file, and measures how much of it the client has read."""

    def __init__(self, content):
        #: Connections with the number of bytes sent.
        self._sent = []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                sent = [self.connection, 0]
                server._sent.append(sent)
                with contextlib.suppress(ConnectionError):
                    for offset in range(0, len(content), 8192):
                        self.connection.sendall(content[offset : offset + 8192])
                        sent[1] = min(len(content), offset + 8192)
                        # Limit the rate, because fast clients read in ever larger blocks.
                        time.sleep(0.01)
                    # Keep the connection open until the client closes it.
                    self.connection.recv(1)
                self.close_connection = True

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/sound"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def read(self):
        """The bytes that the last client has read, without those in the socket buffers of both sides."""
        connection, sent = self._sent[-1]
        client = connection.getpeername()[1]
        unread = 0
        for line in pathlib.Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
            _, local, remote, _, queues = line.split()[:5]
            if (int(local[-4:], 16), int(remote[-4:], 16)) == (client, self._server.server_port):
                unread = int(queues.split(":")[1], 16)
        unsent = struct.unpack("i", fcntl.ioctl(connection, termios.TIOCOUTQ, bytes(4)))[0]
        return sent - unsent - unread

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def serve():
    servers = []

    def serve(content):
        servers.append(Server(content))
        return servers[-1]

    yield serve
    for server in servers:
        server.close()


@functools.cache
def flac(folder, seconds, *tags, amplitude=8000, rate=44100):
    """A FLAC file with a tone of 441 Hz."""
    samples = [round(amplitude * math.sin(2 * math.pi * 441 * frame / rate)) for frame in range(rate // 441 * 441)]
    second = b"".join(struct.pack("<hh", sample, sample) for sample in samples)
    path = pathlib.Path(folder) / f"{len(list(pathlib.Path(folder).iterdir()))}.flac"
    subprocess.run(
        ["flac", "--silent", "--force-raw-format", "--endian=little", "--sign=signed", "--channels=2", "--bps=16",
         f"--sample-rate={rate}", *(f"--tag={tag}" for tag in tags), "--output-name", path, "-"],
        input=second * seconds, check=True,
    )  # fmt: skip
    return path.read_bytes()


def wav(seconds, rate=8000):
    """An uncompressed WAV file with silence."""
    size = seconds * rate * 4
    return (
        b"RIFF" + struct.pack("<I", 36 + size) + b"WAVEfmt "
        + struct.pack("<IHHIIHH", 16, 1, 2, rate, rate * 4, 4, 16) + b"data" + struct.pack("<I", size) + bytes(size)
    )  # fmt: skip


@pytest.mark.keys("buffer")
@pytest.mark.parametrize(("buffer", "holds"), [(2, lambda ahead: ahead < 20), (60, lambda ahead: ahead > 25)])
async def test_the_buffer_has_the_configured_length(start, controlling, serve, buffer, holds):
    rate = 96_000
    server = serve(wav(120, rate))
    renderer = start(more=("--buffer", str(buffer)))
    async with controlling(renderer.description_url) as controller:
        await controller.play(server.url)
        position = await controller.wait_for_position(lambda position: position >= 3)
        wait_until(lambda: holds(server.read() / (rate * 4) - position))


TAGS = ("REPLAYGAIN_TRACK_GAIN=-6.00 dB", "REPLAYGAIN_ALBUM_GAIN=-12.00 dB")


@pytest.mark.keys("replay_gain.mode", "replay_gain.preamp", "replay_gain.fallback")
@pytest.mark.parametrize(
    ("text", "tags", "decibels"),
    [
        ("", TAGS, 0),
        ('replay_gain.mode = "track"\n', TAGS, -6),
        ('replay_gain.mode = "album"\n', TAGS, -12),
        ('replay_gain.mode = "album"\nreplay_gain.preamp = 4\n', TAGS, -8),
        ('replay_gain.mode = "track"\nreplay_gain.fallback = -9\n', (), -9),
    ],
)
async def test_replay_gain_follows_mode_and_tags(
    configured, controlling, capture, serve, tmp_path, text, tags, decibels
):
    server = serve(flac(str(tmp_path), 2, *tags))
    renderer = configured(text, output=capture.output)
    async with controlling(renderer.description_url) as controller:
        await controller.play_to_the_end(server.url)
    assert loudness(capture.read()) == pytest.approx(decibels, abs=0.1)


def loudness(pcm):
    """The loudness in decibels relative to the default tone of `flac`."""
    samples = [sample for (sample,) in struct.iter_unpack("<h", pcm)]
    power = sum(sample * sample for sample in samples) / max(1, len(samples))
    return 10 * math.log10(max(power, 1e-9) / (8000 * 8000 / 2))


async def test_a_new_replay_gain_mode_applies_to_the_next_track(configured, controlling, capture, serve, tmp_path):
    server = serve(flac(str(tmp_path), 3, *TAGS))
    renderer = configured("", output=capture.output)
    async with controlling(renderer.description_url) as controller:
        await controller.play(server.url)
        await controller.wait_for_state(TransportState.PLAYING)
        renderer.reload('replay_gain.mode = "track"\n')
        renderer.wait_for_log("In force now: replay_gain.mode")
        await controller.wait_for_state(TransportState.STOPPED)
        first = capture.read()
        assert loudness(first) == pytest.approx(0, abs=0.1)
        await controller.play_to_the_end(server.url)
    assert loudness(capture.read()[-len(first) :]) == pytest.approx(-6, abs=0.1)


@pytest.mark.keys("port")
def test_the_port_is_the_configured_one(start):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert start(port=port).port == port


@pytest.mark.keys("networks")
def test_callbacks_to_configured_networks_are_accepted(here, there, point, tmp_path):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    path = tmp_path / "swiftlet.toml"
    path.write_text("")
    renderer = NetworkedRenderer(here, tmp_path / "state", more=("--config", str(path)))
    try:
        location = point.wait_for_alive("192.0.2.1")[0].location
        description = there.get(location).decode()
        events = location.split("/renderer")[0] + re.search("<eventSubURL>(.*?)</eventSubURL>", description).group(1)

        def subscribe():
            return subprocess.run(
                there.command(
                    "curl", "--silent", "--noproxy", "*", "--output", "/dev/null", "--write-out", "%{http_code}",
                    "--header", "CALLBACK: <http://198.51.100.2:9/>", "--header", "NT: upnp:event", "--request", "SUBSCRIBE",
                    events,
                ),
                capture_output=True, text=True, check=False,
            ).stdout  # fmt: skip

        assert subscribe() == "412"
        path.write_text('networks = ["198.51.100.0/24"]\n')
        renderer.process.send_signal(signal.SIGHUP)
        wait_until(lambda: subscribe() == "200")
    finally:
        renderer.stop()


@pytest.mark.keys("log_level")
@pytest.mark.parametrize(("level", "has_steps"), [("debug", True), ("error", False)])
def test_the_log_has_the_configured_level(start, level, has_steps):
    renderer = start(more=("--log-level", level))
    assert friendly_name(renderer.description_url) == "Kitchen"
    renderer.stop()
    assert any("debug" in line or "info" in line for line in renderer.err) == has_steps


@pytest.mark.keys("hooks.standby")
def test_standby_runs_its_hook(configured, tmp_path):
    log = tmp_path / "hook.log"
    script = tmp_path / "hook"
    script.write_text(f'#!/bin/sh\necho "$SWIFTLET_EVENT $SWIFTLET_STANDBY $SWIFTLET_SPEAKER" >>{log}\n')
    script.chmod(0o755)
    product = Service(configured(f'hooks.standby = ["{script}"]\n').openhome_url, "Product")
    product("SetStandby", Value=1)
    wait_until(lambda: log.exists() and log.read_text() == "standby 1 Kitchen\n")
    product("SetStandby", Value=0)
    wait_until(lambda: log.read_text() == "standby 1 Kitchen\nstandby 0 Kitchen\n")
