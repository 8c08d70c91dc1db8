"""Albums with disc and track numbers, and the servers minidlna and gerbera that offer them to a speaker."""

import contextlib
import pathlib
import subprocess

import network
from network import NetworkedRenderer
from page_api import Page
from processes import PATIENCE, SWIFTLET_CONTROL, wait_until
from test_control_browse import gerbera, minidlna

#: Title: disc and track. The files are named after the titles, so that their order is wrong.
TWO_DISCS = {
    "Zeta": (1, 1), "Mid": (1, 2), "Alpha": (1, 3), "Yonder": (2, 1), "Nether": (2, 2), "Beta": (2, 3),
}  # fmt: skip
TEN = ["Zulu", "Yankee", "Xray", "Whisky", "Victor", "Uniform", "Tango", "Sierra", "Romeo", "Quebec"]
#: The paths of the albums on each server.
ALBUMS = {"minidlna library": ("Music", "Album"), "gerbera library": ("Audio", "Albums")}


def _tone(path: pathlib.Path, **tags):
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = [part for name, value in tags.items() for part in ("-metadata", f"{name}={value}")]
    subprocess.run(
        ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "sine=sample_rate=44100:duration=60",
         *(["-compression_level", "0"] if path.suffix == ".flac" else []), *metadata, str(path)], check=True,
    )  # fmt: skip


def make_music(folder: pathlib.Path):
    for title, (disc, track) in TWO_DISCS.items():
        _tone(folder / "two" / f"{title}.flac", title=title, artist="Ásgeir", album="Two Discs", disc=disc, track=track)
    for number, title in enumerate(TEN, 1):
        # "10/10" in the tag.
        _tone(folder / "ten" / f"{title}.mp3", title=title, artist="Björk", album="Debüt", track=f"{number}/{len(TEN)}")


class AlbumServers:
    """The speaker Kitchen, minidlna and gerbera on one machine, and a client on its neighbour."""

    def __init__(self, folder: pathlib.Path):
        make_music(folder / "music")
        self.machine, self.neighbour = network.Machine(), network.Machine()
        network.connect(self.machine, "eth0", self.neighbour, "eth0")
        self.machine.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
        self.neighbour.ip("address", "add", "192.0.2.2/24", "dev", "eth0")
        # Gerbera announces itself only with a multicast route, and exits while its IPv6 address is tentative.
        self.machine.ip("route", "add", "239.0.0.0/8", "dev", "eth0")
        wait_until(lambda: not self.machine.do(_has_tentative_address))
        self._servers = [start(self.machine, folder, folder / "music") for start in (minidlna, gerbera)]
        for address in ("192.0.2.1:8200/rootDesc.xml", "192.0.2.1:49152/description.xml"):
            wait_until(lambda address=address: self.neighbour.get(f"http://{address}"))
        self.speaker = NetworkedRenderer(self.machine, folder / "kitchen", interfaces=["eth0"])
        self.api = Page(self.speaker.wait_for(r"http://192\.0\.2\.1:\d+/renderer/\S*").group(), machine=self.neighbour)
        self._ids = {}

    def close(self):
        for process in (*self._servers, self.speaker):
            process.stop()
        for machine in (self.machine, self.neighbour):
            machine.remove()

    def server(self, name):
        """The id of a server, once it is found."""

        def find():
            self._ids |= {entry["name"]: entry["id"] for entry in self.api.get("/api/servers").json["servers"]}
            return self._ids.get(name)

        return self._ids.get(name) or wait_until(find)

    def items(self, name, container, **query):
        answer = self.api.get("/api/library", {"server": self.server(name), "container": container, **query})
        assert answer.status == 200, answer
        return answer.json["items"]

    def album(self, name, title, count):
        """The id of an album, once the server has read all its tracks."""

        def find():
            container = "0"
            for step in (*ALBUMS[name], title):
                found = [item["id"] for item in self.items(name, container) if item["title"] == step]
                if not found:
                    return None
                container = found[0]
            return container if len(self.items(name, container)) == count else None

        return wait_until(find)

    def play(self, name, where, **what):
        return self.api.post("library/play", {"server": self.server(name), "where": where, **what})

    @property
    def state(self):
        return self.api.get("/api/state").json

    @property
    def queue(self):
        return [item["title"] for item in self.api.get("/api/queue").json["items"]]

    def control(self, *arguments):
        """Runs a command of swiftlet-control; returns its standard output."""
        done = subprocess.run(
            self.neighbour.command(SWIFTLET_CONTROL, *arguments, "--interface", "eth0"),
            capture_output=True, text=True, timeout=2 * PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == 0, (done.stdout, done.stderr)
        return done.stdout


def _has_tentative_address():
    return any(line.split()[4] in ("40", "c0") for line in pathlib.Path("/proc/thread-self/net/if_inet6").read_text().splitlines())


@contextlib.contextmanager
def running(folder: pathlib.Path):
    with contextlib.closing(AlbumServers(folder)) as servers:
        yield servers
        print("\n".join(servers.speaker.out + servers.speaker.err))
