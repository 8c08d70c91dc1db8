"""Albums of minidlna and gerbera on a speaker's page: their order, and how they replace the queue."""

import urllib.parse

import pytest

import network
import album_servers
from browser import PHONE, Browser, eventually
from processes import wait_until

pytestmark = [network.needs_namespaces, pytest.mark.xdist_group("page-albums")]

MINIDLNA, GERBERA = album_servers.ALBUMS
NUMBERED = [(title, number, None) for number, title in enumerate(album_servers.TEN, 1)]
BY_DISC = [(title, track, disc) for title, (disc, track) in album_servers.TWO_DISCS.items()]
#: Gerbera 1.1 neither reports discs nor sorts by them: the tracks of both discs alternate.
BY_TRACK = sorted(album_servers.TWO_DISCS.items(), key=lambda entry: entry[1][1])


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    with album_servers.running(tmp_path_factory.mktemp("albums")) as servers:
        yield servers


def listed(servers, server, album, **query):
    items = servers.items(server, album, **query)
    return [(item["title"], item.get("track"), item.get("disc")) for item in items]


@pytest.mark.parametrize("server", album_servers.ALBUMS)
def test_an_album_is_listed_and_played_by_its_track_numbers(servers, server):
    album = servers.album(server, "Debüt", len(album_servers.TEN))
    assert listed(servers, server, album) == NUMBERED
    # Also in parts, as the page reads them.
    assert listed(servers, server, album, offset=2, count=3) == NUMBERED[2:5]
    assert servers.play(server, "replace", container=album).status == 200
    assert servers.queue == album_servers.TEN


def test_discs_follow_each_other_though_minidlna_sends_no_disc_numbers(servers):
    album = servers.album(MINIDLNA, "Two Discs", len(album_servers.TWO_DISCS))
    assert listed(servers, MINIDLNA, album) == BY_DISC
    assert servers.play(MINIDLNA, "replace", items=[album]).status == 200
    assert servers.queue == list(album_servers.TWO_DISCS)


def test_a_server_without_discs_keeps_the_tracks_of_both_in_order(servers):
    album = servers.album(GERBERA, "Two Discs", len(album_servers.TWO_DISCS))
    tracks = [track for _, track, _ in listed(servers, GERBERA, album)]
    assert tracks == [track for _, (_, track) in BY_TRACK]


def test_a_folder_keeps_the_order_of_its_server(servers):
    servers.album(MINIDLNA, "Debüt", len(album_servers.TEN))
    folder = next(item["id"] for item in servers.items(MINIDLNA, "64") if item["title"] == "ten")
    assert [item["title"] for item in servers.items(MINIDLNA, folder)] == sorted(album_servers.TEN)


@pytest.mark.parametrize("server", album_servers.ALBUMS)
def test_swiftlet_control_plays_an_album_in_the_same_order(servers, server):
    servers.album(server, "Debüt", len(album_servers.TEN))
    servers.control("play", "Kitchen", "--replace", f"{server}:/{'/'.join(album_servers.ALBUMS[server])}/Debüt")
    wait_until(lambda: servers.queue == album_servers.TEN)
    if server == MINIDLNA:
        servers.control("play", "Kitchen", "--replace", f"{server}:/{'/'.join(album_servers.ALBUMS[server])}/Two Discs")
        wait_until(lambda: servers.queue == list(album_servers.TWO_DISCS))


@pytest.fixture
def browser(servers, tmp_path):
    browser = Browser(servers.neighbour, tmp_path)
    yield browser
    errors = browser.close_pages()
    browser.close()
    assert not errors


def open_album(browser, servers, server, title, **device):
    album = servers.album(server, title, len(album_servers.TWO_DISCS if title == "Two Discs" else album_servers.TEN))
    path = "/".join(urllib.parse.quote(part, safe="") for part in (servers.server(server), album))
    return browser.open(f"/#/library/{path}", base=f"http://{servers.api.netloc}", **device)


@pytest.mark.parametrize("device", [PHONE, {}], ids=["phone", "desktop"])
def test_rows_show_track_numbers_and_discs(browser, servers, device):
    page = open_album(browser, servers, MINIDLNA, "Two Discs", **device)
    numbers = page.locator(".list-row .number")
    eventually(lambda: numbers.all_text_contents() == [str(track) for _, track, _ in BY_DISC])
    assert page.locator(".row-disc:visible").all_text_contents() == ["Disc 1", "Disc 2"]
    page.get_by_role("button", name="Disc 2: Play Yonder", exact=True).wait_for()
    page = open_album(browser, servers, GERBERA, "Debüt", **device)
    eventually(lambda: page.locator(".list-row .number").all_text_contents() == [str(n) for n in range(1, 11)])
    assert not page.locator(".row-disc:visible").count()


def test_a_tap_on_a_track_plays_its_album_from_there(browser, servers):
    album = servers.album(MINIDLNA, "Debüt", len(album_servers.TEN))
    assert servers.play(MINIDLNA, "replace", container=album).status == 200
    wait_until(lambda: servers.state["playing"].get("title") == album_servers.TEN[0])
    page = open_album(browser, servers, MINIDLNA, "Two Discs")
    page.get_by_role("button", name="Play Nether", exact=True).click()
    wait_until(lambda: servers.state["playing"].get("title") == "Nether")
    assert servers.queue == list(album_servers.TWO_DISCS)
    page.get_by_role("button", name="Undo", exact=True).click()
    wait_until(lambda: servers.queue == album_servers.TEN)
    wait_until(lambda: servers.state["playing"].get("title") == album_servers.TEN[0])


