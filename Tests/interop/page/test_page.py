"""The speaker's page in Chromium. Uses each control once, at the size of a phone and of a computer."""

import pytest

import network
import sound
from browser import DESKTOP, PHONE, Refused, centre, drag_by_touch, eventually, go
from processes import ROOT

pytestmark = network.needs_namespaces

LONG = "noise12-44100-16-2-30s.flac"
DEVICES = pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])


@pytest.fixture
def browser(home, browser):
    """The browser, with the speaker in its initial state. No page may report an error."""
    home.post("/api/stop")
    home.post("/api/volume", level=50)
    home.post("/api/mute", muted=False)
    home.post("/api/modes", repeat=False, shuffle=False)
    home.post("/api/source", source="playlist")
    home.post("/api/queue/clear")
    return browser


@pytest.fixture
def queue(home, music, browser):
    """Three tracks in the queue."""
    home.fill([{"uri": music(), "title": f"Track {number}", "artist": f"Artist {number}"} for number in (1, 2, 3)])


def titles(page):
    """The titles of the queue's rows, from top to bottom."""
    return page.evaluate("""() => [...document.querySelectorAll('sw-queue [role=listitem]')]
        .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map(row => row.querySelector('.row-title').textContent)""")


def named(page, name, role="button"):
    """The visible control with this name."""
    return page.get_by_role(role, name=name, exact=True).locator("visible=true").first


@DEVICES
def test_the_player_obeys(home, browser, queue, device):
    page = browser.open("/#/queue", **device)
    named(page, "Play Track 2").click()
    eventually(lambda: home.state["playing"]["state"] == "playing")
    go(page, "now")
    heading = page.locator("sw-now h1")
    eventually(lambda: heading.text_content() == "Track 2")
    assert page.locator("sw-now .artist").text_content() == "Artist 2"
    assert "44.1 kHz" in page.locator("sw-now .format").text_content()

    named(page, "Pause").click()
    eventually(lambda: home.state["playing"]["state"] == "paused")
    named(page, "Play").click()
    eventually(lambda: home.state["playing"]["state"] == "playing")
    named(page, "Next track").click()
    eventually(lambda: heading.text_content() == "Track 3")
    named(page, "Previous track").click()
    eventually(lambda: heading.text_content() == "Track 2")

    for name in ("repeat", "shuffle"):
        mode = named(page, name.capitalize())
        mode.click()
        eventually(lambda name=name: home.state["modes"][name])
        eventually(lambda mode=mode: mode.get_attribute("aria-pressed") == "true")
        mode.click()
        eventually(lambda name=name: not home.state["modes"][name])

    # Dragging the position sends one command at the end.
    position = named(page, "Position", "slider")
    box = position.bounding_box()
    x, y = box["x"], box["y"] + box["height"] / 2
    if device is PHONE:
        drag_by_touch(page, (x + 5, y), (x + box["width"] / 2, y))
    else:
        page.mouse.move(x + 5, y)
        page.mouse.down()
        page.mouse.move(x + box["width"] / 2, y, steps=5)
        page.mouse.up()
    eventually(lambda: 12 < home.state["position"]["seconds"] < 20)


@DEVICES
def test_volume_source_and_standby(home, browser, queue, device):
    page = browser.open("/#/now", **device)
    volume = named(page, "Volume", "slider")
    eventually(lambda: volume.input_value() == "50")
    volume.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("PageUp")
    eventually(lambda: home.state["volume"]["level"] == 56)
    reading = page.locator("sw-now .reading")
    eventually(lambda: reading.locator(".percent").text_content() == "56")
    eventually(lambda: "dB" in reading.locator(".decibels").text_content())
    assert "percent" in volume.get_attribute("aria-valuetext")
    box = volume.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.25, box["y"] + box["height"] / 2)
    eventually(lambda: 20 <= home.state["volume"]["level"] <= 30)

    mute = named(page, "Mute")
    mute.click()
    eventually(lambda: home.state["volume"]["muted"])
    eventually(lambda: mute.get_attribute("aria-pressed") == "true")
    mute.click()
    eventually(lambda: not home.state["volume"]["muted"])

    named(page, "Source: Playlist").click()
    named(page, "Radio", "menuitem").click()
    eventually(lambda: home.state["source"]["current"] == "radio")
    named(page, "Source: Radio").click()
    page.keyboard.press("Escape")
    eventually(lambda: page.locator("[role=menu]").count() == 0)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Source: Radio"

    named(page, "Standby").click()
    eventually(lambda: home.state["source"]["standby"])
    named(page, "Standby").click()
    eventually(lambda: not home.state["source"]["standby"])


