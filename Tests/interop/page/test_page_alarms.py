"""The sleep timer and the alarms on the page."""

import datetime

import pytest

import database
import network
from browser import DESKTOP, PHONE, eventually, go
from test_page import named

pytestmark = network.needs_namespaces


@pytest.fixture
def browser(home, music, browser):
    """The browser, of a speaker without alarms."""
    home.post("/api/sleep")
    for alarm in home.state["alarms"]["items"]:
        home.post("/api/alarms/remove", id=alarm["id"])
    home.post("/api/stop")
    home.fill([{"uri": music(), "title": "Track", "artist": "Artist"}])
    return browser


def alarms(home):
    return home.state["alarms"]["items"]


@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_alarms_are_added_changed_and_removed(home, browser, device):
    page = browser.open("/#/alarms", **device)
    page.get_by_text("No alarms").wait_for()
    named(page, "Add alarm").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Time").fill("06:45")
    for day in ("Mon", "Tue", "Wed"):
        form.get_by_role("checkbox", name=day).check()
    form.get_by_label("Plays").select_option("tone")
    form.get_by_label("Volume").fill("101")
    named(form, "Save").click()
    form.get_by_text("from 0 to 100").wait_for()
    form.get_by_label("Volume").fill("30")
    form.get_by_label("Name").fill("Work")
    named(form, "Save").click()
    eventually(lambda: len(alarms(home)) == 1)
    alarm = alarms(home)[0]
    assert (alarm["time"], alarm["days"], alarm["what"], alarm["volume"], alarm["name"]) == (
        "06:45", ["mon", "tue", "wed"], "tone", 30, "Work",
    )  # fmt: skip
    page.get_by_text("Mon–Wed · Built-in tone · Volume 30").wait_for()
    page.get_by_role("switch", name="06:45 Work").click()
    eventually(lambda: not alarms(home)[0]["enabled"])
    page.get_by_role("button", name="Edit: 06:45 Work").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Plays").select_option("playlist")
    form.get_by_label("Address of the playlist").fill("nonsense")
    named(form, "Save").click()
    form.get_by_text("An address starts with").wait_for()
    form.get_by_label("Address of the playlist").fill("http://192.0.2.9/a.m3u")
    named(form, "Save").click()
    eventually(lambda: alarms(home)[0].get("uri") == "http://192.0.2.9/a.m3u")
    assert alarms(home)[0]["enabled"]
    named(page, "Options for 06:45 Work").click()
    page.get_by_role("menuitem", name="Remove").click()
    eventually(lambda: not alarms(home))
    page.get_by_text("No alarms").wait_for()


def test_the_sleep_timer_counts_on_every_view(home, browser):
    page = browser.open("/#/alarms")
    off = page.locator("sw-alarms").get_by_role("button", name="Off", exact=True)
    off.wait_for(state="hidden")
    named(page, "30 min").click()
    off.wait_for()
    eventually(lambda: (home.state["sleep"] or {}).get("minutes") == 30)
    bar = page.locator("sw-alarm-bar")
    bar.get_by_text("Sleep timer: 29:").wait_for()
    go(page, "queue")
    assert bar.is_visible()
    first = bar.text_content()
    eventually(lambda: bar.text_content() != first)
    named(page, "Turn the sleep timer off").click()
    eventually(lambda: home.state["sleep"] is None)
    eventually(bar.is_hidden)


def test_an_alarm_that_rings_is_on_every_view(home, browser):
    """The speaker was off when the alarm was due."""
    now = datetime.datetime.now(datetime.UTC).astimezone()
    due = now - datetime.timedelta(minutes=3)
    home.post("/api/alarms/add", time=due.strftime("%H:%M"), what="queue", name="Up", ramp=0)
    home.renderer.stop()
    state = home.folder / "state"
    saved = database.settings(state, "alarms")
    database.replace(state, "alarms", {**saved, "settled": str(int(due.timestamp()) - 120)})
    home.start()
    page = browser.open("/#/radio")
    bar = page.locator("sw-alarm-bar")
    bar.get_by_text("Up rings").wait_for()
    eventually(lambda: home.state["playing"]["state"] == "playing")
    named(bar, "Snooze").click()
    bar.get_by_text("Up: snoozed until").wait_for()
    go(page, "queue")
    named(bar, "Stop").click()
    eventually(bar.is_hidden)
    assert home.state["playing"]["state"] == "stopped"


def test_guests_see_alarms_but_change_nothing(home, browser):
    home.post("/api/alarms/add", time="06:45", what="tone", name="Work")
    token = home.post("/api/lock", pin="2468")["token"]
    try:
        page = browser.open("/#/alarms")
        page.get_by_text("06:45 Work").wait_for()
        eventually(lambda: page.get_by_role("switch", name="06:45 Work").is_disabled())
        assert page.get_by_role("button", name="Edit: 06:45 Work").is_disabled()
        assert named(page, "30 min").is_disabled()
        assert named(page, "Add alarm").is_hidden()
    finally:
        home.post("/api/lock/remove", token=token)


@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_alarms_have_room_around_them(home, browser, device):
    for time in ("06:45", "07:00"):
        home.post("/api/alarms/add", time=time, days=["mon-fri"], what="tone")
    page = browser.open("/#/alarms", **device)
    page.locator(".alarms li").nth(1).wait_for()
    boxes = page.evaluate("""() => [...document.querySelectorAll('sw-alarms .group, .alarms li .row-text, .alarms + .hint')]
      .map(one => one.getBoundingClientRect()).map(({top, bottom}) => [top, bottom])""")
    assert all(above[1] + 8 <= below[0] for above, below in zip(boxes, boxes[1:], strict=False)), boxes
