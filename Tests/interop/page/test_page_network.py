"""The library and the other speakers on the page: MiniDLNA and a second renderer on the neighbour."""

import pytest

import network
from albums import make_album, serve_albums
from browser import PHONE, SpeakerAtHome, eventually, go
from network import NetworkedRenderer

pytestmark = network.needs_namespaces


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("network")
    speaker = SpeakerAtHome(folder)
    music = folder / "music"
    make_album(music, "Gymnopédies", "Erik Satie", ("Lent et douloureux", "Lent et triste", "Lent et grave"))
    make_album(music, "Lyric Pieces", "Edvard Grieg", ("Arietta", "Waltz"))
    server = serve_albums(speaker.there, folder, music)
    study = folder / "study"
    study.mkdir()
    make_album(study / "music", "Waltzes", "Frédéric Chopin", ("Waltz in A", "Waltz in C"))
    second = serve_albums(speaker.there, study, study / "music", "Music in the study", port=8201)
    options = ("--config", "/dev/null", "--status-socket", str(folder / "kitchen"), "--interface", "eth0")
    kitchen = NetworkedRenderer(speaker.there, folder / "other", name="Kitchen", more=options)
    yield speaker
    kitchen.stop()
    server.stop()
    second.stop()
    speaker.close()


@pytest.fixture
def browser(home, browser):
    home.post("/api/queue/clear")
    return browser


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def choose(page, item, entry):
    button(page, f"Options for {item}").click()
    page.get_by_role("menuitem", name=entry, exact=True).click()


def queued(home):
    return [item["title"] for item in home.get("/api/queue")["items"]]


def open_albums(page):
    go(page, "library")
    page.get_by_role("link", name="Music on the NAS").click()
    button(page, "Open Album").click()
    button(page, "Open Lyric Pieces").wait_for()


def test_albums_are_browsed_and_played(home, browser):
    page = browser.open(**PHONE)
    open_albums(page)
    # The covers of MiniDLNA, through the speaker.
    eventually(lambda: page.evaluate("document.querySelectorAll('sw-library .art img[src^=\"/api/art/\"]').length") == 2)
    choose(page, "Lyric Pieces", "Add to queue")
    eventually(lambda: queued(home) == ["Arietta", "Waltz"])
    button(page, "Open Gymnopédies").click()
    page.get_by_role("heading", name="Gymnopédies").wait_for()
    assert page.locator("nav.crumbs li").all_text_contents() == ["Library", "Music on the NAS", "Music", "Album"]
    button(page, "Play all").click()
    eventually(lambda: home.state["playing"].get("title") == "Lent et douloureux")
    eventually(lambda: home.state["playing"]["state"] == "playing")
    choose(page, "Lent et grave", "Play next")
    # The track is inserted directly after the current one.
    eventually(lambda: queued(home).count("Lent et grave") == 2)
    titles = queued(home)
    assert titles[titles.index("Lent et douloureux") + 1] == "Lent et grave"
    button(page, "Play Lent et triste").click()
    eventually(lambda: home.state["playing"].get("title") == "Lent et triste")
    go(page, "now")
    eventually(lambda: page.locator("sw-now .cover img").count() == 1)
    assert page.locator("sw-now .artist").text_content() == "Erik Satie"
    page.go_back()
    page.get_by_role("heading", name="Gymnopédies").wait_for()


def test_the_library_is_searched(home, browser):
    page = browser.open("/#/library")
    page.get_by_role("link", name="Music on the NAS").click()
    page.get_by_role("searchbox").wait_for()
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.type") == "search"
    page.keyboard.type("waltz")
    page.keyboard.press("Enter")
    button(page, "Play Waltz").click()
    eventually(lambda: home.state["playing"].get("title") == "Waltz")
    page.get_by_role("searchbox").fill("nothing like this")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Nothing found").wait_for()


def test_all_servers_are_searched_at_once(home, browser):
    page = browser.open("/#/library")
    page.get_by_role("link", name="Music in the study").wait_for()
    page.get_by_role("link", name="Music on the NAS").wait_for()
    page.get_by_role("searchbox").wait_for()
    page.keyboard.press("/")
    page.keyboard.type("waltz")
    page.keyboard.press("Enter")
    groups = page.locator("sw-library-search section")
    eventually(lambda: groups.count() == 2)
    assert set(groups.locator("h2").all_text_contents()) == {"Music on the NAS", "Music in the study"}
    study = groups.filter(has_text="Music in the study")
    study.get_by_role("button", name="Play Waltz in A", exact=True).click()
    eventually(lambda: home.state["playing"].get("title") == "Waltz in A")
    # Only one server has this title.
    page.get_by_role("searchbox").fill("arietta")
    page.keyboard.press("Enter")
    button(page, "Play Arietta").wait_for()
    eventually(lambda: page.get_by_text("Searching…").is_hidden())
    assert groups.locator("h2").all_text_contents() == ["Music on the NAS"]
    page.get_by_role("searchbox").fill("nothing like this")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Nothing found").wait_for()


def test_an_album_is_pinned(home, browser):
    page = browser.open()
    open_albums(page)
    choose(page, "Lyric Pieces", "Pin")
    page.get_by_role("menuitem", name="1 · Empty", exact=True).click()
    page.get_by_text("Pinned in place 1").wait_for()
    go(page, "pins")
    eventually(lambda: page.locator("sw-pins .art img[src^='/api/art/']").count() == 1)
    button(page, "Play pin 1: Lyric Pieces").click()
    eventually(lambda: queued(home) == ["Arietta", "Waltz"])
    eventually(lambda: home.state["playing"].get("title") == "Arietta")
    home.post("/api/pins/clear", index=0)


def test_guests_add_music(home, browser):
    token = home.post("/api/lock", pin="2468")["token"]
    try:
        page = browser.open()
        open_albums(page)
        button(page, "Options for Lyric Pieces").click()
        assert page.get_by_role("menuitem").all_text_contents() == ["Add to queue", "Go to artist"]
        page.keyboard.press("Escape")
        button(page, "Open Lyric Pieces").click()
        button(page, "Add Waltz to the queue").click()
        eventually(lambda: queued(home) == ["Waltz"])
        assert button(page, "Play all").count() == 0
        button(page, "Add to queue").click()
        eventually(lambda: queued(home) == ["Waltz", "Arietta", "Waltz"])
    finally:
        home.post("/api/lock/remove", token=token)


def test_a_server_that_left_is_reported(browser):
    page = browser.open("/#/library/uuid%3Aunknown/0")
    page.get_by_text("The media server cannot be read").wait_for()
    button(page, "Try again").wait_for()


def test_other_speakers(home, browser):
    page = browser.open("/#/speakers")
    card = page.locator("sw-speakers .speaker", has_text="Kitchen").first
    card.wait_for()
    volume = card.get_by_role("slider", name="Volume of Kitchen")
    eventually(lambda: volume.input_value() == "100")
    volume.focus()
    page.keyboard.press("PageDown")
    eventually(lambda: any(one["name"] == "Kitchen" and one["volume"] == 95 for one in home.get("/api/speakers")["speakers"]))
    mute = card.get_by_role("button", name="Mute Kitchen")
    mute.click()
    eventually(lambda: mute.get_attribute("aria-pressed") == "true")
    link = card.get_by_role("link", name="Open the page of Kitchen")
    assert link.get_attribute("href").startswith("http://192.0.2.2:")