def test_undo_resumes_the_old_track_where_it_was(browser, servers):
    album = servers.album(MINIDLNA, "Debüt", len(album_servers.TEN))
    assert servers.play(MINIDLNA, "replace", container=album).status == 200
    wait_until(lambda: servers.state["playing"].get("state") == "playing")
    assert servers.api.post("seek", {"seconds": 20}).status == 200
    assert servers.api.post("pause").status == 200

    def place():
        """Title and second of the track that is paused."""
        state = servers.state
        return state["playing"]["state"] == "paused" and (state["playing"].get("title"), state["position"]["seconds"])

    title, second = wait_until(place)
    assert title == album_servers.TEN[0] and second >= 20
    page = open_album(browser, servers, MINIDLNA, "Two Discs")
    page.get_by_role("button", name="Play Nether", exact=True).click()
    wait_until(lambda: servers.state["playing"].get("title") == "Nether")
    page.get_by_role("button", name="Undo", exact=True).click()
    assert wait_until(place) == (title, pytest.approx(second, abs=0.5))


@pytest.mark.parametrize("everywhere", [True, False], ids=["all servers", "one server"])
def test_a_tap_on_a_result_plays_all_results_from_there(browser, servers, everywhere):
    servers.album(MINIDLNA, "Debüt", len(album_servers.TEN))
    server = servers.server(MINIDLNA)
    album = servers.album(MINIDLNA, "Two Discs", len(album_servers.TWO_DISCS))
    assert servers.play(MINIDLNA, "replace", container=album).status == 200
    query = {"server": server, "q": "bjork"}
    answer = wait_until(lambda: (answer := servers.api.get("/api/library/search", query)).status == 200 and answer)
    results = [item["title"] for item in answer.json["items"]]
    assert sorted(results) == sorted(album_servers.TEN)
    path = "/".join(urllib.parse.quote(part, safe="") for part in ("*" if everywhere else server, "0", "bjork"))
    page = browser.open(f"/#/library/{path}", base=f"http://{servers.api.netloc}")
    page.get_by_role("button", name=f"Play {results[3]}", exact=True).first.click()
    wait_until(lambda: servers.state["playing"].get("title") == results[3])
    wait_until(lambda: servers.queue == results)
    page.get_by_role("button", name="Undo", exact=True).click()
    wait_until(lambda: servers.queue == list(album_servers.TWO_DISCS))


def test_a_pin_can_be_undone(browser, servers):
    first = servers.album(MINIDLNA, "Two Discs", len(album_servers.TWO_DISCS))
    album = servers.album(MINIDLNA, "Debüt", len(album_servers.TEN))
    assert servers.play(MINIDLNA, "replace", container=first).status == 200
    pin = {"index": 0, "what": "container", "title": "Debüt", "server": servers.server(MINIDLNA), "container": album}
    assert servers.api.post("pins/set", pin).status == 200
    page = browser.open("/#/pins", base=f"http://{servers.api.netloc}")
    page.get_by_role("button", name="Debüt").first.click()
    wait_until(lambda: servers.queue == album_servers.TEN)
    page.get_by_role("button", name="Undo", exact=True).click()
    wait_until(lambda: servers.queue == list(album_servers.TWO_DISCS))
    assert servers.api.post("pins/clear", {"index": 0}).status == 200


@pytest.mark.parametrize("typed", ["bjork", "BJÖRK", "Björk deb"])
def test_artists_albums_and_tracks_are_found_without_their_accents(servers, typed):
    servers.album(MINIDLNA, "Debüt", len(album_servers.TEN))
    found = {}
    for kind in ("track", "album", "artist"):
        query = {"server": servers.server(MINIDLNA), "q": typed, "kind": kind}
        # Searchable once the speaker knows how.
        answer = wait_until(lambda query=query: (answer := servers.api.get("/api/library/search", query)).status == 200 and answer)
        found[kind] = sorted(entry["title"] for entry in answer.json["items"])
    assert found["track"] == sorted(album_servers.TEN)
    assert found["album"] == ["Debüt"], "and no list of all albums"
    assert found["artist"] == (["Björk"] if " " not in typed else [])


def test_a_search_shows_artists_albums_and_tracks_and_names_who_cannot_search(browser, servers):
    servers.album(MINIDLNA, "Debüt", len(album_servers.TEN))
    servers.server(GERBERA)
    page = browser.open("/#/library", base=f"http://{servers.api.netloc}", **PHONE)
    page.get_by_role("link", name=MINIDLNA).wait_for()
    page.get_by_role("link", name=GERBERA).wait_for()
    page.get_by_role("searchbox").fill("bjork")
    page.keyboard.press("Enter")
    results = page.locator("sw-library-search section")
    eventually(lambda: results.count() == 1)
    assert results.locator("h3").all_text_contents() == ["Artists", "Albums", "Tracks"]
    page.get_by_text(f"Cannot search, only be browsed: {GERBERA}").wait_for()
    eventually(lambda: page.get_by_text("Searching…").is_hidden())
    page.get_by_role("button", name="Open Björk", exact=True).click()
    page.get_by_role("button", name="Open Debüt", exact=True).wait_for()
    # A server that cannot search has no field for it.
    page = browser.open(f"/#/library/{urllib.parse.quote(servers.server(GERBERA), safe='')}", base=f"http://{servers.api.netloc}")
    page.get_by_text(f"Cannot search, only be browsed: {GERBERA}").wait_for()
    assert page.get_by_role("searchbox").count() == 0


def test_swiftlet_control_finds_names_without_their_accents(servers):
    servers.album(MINIDLNA, "Debüt", len(album_servers.TEN))
    lines = servers.control("search", MINIDLNA, "debut").splitlines()
    assert len(lines) == len(album_servers.TEN) and all("Debüt" in line for line in lines)
