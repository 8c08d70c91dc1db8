"""The library's first page, with the lists of minidlna and gerbera, and the lists on the speaker."""

import urllib.parse

import pytest

import album_servers
import network
from browser import PHONE, Browser, eventually
from processes import wait_until

pytestmark = [network.needs_namespaces, pytest.mark.xdist_group("page-albums")]

MINIDLNA, GERBERA = album_servers.ALBUMS


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    with album_servers.running(tmp_path_factory.mktemp("home")) as servers:
        for server in (MINIDLNA, GERBERA):
            servers.album(server, "Debüt", len(album_servers.TEN))
            servers.album(server, "Two Discs", len(album_servers.TWO_DISCS))
        yield servers


@pytest.fixture
def browser(servers, tmp_path):
    browser = Browser(servers.neighbour, tmp_path)
    yield browser
    errors = browser.close_pages()
    browser.close()
    assert not errors


def open_library(browser, servers, path="", **device):
    return browser.open(f"/#/library{path}", base=f"http://{servers.api.netloc}", **device)


def titles(page, shelf):
    return page.get_by_role("region", name=shelf).locator(".row-title").all_text_contents()


@pytest.mark.parametrize("device", [PHONE, {}], ids=["phone", "desktop"])
def test_albums_of_all_servers_are_listed_once(browser, servers, device):
    page = open_library(browser, servers, **device)
    eventually(lambda: titles(page, "Albums") == ["Debüt", "Two Discs"])
    eventually(lambda: sorted(titles(page, "Recently added")) == ["Debüt", "Two Discs"])
    page.get_by_role("navigation", name="Lists").get_by_role("link", name="Artists").click()
    artists = page.locator("virtual-list .row-title")
    eventually(lambda: artists.all_text_contents() == ["Ásgeir", "Björk"])


def test_a_server_that_cannot_be_read_is_named(browser, servers):
    page = open_library(browser, servers)
    shelf = page.get_by_role("region", name="Albums")
    shelf.get_by_text("Debüt").wait_for()
    wanted = f"server={urllib.parse.quote(servers.server(GERBERA))}"
    page.route(lambda url: "/api/library?" in url and wanted in url, lambda route: route.fulfill(
        status=502, content_type="application/problem+json", json={"status": 502, "detail": "The server does not answer."}))  # fmt: skip
    page.reload()
    failure = page.get_by_text("gerbera library: The media server cannot be read")
    failure.wait_for()
    # The other server's music is shown.
    shelf.get_by_text("Debüt").wait_for()
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    failure.wait_for(state="hidden")


def test_an_album_plays_after_three_taps(browser, servers):
    page = open_library(browser, servers, **PHONE)
    page.get_by_role("region", name="Albums").get_by_role("button", name="Open Debüt").click()
    page.get_by_role("button", name="Play all").click()
    wait_until(lambda: servers.queue == album_servers.TEN)
    # A press while the answer is outstanding does nothing.
    wait_until(lambda: page.locator("sw-library [aria-busy]").count() == 0)
    page.get_by_role("button", name="Shuffle").click()
    wait_until(lambda: servers.state["modes"]["shuffle"])
    wait_until(lambda: page.locator("sw-library [aria-busy]").count() == 0)
    page.get_by_role("button", name="Play all").click()
    wait_until(lambda: not servers.state["modes"]["shuffle"])


@pytest.mark.parametrize("server", [MINIDLNA, GERBERA])
def test_one_server_is_chosen(browser, servers, server):
    page = open_library(browser, servers)
    page.get_by_role("combobox", name="Media servers").select_option(server)
    eventually(lambda: titles(page, "Albums") == ["Debüt", "Two Discs"])
    page.get_by_role("region", name="Albums").get_by_role("button", name="Open Two Discs").click()
    page.get_by_role("link", name=server).wait_for()


def test_a_track_leads_to_its_album_and_artist(browser, servers):
    page = open_library(browser, servers, f"/{urllib.parse.quote('*', safe='')}/0/yonder")
    page.get_by_role("button", name="Options for Yonder").first.click()
    page.get_by_role("menuitem", name="Go to album").click()
    page.get_by_role("heading", name="Two Discs").wait_for()
    page.get_by_role("button", name="Ásgeir").click()
    page.get_by_role("heading", name="Ásgeir").wait_for()


