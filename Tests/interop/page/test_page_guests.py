"""The page of a locked speaker: what guests may do, and the PIN."""

import pytest

import network
from browser import DESKTOP, PHONE, eventually, go
from test_page import named

pytestmark = network.needs_namespaces


@pytest.fixture
def browser(home, music, browser):
    """The browser, with three tracks in the queue of the speaker."""
    home.post("/api/stop")
    home.post("/api/mute", muted=False)
    home.post("/api/volume", level=50)
    home.post("/api/source", source="playlist")
    home.fill([{"uri": music(), "title": f"Track {number}", "artist": "Artist"} for number in (1, 2, 3)])
    return browser


def test_guests_ask_for_the_pin(home, browser):
    page = browser.open("/#/settings")
    named(page, "Lock").click()
    page.get_by_label("PIN").fill("2468")
    page.get_by_role("dialog").get_by_role("button", name="Lock", exact=True).click()
    eventually(lambda: home.state["access"]["lock"])
    try:
        # The browser that has locked the speaker is not a guest.
        go(page, "now")
        eventually(lambda: page.locator("sw-now .play").is_enabled())
        assert page.locator(".banner.guest").is_hidden()
        page = browser.open("/#/queue")
        assert named(page, "Play Track 1").is_disabled()
        page.locator(".banner.guest").get_by_text("guests may add").wait_for()
        named(page, "Unlock").click()
        page.get_by_role("dialog").get_by_text("Guests may add").wait_for()
        page.get_by_label("PIN").fill("1111")
        unlock = page.get_by_role("dialog").get_by_role("button", name="Unlock", exact=True)
        unlock.click()
        eventually(lambda: page.locator("dialog .problem").text_content())
        page.get_by_label("PIN").fill("2468")
        unlock.click()
        eventually(lambda: page.get_by_role("dialog").count() == 0)
        named(page, "Play Track 1").click()
        eventually(lambda: home.state["playing"]["state"] == "playing")
        go(page, "settings")
        named(page, "Remove lock").click()
        eventually(lambda: not home.state["access"]["lock"])
    finally:
        if home.state["access"]["lock"]:
            token = home.post("/api/unlock", pin="2468")["token"]
            home.post("/api/lock/remove", token=token)


def test_the_owner_stays_unlocked_over_a_reload_and_in_other_tabs(home, browser):
    page = browser.open("/#/settings")
    named(page, "Lock").click()
    # The new PIN is visible, because nobody can correct a mistake in it later.
    assert page.get_by_label("PIN").get_attribute("type") == "text"
    page.get_by_label("PIN").fill("2468")
    page.get_by_role("dialog").get_by_role("button", name="Lock", exact=True).click()
    eventually(lambda: home.state["access"]["lock"])
    try:
        page.reload()
        named(page, "Remove lock").wait_for()
        assert page.locator(".banner.guest").is_hidden()
        # Another tab of the same browser.
        tab = page.context.new_page()
        tab.goto(page.url)
        named(tab, "Remove lock").wait_for()
        # After a restart the speaker no longer knows the token, and the page says so without a command.
        home.renderer.stop()
        home.start()
        for one in (page, tab):
            eventually(lambda one=one: one.locator(".banner.guest").is_visible())
    finally:
        if home.state["access"]["lock"]:
            token = home.post("/api/unlock", pin="2468")["token"]
            home.post("/api/lock/remove", token=token)


@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_guests_see_what_they_may_do(home, browser, device):
    home.post("/api/presets/add", title="Station", uri="http://192.0.2.2:9/")
    home.post("/api/play", source="playlist")
    eventually(lambda: home.state["playing"]["state"] == "playing")
    page = browser.open(**device)
    next_track = page.locator("sw-now").get_by_role("button", name="Next track", exact=True)
    eventually(next_track.is_enabled)
    token = home.post("/api/lock", pin="2468")["token"]
    try:
        now = page.locator("sw-now")
        locked = ["Next track", "Previous track", "Pause", "Shuffle", "Repeat", "Standby"]
        for name in locked:
            control = now.get_by_role("button", name=name, exact=True)
            eventually(control.is_disabled)
            assert control.get_attribute("title") == f"{name} – Locked for guests"
            assert control.get_attribute("aria-description") == "Locked for guests"
        assert now.get_by_role("slider", name="Position").is_disabled()
        assert now.locator(".source").is_disabled()
        # The volume goes down, but not up.
        volume = now.get_by_role("slider", name="Volume")
        assert volume.get_attribute("title") == "Guests may only lower the volume"
        volume.focus()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("PageDown")
        page.keyboard.press("ArrowUp")
        eventually(lambda: home.state["volume"]["level"] == 45)
        eventually(lambda: now.locator(".percent").text_content() == "45")
        mute = now.get_by_role("button", name="Mute", exact=True)
        mute.click()
        eventually(lambda: home.state["volume"]["muted"] and mute.is_disabled())
        go(page, "queue")
        eventually(named(page, "Play Track 2").is_disabled)
        assert named(page, "Remove Track 2").count() == named(page, "Clear").count() == 0
        go(page, "radio")
        eventually(named(page, "Play Station").is_disabled)
        assert named(page, "Options for Station").count() == named(page, "Add station").count() == 0
        go(page, "pins")
        eventually(named(page, "Pin 1: Empty").is_disabled)
        go(page, "settings")
        eventually(page.locator("#setting-startup_volume").is_disabled)
        # Allowed controls have not asked for the PIN.
        assert page.get_by_role("dialog").count() == 0
        home.post("/api/lock/remove", token=token)
        eventually(page.locator("#setting-startup_volume").is_enabled)
        go(page, "now")
        eventually(next_track.is_enabled)
        assert next_track.get_attribute("title") == "Next track"
    finally:
        if home.state["access"]["lock"]:
            home.post("/api/lock/remove", token=token)
        home.post("/api/presets/remove", id=home.state["presets"]["items"][-1]["id"])
