"""The renderers to compare, each on a machine (network namespace) of its own, with a null output."""

import contextlib
import os
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/interop/support"))

from network import RENDERER, ControlPoint, Machine, Switch  # noqa: E402
from processes import Crashed, Process  # noqa: E402

SWIFTLET = os.environ.get("SWIFTLET", str(ROOT / ".build-release/swiftlet"))
#: Addresses of the control point and of the renderers.
ASKER, PLAYER = "198.51.100.1", "198.51.100.2"


class Network:
    """The control point's machine, and one machine at a time for a renderer."""

    def __init__(self):
        self.machines = []
        try:
            self._switch = Switch(self._machine())
            self.asker = self._join(ASKER)
        except BaseException:
            self.close()
            raise

    def _machine(self):
        self.machines.append(Machine())
        return self.machines[-1]

    def _join(self, address):
        machine = self._machine()
        self._switch.connect(machine, "eth0")
        machine.ip("address", "add", f"{address}/24", "brd", "+", "dev", "eth0")
        machine.ip("route", "add", "224.0.0.0/4", "dev", "eth0")
        return machine

    def player(self):
        """A new machine at the renderers' address. The previous one must have been removed."""
        return self._join(PLAYER)

    def leave(self, machine):
        # The next renderer has the same address on another interface. Without this, the control point could use the old
        # neighbour entry for some seconds, because the kernel may remove a namespace late.
        machine.ip("link", "delete", "eth0")
        self.asker.ip("neighbour", "flush", "dev", "eth0")
        self.machines.remove(machine)
        machine.remove()

    def close(self):
        """Removes the machines and ends their processes."""
        with contextlib.ExitStack() as stack:
            for machine in self.machines:
                stack.callback(machine.remove)


class Renderer(Process):
    """A running renderer, found by a search."""

    def __init__(self, network, folder, command, environment=None):
        self.network = network
        self.machine = network.player()
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        variables = {"XDG_CONFIG_HOME": str(folder), **(environment or {})}
        super().__init__(*self.machine.command("env", *(f"{k}={v}" for k, v in variables.items()), *command))
        self.points = ControlPoint(network.asker)

    def find(self, target=RENDERER):
        return self.points.find(target)[0].location

    @property
    def pids(self):
        """The process and its helpers, such as a message bus."""
        return self.machine.pids

    def close(self):
        """Ends the renderer and its children. A crash at exit is printed, but is not an error here."""
        self.points.close()
        # dbus-run-session does not end rygel.
        self.machine.end_processes()
        try:
            self.stop()
        except Crashed as error:
            print(f"  {error}", flush=True)
        finally:
            self.network.leave(self.machine)


def swiftlet(network, folder, name="Bench", more=()):
    command = [SWIFTLET, "--name", name, "--state-dir", f"{folder}/state", "--output", "null", *more]
    return Renderer(network, folder, command)


def gmediarender(network, folder, name="Bench"):
    command = [
        "gmediarender", "-f", name, "-I", "eth0", "--gstout-audiopipe=fakesink sync=true",
    ]  # fmt: skip
    return Renderer(network, folder, command)


def rygel(network, folder, name="Bench"):
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    configuration = pathlib.Path(folder) / "rygel.conf"
    configuration.write_text(
        "[general]\nupnp-enabled=true\ninterface=eth0\nenable-transcoding=false\n"
        f"[Playbin]\nenabled=true\ntitle={name}\n[MediaExport]\nenabled=false\n[Tracker3]\nenabled=false\n"
    )
    # rygel uses the sink with the highest rank.
    environment = {"GST_PLUGIN_FEATURE_RANK": "fakeaudiosink:1000"}
    return Renderer(network, folder, ["dbus-run-session", "--", "rygel", "-c", str(configuration)], environment)


#: The installed renderers by name.
ALL = {
    name: start
    for name, start in {"swiftlet": swiftlet, "gmediarender": gmediarender, "rygel": rygel}.items()
    if name == "swiftlet" or shutil.which(name)
}
