"""A network with swiftlet, minidlna and gmediarender on one machine, and swiftlet-control on its neighbour."""

import contextlib
import json
import subprocess

import network
from network import NetworkedRenderer
from processes import PATIENCE, SWIFTLET_CONTROL, Process, wait_until


#: The options of all commands. They end earlier if a device has the given name.
OPTIONS = ("--interface", "eth0", "--wait", "5")


class Devices:
    """Three devices, and a folder for the library of minidlna."""

    def __init__(self, here, there, folder):
        self.machine, self.neighbour = there, here
        self._urls = {}
        here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
        settings = folder / "minidlna.conf"
        settings.write_text(
            f"media_dir={folder}\nfriendly_name=Library\ndb_dir={folder}/db\nlog_dir={folder}\n"
            "network_interface=eth0\nport=8200\n"
        )
        self._processes = [
            NetworkedRenderer(here, folder / "state", interfaces=["eth0"]),
            Process(*here.command("minidlnad", "-S", "-f", str(settings), "-P", str(folder / "minidlna.pid"))),
            Process(
                *here.command("gmediarender", "-f", "Bedroom", "-I", "eth0", "--gstout-audiopipe=fakesink sync=true")
            ),
        ]

    def close(self):
        for process in self._processes:
            process.stop()

    def run(self, *arguments, expect=0):
        """Runs a command of swiftlet-control; returns its standard output and standard error."""
        done = subprocess.run(
            self.machine.command(SWIFTLET_CONTROL, *arguments, *OPTIONS),
            capture_output=True, text=True, timeout=2 * PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == expect, (done.returncode, done.stdout, done.stderr)
        return done.stdout, done.stderr

    def objects(self, *arguments):
        """Runs a command with --json; returns one object per line."""
        return [json.loads(line) for line in self.run(*arguments, "--json")[0].splitlines()]

    def start(self, *arguments):
        """Starts a command with --json."""
        return Process(*self.machine.command(SWIFTLET_CONTROL, *arguments, "--json", *OPTIONS))

    def watch(self, *arguments):
        """Starts `watch` with --json."""
        return self.start("watch", *arguments)

    def url(self, name):
        """The description URL of a device. Commands are faster with it than with the name, because they need no search."""

        def is_known():
            if name not in self._urls:
                self._urls = {name: device["url"] for name, device in self.listed().items()}
            return name in self._urls

        wait_until(is_known)
        return self._urls[name]

    def listed(self):
        """The devices by name."""
        done = subprocess.run(
            self.machine.command(SWIFTLET_CONTROL, "devices", "--json", "--wait", "1.5", "--interface", "eth0"),
            capture_output=True, text=True, timeout=2 * PATIENCE, check=False,
        )  # fmt: skip
        return {device["name"]: device for device in map(json.loads, done.stdout.splitlines())}


@contextlib.contextmanager
def running(folder):
    """The devices, once all of them are found."""
    here, there = network.Machine(), network.Machine()
    network.connect(here, "eth0", there, "eth0")
    there.ip("address", "add", "192.0.2.2/24", "dev", "eth0")
    devices = Devices(here, there, folder)
    wait_until(lambda: {"Kitchen", "Kitchen (OpenHome)", "Library", "Bedroom"} <= set(devices.listed()))
    yield devices
    devices.close()
    for machine in (here, there):
        machine.remove()
