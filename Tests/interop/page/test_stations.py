"""Stations by name: the API over a mirror of the directory, and the servers of the directory in the DNS."""

import contextlib

import pytest

import network
from network import NetworkedRenderer
from page_api import Page
from processes import wait_until
from station_directory import ALL, DOMAIN, SERVICE, DirectoryServer, Names, station
from test_page_art import certificate
from test_radio import LIVE

MISSING = "00000000-0000-4000-8000-999999999999"


@pytest.fixture
def stations(media):
    live = media.url("cbr.mp3", LIVE)
    return [
        station(1, "  Radio Jazz\n24", "http://192.0.2.9/list.m3u", url_resolved=live, tags="jazz,smooth jazz,",
                country="France", countrycode="FR", language="french", favicon="http://198.51.100.7/logo.png"),
        station(2, "Jazz Radio Berlin", "http://192.0.2.9/2", votes=500, tags="jazz", countrycode="DE",
                country="Germany", language="german,english", codec="UNKNOWN", bitrate=0),
        station(3, "Nachrichten", "http://192.0.2.9/3", tags="news", countrycode="DE", country="Germany", language="german"),
        station(4, "Broken Jazz", "http://192.0.2.9/4", lastcheckok=0, votes=900),
        station(5, "Jazz by another protocol", "rtsp://192.0.2.9/5", votes=900),
        station(6, "Jazz again", live, votes=1),
    ]  # fmt: skip


@pytest.fixture
def server(stations):
    with contextlib.closing(DirectoryServer(stations)) as server:
        yield server


@pytest.fixture
def page(server, start):
    return Page(start(more=("--radio-directory", server.url)))


def search(page, words, **more):
    answer = page.get("/api/stations/search", {"q": words, **more})
    assert answer.status == 200, answer
    return answer.json


def titles(page, words, **more):
    return [one["title"] for one in search(page, words, **more)["items"]]


def test_stations_are_found_by_name_country_language_and_tag(page, server):
    assert titles(page, "jazz") == ["Jazz Radio Berlin", "Radio Jazz 24"]
    assert titles(page, "tag:news") == ["Nachrichten"]
    assert titles(page, "country:france") == titles(page, "country:fr") == ["Radio Jazz 24"]
    assert titles(page, "jazz language:german country:de") == ["Jazz Radio Berlin"]
    assert titles(page, "tag:smooth jazz") == ["Radio Jazz 24"]
    assert titles(page, "nothing like it") == []
    assert server.searches[0] == {
        "name": "jazz", "hidebroken": "true", "order": "votes", "reverse": "true", "limit": "200"
    }  # fmt: skip
    assert all("swiftlet/" in agent for agent in server.agents), server.agents


def test_words_match_in_any_order_if_not_in_the_given_one(page):
    assert titles(page, "berlin jazz") == ["Jazz Radio Berlin"]
    assert titles(page, "24 JAZZ") == ["Radio Jazz 24"]


def test_a_station_has_its_facts(page, media):
    answer = search(page, "Radio Jazz")
    assert answer["total"] == 1
    one = answer["items"][0]
    assert one.pop("art").startswith("/api/art/")
    assert one == {
        "id": "00000000-0000-4000-8000-000000000001", "title": "Radio Jazz 24", "uri": media.url("cbr.mp3", LIVE),
        "art_uri": "http://198.51.100.7/logo.png", "codec": "MP3", "bit_rate": 128000, "country": "France",
        "country_code": "FR", "languages": ["french"], "tags": ["jazz", "smooth jazz"], "votes": 99,
        "summary": "France · jazz, smooth jazz · MP3 128 kbit/s",
    }  # fmt: skip
    one = search(page, "Berlin")["items"][0]
    assert {"codec", "bit_rate", "art"}.isdisjoint(one)
    assert titles(page, "jazz", offset=1, count=1) == ["Radio Jazz 24"]


def test_nobody_is_contacted_before_a_search(page, server):
    assert page.state["presets"]["searchable"] is True
    page.do("presets/try", {"uri": "http://192.0.2.9/x"})
    assert server.requests == []


def test_the_answer_is_kept(page, server):
    assert titles(page, "jazz") == titles(page, "jazz") == titles(page, " jazz ")
    assert len(server.searches) == 1


def test_a_station_plays_and_is_reported_once(page, server, media):
    one = search(page, "Radio Jazz")["items"][0]
    page.do("stations/play", {"id": one["id"]})
    playing = wait_until(lambda: (now := page.state["playing"])["state"] == "playing" and now)
    assert (playing["uri"], playing["station"]) == (media.url("cbr.mp3", LIVE), "Radio Jazz 24")
    wait_until(lambda: server.clicks == [one["id"]])
    page.do("stations/play", {"id": one["id"]})
    search(page, "tag:news")
    assert server.clicks == [one["id"]]


