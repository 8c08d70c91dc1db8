"""The form for announcements on the page."""

import pytest

import network
from browser import DESKTOP, PHONE, SpeakerAtHome, eventually, go

pytestmark = network.needs_namespaces


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    speaker = SpeakerAtHome(tmp_path_factory.mktemp("announcement"))
    yield speaker
    speaker.close()


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_chime_and_a_wrong_address(browser, screen):
    page = browser.open(**screen)
    go(page, "speakers")
    form = page.locator("sw-announcement form")
    form.locator("input[name=uri]").fill("bell")
    form.locator("input[name=uri]").press("Enter")
    eventually(lambda: page.locator(".toast.error").count() == 1)
    form.locator("input[name=seconds]").fill("301")
    form.locator("input[name=uri]").fill("")
    form.locator("input[name=uri]").press("Enter")
    assert form.locator("input[name=seconds]:invalid").count() == 1
    form.locator("input[name=seconds]").fill("30")
    form.locator("input[name=group]").check()
    form.locator("input[name=uri]").fill("http://192.0.2.250:1/a.mp3")
    form.locator("input[name=uri]").press("Enter")
    eventually(lambda: "The server cannot be reached." in page.locator(".toasts").inner_text())
    form.locator("input[name=uri]").fill("")
    form.locator("input[name=uri]").press("Enter")
    eventually(lambda: "The announcement will be heard." in page.locator(".toasts").inner_text())
