"""The library of a speaker, minidlna and gerbera with the same folder on one machine, and clients on its neighbour."""

import json
import pathlib
import subprocess
import threading

import network
from media_servers import gerbera, minidlna, server_and_neighbour
from page_api import Page
from processes import PATIENCE, SWIFTLET_CONTROL, wait_until

#: File: title, artist, album artist, album, composer, genre, date, track, disc.
TRACKS = {
    "Debut/01 Söng & Co.flac": ("Söng & <Co>", "Björk", "Björk", "Début", "Cid", "Pop", "1993", 1, 1),
    "Debut/02 Night Train.flac": ("Night Train", "Björk", "Björk", "Début", "Cid", "Pop", "1993", 2, 1),
    "Hits/a.mp3": ("Thunder", "AC/DC", "Various Artists", 'The "Best"', None, "Rock", "2001", 1, 1),
    "Hits/b.mp3": ("Rain", "Ásgeir", "Various Artists", 'The "Best"', None, "Folk", "2001", 2, 1),
    "Loose/no tags.flac": (None, None, None, None, None, None, None, None, None),
}


def _ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, arguments)], check=True)


def make_track(path: pathlib.Path, seconds=5, cover=None, **tags):
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = [part for name, value in tags.items() if value is not None for part in ("-metadata", f"{name}={value}")]
    pictures = ("-i", cover, "-map", "0:a", "-map", "1:v", "-disposition:v", "attached_pic") if cover else ()
    _ffmpeg("-f", "lavfi", "-i", f"sine=sample_rate=44100:duration={seconds}", *pictures, "-ac", 2, *metadata, path)


def make_music(folder: pathlib.Path):
    """The tracks of TRACKS. Those of the first album have a picture in them, the second album has a file with one."""
    cover = folder.parent / "cover.jpg"
    _ffmpeg("-f", "lavfi", "-i", "color=c=teal:s=160x160", "-frames:v", "1", cover)
    for file, (title, artist, album_artist, album, composer, genre, date, track, disc) in TRACKS.items():
        make_track(
            folder / file, title=title, artist=artist, album_artist=album_artist, album=album, composer=composer, genre=genre,
            date=date, track=track, disc=disc, cover=cover if file.startswith("Debut") else None,
        )  # fmt: skip
    (folder / "Hits/cover.jpg").write_bytes(cover.read_bytes())


class GUPnPClient:
    """GUPnP on a machine, for one media server."""

    def __init__(self, machine, name):
        program = pathlib.Path(__file__).with_name("gupnp_client.py")
        self._process = subprocess.Popen(
            machine.command("/usr/bin/python3", str(program), "eth0", name), text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )  # fmt: skip
        self.device = self._answer()

    def _answer(self):
        # Ends this wait if the client waits in vain.
        watch = threading.Timer(4 * PATIENCE, self._process.kill)
        watch.start()
        try:
            line = self._process.stdout.readline()
        finally:
            watch.cancel()
        assert line, "the client has ended, or has not answered in time"
        return json.loads(line)

    def _ask(self, *request):
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def call(self, action, **arguments):
        return self._ask("call", action, arguments)

    def event(self, variable):
        return self._ask("event", variable)

    def browse(self, container="0", flag="BrowseDirectChildren", start=0, count=0, filter="*", sort=""):
        return self.call(
            "Browse", ObjectID=container, BrowseFlag=flag, Filter=filter, StartingIndex=start, RequestedCount=count,
            SortCriteria=sort,
        )  # fmt: skip

    def search(self, criteria, container="0", start=0, count=0, filter="*", sort=""):
        return self.call(
            "Search", ContainerID=container, SearchCriteria=criteria, Filter=filter, StartingIndex=start, RequestedCount=count,
            SortCriteria=sort,
        )  # fmt: skip

    def close(self):
        self._process.kill()
        self._process.wait()


class LibraryServers:
    """The machines, and the servers that have been started on the first."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        make_music(folder / "music")
        self.machine, self.neighbour = server_and_neighbour()
        self.settings = folder / "swiftlet.toml"
        self.settings.write_text(f'[library]\nfolders = ["{folder / "music"}"]\n')
        self.speaker = network.NetworkedRenderer(
            self.machine, folder / "kitchen", interfaces=["eth0"], more=["--config", str(self.settings)]
        )
        self._processes = [self.speaker]
        self._clients = {}

    def start_others(self):
        self._processes += [start(self.machine, self.folder, self.folder / "music") for start in (minidlna, gerbera)]

    @property
    def base(self):
        """The URL of the speaker's HTTP server."""
        return self.speaker.wait_for(r"(http://192\.0\.2\.1:\d+)/renderer/\S*").group(1)

    @property
    def description_url(self):
        return f"{self.base}/library/description.xml"

    def client(self, name="Kitchen library", is_searched=True):
        """GUPnP for a server. If the server can search, waits until it has read all tracks."""
        if name not in self._clients:
            client = self._clients[name] = GUPnPClient(self.neighbour, name)
            if is_searched:
                wait_until(lambda: len(titles(client)) == len(TRACKS), 2 * PATIENCE)
        return self._clients[name]

    @property
    def api(self):
        return Page(self.base, machine=self.neighbour)

    def control(self, *arguments):
        """The standard output of swiftlet-control."""
        done = subprocess.run(
            self.neighbour.command(SWIFTLET_CONTROL, *arguments, "--interface", "eth0"), capture_output=True, text=True,
            timeout=4 * PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == 0, (done.stdout, done.stderr)
        return done.stdout

    def close(self):
        for client in self._clients.values():
            client.close()
        for process in self._processes:
            process.stop()
        for machine in (self.machine, self.neighbour):
            machine.remove()


#: What Windows Media Player searches for when it starts.
ALL_TRACKS = 'upnp:class derivedfrom "object.item.audioItem" and @refID exists false'


def titles(client, criteria=ALL_TRACKS, **options):
    """The titles that a search finds."""
    return sorted(one["title"] for one in client.search(criteria, **options).get("objects", []))
