"""A private bus with a mock of BlueZ, which can be killed and started again."""

import contextlib
import json
import pathlib
import subprocess
import sys
import threading

from processes import PATIENCE, Process, wait_until

HERE = pathlib.Path(__file__).parent


class Bluez(Process):
    """The mock as a process. `events` has the events that it has printed."""

    def __init__(self, address):
        self._lock = threading.Lock()
        super().__init__(
            "env", f"DBUS_SYSTEM_BUS_ADDRESS={address}", sys.executable, str(HERE / "bluez_mock.py"),
            stdin=subprocess.PIPE,
        )  # fmt: skip
        self.wait_for('"ready"')

    @property
    def events(self):
        return [json.loads(line) for line in list(self.out) if line.startswith("{")]

    def count(self, **wanted):
        return len(self.find(**wanted))

    def find(self, **wanted):
        """The events with these values."""
        return [event for event in self.events if all(event.get(key) == value for key, value in wanted.items())]

    def do(self, name, *arguments, **named):
        """Sends a command to the mock, and waits until it is done."""
        with self._lock:
            before = self.count(event="done")
            self.process.stdin.write(json.dumps({"do": name, "arguments": arguments, **named}) + "\n")
            self.process.stdin.flush()
            wait_until(lambda: self.count(event="done") > before or self.process.poll() is not None)
        assert self.process.poll() is None, "\n".join(self.err)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Bluetooth:
    """A private bus, on which the mock can be started."""

    def __init__(self, folder):
        self.address = f"unix:path={folder}/bus"
        self._path = folder / "bus"
        self.daemon = None
        self.bluez = None
        self.start_bus()

    def start_bus(self):
        self.daemon = subprocess.Popen(["dbus-daemon", "--session", "--nofork", f"--address={self.address}"])
        wait_until(lambda: self._path.exists())

    def stop_bus(self):
        self.daemon.terminate()
        self.daemon.wait(timeout=PATIENCE)
        self._path.unlink(missing_ok=True)

    def start(self):
        # It survives the end of its bus.
        if self.bluez:
            self.bluez.kill()
        self.bluez = Bluez(self.address)
        return self.bluez

    def close(self):
        if self.bluez:
            self.bluez.kill()
            print("\n".join(self.bluez.out + self.bluez.err))
        self.stop_bus()

    @property
    def environment(self):
        """The command prefix that makes a program use this bus."""
        return ("env", f"DBUS_SYSTEM_BUS_ADDRESS={self.address}")


@contextlib.contextmanager
def bluetooth(folder):
    made = Bluetooth(folder)
    try:
        yield made
    finally:
        made.close()


def person(name, device):
    """The option that adds a person whose device has this address."""
    return people({name: device})


def people(devices):
    """The option that adds people, whose devices have these addresses."""
    tables = [f'{{ name = "{name}", device = "{device}" }}' for name, device in devices.items()]
    return ("--presence-person", f"[{', '.join(tables)}]")
