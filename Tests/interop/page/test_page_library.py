"""The library and the other speakers on a speaker's page, with real servers and renderers."""

import contextlib
import os
import pathlib
import subprocess

import pytest

import network
from browser import BASE, SpeakerAtHome
from network import NetworkedRenderer
from page_api import Events, Page
from processes import Process, wait_until

pytestmark = [
    network.needs_namespaces,
    pytest.mark.xdist_group("page-library"),
    pytest.mark.release,
]

ALBUMS = {"Waves": ["One", "Two", "Three"], "Noises": ["Brown", "Pink"]}
SPEAKER = "Kitchen"


def make_music(folder):
    for album, titles in ALBUMS.items():
        (folder / album).mkdir(parents=True)
        _ffmpeg("-f", "lavfi", "-i", "color=red:size=300x300", "-frames:v", "1", str(folder / album / "Cover.jpg"))
        for number, title in enumerate(titles, 1):
            _ffmpeg(
                "-f", "lavfi", "-i", "sine=sample_rate=44100:duration=60", "-metadata", f"title={title}",
                "-metadata", "artist=The Sines", "-metadata", f"album={album}", "-metadata", f"track={number}",
                str(folder / album / f"{9 - number}.flac"),
            )  # fmt: skip


def _ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", *arguments], check=True)


class HomeNetwork:
    """Two machines: the speaker Kitchen and gmediarender on one, the speaker Study on the other, minidlna on either."""

    def __init__(self, folder, serves_from_neighbour=False):
        make_music(folder / "music")
        self.machine, self.neighbour = network.Machine(), network.Machine()
        network.connect(self.machine, "eth0", self.neighbour, "eth0")
        self.machine.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
        self.neighbour.ip("address", "add", "192.0.2.2/24", "dev", "eth0")
        settings = folder / "minidlna.conf"
        settings.write_text(
            f"media_dir=A,{folder}/music\nfriendly_name=Library\ndb_dir={folder}/db\nlog_dir={folder}\n"
            "network_interface=eth0\nport=8200\nalbum_art_names=Cover.jpg\n"
        )
        self.minidlna = ["minidlnad", "-S", "-f", str(settings), "-P", str(folder / "minidlna.pid")]
        self.speaker = NetworkedRenderer(self.machine, folder / "kitchen", interfaces=["eth0"])
        self.study = NetworkedRenderer(self.neighbour, folder / "study", name="Study", interfaces=["eth0"])
        server_machine = self.neighbour if serves_from_neighbour else self.machine
        self.server = Process(*server_machine.command(*self.minidlna))
        self.gmediarender = Process(
            *self.machine.command("gmediarender", "-f", "Bedroom", "-I", "eth0", "--gstout-audiopipe=fakesink sync=true")
        )
        # The first search must find all devices: some announce themselves late, or never without a multicast route.
        for address in ("192.0.2.1:49494/description.xml", f"192.0.2.{1 + serves_from_neighbour}:8200/rootDesc.xml"):
            wait_until(lambda address=address: self.neighbour.get(f"http://{address}"))
        self.api = Page(self.speaker.wait_for(r"http://192\.0\.2\.1:\d+/renderer/\S*").group(), machine=self.neighbour)
        self.study_api = Page(self.study.wait_for(r"http://192\.0\.2\.2:\d+/renderer/\S*").group(), machine=self.neighbour)

    def close(self):
        for process in (self.gmediarender, self.server, self.study, self.speaker):
            process.stop()
        for machine in (self.machine, self.neighbour):
            machine.remove()

    @property
    def library(self):
        """The id of minidlna's library, once it is found and searchable."""

        def find():
            servers = self.api.get("/api/servers").json["servers"]
            return next((entry["id"] for entry in servers if entry["name"] == "Library" and entry["searchable"]), None)

        return wait_until(find)

    def items(self, container, **query):
        answer = self.api.get("/api/library", {"server": self.library, "container": container, **query})
        assert answer.status == 200, answer
        return answer.json["items"]

    def path(self, *titles):
        """The id of a container, by the titles on the path from the root."""
        container = "0"
        for title in titles:
            container = next(item["id"] for item in self.items(container) if item["title"] == title)
        return container

    def album(self, title):
        """The id of an album, once minidlna has read it."""
        wait_until(lambda: title in [item["title"] for item in self.items(self.path("Music", "Album"))])
        album = self.path("Music", "Album", title)
        wait_until(lambda: len(self.items(album)) == len(ALBUMS[title]))
        return album

    def tracks(self, title):
        """The titles of an album in the server's order."""
        return [item["title"] for item in self.items(self.album(title))]

    @property
    def queue(self):
        return [item["title"] for item in self.api.get("/api/state").json["queue"]["window"]["items"]]

    @property
    def playing(self):
        return self.api.get("/api/state").json["playing"]

    def play(self, where, **what):
        answer = self.api.post("library/play", {"server": self.library, "where": where, **what})
        assert answer.status == 200, answer
        return answer.json


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = HomeNetwork(tmp_path_factory.mktemp("network"))
    yield home
    home.close()
    print("\n".join(home.speaker.out + home.speaker.err))


