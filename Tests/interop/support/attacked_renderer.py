"""A renderer that plays while it is attacked, and an honest client that must be served all the time."""

import contextlib
import os
import pathlib
import statistics
import threading
import time
from xml.sax.saxutils import escape

import soap
import sound
from processes import Renderer, wait_until
from subscriber import Subscriber

INSTANCE = ("InstanceID", "0")
#: The smallest buffer of a sound card, in seconds: sound that is later than this is a dropout.
DEVICE_BUFFER = 0.2
#: Allowed growth of memory by an attack, in bytes.
MEMORY = 2_000_000


class Resources:
    """The descriptors, threads and memory of a process."""

    def __init__(self, pid):
        self._proc = pathlib.Path(f"/proc/{pid}")

    @property
    def descriptors(self):
        """The target of each open descriptor, such as a path or `socket:[1234]`."""
        found = []
        for descriptor in (self._proc / "fd").iterdir():
            # It may have been closed meanwhile.
            with contextlib.suppress(OSError):
                found.append(os.readlink(descriptor))
        return found

    @property
    def threads(self):
        return len(list((self._proc / "task").iterdir()))

    @property
    def memory(self):
        """Bytes of anonymous memory."""
        lines = (self._proc / "smaps_rollup").read_text().splitlines()
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("Anonymous:"))


class Thread:
    """Repeats `body` in the background. An error in it fails the test on `check` or `stop`."""

    def __init__(self, body):
        self._body = body
        self._stopping = threading.Event()
        self._error = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        try:
            while not self._stopping.is_set():
                self._body()
        except BaseException as error:  # noqa: BLE001
            self._error = error

    def check(self):
        if self._error:
            raise self._error

    def stop(self):
        self._stopping.set()
        self._thread.join()
        self.check()


