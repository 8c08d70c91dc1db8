"""What the page shows of stations, broken tracks, standby and wrong settings, and on very small screens."""

import pytest

import network
import sound
from browser import DESKTOP, PHONE, eventually, go

pytestmark = network.needs_namespaces

LIVE = "endless=1&length=no&ranges=no&rate=40000&icy=4000&icy-title=0:Now%20%26%20Then"
LONG = "noise12-44100-16-2-30s.flac"


@pytest.fixture(scope="module")
def music(home, fixtures):
    """The address of a file of the media server."""
    assert LONG in fixtures
    base = home.serve(sound.FOLDER)
    return lambda name, query="": f"{base}/{name}?{query}" if query else f"{base}/{name}"


@pytest.fixture
def browser(home, browser):
    home.post("/api/standby", standby=False)
    home.post("/api/source", source="playlist")
    home.post("/api/queue/clear")
    return browser


def test_a_station_is_shown_beside_the_title_of_its_stream(home, browser, music):
    home.post("/api/presets/add", title="Radio Paradiso", uri=music("cbr.mp3", LIVE))
    (preset,) = home.state["presets"]["items"]
    home.post("/api/presets/play", id=preset["id"])
    for device in (PHONE, DESKTOP):
        page = browser.open("/#/now", **device)
        eventually(lambda page=page: page.locator("sw-now h1").text_content() == "Now & Then")
        assert "Radio Paradiso" in page.locator("sw-now .titles").text_content()
        for mode in ("Repeat", "Shuffle"):
            assert page.locator(f"sw-now [aria-label='{mode}']").is_hidden()
        go(page, "queue")
        assert "Radio Paradiso" in page.locator("sw-mini").text_content()
    home.post("/api/stop")
    home.post("/api/source", source="playlist")
    go(page, "now")
    page.locator("sw-now [aria-label='Repeat']").wait_for()
    home.post("/api/presets/remove", id=preset["id"])


@pytest.mark.parametrize("language, sentence", [("en", "There is no such file."), ("de", "Diese Datei gibt es nicht.")])
def test_a_skipped_track_is_named_and_marked(home, browser, music, language, sentence):
    home.fill([{"uri": music("nothing-here.flac"), "title": "Broken"}, {"uri": music(LONG), "title": "Sound"}])
    page = browser.open("/#/queue", language=language)
    eventually(lambda: page.locator("sw-queue [role=listitem]").count() == 2)
    home.post("/api/queue/play", id=home.get("/api/queue")["items"][0]["id"])
    page.locator(".toast", has_text=sentence).wait_for()
    assert "Broken" in page.locator(".toast").text_content()
    row = page.locator("sw-queue [role=listitem]", has_text="Broken")
    eventually(lambda: sentence in row.text_content())
    assert row.locator(".broken").is_visible()
    assert page.locator("sw-queue .broken:visible").count() == 1
    home.post("/api/stop")


def test_standby_looks_like_standby(home, browser, music):
    home.fill([{"uri": music(LONG), "title": "Sound"}])
    home.post("/api/queue/play", id=home.get("/api/queue")["items"][0]["id"])
    page = browser.open("/#/now", **PHONE)
    eventually(lambda: page.locator("sw-now h1").text_content() == "Sound")
    home.post("/api/standby", standby=True)
    eventually(lambda: page.locator("sw-now h1").text_content() == "In standby")
    for part in ("sw-progress", "sw-transport", ".signal"):
        assert not page.locator(f"sw-now {part}").is_visible(), part
    go(page, "queue")
    assert "In standby" in page.locator("sw-mini").text_content()
    go(page, "now")
    page.get_by_role("button", name="Wake up").click()
    eventually(lambda: not home.state["source"]["standby"])
    eventually(lambda: page.locator("sw-now h1").text_content() == "Sound")


def test_titles_from_right_to_left_stay_at_their_picture(home, browser):
    home.fill([{"uri": "http://192.0.2.2:9/a", "title": "شارع الموسيقى", "artist": "فيروز"}])
    page = browser.open("/#/queue")
    eventually(lambda: "شارع" in page.locator("sw-queue").text_content())
    gaps = page.evaluate("""() => {
      const row = document.querySelector('sw-queue .row'), art = row.querySelector('.art').getBoundingClientRect()
      return [...row.querySelectorAll('.row-title, .row-more')].map(element => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return range.getBoundingClientRect().left - art.right
      })
    }""")  # fmt: skip
    assert len(gaps) == 2 and all(0 <= gap < 30 for gap in gaps), gaps