def test_an_album_replaces_the_queue(home):
    home.play("end", container=home.album("Noises"))
    tracks = home.tracks("Waves")
    assert home.play("replace", container=home.album("Waves"))["added"] == 3
    assert home.queue == tracks
    wait_until(lambda: home.playing["title"] == tracks[0])


def test_a_pin_plays_an_album(home):
    home.play("replace", container=home.album("Noises"))
    former = home.queue
    tracks = home.tracks("Waves")
    (entry,) = [item for item in home.items(home.path("Music", "Album")) if item["title"] == "Waves"]
    pin = {"index": 0, "title": "Waves", "art": entry["art"], "server": home.library, "container": entry["id"]}
    assert home.api.post("pins/set", {"what": "container", **pin}).status == 200
    (shown,) = home.api.get("/api/state").json["pins"]["items"]
    assert (shown["title"], shown["mode"], shown["art"]) == ("Waves", "upnp.cd", entry["art"])
    answer = home.api.post("pins/play", {"index": 0})
    assert answer.status == 200, answer
    wait_until(lambda: home.queue == tracks)
    wait_until(lambda: home.playing["title"] == tracks[0])
    undo = answer.json["undo"]
    assert home.api.post("queue/undo", {"undo": undo}).status == 200
    wait_until(lambda: home.queue == former)
    assert home.api.post("pins/play", {"index": 0}).status == 200
    wait_until(lambda: home.queue == tracks)
    # A pin whose folder no longer exists leaves the queue unchanged.
    home.api.post("pins/set", {"what": "container", **pin | {"container": "nothing"}})
    assert home.api.post("pins/play", {"index": 0}).status == 409
    assert home.queue == tracks
    home.api.post("pins/clear", {"index": 0})


def test_an_album_is_found_page_by_page(home):
    album = home.album("Waves")
    page = home.api.get("/api/library", {"server": home.library, "container": album, "offset": 1, "count": 1}).json
    assert (page["title"], page["total"], page["offset"]) == ("Waves", 3, 1)
    assert home.api.get("/api/library", {"server": home.library, "container": page["parent"]}).json["title"] == "Album"
    tracks = home.items(album)
    assert page["items"] == tracks[1:2]
    assert {track["title"] for track in tracks} == set(ALBUMS["Waves"])
    assert [(track["kind"], track["artist"], round(track["duration"])) for track in tracks] == [
        ("track", "The Sines", 60)
    ] * 3
    root = home.api.get("/api/library", {"server": home.library}).json
    assert root["title"] == "Library" and root.get("parent") is None


def test_words_are_found(home):
    home.album("Waves")
    found = home.api.get("/api/library/search", {"server": home.library, "q": "waves TWO"}).json
    assert [item["title"] for item in found["items"]] == ["Two"]
    assert home.api.get("/api/library/search", {"server": home.library, "q": "nothing like it"}).json["items"] == []
    assert home.api.get("/api/library/search", {"server": home.library, "q": " "}).status == 400


def test_covers_come_through_the_speaker(home):
    track = home.items(home.album("Waves"))[0]
    cover = home.api.get(track["art"])
    assert cover.status == 200 and cover.body.startswith(b"\xff\xd8\xff"), cover
    assert cover.headers["Content-Type"] == "image/jpeg" and cover.headers["Cache-Control"] == "max-age=86400"
    assert cover.headers["X-Content-Type-Options"] == "nosniff"
    again = home.api.get(track["art"], **{"If-None-Match": cover.headers["ETag"]})
    assert (again.status, again.body) == (304, b"")


