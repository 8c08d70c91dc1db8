"""The programs under test as child processes that end with the test."""

import contextlib
import inspect
import os
import pathlib
import re
import signal
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
#: Override these to test another build, such as the release build.
SWIFTLET = os.environ.get("SWIFTLET", str(ROOT / ".build/debug/swiftlet"))
SWIFTLET_CONTROL = os.environ.get("SWIFTLET_CONTROL", str(ROOT / ".build/debug/swiftlet-control"))
MEDIA_SERVER = os.environ.get("MEDIA_SERVER", str(ROOT / ".build/debug/media-server"))

#: Timeout for everything that should happen soon, in seconds. Generous, because test machines are busy.
PATIENCE = int(os.environ.get("PATIENCE", "30"))

#: The shutdown deadline of the program in seconds (`Speaker.shutdownTime`). A faster exit did not hit the deadline.
EXIT_LIMIT = 3

#: The most that a step of a wait counts in seconds. A longer one means that the machine gave the processes no processor.
LONGEST_STEP = 0.1

#: Signals that mean a crash: a Swift trap, a failed assertion in C, an invalid access.
CRASHES = {signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV, signal.SIGSYS}


class Crashed(AssertionError):
    """A program under test crashed. Tests/runner/outcome.py finds this name in reports: such a test is never retried."""


def wait_until(condition, seconds=PATIENCE, explain=None):
    """Waits until the condition returns something true, and returns that.

    Raises AssertionError after `seconds`. `explain` returns additional text for the message.
    """
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() >= end:
            what = _source(condition)
            details = f"; {explain()}" if explain else ""
            raise AssertionError(f"not within {seconds:g} s: {what}; last value: {value!r}{details}")
        time.sleep(0.01)
    return value


def wait_until_equal(read, expected, seconds=PATIENCE):
    """Waits until `read()` returns the expected value; the AssertionError shows the last value."""
    seen = []

    def is_equal():
        seen[:] = [read()]
        return seen[0] == expected

    wait_until(is_equal, seconds, explain=lambda: f"expected {expected!r} but {_source(read)} is {seen[0]!r}")


def _source(function):
    """The source of a one-line function, or the name of a longer one."""
    with contextlib.suppress(OSError, TypeError):
        lines = inspect.getsource(function).strip().splitlines()
        if len(lines) == 1:
            return lines[0]
    return getattr(function, "__qualname__", repr(function))


class Process:
    """A program whose output is read continuously."""

    def __init__(self, *command, stdin=subprocess.DEVNULL):
        self.process = subprocess.Popen(
            command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.out, self.err = [], []
        self._changed = threading.Condition()
        self._readers = [
            threading.Thread(target=self._read, args=pair, daemon=True)
            for pair in ((self.process.stdout, self.out), (self.process.stderr, self.err))
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, stream, lines):
        for line in stream:
            with self._changed:
                lines.append(line.rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()

    def wait_for(self, pattern):
        """Waits for a line on the standard output; returns the match."""
        return self._wait_for(pattern, self.out)

    def wait_for_log(self, pattern):
        """Waits for a line on the standard error; returns the match."""
        return self._wait_for(pattern, self.err)

    def _wait_for(self, pattern, lines):
        expression = re.compile(pattern)

        def found():
            return next((match for line in lines if (match := expression.search(line))), None)

        with self._changed:
            self._changed.wait_for(lambda: found() or self.process.poll() is not None, timeout=PATIENCE)
            match = found()
        assert match, f"no line with {pattern}; it printed:\n" + "\n".join(self.out + self.err)
        return match

    def stop(self, with_signal=signal.SIGTERM):
        """Ends the program if it still runs; returns its exit status and the seconds that took.

        Moments in which this process got no processor do not count. Raises Crashed if it crashed.
        """
        if self.process.poll() is None:
            self.process.send_signal(with_signal)
        seconds, last = 0, time.monotonic()
        end = last + PATIENCE
        while (status := self.process.poll()) is None:
            if last >= end:
                self.process.kill()
                self.process.wait()
                raise subprocess.TimeoutExpired(self.process.args, PATIENCE)
            time.sleep(0.01)
            now = time.monotonic()
            seconds += min(now - last, LONGEST_STEP)
            last = now
        for reader in self._readers:
            reader.join(timeout=PATIENCE)
        if -status in CRASHES:
            report = "\n".join(self.out + self.err)
            raise Crashed(f"{self.process.args} crashed: {signal.Signals(-status).name}; it printed:\n{report}")
        return status, seconds


class Renderer(Process):
    """A running swiftlet on the loopback interface."""

    def __init__(self, state, name="Kitchen", output="null", port=0, more=(), before=()):
        super().__init__(
            # Ignore the configuration file of this machine.
            *before, SWIFTLET, "--config", "/dev/null", "--interface", "lo", "--port", str(port),
            "--state-dir", str(state), *(("--output", output) if output else ()), "--log-level", "debug",
            "--status-socket", f"{state}/status", *(("--name", name) if name else ()), *more,
        )
        self.name = name

    @property
    def description_url(self):
        """The URL of the AV device's description."""
        return self.wait_for(r"http://127\.0\.0\.1:\d+/renderer/\S*").group()

    @property
    def openhome_url(self):
        """The URL of the OpenHome device's description."""
        return self.wait_for(r"http://127\.0\.0\.1:\d+/openhome/\S*").group()

    @property
    def port(self):
        return int(self.description_url.split(":")[2].split("/")[0])


@contextlib.contextmanager
def running_renderer(folder, **options):
    """Runs a renderer with its state below this folder."""
    renderer = Renderer(folder / "state", **options)
    try:
        yield renderer
    finally:
        renderer.stop()


class MediaServer(Process):
    """The media server for a folder. The query of a URL selects its misbehaviour (see `media-server`)."""

    def __init__(self, folder):
        super().__init__(MEDIA_SERVER, "--folder", str(folder))
        self.base = self.wait_for(r"http://127\.0\.0\.1:\d+").group()

    def url(self, name, behaviour=""):
        return f"{self.base}/{name}" + (f"?{behaviour}" if behaviour else "")