#: A screen of 1280 by 1024, 1920 by 1080 or 1440 by 900 pixels, zoomed by 400 %.
@pytest.mark.parametrize("width, height", [(320, 256), (480, 270), (360, 225), (800, 256)])
def test_zoom_leaves_half_of_the_screen_to_the_content(home, browser, width, height):
    home.fill([{"uri": "http://192.0.2.2:9/a", "title": f"Title {number}"} for number in range(9)])
    page = browser.open(viewport={"width": width, "height": height})
    for view in ("now", "queue", "library", "settings", "health"):
        go(page, view)
        content = page.locator("main").bounding_box()
        assert content["height"] * content["width"] >= width * height / 2, (view, content)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
    # Menus and dialogs fit, too.
    go(page, "radio")
    page.get_by_role("button", name="Add station").click()
    box = page.get_by_role("dialog").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= height
    page.keyboard.press("Escape")


@pytest.mark.parametrize("width, height", [(360, 640), (390, 844), (667, 375), (740, 360), (844, 390)])
def test_a_phone_has_transport_and_volume_on_every_view(home, browser, width, height):
    home.fill([{"uri": "http://192.0.2.2:9/a", "title": f"Title {number}"} for number in range(9)])
    page = browser.open(**{**PHONE, "viewport": {"width": width, "height": height}})
    for view in ("now", "queue", "library"):
        go(page, view)
        player = page.locator("sw-now" if view == "now" else "sw-mini")
        for name in ("Play", "Mute" if view == "now" else "Volume"):
            player.get_by_role("button", name=name, exact=True).or_(player.get_by_role("slider", name=name)).first.wait_for()
    # Nothing in the queue's heading is cut off or in several lines.
    go(page, "queue")
    page.get_by_role("button", name="Clear").wait_for()
    boxes = page.evaluate("""[...document.querySelectorAll('.view-head :is(.count, button:not([hidden]))')].map((element) => {
      const { right, height } = element.getBoundingClientRect()
      return [right <= innerWidth, height < 50]
    })""")
    assert all(is_inside and is_one_line for is_inside, is_one_line in boxes), boxes


@pytest.mark.parametrize("value, words", [("101", "from 0 to 100"), ("-1", "from 0 to 100"), ("1.5", "whole number")])
def test_a_wrong_number_says_so_beside_its_field(home, browser, value, words):
    page = browser.open("/#/settings", **PHONE)
    field = page.get_by_label("Startup volume")
    field.fill(value)
    field.press("Enter")
    row = page.locator(".setting", has=field)
    row.locator(".problem", has_text=words).wait_for()
    assert field.get_attribute("aria-invalid") == "true"
    message, at = row.locator(".problem").bounding_box(), field.bounding_box()
    assert 0 <= message["y"] - at["y"] - at["height"] < 40
    # The right number takes the message away.
    field.fill("40")
    field.press("Enter")
    row.get_by_text("Saved").wait_for()
    assert row.locator(".problem:not(:empty)").count() == 0
    home.post("/api/settings", key="startup_volume", value=None)


# For text whose box hides what is outside: the room below the baseline holds the letters that go below it. Ascent, descent and the
# depth of a “g” of Noto Sans, which needs the most room of the fonts in the stylesheet.
CUT = """([ascent, descent, depth]) => {
  const faults = []
  for (const element of document.querySelectorAll('sw-app *')) {
    const style = getComputedStyle(element)
    const isText = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())
    if (!isText || style.overflowY === 'visible' || !element.checkVisibility() || element.closest('.hidden-text')) continue
    const line = parseFloat(style.lineHeight) / parseFloat(style.fontSize)
    const room = descent + (line - ascent - descent) / 2 + parseFloat(style.paddingBottom) / parseFloat(style.fontSize)
    if (room < depth) faults.push(`${element.textContent.trim().slice(0, 30)}: ${room.toFixed(3)}`)
  }
  return faults
}"""
NOTO_SANS = [1.069, 0.293, 0.24]


@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_no_letter_is_cut_at_the_bottom(browser, device):
    page = browser.open(**device)
    for view in ("now", "queue", "library", "radio", "pins", "speakers", "settings", "health"):
        go(page, view)
        page.wait_for_timeout(100)
        assert page.evaluate(CUT, NOTO_SANS) == [], view


def test_a_refused_choice_is_taken_back(browser):
    page = browser.open("/#/settings")
    choice = page.get_by_label("Even loudness", exact=True)
    before = choice.input_value()
    other = next(value for value in choice.locator("option").evaluate_all("all => all.map(({ value }) => value)") if value != before)
    page.route("**/api/settings", lambda route: route.fulfill(
        status=409, content_type="application/problem+json", json={"status": 409, "detail": "Not now."}))  # fmt: skip
    choice.select_option(other)
    page.get_by_text("Not now.").wait_for()
    assert choice.input_value() == before