def test_albums_play_now_next_and_at_the_end(home):
    home.api.post("queue/clear")
    waves, noises = home.album("Waves"), home.album("Noises")
    order = {name: [item["title"] for item in home.items(album)] for name, album in (("w", waves), ("n", noises))}
    assert home.play("now", container=waves) == {"added": 3, "complete": True}
    wait_until(lambda: (home.playing["state"], home.playing["title"]) == ("playing", order["w"][0]))
    assert home.playing["art"], "the metadata of the server is kept"
    assert home.play("next", items=[noises])["added"] == 2
    one = next(item["id"] for item in home.items(waves) if item["title"] == "One")
    assert home.play("end", items=[one])["added"] == 1
    assert home.queue == [order["w"][0], *order["n"], *order["w"][1:], "One"]
    assert home.playing["title"] == order["w"][0], "only “now” changes what plays"
    assert home.play("now", items=[one])["added"] == 1
    wait_until(lambda: home.playing["title"] == "One")


def test_a_folder_plays_once_also_if_the_server_lists_it_in_several_views(home):
    home.album("Waves")
    home.album("Noises")
    home.api.post("queue/clear")
    assert home.play("end", container=home.path("Music")) == {"added": 5, "complete": True}
    assert sorted(home.queue) == sorted(title for titles in ALBUMS.values() for title in titles)


def test_other_speakers_are_followed(home):
    album = home.album("Waves")
    with Events(home.api, "/api/events?show=speakers") as events:
        both = events.wait_for(
            "speakers", lambda data: [entry["volume"] for entry in data["speakers"] if entry.get("volume")][1:]
        )["speakers"]
        assert [entry["name"] for entry in both] == ["Bedroom", "Study"], "the speaker itself is not listed"
        bedroom, study = both
        assert study["url"] == f"http://{home.study_api.netloc}/" and bedroom["model"]

        def wait_for(name, condition):
            return events.wait_for(
                "speakers", lambda data: any(entry["name"] == name and condition(entry) for entry in data["speakers"])
            )

        for speaker, level in ((bedroom, 31), (study, 41)):
            assert home.api.post("speakers/volume", {"id": speaker["id"], "level": level}).status == 200
            wait_for(speaker["name"], lambda entry, level=level: entry["volume"] == level)
            assert home.api.post("speakers/mute", {"id": speaker["id"], "muted": True}).status == 200
            wait_for(speaker["name"], lambda entry: entry["muted"])
        # Changes by other controllers are shown, too.
        assert home.study_api.post("volume", {"level": 17}).status == 200
        wait_for("Study", lambda entry: entry["volume"] == 17)
        servers = wait_until(lambda: home.study_api.get("/api/servers").json["servers"])
        played = home.study_api.post("library/play", {"server": servers[0]["id"], "container": album, "where": "now"})
        assert played.status == 200, played
        shown = wait_for("Study", lambda entry: entry["state"] == "playing" and entry.get("title"))["speakers"][1]
        assert shown["title"] in ALBUMS["Waves"] and shown["artist"] == "The Sines"
        assert home.api.get(shown["art"]).status == 200
        home.study_api.post("stop")
        wait_for("Study", lambda entry: entry["state"] == "stopped")
    assert home.api.post("speakers/volume", {"id": "uuid:none", "level": 1}).status == 404
    assert home.api.post("speakers/volume", {"id": study["id"], "level": 101}).status == 400


