"""`swiftlet-control check` beside a machine with two renderers."""

import json
import os
import pty
import signal
import subprocess

import network
from network import NetworkedRenderer
from processes import PATIENCE, SWIFTLET_CONTROL, Process, wait_until
from soap import Service

PASSED, FAILED, UNTESTED = 0, 1, 2


class Checker:
    """Checks the renderers Kitchen, Kitchen (OpenHome) and Bedroom: Swiftlet and gmediarender."""

    def __init__(self, folder):
        here, there = network.Machine(), network.Machine()
        self._machines = (here, there)
        self._machine = there
        self._known, self._udns = {}, {}
        network.connect(here, "eth0", there, "eth0")
        here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
        there.ip("address", "add", "192.0.2.2/24", "dev", "eth0")
        gmediarender = here.command("gmediarender", "-f", "Bedroom", "-I", "eth0", "--gstout-audiopipe=fakesink sync=true")
        configuration = folder / "swiftlet.toml"
        configuration.write_text("".join(
            f'[[presets]]\ntitle = "{title}"\nuri = "http://192.0.2.2:9/{title}"\n' for title in ("One", "Two")
        ))  # fmt: skip
        swiftlet = NetworkedRenderer(
            here, folder / "state", interfaces=["eth0"], more=("--config", str(configuration)))  # fmt: skip
        self._processes = [swiftlet, Process(*gmediarender)]
        names = ("Kitchen (OpenHome)", "Bedroom")
        wait_until(lambda: all(name in self._run("devices", *self.NETWORK, expect=None) for name in names))

    #: A check ends its search earlier, as soon as it has found the device.
    NETWORK = ("--interface", "eth0", "--wait", "5")

    def close(self):
        for process in self._processes:
            process.stop()
        for machine in self._machines:
            machine.remove()

    def __call__(self, *arguments, expect=PASSED, seconds=10 * PATIENCE):
        """Runs `check` on the network; returns its standard output."""
        return self._run("check", *arguments, *self.NETWORK, expect=expect, seconds=seconds)

    def offline(self, *arguments, expect=PASSED):
        """Runs a subcommand of `check` that needs no network; returns its standard output."""
        return self._run("check", *arguments, expect=expect)

    def udn(self, name):
        """The UDN of a device. It selects this one, while a name selects all devices of a speaker."""
        self._location(name)
        return self._udns[name]

    def call(self, name, service, action, **arguments):
        """Calls an action of a device, and returns its results."""
        return self._machine.do(lambda: Service(self._location(name), service)(action, **arguments))

    def _location(self, name):
        def is_known():
            if name not in self._known:
                lines = self._run("devices", "--json", *self.NETWORK, expect=PASSED).splitlines()
                devices = [json.loads(line) for line in lines]
                self._known = {device["name"]: device["url"] for device in devices}
                self._udns = {device["name"]: device["udn"] for device in devices}
            return name in self._known

        wait_until(is_known)
        return self._known[name]

    def _run(self, *arguments, expect, seconds=PATIENCE):
        done = subprocess.run(
            self._machine.command(SWIFTLET_CONTROL, *arguments),
            capture_output=True, text=True, timeout=seconds, check=False,
        )  # fmt: skip
        assert expect is None or done.returncode == expect, (done.returncode, done.stdout, done.stderr)
        return done.stdout

    def unwritable(self, *arguments):
        """Runs `check` with a standard output that cannot be written; returns the exit status."""
        command = self._machine.command(SWIFTLET_CONTROL, "check", *arguments, *self.NETWORK)
        with open("/dev/full", "w") as full:
            return subprocess.run(command, stdout=full, timeout=10 * PATIENCE, check=False).returncode

    def interrupted(self, *arguments, after):
        """Runs `check` on a terminal, and sends SIGINT once it has printed `after`; returns exit status and output."""
        terminal, output = pty.openpty()
        command = self._machine.command("env", "TERM=xterm", SWIFTLET_CONTROL, "check", *arguments, *self.NETWORK)
        # In a process group of its own, so that the signal also reaches the program behind the command prefix.
        with subprocess.Popen(command, stdout=output, start_new_session=True) as process:
            os.close(output)
            text = ""
            while part := self._read(terminal):
                is_first = after not in text
                text += part
                if is_first and after in text:
                    os.killpg(process.pid, signal.SIGINT)
        os.close(terminal)
        return process.returncode, text

    @staticmethod
    def _read(terminal):
        try:
            return os.read(terminal, 1 << 16).decode(errors="replace")
        except OSError:
            # The program has closed the terminal.
            return ""