@DEVICES
def test_the_queue_is_edited(home, browser, queue, device):
    page = browser.open("/#/queue", **device)
    eventually(lambda: titles(page) == ["Track 1", "Track 2", "Track 3"])
    handles = page.locator("sw-queue .handle")
    start, end = centre(named(page, "Move Track 1")), centre(named(page, "Move Track 3"))
    if device is PHONE:
        drag_by_touch(page, start, (end[0], end[1] + 8))
    else:
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(end[0], end[1] + 8, steps=6)
        page.mouse.up()
    eventually(lambda: [item["title"] for item in home.get("/api/queue")["items"]] == ["Track 2", "Track 3", "Track 1"])
    eventually(lambda: titles(page) == ["Track 2", "Track 3", "Track 1"])

    # By keyboard: grab, move, drop; the focus stays on the row.
    named(page, "Move Track 1").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    eventually(lambda: [item["title"] for item in home.get("/api/queue")["items"]] == ["Track 1", "Track 2", "Track 3"])
    eventually(lambda: page.evaluate("document.activeElement.getAttribute('aria-label')") == "Move Track 1")
    # Escape cancels.
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    assert titles(page) == ["Track 1", "Track 2", "Track 3"]
    assert handles.count() == 3

    named(page, "Remove Track 2").click()
    eventually(lambda: home.state["queue"]["count"] == 2)
    eventually(lambda: titles(page) == ["Track 1", "Track 3"])
    named(page, "Undo").click()
    eventually(lambda: titles(page) == ["Track 1", "Track 2", "Track 3"])
    named(page, "Clear").click()
    eventually(lambda: home.state["queue"]["count"] == 0)
    page.get_by_text("The queue is empty").wait_for()
    named(page, "Undo").click()
    eventually(lambda: titles(page) == ["Track 1", "Track 2", "Track 3"])


def test_shortcuts(home, browser, queue):
    page = browser.open("/#/now")
    home.post("/api/queue/play", id=home.get("/api/queue")["items"][0]["id"])
    eventually(lambda: page.locator("sw-now h1").text_content() == "Track 1")
    eventually(lambda: home.state["playing"]["state"] == "playing")
    page.keyboard.press(" ")
    eventually(lambda: home.state["playing"]["state"] == "paused")
    page.keyboard.press("ArrowRight")
    eventually(lambda: home.state["position"]["seconds"] >= 10)
    page.keyboard.press("ArrowLeft")
    eventually(lambda: home.state["position"]["seconds"] < 5)
    page.keyboard.press("ArrowUp")
    eventually(lambda: home.state["volume"]["level"] == 52)
    page.keyboard.press("ArrowDown")
    eventually(lambda: home.state["volume"]["level"] == 50)
    page.keyboard.press("m")
    eventually(lambda: home.state["volume"]["muted"])
    page.keyboard.press("m")
    eventually(lambda: not home.state["volume"]["muted"])
    page.keyboard.press("2")
    page.locator("sw-queue").wait_for()
    page.keyboard.press("?")
    page.get_by_role("dialog").get_by_text("Play or pause").wait_for()
    # While a dialog is open, shortcuts have no effect. Closing it restores the focus.
    page.keyboard.press("m")
    page.keyboard.press("Escape")
    eventually(lambda: page.get_by_role("dialog").count() == 0)
    assert not home.state["volume"]["muted"]


@pytest.mark.parametrize("language, word", [("de-DE", "Warteschlange"), ("fr", "Queue")])
def test_the_page_speaks_two_languages(browser, language, word):
    page = browser.open("/#/queue", language=language)
    eventually(lambda: page.locator("sw-queue h1").text_content() == word)
    assert page.evaluate("document.documentElement.lang") == ("de" if language == "de-DE" else "en")


def test_both_languages_have_all_texts(browser):
    page = browser.open()
    source = (ROOT / "web/strings.js").read_text()
    faults = page.evaluate("""source => {
      const keys = [...source.matchAll(/^  (en|de): \\{([^]*?)^  \\},/gm)].map(([, , body]) =>
        [...body.matchAll(/(?:^|, |  )(?:'([^']+)'|(\\w+)): '/gm)].map(([, quoted, plain]) => quoted ?? plain).sort().join())
      return [keys.length, keys[0] === keys[1], keys[0].length > 500]
    }""", source)  # fmt: skip
    assert faults == [2, True, True]


