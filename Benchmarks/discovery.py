"""swiftlet-control on a network with many devices. Benchmarks/discovery.py runs this part of the benchmark alone."""

import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import renderers

from processes import Process  # noqa: E402  (of Tests/interop, by renderers)

SWIFTLET_CONTROL = os.environ.get("SWIFTLET_CONTROL", str(renderers.ROOT / ".build-release/swiftlet-control"))
COUNT = 500

#: Runs a command and prints its peak resident size in kB. A process inherits the peak of the process that forked it, so
#: this small program forks it.
MEASURE = """
import os, sys
pid = os.fork()
if not pid:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(pid, 0)
print("maxrss", usage.ru_maxrss, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
"""


class Simulator(Process):
    """The simulated devices, on a machine of their own."""

    def __init__(self, network, *arguments):
        self._network, self.machine = network, network.player()
        script = pathlib.Path(__file__).with_name("simulator.py")
        super().__init__(*self.machine.command("python3", str(script), renderers.PLAYER, *arguments))
        self.location = self.wait_for(r"http://\S+").group()

    def close(self):
        self.machine.end_processes()
        self.stop()
        self._network.leave(self.machine)


def run(network, *arguments):
    """Runs a command; returns its standard output, its time in seconds, and its peak resident size in MB."""
    command = network.asker.command("python3", "-I", "-S", "-c", MEASURE, SWIFTLET_CONTROL, *arguments)
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout, time.monotonic() - start, int(done.stderr.split("maxrss")[1]) / 1024


def figures(network, rounds=5, options=()):
    """The figures by row. Times are medians, other figures the worst of all rounds. `options` are those of `devices`."""
    with contextlib.closing(Simulator(network, "--count", str(COUNT))) as simulator:
        lists = [run(network, "devices", "--json", *options) for _ in range(rounds)]
        call = ("call", simulator.location, "RenderingControl", "GetVolume", "Channel=Master", "--json")
        calls = [run(network, *call) for _ in range(rounds)]
    if any(json.loads(output) != {"CurrentVolume": "40"} for output, _, _ in calls):
        raise RuntimeError(f"GetVolume returned {calls[0][0]}")
    return {
        f"devices listed of {COUNT}, fewest": min(len(set(output.splitlines())) for output, _, _ in lists),
        "time until all are listed, s": statistics.median(seconds for _, seconds, _ in lists),
        "time until all are listed, slowest, s": max(seconds for _, seconds, _ in lists),
        "greatest RSS, MB": max(size for _, _, size in lists),
        "call with a URL, from start to result, s": statistics.median(seconds for _, seconds, _ in calls),
    }


def now_figures(network, folder, rounds=5):
    """The median times of `now` for one speaker, from start to result."""
    with contextlib.closing(renderers.swiftlet(network, folder)) as renderer:
        location = renderer.find()
        # Warms up the caches.
        run(network, "now", renderers.PLAYER)
        return {
            f"now with {name}, from start to result, s": statistics.median(
                run(network, "now", device)[1] for _ in range(rounds)
            )
            for name, device in (("a URL", location), ("an address", renderers.PLAYER), ("a name", "Bench"))
        }


def table(found):
    lines = ["| swiftlet-control | |", "|---|---|"]
    return "\n".join([*lines, *(f"| {row} | {value:.2f} |" for row, value in found.items())])


if __name__ == "__main__":
    with contextlib.closing(renderers.Network()) as alone, tempfile.TemporaryDirectory() as folder:
        print(table(figures(alone) | now_figures(alone, folder)))