def test_a_station_plays_by_its_id_without_a_search(page, server):
    page.do("stations/play", {"id": "00000000-0000-4000-8000-000000000001"})
    wait_until(lambda: page.state["playing"]["state"] == "playing")
    for unknown in (MISSING, "../../json/add", "", "x" * 300):
        assert page.post("stations/play", {"id": unknown}).problem(404) == "/problems/unknown-station"
    assert all(path.startswith(("/json/stations/byuuid/0", "/json/url/0")) for path, _ in server.requests), server.requests


def test_stations_become_presets_and_pins(page, server):
    one = search(page, "Radio Jazz")["items"][0]
    page.do("presets/add", {"title": one["title"], "uri": one["uri"], "art": one["art_uri"]})
    page.do("pins/set", {"index": 0, "what": "station", "title": one["title"], "uri": one["uri"], "art": one["art"]})
    # Both still play when the directory is gone.
    server.close()
    state = page.state
    page.do("presets/play", {"id": state["presets"]["items"][0]["id"]})
    wait_until(lambda: page.state["playing"]["state"] == "playing")
    page.do("pins/play", {"index": 0})
    assert state["pins"]["items"][0]["title"] == "Radio Jazz 24"


@pytest.mark.parametrize(
    ("behaviour", "status", "detail"),
    [
        ("status", 502, "127.0.0.1 answered with HTTP status 503."),
        ("garbage", 502, "127.0.0.1 sent an answer that cannot be read."),
        ("object", 502, "127.0.0.1 sent an answer that cannot be read."),
        ("huge", 502, "The answer of 127.0.0.1 is too large."),
        ("truncated", 502, "127.0.0.1 sent no complete answer."),
        ("silent", 504, "did not answer in time"),
        ("drip", 504, "did not answer in time"),
    ],
)
def test_a_directory_that_fails_is_named(page, server, behaviour, status, detail):
    server.behaviour = behaviour
    answer = page.get("/api/stations/search", {"q": "jazz"})
    kind = answer.problem(status, detail)
    assert kind == f"/problems/directory-{'timeout' if status == 504 else 'failed'}"
    # The failure is not kept.
    server.behaviour = None
    assert len(titles(page, "jazz")) == 2


def test_a_directory_that_is_down_is_named(page, server):
    server.close()
    answer = page.get("/api/stations/search", {"q": "jazz"})
    assert answer.problem(502, "127.0.0.1 accepts no connection.") == "/problems/directory-failed"
    assert answer.json["arguments"] == {"reason": "127.0.0.1 accepts no connection."}


def test_wrong_requests_are_refused(page, server):
    for query in ({"q": "x" * 201}, {"count": 0}, {"count": 201}, {"offset": -1}):
        page.get("/api/stations/search", query).problem(400)
    assert server.requests == []


def test_guests_search_and_do_not_play(page, server):
    token = page.do("lock", {"pin": "1234"})["token"]
    found = search(page, "Radio Jazz")["items"][0]
    assert page.post("stations/play", {"id": found["id"]}).problem(403) == "/problems/locked"
    assert page.post("stations/play", {"id": MISSING}).problem(403) == "/problems/locked"
    assert page.post("stations/play", {"id": found["id"]}, Authorization=f"Bearer {token}").status == 200


@pytest.mark.keys("country")
def test_without_words_the_popular_stations_of_the_country_are_listed(server, start):
    page = Page(start(more=("--radio-directory", server.url + "/", "--country", "de")))
    assert titles(page, "") == ["Jazz Radio Berlin", "Nachrichten"]
    assert server.searches[0]["countrycode"] == "DE"


@pytest.mark.keys("radio_directory")
def test_the_directory_can_be_off(start):
    page = Page(start(more=("--radio-directory", "off")))
    assert page.state["presets"]["searchable"] is False
    page.get("/api/stations/search").problem(404)
    page.post("stations/play", {"id": MISSING}).problem(404)


# The servers of the directory

HERE, ROUTER = "192.0.2.1", "192.0.2.2"
#: Addresses of servers on the internet, behind the router.
FIRST, SECOND, THIRD = "198.51.100.1", "198.51.100.2", "198.51.100.3"
NAMES = {FIRST: f"de1.api.{DOMAIN}", SECOND: f"nl1.api.{DOMAIN}", THIRD: "directory.example"}


