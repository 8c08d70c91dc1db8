"""A page far from its speaker: answers take almost a second. Nothing is sent twice, and nothing is shown that did not happen."""

import pytest

import network
from browser import eventually, go
from processes import wait_until
from test_page import named

pytestmark = network.needs_namespaces

#: Notes all values of the volume's slider.
WATCH = """() => {
  const level = document.querySelector('sw-now sw-volume sw-level');
  window.shown = [];
  const show = level.onshow;
  level.onshow = (value) => { window.shown.push(value); show?.(value); };
}"""


@pytest.fixture
def page(home, music, browser):
    home.post("/api/stop")
    home.post("/api/volume", level=20)
    home.fill([{"uri": music(), "title": f"Track {number}", "artist": "Artist"} for number in (1, 2, 3)])
    home.post("/api/lists/save", name="Evening")
    page = browser.open("/")
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 800, "downloadThroughput": 50_000, "uploadThroughput": 50_000})  # fmt: skip
    return page


def test_a_form_is_sent_once(home, page):
    go(page, "alarms")
    named(page, "Add alarm").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Plays").select_option("tone")
    named(form, "Save").dblclick()
    form.wait_for(state="detached")
    go(page, "radio")
    named(page, "Add station").click()
    form.get_by_label("Name").fill("Station")
    form.get_by_label("Address of the stream").fill("http://192.0.2.2:9/")
    named(form, "Save").dblclick()
    form.wait_for(state="detached")
    eventually(lambda: page.get_by_role("button", name="Play Station").count())
    assert len(home.state["alarms"]["items"]) == 1
    assert [one["title"] for one in home.state["presets"]["items"]] == ["Station"]


def test_a_list_is_added_once(home, page):
    go(page, "library/*/:list/Evening")
    sent = []
    page.on("request", lambda request: request.url.endswith("/api/lists/play") and sent.append(request))
    named(page, "Add to queue").dblclick()
    page.get_by_text("3 tracks added").wait_for()
    assert len(sent) == 1
    named(page, "Add to queue").click()
    wait_until(lambda: home.state["queue"]["count"] == 9)


def test_the_volume_does_not_jump_back(home, page):
    page.evaluate(WATCH)
    slider = page.locator("sw-now").get_by_role("slider", name="Volume")
    slider.focus()
    for _ in range(10):
        page.keyboard.press("ArrowUp")
        page.wait_for_timeout(90)
    wait_until(lambda: home.state["volume"]["level"] == 30)
    eventually(lambda: page.evaluate("document.querySelector('sw-now sw-volume sw-level').known") == 30)
    shown = page.evaluate("window.shown")
    assert shown == sorted(shown) and shown[-1] == 30


def test_presses_of_a_key_add_up(home, page):
    home.post("/api/queue/play", id=home.get("/api/queue")["items"][0]["id"])
    home.post("/api/pause")
    eventually(lambda: page.locator("sw-now").get_by_role("slider", name="Position").is_enabled())
    page.locator("h1").focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    wait_until(lambda: home.state["position"]["seconds"] >= 20)