def test_an_album_plays_on_another_speaker(home):
    album, before = home.album("Waves"), home.queue
    tracks = home.tracks("Waves")
    # The search for media servers is on already, that for speakers is not.
    bedroom, study = (entry["id"] for entry in home.api.get("/api/speakers").json["speakers"])
    assert home.play("replace", container=album, to=study) == {"added": 3, "complete": True}
    assert home.play("end", items=[album], to=study)["added"] == 3
    wait_until(lambda: home.study_api.state["playing"].get("title") == tracks[0])
    queue = home.api.get("/api/speakers/queue", {"id": study}).json
    assert [item["title"] for item in queue["items"]] == tracks * 2
    assert [queue["offset"], queue["count"], queue["current"]] == [0, 6, 0]
    assert home.api.get(queue["items"][0]["art"]).status == 200
    assert home.api.post("speakers/play", {"id": study, "entry": queue["items"][2]["id"]}).status == 200
    wait_until(lambda: home.study_api.state["playing"].get("title") == tracks[2])
    # A speaker without a queue takes one track.
    assert home.play("replace", container=album, to=bedroom) == {"added": 1, "complete": False}
    wait_until(lambda: home.api.get("/api/speakers/queue", {"id": bedroom}).json["items"][0]["title"] == tracks[0])
    assert home.queue == before
    start = {"id": album, "offset": 0}
    for status, fields in ((404, {"to": "uuid:none"}), (400, {"to": study, "start": start})):
        body = {"server": home.library, "where": "replace", "container": album, **fields}
        assert home.api.post("library/play", body).status == status
    home.study_api.post("stop")
    home.study_api.post("queue/clear")


def test_nothing_is_searched_while_no_page_shows_it(home):
    pid = home.speaker.process.pid

    def sockets():
        """The local addresses of the UDP sockets and of the listening TCP sockets."""
        udp = pathlib.Path(f"/proc/{pid}/net/udp").read_text().splitlines()[1:]
        tcp = pathlib.Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]
        own = set()
        for descriptor in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(FileNotFoundError):
                own.add(os.readlink(f"/proc/{pid}/fd/{descriptor}"))
        lines = [line.split() for line in udp] + [line.split() for line in tcp if line.split()[3] == "0A"]
        return sorted(line[1] for line in lines if f"socket:[{line[9]}]" in own)

    # The control point of earlier tests stops within thirty seconds. HTTP has one socket, SSDP two, and Songcast three: that of
    # the zones, one to write to them, and the sender's.
    rest = wait_until(lambda: len(listed := sockets()) <= 6 and listed, seconds=60, explain=sockets)
    with Events(home.api, "/api/events?show=library,speakers") as events:
        events.wait_for("speakers", lambda data: len(data["speakers"]) == 2)
        wait_until(lambda: len(sockets()) > len(rest))
    wait_until(lambda: sockets() == rest, seconds=60, explain=sockets)
    with Events(home.api) as events:
        events.wait_for("state")
        assert sockets() == rest


def test_a_server_that_leaves_is_no_longer_shown(tmp_path):
    # minidlna disables multicast loopback, so its byebye does not reach programs on its own machine.
    with contextlib.closing(HomeNetwork(tmp_path, serves_from_neighbour=True)) as home:
        for title in ALBUMS:
            home.album(title)
        with Events(home.api, "/api/events?show=library") as events:
            events.wait_for("servers", lambda data: data["servers"])
            home.server.stop()
            events.wait_for("servers", lambda data: not data["servers"])


@pytest.mark.parametrize(
    "fields",
    [
        {}, {"server": "uuid:x"}, {"server": "uuid:x", "where": "end"}, {"server": "uuid:x", "items": [], "where": "end"},
        {"server": "uuid:x", "items": ["1"], "container": "2", "where": "end"},
        {"server": "uuid:x", "items": ["1"], "where": "before"}, {"server": "uuid:x", "items": [1], "where": "end"},
        {"server": "uuid:x", "items": ["1"] * 501, "where": "end"},
        {"server": "uuid:x", "container": "a" * 2001, "where": "end"},
    ],
)  # fmt: skip
def test_wrong_commands_are_refused(home, fields):
    answer = home.api.post("library/play", fields)
    assert answer.status == 400, answer


def test_wrong_queries_are_refused(home):
    for query in ({}, {"server": ""}, {"server": "a", "offset": -1}, {"server": "a", "count": 0}, {"server": "a", "count": 201}):
        assert home.api.get("/api/library", query).status == 400, query


def test_the_speakers_own_library_has_its_icon(tmp_path):
    make_music(tmp_path / "music")
    with contextlib.closing(SpeakerAtHome(tmp_path, more=("--library-folder", f"{tmp_path}/music"))) as home:
        page = Page(BASE, machine=home.there)
        own = wait_until(lambda: next((one for one in page.get("/api/servers").json["servers"] if one.get("own")), None))
        answer = page.get(own["icon"])
        assert (answer.status, answer.headers["Content-Type"]) == (200, "image/png")