class Internet:
    """A speaker that trusts the certificates of three servers, and the name server that it asks."""

    def __init__(self, folder):
        self.machine, self.router = network.Machine(), network.Machine()
        network.connect(self.machine, "eth0", self.router, "eth0")
        self.machine.ip("address", "add", f"{HERE}/24", "dev", "eth0")
        self.machine.ip("route", "add", "default", "via", ROUTER)
        self.router.ip("address", "add", f"{ROUTER}/24", "dev", "eth0")
        self.servers, trusted = {}, ""
        for address, name in NAMES.items():
            self.router.ip("address", "add", f"{address}/32", "dev", "lo")
            files = certificate(folder / name, name)
            trusted += (files / "certificate.pem").read_text()
            stations = [station(1, f"Station of {name}", "http://192.0.2.9/1")]
            self.servers[address] = DirectoryServer(stations, (address, 443), files, self.router.do)
        (folder / "trusted.pem").write_text(trusted)
        (folder / "hosts").write_text("127.0.0.1 localhost\n")
        (folder / "resolv.conf").write_text(f"nameserver {ROUTER}\noptions timeout:1 attempts:1\n")
        self._binds = {
            folder / "hosts": "/etc/hosts", folder / "resolv.conf": "/etc/resolv.conf",
            folder / "trusted.pem": "/etc/ssl/certs/ca-certificates.crt",
        }  # fmt: skip
        self.names = self.router.do(lambda: Names((ROUTER, 53))).serve()
        for address, name in NAMES.items():
            self.names.add_address(name, address)
        self._speakers = []

    def speaker(self, state):
        script = " && ".join(f"mount --bind {source} $(readlink -f {path})" for source, path in self._binds.items())
        speaker = NetworkedRenderer(
            self.machine, state, interfaces=["eth0"], more=("--config", "/dev/null", "--status-socket", f"{state}/status"),
            before=("unshare", "--mount", "sh", "-c", f'{script} && exec "$@"', "sh"),
        )  # fmt: skip
        self._speakers.append(speaker)
        return Page(speaker.wait_for(r"http://192\.0\.2\.1:\d+/renderer/\S*").group(), machine=self.router)

    def close(self):
        for speaker in self._speakers:
            speaker.stop()
            print("\n".join(speaker.out + speaker.err))
        for server in self.servers.values():
            server.close()
        self.names.shutdown()
        self.names.server_close()
        for machine in (self.machine, self.router):
            machine.remove()


@pytest.fixture
def internet(tmp_path):
    with contextlib.closing(Internet(tmp_path)) as internet:
        yield internet


@network.needs_namespaces
def test_servers_are_found_by_their_service_records(internet, tmp_path):
    """A server outside of the domain is not asked, even with the best rank; of the others, the best rank is."""
    internet.names.add_service((5, 443, NAMES[THIRD]), (10, 443, NAMES[SECOND]), (20, 443, NAMES[FIRST]))
    page = internet.speaker(tmp_path / "state")
    assert internet.names.questions == []
    assert titles(page, "station") == [f"Station of {NAMES[SECOND]}"]
    # A server that fails is replaced by the next one, and not asked again.
    internet.servers[SECOND].behaviour = "garbage"
    assert titles(page, "of") == titles(page, "tion") == [f"Station of {NAMES[FIRST]}"]
    assert [len(server.searches) for server in internet.servers.values()] == [2, 2, 0]
    assert [name for name, kind in internet.names.questions if kind == Names.SRV] == [SERVICE]


@network.needs_namespaces
def test_a_server_that_is_down_is_skipped(internet, tmp_path):
    internet.names.add_service((10, 444, NAMES[SECOND]), (20, 443, NAMES[FIRST]))
    page = internet.speaker(tmp_path / "state")
    assert titles(page, "station") == [f"Station of {NAMES[FIRST]}"]


@network.needs_namespaces
def test_without_service_records_the_names_of_all_addresses_are_used(internet, tmp_path):
    """The certificates are checked against these names."""
    internet.names.add_address(ALL, SECOND, THIRD)
    for address in (SECOND, THIRD):
        internet.names.add_reverse(address, NAMES[address])
    page = internet.speaker(tmp_path / "state")
    assert titles(page, "station") == [f"Station of {NAMES[SECOND]}"]
    assert not internet.servers[THIRD].requests


@network.needs_namespaces
def test_without_names_the_failure_is_clear(internet, tmp_path):
    page = internet.speaker(tmp_path / "state")
    answer = page.get("/api/stations/search", {"q": "jazz"})
    answer.problem(502, "The names of its servers are unknown. Is there a connection to the internet?")
    # Once there is one, the next search works.
    internet.names.add_service((10, 443, NAMES[FIRST]))
    assert titles(page, "station") == [f"Station of {NAMES[FIRST]}"]
