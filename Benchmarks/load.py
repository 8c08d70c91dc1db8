"""Counts underruns under load: open pages, a flood of requests, and a small machine.

The sound goes to the tests' sound card, which consumes samples in real time and underruns if they are late.
"""

import array
import contextlib
import dataclasses
import http.client
import json
import os
import pathlib
import statistics
import subprocess
import sys
import threading
import time
import wave

import measure
import renderers

sys.path.insert(0, str(renderers.ROOT / "Tests/interop/support"))

from browser import Browser  # noqa: E402
from sound_card import Card  # noqa: E402
from processes import MEDIA_SERVER, Process  # noqa: E402

SECONDS = 30
#: As many as one address may have.
PAGES = 16
CONTROLLERS = 20
#: The number of connections that flood the speaker.
FLOOD = 8


def make_flac(path, rate, seconds=90):
    """Noise of 24 bits, which FLAC hardly compresses: the worst case for its decoder."""
    pipeline = (
        f"audiotestsrc wave=white-noise volume=0.2 samplesperbuffer={rate // 10} num-buffers={seconds * 10} "
        f"! audio/x-raw,format=S24LE,rate={rate},channels=2 ! flacenc ! filesink location={path}"
    )
    subprocess.run(["gst-launch-1.0", "--quiet", *pipeline.split()], check=True)


@dataclasses.dataclass
class Speaker:
    """A playing speaker with the tests' sound card."""

    renderer: renderers.Renderer
    card: Card
    device: measure.Device

    @property
    def address(self):
        return self.device.host

    def underruns(self):
        return self.card.log.count("xrun")


@contextlib.contextmanager
def speaker(network, folder, uri, wrapper=(), formats="S16_LE S32_LE", more=()):
    """Plays a file. The sound card accepts only 48 kHz, so other rates are resampled."""
    folder.mkdir(parents=True)
    card = Card(folder, formats=formats, rates="48000")
    card.mark("timeline")
    command = [
        *wrapper, *card.environment(), renderers.SWIFTLET, "--name", "Load", "--state-dir", str(folder / "state"),
        "--output", card.output, *more,
    ]  # fmt: skip
    with contextlib.closing(renderers.Renderer(network, folder, command)) as renderer:
        device = network.asker.do(lambda: measure.Device(renderer.find()))

        def play():
            device.call("AVTransport", "SetAVTransportURI", InstanceID=0, CurrentURI=uri, CurrentURIMetaData="")
            device.call("AVTransport", "Play", InstanceID=0, Speed=1)

        network.asker.do(play)
        end = time.monotonic() + 30
        while not card.has_sounded():
            if time.monotonic() > end:
                raise RuntimeError("no sound within 30 seconds")
            time.sleep(0.1)
        yield Speaker(renderer, card, device)


class Clients:
    """Threads on the control point's machine that load a speaker until they are stopped."""

    def __init__(self, network, address):
        self._network = network
        self._address = address
        self._stopping = threading.Event()
        self._threads = []
        self._counted = threading.Lock()
        self.requests = 0
        #: The errors of clients that ended early.
        self.failures = []

    def add(self, body):
        def run():
            try:
                self._network.asker.do(lambda: body(http.client.HTTPConnection(self._address, timeout=60)))
            except Exception as error:  # reported, because the load is then lower than intended
                if not self._stopping.is_set():
                    self.failures.append(repr(error))

        thread = threading.Thread(target=run, daemon=True)
        self._threads.append(thread)
        thread.start()

    def page(self, connection):
        """Acts like an open page: reads the page and the state, then listens to events."""
        for path in ("/", "/api/state"):
            connection.request("GET", path)
            connection.getresponse().read()
        connection.request("GET", "/api/events", headers={"Accept": "text/event-stream"})
        answer = connection.getresponse()
        if answer.status != 200:
            raise RuntimeError(f"GET /api/events was answered with {answer.status}.")
        while not self._stopping.is_set() and answer.fp.readline():
            pass

    def flood(self, connection):
        """Reads the state and sets the volume, as fast as the speaker answers."""
        number = 0
        while not self._stopping.is_set():
            number += 1
            body = json.dumps({"level": 20 + number % 40})
            connection.request("POST", "/api/volume", body, {"Content-Type": "application/json"})
            connection.getresponse().read()
            connection.request("GET", "/api/state")
            connection.getresponse().read()
            with self._counted:
                self.requests += 2

    def stop(self):
        self._stopping.set()
        for thread in self._threads:
            thread.join(20)
        if self.failures:
            raise RuntimeError(f"a client failed: {self.failures[0]}")


