"""Checks Swiftlet and other renderers and media servers, and writes the results.

The results go to docs/conformance-matrix.md, and the details of each renderer to docs/conformance. They contain no dates, ports or
durations, so that a difference between two runs is a difference between two renderers.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import dataclasses
import fnmatch
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Benchmarks"))

import renderers  # noqa: E402
import media_servers  # noqa: E402  (of Tests/interop, by renderers)
from network import ControlPoint  # noqa: E402
from processes import SWIFTLET_CONTROL, Crashed, Process, wait_until  # noqa: E402

MATRIX = ROOT / "docs/conformance-matrix.md"
#: The results of other renderers that `swiftlet-control check explain` shows.
TABLE = ROOT / "Sources/Conformance/Peers/peers.txt"
FOLDER = ROOT / "docs/conformance"
REVIEWED = FOLDER / "reviewed.txt"
#: The time limit for one renderer, in seconds.
TIME_LIMIT = 900
SERVER = "urn:schemas-upnp-org:device:MediaServer:1"


class Library:
    """A media server with three tracks on a machine of its own.

    `start` is a function of the tests, which takes the machine, a folder for settings and the folder with music.
    """

    def __init__(self, network, folder, start):
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True)
        media_servers.make_tracks(folder / "music")
        self._network, self._machine = network, network.player()
        # Gerbera exits if its IPv6 address is still tentative.
        subprocess.run(self._machine.command("sysctl", "-q", "-w", "net.ipv6.conf.all.disable_ipv6=1"), check=True)
        self._process = start(self._machine, folder, folder / "music")
        self._points = ControlPoint(network.asker)

    def find(self, target):
        location = self._points.find(target)[0].location
        search = self._network.asker.command(SWIFTLET_CONTROL, "search", location, "r", "--json", "--interface", "eth0")
        wait_until(lambda: subprocess.run(search, capture_output=True, check=False).stdout.count(b"\n") >= 3, 60)
        return location

    def close(self):
        self._points.close()
        self._machine.end_processes()
        with contextlib.suppress(Crashed):
            self._process.stop()
        self._network.leave(self._machine)


def swiftlet_library(machine, folder, music):
    settings = folder / "swiftlet.toml"
    settings.write_text(f'[library]\nfolders = ["{music}"]\n')
    command = [renderers.SWIFTLET, "--name", "swiftlet", "--state-dir", folder / "state", "--output", "null", "--config", settings]
    return Process(*machine.command(*map(str, command)))


def kodi(network, folder, name):
    """Kodi with a virtual screen and a null sound card. Kodi appends the host name to its own name."""
    userdata = pathlib.Path(folder) / ".kodi/userdata"
    userdata.mkdir(parents=True)
    settings = {"services.upnp": "true", "services.upnprenderer": "true", "services.devicename": name}
    lines = [f'<setting id="{key}">{value}</setting>' for key, value in settings.items()]
    (userdata / "guisettings.xml").write_text('<settings version="2">' + "".join(lines) + "</settings>")
    sound = f"unix:{folder}/sound"
    script = f"""
        hostname renderer
        # Kodi 20 sometimes crashes as it ends.
        ulimit -c 0
        pulseaudio -n --exit-idle-time=-1 --load=module-null-sink \\
          --load='module-native-protocol-unix auth-anonymous=1 socket={folder}/sound' &
        until [ -S {folder}/sound ]; do sleep 0.1; done
        exec xvfb-run --auto-servernum --server-args='-screen 0 640x480x24' \\
          kodi --standalone --audio-backend=pulseaudio
    """
    environment = {"HOME": folder, "XDG_RUNTIME_DIR": folder, "PULSE_SERVER": sound, "LIBGL_ALWAYS_SOFTWARE": "1"}
    return renderers.Renderer(network, folder, ["unshare", "--uts", "sh", "-c", script], environment)


@dataclasses.dataclass(frozen=True)
class Peer:
    name: str
    start: collections.abc.Callable
    #: The Debian package; none for the build of this repository.
    package: str | None = None
    #: The type of the device to check.
    target: str = renderers.RENDERER
    #: Whether it is a media server.
    serves: bool = False

    @property
    def version(self):
        if not self.package:
            return "this version"
        command = ["dpkg-query", "--show", "--showformat", "${Version}", self.package]
        return f"Debian {subprocess.run(command, check=True, capture_output=True, text=True).stdout}"

    @property
    def title(self):
        """The name with the upstream version, without epoch, repacking suffix and Debian's revision."""
        return f"{self.name} {re.sub(r'^.*:|[+-].*$', '', self.version.removeprefix('Debian '))}"