def test_favourites_saved_queues_and_last_tracks_stay(browser, servers):
    album = servers.album(MINIDLNA, "Debüt", len(album_servers.TEN))
    assert servers.play(MINIDLNA, "replace", container=album).status == 200
    wait_until(lambda: servers.state["playing"]["state"] == "playing")
    page = browser.open("/#/now", base=f"http://{servers.api.netloc}")
    page.get_by_role("button", name="Favourite").click()
    wait_until(lambda: servers.api.get("/api/lists").json["favorites"] == 1)
    page.evaluate("location.hash = '#/queue'")
    page.get_by_role("button", name="Save the queue").click()
    page.get_by_role("textbox", name="Name").fill("Evening <b>")
    page.get_by_role("button", name="Save", exact=True).click()
    wait_until(lambda: servers.api.get("/api/lists").json["saved"] == [{"name": "Evening <b>", "count": 10}])
    # The same name again replaces nothing that nobody has agreed to.
    servers.api.post("queue/remove", {"ids": [one["id"] for one in servers.api.get("/api/queue").json["items"]][4:]})
    page.get_by_role("button", name="Save the queue").click()
    page.get_by_role("textbox", name="Name").fill("Evening <b>")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("dialog", name="Replace Evening <b>?").get_by_role("button", name="Cancel").click()
    assert servers.api.get("/api/lists").json["saved"] == [{"name": "Evening <b>", "count": 10}]
    page.get_by_role("textbox", name="Name").fill("Night")
    page.get_by_role("button", name="Save", exact=True).click()
    wait_until(lambda: [one["name"] for one in servers.api.get("/api/lists").json["saved"]] == ["Evening <b>", "Night"])
    page = open_library(browser, servers)
    page.get_by_role("link", name="Night").click()
    page.get_by_role("button", name="Rename Night").click()
    page.get_by_role("textbox", name="Name").fill("Evening <b>")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("There is a list with this name already.").wait_for()
    page.get_by_role("textbox", name="Name").fill("Late")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("heading", name="Late", exact=True).wait_for()
    assert servers.api.get("/api/lists").json["saved"][1] == {"name": "Late", "count": 4}
    assert servers.api.post("lists/remove", {"name": "Late"}).status == 200
    assert servers.api.post("queue/clear").status == 200
    page = open_library(browser, servers)
    page.get_by_role("link", name="Recently played").wait_for()
    page.get_by_role("link", name="Evening <b>").click()
    page.get_by_role("button", name=f"Play {album_servers.TEN[3]}").click()
    wait_until(lambda: servers.state["playing"].get("title") == album_servers.TEN[3])
    assert servers.queue == album_servers.TEN
    file = servers.api.get("/api/lists/m3u", {"name": "Evening <b>"})
    assert file.status == 200 and file.body.decode().count("#EXTINF:60,Björk - ") == 10
    page.get_by_role("button", name="Remove Evening <b>").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert [one["name"] for one in servers.api.get("/api/lists").json["saved"]] == ["Evening <b>"]
    page.get_by_role("button", name="Remove Evening <b>").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()
    wait_until(lambda: servers.api.get("/api/lists").json["saved"] == [])


def test_an_album_becomes_favourites_and_one_of_them_is_removed(browser, servers):
    # A track of the other server's album would be a favourite of its own.
    assert servers.api.post("lists/remove", {"name": "favorites"}).status == 200
    page = open_library(browser, servers)
    page.get_by_role("region", name="Albums").get_by_role("button", name="Options for Debüt").click()
    page.get_by_role("menuitem", name="Add to favourites").click()
    wait_until(lambda: servers.api.get("/api/lists").json["favorites"] == 10)
    page = open_library(browser, servers)
    page.get_by_role("link", name="Favourites").click()
    page.get_by_role("button", name=f"Options for {album_servers.TEN[3]}").click()
    page.get_by_role("menuitem", name="Remove").click()
    page.get_by_text(f"Removed: {album_servers.TEN[3]}").wait_for()
    rest = album_servers.TEN[:3] + album_servers.TEN[4:]
    shown = page.get_by_role("button", name="Play", exact=False).locator(".row-title")
    eventually(lambda: shown.all_inner_texts() == rest)
    page.get_by_role("button", name="Shuffle", exact=True).and_(page.locator(".button")).click()
    wait_until(lambda: servers.state["modes"]["shuffle"] and len(servers.queue) == 9)
    page.get_by_role("button", name="Play all").click()
    wait_until(lambda: not servers.state["modes"]["shuffle"] and servers.queue == rest)
    listed = servers.api.get("/api/lists/tracks", {"name": "favorites"}).json["items"]
    assert [item["title"] for item in listed] == rest
    moved = servers.api.post("lists/remove", {"name": "favorites", "start": 3, "uri": listed[2]["uri"]})
    assert (moved.status, moved.json["type"]) == (404, "/problems/unknown-track")
    assert servers.api.post("lists/remove", {"name": "favorites", "start": 3}).status == 400
    assert servers.api.get("/api/lists").json["favorites"] == 9
    assert servers.api.post("lists/remove", {"name": "favorites"}).status == 200


def test_the_queue_is_searched(browser, servers):
    album = servers.album(MINIDLNA, "Debüt", len(album_servers.TEN))
    assert servers.play(MINIDLNA, "replace", container=album).status == 200
    page = browser.open("/#/queue", base=f"http://{servers.api.netloc}", **PHONE)
    page.get_by_text("10 tracks · 9 min left").or_(page.get_by_text("10 tracks · 10 min left")).wait_for()
    page.get_by_role("button", name="Search the queue").click()
    page.get_by_role("searchbox").fill("bjork VICTOR")
    found = page.get_by_role("list", name="Results").locator(".row-title")
    eventually(lambda: found.all_text_contents() == ["Victor"])
    page.get_by_role("button", name="Play Victor").click()
    wait_until(lambda: servers.state["playing"].get("title") == "Victor")


def test_a_file_of_the_page_is_kept_for_a_year(servers):
    text = servers.api.get("/").body.decode()
    address = text.split('type="module" src="')[1].split('"')[0]
    assert address.startswith("/page/") and address.endswith("/app.js") and address != "/page/app.js"
    assert servers.api.get(address).headers["Cache-Control"] == "max-age=31536000, immutable"
    assert servers.api.get("/page/app.js").headers["Cache-Control"] == "no-cache"