class Listener:
    """Checks that the sound is the repeated track and nothing else, and measures its delay."""

    def __init__(self, capture, fixture):
        self._path = capture.path
        self._rate = fixture.bytes_per_second
        self._track = fixture.pcm()
        self._checked = 0
        self._start = None
        self.latest = 0.0
        self._thread = Thread(self._look)

    def _look(self):
        time.sleep(0.02)
        if not self._path.exists():
            return
        # The modification time says when the samples were written, even if this process runs late.
        now = self._path.stat()
        if now.st_size:
            begun = now.st_mtime - now.st_size / self._rate
            # The earliest start seen is the reference for "in time".
            self._start = min(self._start or begun, begun)
            self.latest = max(self.latest, begun - self._start)

    def has_begun(self):
        return self._start is not None

    def check(self):
        """Compares the sound since the last check."""
        with self._path.open("rb") as file:
            file.seek(self._checked)
            played = file.read()
        offset = self._checked % len(self._track)
        wanted = (self._track * (len(played) // len(self._track) + 2))[offset : offset + len(played)]
        if played != wanted:
            differs = next(index for index, pair in enumerate(zip(played, wanted, strict=True)) if pair[0] != pair[1])
            raise AssertionError(f"wrong sound after {(self._checked + differs) / self._rate} s")
        self._checked += len(played)
        assert played, "no sound"

    def stop(self):
        self._thread.stop()


class HonestClient:
    """An honest client: reads the description, checks that music plays, changes a value and waits for the event."""

    def __init__(self, renderer):
        self._url = renderer.description_url
        self._transport = soap.services(self._url)["AVTransport"]
        self._playlist = soap.services(renderer.openhome_url)["Playlist"]
        self._subscriber = Subscriber()
        headers = {"CALLBACK": f"<{self._subscriber.url}>", "NT": "upnp:event"}
        status, headers, _ = soap.request("SUBSCRIBE", self._playlist["eventSubURL"], headers)
        assert status == 200
        self._sid = headers["SID"]
        self.waits = []
        self._thread = Thread(self._live)

    def _live(self):
        start = time.monotonic()
        assert b"</root>" in soap.get(self._url)[1]
        status, _, body = soap.call(self._transport, "GetTransportInfo", [INSTANCE])
        # A busy machine may delay the media server, so TRANSITIONING is accepted; the sound is compared separately.
        assert status == 200 and (b">PLAYING<" in body or b">TRANSITIONING<" in body), body
        # Repeat belongs to the playlist, which does not play, so this does not affect the sound.
        repeat = str(len(self.waits) % 2)
        count = len(self._subscriber.events)
        assert soap.call(self._playlist, "SetRepeat", [("Value", repeat)])[0] == 200
        if self.waits:
            self._subscriber.wait(lambda events: any(event.values.get("Repeat") == repeat for event in events[count:]))
        self.waits.append(time.monotonic() - start)
        time.sleep(0.2)

    def stop(self):
        try:
            self._thread.stop()
        finally:
            soap.request("UNSUBSCRIBE", self._playlist["eventSubURL"], {"SID": self._sid})
            self._subscriber.close()


class AttackedRenderer:
    """A renderer that repeats one track under attack, and a second one for comparison that is not attacked."""

    def __init__(self, folder, fixture, url):
        self.renderer, self._listener = _play(folder / "attacked", fixture, url)
        self._beside, self._listener_beside = _play(folder / "beside", fixture, url)
        self.services = soap.services(self.renderer.description_url) | soap.services(self.renderer.openhome_url)
        self._resources = Resources(self.renderer.process.pid)

    @contextlib.contextmanager
    def attack(self):
        """Checks that the attack in this block delays no sound and no honest client, and leaks nothing."""
        before, memory = self._resources.descriptors, self._resources.memory
        self._listener.latest = self._listener_beside.latest = 0.0
        client = HonestClient(self.renderer)
        try:
            yield client
        finally:
            client.stop()
        assert self.renderer.process.poll() is None
        assert client.waits, "no honest client was served"
        late, late_beside = self._listener.latest, self._listener_beside.latest
        print(
            f"honest: {len(client.waits)} rounds, {statistics.median(client.waits):.3f} s, "
            f"at most {max(client.waits):.3f} s; sound late by at most {late:.3f} s, {late_beside:.3f} s beside"
        )
        self._listener.check()
        # Compared with the other renderer, which a busy machine delays as much.
        assert late < late_beside + DEVICE_BUFFER
        wait_until(
            lambda: len(self._resources.descriptors) <= len(before),
            explain=lambda: f"descriptors leak: {sorted(set(self._resources.descriptors) - set(before))}",
        )
        wait(lambda: self._resources.memory <= memory + MEMORY, "memory leaks")
        print(f"memory: {memory / 1e6:.1f} MB before, {self._resources.memory / 1e6:.1f} MB after")

    def stop(self):
        for one in (self._listener, self._listener_beside):
            one.stop()
        for one in (self.renderer, self._beside):
            one.stop()


def _play(folder, fixture, url):
    """Starts a renderer that plays, with a listener."""
    folder.mkdir()
    capture = sound.Capture(folder)
    renderer = Renderer(folder / "state", output=capture.output)
    services = soap.services(renderer.description_url)
    rendering, transport = services["RenderingControl"], services["AVTransport"]
    for service, action, arguments in (
        (rendering, "SetVolume", [("Channel", "Master"), ("DesiredVolume", "100")]),
        (transport, "SetAVTransportURI", [("CurrentURI", escape(url)), ("CurrentURIMetaData", "")]),
        (transport, "SetPlayMode", [("NewPlayMode", "REPEAT_ONE")]),
        (transport, "Play", [("Speed", "1")]),
    ):
        assert soap.call(service, action, [INSTANCE, *arguments])[0] == 200, action
    listener = Listener(capture, fixture)
    wait(listener.has_begun, "there is no sound")
    return renderer, listener


def wait(condition, otherwise):
    """Polls until the condition holds; `otherwise` is the error message."""
    wait_until(condition, explain=lambda: otherwise)