def pages(network, folder, uri):
    """Pages, each in a browser context of its own, and a flood of requests."""
    found = {}
    with speaker(network, folder, uri) as ours, contextlib.closing(Browser(network.asker, folder)) as browser:
        before = ours.underruns()
        for _ in range(PAGES):
            browser.open(base=f"http://{ours.address}")
        clients = Clients(network, ours.address)
        for _ in range(FLOOD):
            clients.add(clients.flood)
        time.sleep(SECONDS)
        clients.stop()
        found[f"{PAGES} pages and a flood: underruns in {SECONDS} s"] = ours.underruns() - before
        found[f"{PAGES} pages and a flood: requests, 1/s"] = clients.requests / SECONDS
        if errors := browser.close_pages():
            raise RuntimeError(f"a page reported {errors[0]}")
    return found


def event_time(network, folder, uri, rounds=15):
    """Time from a controller's SetVolume to its event on a page's stream, p50, ms."""
    with speaker(network, folder, uri) as ours:
        arrivals, changed = [], threading.Condition()

        def listen(connection):
            connection.request("GET", "/api/events")
            answer = connection.getresponse()
            while line := answer.fp.readline():
                if line.startswith(b"data:") and b'"volume"' in line:
                    with changed:
                        arrivals.append(time.monotonic())
                        changed.notify_all()

        clients = Clients(network, ours.address)
        clients.add(listen)

        def measure_times():
            times = []
            for number in range(rounds):
                time.sleep(0.5)  # longer than the moderation interval
                seen = len(arrivals)
                start = time.monotonic()
                ours.device.call(
                    "RenderingControl", "SetVolume", InstanceID=0, Channel="Master", DesiredVolume=30 + number
                )
                with changed:
                    if changed.wait_for(lambda seen=seen: len(arrivals) > seen, 5):
                        times.append((arrivals[seen] - start) * 1000)
            return times

        times = network.asker.do(measure_times)
    return {"SetVolume to the page's event, p50, ms": statistics.median(times)} if times else {}


def make_level(path, seconds=60):
    """Samples of one value, so that each change of the volume is one of the value."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(48000)
        file.writeframes(array.array("h", [10000] * (2 * 48000 * seconds)).tobytes())


def volume_time(network, folder, uri, rounds=15):
    """Time from a controller's SetVolume to the first sample with it that the card plays, p50, ms."""
    with speaker(network, folder, uri, formats="S32_LE") as ours:

        def set_volumes():
            calls = []
            for number in range(rounds):
                time.sleep(0.7)
                calls.append(time.monotonic())
                ours.device.call(
                    "RenderingControl", "SetVolume", InstanceID=0, Channel="Master", DesiredVolume=50 + 40 * (number % 2)
                )
            time.sleep(1)
            return calls

        calls = network.asker.do(set_volumes)
        values = array.array("i", ours.card.recording)[::2]
        # A change glides for 10 ms; dither changes the last bits.
        starts = [at for at in range(1, len(values)) if abs(values[at] - values[at - 1]) > 1 << 16]
        heard = [ours.card.heard_at(at, 48000, 8) for at in starts]
        times = [min((time for time in heard if time > call), default=call + 1) - call for call in calls]
    return {"SetVolume to the first changed sample, p50, ms": statistics.median(times) * 1000}


