"""Stations of the directory on the page."""

import contextlib

import pytest

import network
import sound
from browser import NEIGHBOUR, PHONE, SpeakerAtHome, eventually, go
from station_directory import DirectoryServer, station
from test_page import LONG, named

pytestmark = network.needs_namespaces

PORT = 8123


@pytest.fixture(scope="module")
def home(tmp_path_factory, fixtures):
    speaker = SpeakerAtHome(
        tmp_path_factory.mktemp("stations"), more=("--radio-directory", f"http://{NEIGHBOUR}:{PORT}", "--country", "FR")
    )
    assert LONG in fixtures
    speaker.music = f"{speaker.serve(sound.FOLDER)}/{LONG}"
    yield speaker
    speaker.close()


@pytest.fixture
def server(home):
    stations = [
        station(1, "Radio Jazz", home.music, tags="jazz", country="France", countrycode="FR"),
        station(2, "Jazz <b>Berlin</b>", home.music + "?2", tags="jazz", country="Germany", countrycode="DE"),
        station(3, "Chanson", home.music + "?3", country="France", countrycode="FR"),
    ]
    home.post("/api/stop")
    home.post("/api/source", source="playlist")
    for preset in home.state["presets"]["items"]:
        home.post("/api/presets/remove", id=preset["id"])
    for index in range(6):
        home.post("/api/pins/clear", index=index)
    server = DirectoryServer(stations, (NEIGHBOUR, PORT), do=home.there.do)
    with contextlib.closing(server):
        yield server


def find(page, words):
    field = page.get_by_role("searchbox")
    field.fill(words)
    field.press("Enter")


def shown(page):
    return page.locator("sw-radio .row-title").all_text_contents()


@pytest.mark.parametrize(
    ("device", "number", "summary"), [({}, 0, "France · jazz · MP3"), (PHONE, 1, "Germany · jazz · MP3")]
)
def test_a_station_is_found_played_saved_and_pinned(home, browser, server, device, number, summary):
    """Another station on each device, because a station is reported once a day."""
    one = server.stations[number]
    page = browser.open("/#/radio", **device)
    page.get_by_text("No stations yet").wait_for()
    assert not server.requests
    find(page, "jazz")
    eventually(lambda: shown(page) == ["Radio Jazz", "Jazz <b>Berlin</b>"])
    page.get_by_text(summary).wait_for()
    named(page, f"Play {one['name']}").click()
    eventually(lambda: home.state["playing"].get("uri") == one["url"])
    page.locator("sw-radio .is-current").wait_for()
    eventually(lambda: server.clicks == [one["stationuuid"]])
    options = named(page, f"Options for {one['name']}")
    options.click()
    page.get_by_role("menuitem", name="Add station").click()
    page.get_by_text("Station added").wait_for()
    options.click()
    page.get_by_role("menuitem", name="Pin").click()
    page.get_by_role("menuitem", name="1 ·").click()
    eventually(lambda: home.state["pins"]["items"])
    assert home.state["pins"]["items"][0]["title"] == one["name"]
    options.click()
    assert page.get_by_role("menuitem", name="Add station").count() == 0
    page.keyboard.press("Escape")
    # The link leads back to the presets.
    page.get_by_role("link", name="Stations", exact=True).click()
    eventually(lambda: shown(page) == [one["name"]])
    assert page.get_by_role("searchbox").input_value() == ""
    page.go_back()
    eventually(lambda: len(shown(page)) == 2)
    assert page.get_by_role("searchbox").input_value() == "jazz"


def test_popular_stations_are_those_of_the_country(home, browser, server):
    page = browser.open("/#/radio")
    page.get_by_role("link", name="Popular nearby").click()
    eventually(lambda: shown(page) == ["Radio Jazz", "Chanson"])
    find(page, "polka")
    page.get_by_text("Nothing found").wait_for()


def test_a_directory_that_is_down_is_named_and_presets_play(home, browser, server):
    home.post("/api/presets/add", title="Saved", uri=home.music)
    server.behaviour = "status"
    page = browser.open("/#/radio", language="de")
    find(page, "berlin")
    page.get_by_role("heading", name="Das Senderverzeichnis ist nicht zu erreichen").wait_for()
    count = len(server.requests)
    page.get_by_role("link", name="Sender", exact=True).click()
    eventually(lambda: shown(page) == ["Saved"])
    named(page, "Saved abspielen").click()
    eventually(lambda: home.state["playing"]["state"] == "playing")
    assert len(server.requests) == count
    # The next search asks again.
    server.behaviour = None
    find(page, "berlin")
    eventually(lambda: shown(page) == ["Jazz <b>Berlin</b>"])


def test_the_key_for_the_search_leads_to_the_field(browser, server):
    page = browser.open("/#/radio")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "q"
    go(page, "library")