def test_radio_stations_are_edited(home, browser, music):
    page = browser.open("/#/radio")
    for title in ("First", "Second"):
        named(page, "Add station").click()
        page.get_by_label("Name").fill(title)
        page.get_by_label("Address of the stream").fill("nonsense")
        named(page, "Save").click()
        page.get_by_text("An address starts with").wait_for()
        page.get_by_label("Address of the stream").fill(music())
        named(page, "Save").click()
        eventually(lambda: page.get_by_role("dialog").count() == 0)
        named(page, f"Play {title}").wait_for()
    named(page, "Play First").click()
    eventually(lambda: home.state["source"]["current"] == "radio" and home.state["playing"]["state"] == "playing")
    eventually(lambda: page.locator("sw-radio [aria-current]").count() == 1)

    named(page, "Move First").focus()
    page.keyboard.press("Alt+ArrowDown")
    eventually(lambda: [one["title"] for one in home.state["presets"]["items"]] == ["Second", "First"])

    named(page, "Options for Second").click()
    named(page, "Edit", "menuitem").click()
    page.get_by_label("Name").fill("Third")
    named(page, "Listen").click()
    named(page, "Save").click()
    eventually(lambda: [one["title"] for one in home.state["presets"]["items"]] == ["Third", "First"])
    # A removed station comes back to its place, with its picture.
    home.post("/api/presets/change", id=home.state["presets"]["items"][0]["id"], art="https://art.example/logo.png")
    eventually(lambda: "art_uri" in home.state["presets"]["items"][0])
    before = home.state["presets"]["items"]
    named(page, "Options for Third").click()
    named(page, "Remove", "menuitem").click()
    eventually(lambda: len(home.state["presets"]["items"]) == 1)
    named(page, "Undo").click()
    eventually(lambda: home.state["presets"]["items"] == before)
    assert before[0]["art_uri"] == "https://art.example/logo.png"

    for title in ("Third", "First"):
        named(page, f"Options for {title}").click()
        named(page, "Remove", "menuitem").click()
        eventually(lambda title=title: title not in [one["title"] for one in home.state["presets"]["items"]])
    page.get_by_text("No stations yet").wait_for()


def test_pins(home, browser, music):
    home.post("/api/presets/add", title="Pinned", uri=music())
    preset = home.state["presets"]["items"][-1]["id"]
    home.post("/api/presets/play", id=preset)
    eventually(lambda: home.state["playing"]["state"] == "playing")
    page = browser.open("/#/pins")
    named(page, "Pin 1: Empty").click()
    named(page, "Pin what is playing", "menuitem").click()
    eventually(lambda: [pin["index"] for pin in home.state["pins"]["items"]] == [0])
    home.post("/api/stop")
    named(page, "Play pin 1: Pinned").click()
    eventually(lambda: home.state["playing"]["state"] == "playing")
    named(page, "Options for Pinned").click()
    named(page, "Move back", "menuitem").click()
    eventually(lambda: [pin["index"] for pin in home.state["pins"]["items"]] == [1])
    named(page, "Options for Pinned").click()
    named(page, "Unpin", "menuitem").click()
    eventually(lambda: home.state["pins"]["items"] == [])

    # Pin a station that is not playing, and a playlist by its address.
    go(page, "radio")
    named(page, "Options for Pinned").click()
    named(page, "Pin", "menuitem").click()
    named(page, "3 · Empty", "menuitem").click()
    page.get_by_text("Pinned in place 3").wait_for()
    go(page, "pins")
    named(page, "Pin 4: Empty").click()
    named(page, "Pin a playlist by its address", "menuitem").click()
    page.get_by_label("Name").fill("List")
    page.get_by_label("Address of the playlist").fill("http://192.0.2.2/list.m3u")
    named(page, "Save").click()
    named(page, "Play pin 4: List").wait_for()
    assert [(pin["index"], pin["mode"], pin["title"]) for pin in home.state["pins"]["items"]] == [
        (2, "url", "Pinned"), (3, "playlist", "List"),
    ]  # fmt: skip
    for index in (2, 3):
        home.post("/api/pins/clear", index=index)
    home.post("/api/presets/remove", id=preset)


def test_settings_say_where_they_come_from(home, browser):
    page = browser.open("/#/settings")
    name = page.locator("#setting-name")
    eventually(lambda: name.input_value() == "Living room")
    # The name is set on the command line, which the page cannot override.
    assert name.is_disabled()
    assert "command line" in page.locator(".setting", has=name).text_content()
    editable = [one for one in home.get("/api/settings")["settings"] if one["key"] == "startup_volume"]
    assert editable and editable[0]["editable"]
    volume = page.locator("#setting-startup_volume")
    volume.fill("35")
    volume.press("Enter")
    row = page.locator(".setting", has=volume)
    eventually(lambda: "set here" in row.text_content())
    row.get_by_role("button").click()
    eventually(lambda: "default" in row.text_content())


def test_health(home, browser):
    page = browser.open("/#/health")
    view = page.locator("sw-health")
    eventually(lambda: "192.0.2.1" in view.text_content() and "Underruns" in view.text_content())
    eventually(lambda: view.locator(".log-lines li").count() > 1)
    page.get_by_label("Show", exact=True).select_option("error")
    eventually(lambda: "On eth0" not in page.get_by_label("Log").text_content())


def test_all_tabs_are_there_before_any_answer(browser):
    page = browser.open()
    names = page.locator("nav.tabs a").all_text_contents()
    assert names == [
        "Playing", "Queue", "Library", "Radio", "Pins", "Speakers", "Settings", "Health", "Equaliser", "Alarms",
    ]  # fmt: skip
    # No request is answered.
    page.route("**/api/**", lambda route: None)
    page.reload()
    eventually(lambda: page.locator("nav.tabs a:visible").all_text_contents() == names)


def test_unknown_routes_are_refused(home):
    with pytest.raises(Refused):
        home.get("/api/nothing")