class SmallMachine:
    """A control group with limits for memory and CPU time. Works with both versions of control groups."""

    #: The period of the CPU quota in microseconds. A short period resembles a slow core.
    PERIOD = 10_000

    def __init__(self, megabytes, percent):
        quota = self.PERIOD * percent // 100
        root = pathlib.Path("/sys/fs/cgroup")
        if (root / "cgroup.controllers").exists():
            self.folders = [root / f"swiftlet-{os.getpid()}"]
            values = {"memory.max": f"{megabytes}M", "cpu.max": f"{quota} {self.PERIOD}"}
        else:
            self.folders = [root / kind / f"swiftlet-{os.getpid()}" for kind in ("memory", "cpu")]
            values = {
                "memory.limit_in_bytes": f"{megabytes}M",
                "cpu.cfs_period_us": str(self.PERIOD), "cpu.cfs_quota_us": str(quota),
            }  # fmt: skip
        for folder in self.folders:
            folder.mkdir()
        for name, value in values.items():
            for folder in self.folders:
                if (folder / name).exists():
                    (folder / name).write_text(value)

    @property
    def wrapper(self):
        """The command prefix that runs a program in the group."""
        moves = "; ".join(f"echo $$ > {folder}/cgroup.procs" for folder in self.folders)
        return ("sh", "-c", f'{moves}; exec "$@"', "sh")

    def throttled(self):
        """The number of periods in which the quota was used up."""
        for folder in self.folders:
            if (folder / "cpu.stat").exists():
                for line in (folder / "cpu.stat").read_text().splitlines():
                    if line.startswith("nr_throttled"):
                        return int(line.split()[1])
        return 0

    def close(self):
        for folder in self.folders:
            folder.rmdir()


def controller(device, stopping):
    """Acts like a phone app: polls the position once a second."""
    own = measure.Device(device)
    while not stopping.wait(1):
        own.call("AVTransport", "GetPositionInfo", InstanceID=0)


def small(network, folder, uri, megabytes, percent):
    """192 kHz and 24 bits on a small machine, with a page and twenty controllers."""
    with contextlib.closing(SmallMachine(megabytes, percent)) as machine:
        with speaker(network, folder, uri, machine.wrapper) as ours:
            listener = measure.Listener(network.asker)
            stopping = threading.Event()
            location = ours.renderer.find()
            clients = Clients(network, ours.address)
            clients.add(clients.page)
            for number in range(CONTROLLERS):
                network.asker.do(
                    lambda number=number: ours.device.subscribe("AVTransport", f"{listener.url}/{number}")
                )
                clients.add(lambda _: controller(location, stopping))
            time.sleep(5)
            before, throttled = ours.underruns(), machine.throttled()
            used = measure.cpu(ours.renderer.pids, SECONDS)
            found = {
                f"{percent} % of a core, {megabytes} MB: underruns in {SECONDS} s": ours.underruns() - before,
                f"{percent} % of a core: used, % of a core": used,
                f"{percent} % of a core: quota used up, 1/s": (machine.throttled() - throttled) / SECONDS,
                f"{percent} % of a core: private memory, MB": measure.private_memory(ours.renderer.pids),
            }
            stopping.set()
            clients.stop()
            listener.close()
        return found


def figures(network, folder, percent, megabytes=512):
    folder.mkdir(parents=True)
    for rate in (44100, 192000):
        make_flac(folder / f"{rate}.flac", rate)
    server = Process(*network.asker.command(MEDIA_SERVER, "--folder", str(folder), "--host", renderers.ASKER))
    base = server.wait_for(r"http://[\d.]+:\d+").group()
    make_level(folder / "level.wav")
    found = volume_time(network, folder / "volume", f"{base}/level.wav")
    found |= event_time(network, folder / "event", f"{base}/44100.flac")
    found |= pages(network, folder / "pages", f"{base}/44100.flac")
    found |= small(network, folder / "small", f"{base}/192000.flac", megabytes, percent)
    return found


def table(found):
    return "\n".join(["| load | |", "|---|---|", *(f"| {row} | {value:.1f} |" for row, value in found.items())])
