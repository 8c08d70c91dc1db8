"""The page in German: every word of the speaker has a translation, and nothing is cut."""

import re

import pytest
import yaml

import network
from browser import DESKTOP, PHONE, TABLET, Refused, SpeakerAtHome, eventually, go
from processes import ROOT

pytestmark = network.needs_namespaces

SCHEMAS = yaml.safe_load((ROOT / "docs/openapi.yaml").read_text())["components"]["schemas"]
VIEWS = ("now", "queue", "library", "radio", "pins", "speakers", "settings", "health")
WIDE = {"viewport": {"width": 1440, "height": 900}}
LANDSCAPE = {"viewport": {"width": 1180, "height": 820}, "has_touch": True}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    speaker = SpeakerAtHome(tmp_path_factory.mktemp("german"), more=("--max-volume", "90"), name="Wohnzimmer")
    yield speaker
    speaker.close()


@pytest.fixture(scope="module")
def words(home, chromium):
    """The translations of what the speaker says."""
    page = chromium.open(language="de")
    found = page.evaluate("import('/page/speaker-de.js').then(({words}) => words)")
    chromium.close_pages()
    return found


def program_names():
    """The names of problems in the program."""
    text = (ROOT / "Sources/Page/API/ProblemName.swift").read_text()
    cases = [part for line in re.findall(r"^  case (.*)$", text, re.MULTILINE) for part in line.split(", ")]
    return [re.sub(r'^`?(\w+)`?( = "(.*)")?$', lambda match: match[3] or match[1], case) for case in cases]


def test_every_problem_is_translated(words):
    names = program_names()
    assert [f"/problems/{name}" for name in names] == SCHEMAS["Problem"]["properties"]["type"]["enum"]
    assert set(words["problems"]) == set(names)


def test_every_failure_is_translated(words):
    codes = re.findall(r'case \.[\w.()]+: "(\w+)"', (ROOT / "Sources/Playback/Model/Machine/TrackFailure.swift").read_text())
    assert len(codes) > 20 and codes == SCHEMAS["Failure"]["properties"]["code"]["enum"]
    assert set(words["failures"]) == set(codes)


def test_every_loss_is_translated(words):
    codes = re.findall(r'case \.\w+: "(\w+)"', (ROOT / "Sources/Page/Speakers/GroupsPart.swift").read_text())
    assert codes and set(words["losses"]) == set(codes)


def test_every_setting_choice_and_source_is_translated(home, words):
    settings = {setting["key"]: setting for setting in home.get("/api/settings")["settings"]}
    assert len(settings) > 10
    assert set(words["settings"]) == set(words["help"]) == set(settings)
    assert set(words["defaults"]) == {key for key, setting in settings.items() if "default" not in setting}
    choices = {f"{key} {choice['value']}" for key, setting in settings.items() if setting["kind"] == "choice" for choice in setting["choices"]}
    assert set(words["choices"]) == choices
    assert set(words["sources"]) == {source["id"] for source in home.state["source"]["sources"]}
    outputs = {choice["value"] for choice in settings["output"]["choices"]}
    assert {value for value in outputs if not value.startswith("alsa:")} <= set(words["outputs"])


def test_translations_keep_their_arguments(home, words):
    """A translation inserts only what the speaker sends."""
    known = {"field", "reason", "count", "key", "detail", "name", "source", "title"}
    for kind in ("problems", "failures"):
        for code, text in words[kind].items():
            assert set(re.findall(r"\{(\w+)\}", text)) <= known, code


def test_the_settings_are_in_german(home, browser):
    page = browser.open("/#/settings", language="de", **TABLET)
    page.get_by_label("Höchste Lautstärke").wait_for()
    text = page.locator("sw-settings").inner_text()
    for setting in home.get("/api/settings")["settings"]:
        assert setting["label"] not in text, setting["key"]
        assert setting.get("why_not", "no reason") not in text
    assert "Die Option --max-volume legt es fest." in text
    # The names of choices, not their values.
    assert page.locator("#setting-log_level option").all_text_contents()[-5:] == ["Information", "Hinweis", "Warnung", "Fehler", "Kritisch"]
    assert "Verwirft den Ton" in page.locator("#setting-output").inner_text()


def test_errors_are_in_german(home, browser):
    with pytest.raises(Refused) as refused:
        home.post("/api/presets/play", id=4711)
    assert '"type":"/problems/unknown-preset"' in refused.value.problem.replace("\\/", "/")
    page = browser.open("/#/pins", language="de")
    # A pin that somebody else has just cleared.
    home.post("/api/pins/set", index=0, what="station", title="Sender", uri="http://192.0.2.2:9/x")
    tile = page.get_by_role("button", name="Favorit 1 abspielen: Sender")
    tile.wait_for()
    page.route("**/api/pins/play", lambda route: (home.post("/api/pins/clear", index=0), route.continue_()))
    tile.click()
    page.locator(".toast", has_text="Dieser Platz ist leer.").wait_for()


def test_sources_are_in_german(browser):
    page = browser.open("/#/now", language="de")
    eventually(lambda: page.locator("sw-now .source").inner_text() == "Warteschlange")


# Texts that end in an ellipsis although they are not the titles of music.
CUT = """() => [...document.querySelectorAll('sw-app *')].filter(element => {
  const style = getComputedStyle(element)
  const isText = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())
  return isText && style.overflowX !== 'visible' && element.checkVisibility() && !element.closest('.hidden-text, option')
    && element.scrollWidth > element.clientWidth + 1
}).map(element => element.textContent)"""


@pytest.mark.parametrize("device", [WIDE, DESKTOP, LANDSCAPE, TABLET, PHONE], ids=["wide", "desktop", "landscape", "tablet", "phone"])
def test_nothing_is_cut(home, browser, device):
    page = browser.open(language="de", **device)
    for view in VIEWS:
        go(page, view)
        page.wait_for_timeout(150)
        assert page.evaluate(CUT) == [], view
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