PEERS = [
    Peer("swiftlet", renderers.swiftlet),
    Peer("swiftlet-openhome", renderers.swiftlet, target="urn:av-openhome-org:device:Source:1"),
    Peer("gmediarender", renderers.gmediarender, "gmediarender"),
    Peer("rygel", renderers.rygel, "rygel"),
    Peer("kodi", kodi, "kodi"),
    Peer("swiftlet-library", swiftlet_library, target=SERVER, serves=True),
    Peer("minidlna", media_servers.minidlna, "minidlna", SERVER, serves=True),
    Peer("gerbera", media_servers.gerbera, "gerbera", SERVER, serves=True),
    Peer("rygel-library", media_servers.rygel, "rygel", SERVER, serves=True),
]


def run(peer, modes):
    """Checks one renderer; returns the report, and a page with the messages of its failures."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        network = renderers.Network()
        stack.callback(network.close)
        home = f"{folder}/home"
        renderer = Library(network, home, peer.start) if peer.serves else peer.start(network, home, peer.name)
        stack.callback(renderer.close)
        html = pathlib.Path(folder) / "report.html"
        command = [
            SWIFTLET_CONTROL, "check", "run", renderer.find(peer.target), "--interface", "eth0",
            "--json", "--report", str(html), "--limit", str(TIME_LIMIT // 60), *modes,
        ]  # fmt: skip
        begin = time.monotonic()
        done = subprocess.run(
            network.asker.command(*command), capture_output=True, text=True, timeout=TIME_LIMIT, check=False
        )
        # An incomplete run has inconclusive results, which the page shows.
        if not done.stdout:
            raise RuntimeError(f"{peer.name} could not be checked:\n{done.stderr}")
        print(f"{peer.name}: {time.monotonic() - begin:.0f} s", file=sys.stderr)
        return Run(json.loads(steady(done.stdout)), steady(html.read_text()))


@dataclasses.dataclass(frozen=True)
class Run:
    report: dict
    html: str

    @property
    def results(self):
        return self.report["results"]

    @property
    def device(self):
        target = self.report["target"]
        return ", ".join(target[key] for key in ("name", "manufacturer", "model", "firmware") if target[key])


#: Patterns of text that differs from run to run or from machine to machine, with their replacements.
UNSTEADY = [
    (r"\bLinux/\d[^ ,;]*", "Linux"),
    (r"(\d+\.\d+\.\d+\.\d+):\d+", r"\1:PORT"),
    (r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID"),
    (r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", "DATE"),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ?", "DATE"),
    (r"\b\d+\.\d{3} s\b", "TIME"),
    # Paths of callbacks and of served media.
    (r"/\d{12,20}\b", "/ID"),
]


def steady(text):
    for pattern, replacement in UNSTEADY:
        text = re.sub(pattern, replacement, text)
    return text


# MARK: Reviews


def reviews():
    """The reason for each failure: pairs of a renderer, a pattern of ids, and a sentence."""
    lines = [line for line in REVIEWED.read_text().splitlines() if line and not line.startswith("#")]
    return [line.split(maxsplit=2) for line in lines]


def reason(known, peer, check):
    return next((text for name, pattern, text in known if name == peer and fnmatch.fnmatch(check, pattern)), None)


def is_failure(result):
    """Whether a check has failed, or the failure of another one has kept it from a verdict."""
    return result["verdict"] in ("fail", "inconclusive")


# MARK: The page


def table(rows):
    head, *others = [f"| {' | '.join(cells)} |" for cells in rows]
    return [head, "|---" * len(rows[0]) + "|", *others]


def escaped(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def counts(results):
    found = collections.Counter(result["verdict"] for result in results)
    texts = [("pass", ""), ("fail", " failed"), ("skip", " skipped"), ("inconclusive", " inconclusive")]
    return ", ".join(f"{found[name]}{text}" for name, text in texts if found[name]) or "–"


def areas_table(found, areas):
    """The counts by area. Those that all devices skip are left out."""
    rows = [
        [area, *(counts([r for r in run.results if r["area"] == area]) for run in found.values())] for area in areas
    ]
    rows = [row for row in rows if not all(re.fullmatch(r"\d+ skipped", cell) for cell in row[1:])]
    return table([["area", *(peer.name for peer in found)], *rows, ["all", *(counts(run.results) for run in found.values())]])


def page(found, known):
    areas = list(dict.fromkeys(result["area"] for run in found.values() for result in run.results))
    lines = [
        "# Renderers and media servers compared",
        "",
        "`make matrix` writes this page: the results of `swiftlet-control check` with Swiftlet and with the renderers and media",
        "servers that Debian packages. A cell has the number of passed checks, and of others. [Checking renderers](conformance.md) explains",
        "the checks; `swiftlet-control check explain ID` explains one. A page for each renderer, docs/conformance/NAME.html, has what",
        "was sent and received for each failure. Git ignores these pages, since they are large and differ from run to run.",
        "",
        *table(
            [["renderer", "version", "says of itself"]]
            + [[peer.name, peer.version, escaped(run.device)] for peer, run in found.items()]
        ),
        "",
    ]
    for serves in (False, True):
        group = {peer: run for peer, run in found.items() if peer.serves == serves}
        if group:
            lines += [*areas_table(group, areas), ""]
    lines.pop()
    for peer, run in found.items():
        failures = [result for result in run.results if is_failure(result)]
        lines += ["", f"## {peer.name}", ""]
        if not failures:
            lines.append("No failures.")
        for result in failures:
            what = (
                f"expected {result['expected']}; got {result['got']}"
                if result["verdict"] == "fail"
                else f"inconclusive: {result['reason']}"
            )
            lines.append(f"- `{result['id']}` ({result['level']}): {escaped(what)}")
            lines.append(f"  Reviewed: {reason(known, peer.name, result['id']) or 'not yet.'}")
    return "\n".join(lines) + "\n"


def peer_table(found):
    """The results of the other renderers in the format of PeerResult.read."""
    lines = []
    for peer, run in found.items():
        if not peer.package:
            continue
        lines.append(f"peer {peer.title}")
        passed = " ".join(result["id"] for result in run.results if result["verdict"] == "pass")
        lines += [f"pass {line}" for line in textwrap.wrap(passed, 110, break_on_hyphens=False)]
        for result in run.results:
            if is_failure(result):
                lines.append(f"{result['verdict']} {result['id']} {result.get('got') or result['reason']}")
    return "".join(f"{line}\n" for line in lines)


def write(found, known):
    MATRIX.write_text(page(found, known))
    for peer, run in found.items():
        (FOLDER / f"{peer.name}.html").write_text(run.html)
    TABLE.write_text(peer_table(found))


def complain(found, known):
    """Prints the failures without a review, and the reviews without a failure."""
    failures = {(peer.name, r["id"]) for peer, run in found.items() for r in run.results if is_failure(r)}
    for peer, check in sorted(failures):
        if not reason(known, peer, check):
            print(f"Not reviewed: {peer} {check}", file=sys.stderr)
    for name, pattern, _ in known:
        if not any(peer == name and fnmatch.fnmatch(check, pattern) for peer, check in failures):
            print(f"Does not fail any more: {name} {pattern}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peers", nargs="*", help="only these renderers; the page is printed, not written")
    parser.add_argument("--hostile", action="store_true", help="also run the hostile checks")
    parser.add_argument("--slow", action="store_true", help="also run the slow checks")
    arguments = parser.parse_args()
    modes = [f"--{mode}" for mode in ("hostile", "slow") if getattr(arguments, mode)]
    peers = [peer for peer in PEERS if not arguments.peers or peer.name in arguments.peers]
    # Several at a time, because checks mostly wait.
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        found = dict(zip(peers, pool.map(lambda peer: run(peer, modes), peers)))
    known = reviews()
    complain(found, known)
    if arguments.peers:
        print(page(found, known), end="")
    else:
        write(found, known)


if __name__ == "__main__":
    main()
