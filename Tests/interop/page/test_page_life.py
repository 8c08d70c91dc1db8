"""The page over time: several browsers and a controller, lost connections, hidden tabs, random clicks."""

import os
import random
import time

import pytest

import network
import sound
from browser import DESKTOP, PHONE, eventually, go

pytestmark = network.needs_namespaces

LONG = "noise12-44100-16-2-30s.flac"


@pytest.fixture(scope="module")
def music(home, fixtures):
    assert LONG in fixtures
    return f"{home.serve(sound.FOLDER)}/{LONG}"


def heading(page):
    return page.locator("sw-now h1").text_content()


def connections(home):
    """The number of connections to the page. `ss` cannot tell event streams from other connections."""
    lines = home.here.do(lambda: os.popen("ss -Htn state established sport = :49494").read())
    return len(lines.splitlines())


def test_two_browsers_and_a_controller_agree(home, browser, music):
    pages = [browser.open("/#/now", **PHONE), browser.open("/#/now", **DESKTOP)]
    transport, rendering = home.controller("AVTransport"), home.controller("RenderingControl")
    didl = (
        '<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="1" parentID="0" restricted="1">'
        "<dc:title>From a controller</dc:title><upnp:class>object.item.audioItem.musicTrack</upnp:class>"
        f'<res protocolInfo="http-get:*:audio/flac:*">{music}</res></item></DIDL-Lite>'
    )
    transport("SetAVTransportURI", InstanceID=0, CurrentURI=music, CurrentURIMetaData=didl)
    transport("Play", InstanceID=0, Speed=1)
    for page in pages:
        eventually(lambda page=page: heading(page) == "From a controller")
    rendering("SetVolume", InstanceID=0, Channel="Master", DesiredVolume=33)
    for page in pages:
        eventually(lambda page=page: page.locator("sw-now .percent").text_content() == "33")

    # One browser pauses: the other one and the controller see it.
    pages[0].get_by_role("button", name="Pause", exact=True).click()
    eventually(lambda: transport("GetTransportInfo", InstanceID=0)["CurrentTransportState"] == "PAUSED_PLAYBACK")
    pages[1].get_by_role("button", name="Play", exact=True).wait_for()
    pages[1].get_by_role("button", name="Mute", exact=True).click()
    eventually(lambda: rendering("GetMute", InstanceID=0, Channel="Master")["CurrentMute"] == "1")
    eventually(lambda: "is-muted" in (pages[0].locator("sw-now sw-volume").get_attribute("class") or ""))
    rendering("SetMute", InstanceID=0, Channel="Master", DesiredMute=0)


def test_the_screen_follows_events(home, browser, record_property):
    """Records the time from a controller's command to the change of the page. It has no limit here."""
    page = browser.open("/#/now")
    rendering = home.controller("RenderingControl")
    page.evaluate("""() => {
      window.changes = new Map()
      new MutationObserver(() => {
        changes.set(document.querySelector('sw-now .percent').textContent, performance.timeOrigin + performance.now())
      }).observe(document.querySelector('sw-now .percent'), {characterData: true, childList: true, subtree: true})
    }""")
    delays = []
    for level in range(40, 60):
        start = time.time() * 1000
        rendering("SetVolume", InstanceID=0, Channel="Master", DesiredVolume=level)
        changed = eventually(lambda level=level: page.evaluate("level => changes.get(String(level)) ?? 0", level))
        delays.append(changed - start)
        # Wait longer than the moderation interval, so that the next change is sent at once.
        page.wait_for_timeout(250)
    delays.sort()
    record_property("event to screen, ms: median", delays[len(delays) // 2])
    print(f"event to screen: median {delays[len(delays) // 2]:.0f} ms, slowest {delays[-1]:.0f} ms")


def test_a_lost_connection_comes_back(home, browser):
    page = browser.open("/#/now")
    note = page.get_by_text("Reconnecting…")
    assert note.count() == 0 or not note.is_visible()
    home.renderer.stop()
    note.wait_for()
    # The controls are disabled meanwhile.
    assert page.locator("sw-now .play").is_disabled()
    home.start()
    note.wait_for(state="hidden")
    home.post("/api/volume", level=21)
    eventually(lambda: page.locator("sw-now .percent").text_content() == "21")


@pytest.mark.parametrize("name", ["app.js", "view-health.js", "style.css"])
def test_a_page_without_all_of_its_files_loads_again(browser, name):
    """Chromium ends all requests of a page when an address of the machine comes or goes."""
    page = browser.open("/#/now")
    page.route(f"**/{name}", lambda route: route.abort("internetdisconnected"), times=1)
    with page.expect_request_finished(lambda request: request.url.endswith(name)):
        page.reload()
    page.locator("sw-now h1").wait_for()
    assert page.evaluate("getComputedStyle(document.body).margin") == "0px"


def control_named(page, name):
    """The button or the field with this name."""
    return page.get_by_role("button", name=name, exact=True).or_(page.get_by_label(name, exact=True)).first


def test_a_dead_network_is_noticed(home, browser, music):
    """No connection ends, but nothing arrives. The page says so within 6 s, and every control that needs the speaker."""
    home.post("/api/source", source="playlist")
    home.fill([{"uri": music, "title": f"Track {number}"} for number in range(30)])
    home.post("/api/queue/play", id=home.get("/api/queue")["items"][2]["id"])
    others = {
        browser.open("/#/queue"): ("Clear", "Remove Track 2", "Move Track 2", "Play Track 2"),
        browser.open("/#/radio"): ("Add station",),
        browser.open("/#/settings"): ("Startup volume", "Lock"),
    }
    for other, names in others.items():
        eventually(lambda other=other, name=names[0]: control_named(other, name).is_enabled())
    page = browser.open("/#/now")
    at = page.locator("sw-now .time").first
    eventually(lambda: at.text_content() >= "0:02")
    page.evaluate("""() => {
      window.silent = performance.now()
      const note = document.querySelector('.connection')
      new MutationObserver(() => { if (!note.hidden) window.noticed ??= performance.now() - silent }).observe(note, {attributes: true})
      // The position never goes back.
      const at = document.querySelector('sw-now .time'), seen = window.seen = []
      new MutationObserver(() => seen.push(at.textContent)).observe(at, {childList: true, characterData: true, subtree: true})
    }""")
    with home.dead_network():
        page.get_by_text("Reconnecting…").wait_for()
        assert page.evaluate("noticed") < 8000
        for name in ("Pause", "Mute", "Next track", "Standby"):
            control = page.locator(f"sw-now [aria-label='{name}']")
            assert control.is_disabled() and "does not answer" in control.get_attribute("title"), name
        seen = page.evaluate("seen")
        assert seen == sorted(seen)
        # Views that are opened now do not guess.
        for view in ("library", "speakers"):
            go(page, view)
            page.locator(f"sw-{view}").get_by_text("The speaker does not answer.").wait_for()
            assert page.get_by_text("found").locator("visible=true").count() == 0, view
        for other, names in others.items():
            other.get_by_text("Reconnecting…").wait_for()
            for name in names:
                control = control_named(other, name)
                assert control.is_disabled() and "does not answer" in control.get_attribute("title"), name
    page.get_by_text("Reconnecting…").wait_for(state="hidden")
    go(page, "now")
    page.get_by_role("button", name="Pause", exact=True).click()
    eventually(lambda: home.state["playing"]["state"] == "paused")


def test_a_command_does_not_wait_for_a_dead_network(home, browser):
    page = browser.open("/#/radio")
    page.get_by_role("button", name="Add station").click()
    page.get_by_label("Name").fill("Station")
    page.get_by_label("Address of the stream").fill("http://192.0.2.2:9/x")
    with home.dead_network():
        page.get_by_role("button", name="Save", exact=True).click()
        page.get_by_role("dialog").get_by_text("The speaker does not answer.").wait_for()
    # The form keeps its text.
    assert page.get_by_label("Name").input_value() == "Station"
    page.keyboard.press("Escape")


def test_hidden_pages_close_their_stream(home, browser):
    page = browser.open("/#/now")
    hide = """hidden => {
      Object.defineProperty(document, 'hidden', {value: hidden, configurable: true})
      document.dispatchEvent(new Event('visibilitychange'))
    }"""
    page.evaluate("""() => {
      window.open_ = 0
      const original = window.fetch
      window.fetch = async (path, options) => {
        if (!String(path).startsWith('/api/events')) return original(path, options)
        window.open_ += 1
        options.signal.addEventListener('abort', () => { window.open_ -= 1 })
        return original(path, options)
      }
    }""")
    page.evaluate(hide, True)
    before = connections(home)
    home.post("/api/volume", level=30)
    page.evaluate(hide, False)
    eventually(lambda: page.evaluate("open_") == 1)
    eventually(lambda: page.locator("sw-now .percent").text_content() == "30")
    page.evaluate(hide, True)
    eventually(lambda: page.evaluate("open_") == 0)
    assert connections(home) <= before + 1
    home.post("/api/volume", level=31)
    page.wait_for_timeout(300)
    assert page.locator("sw-now .percent").text_content() == "30"


# Clicks, keys and drags anywhere on the page. `confirm`-like dialogs do not exist, so nothing can block.
RANDOM = """async ([seed, count]) => {
  let state = seed
  const random = () => { state = (state * 1664525 + 1013904223) % 4294967296; return state / 4294967296 }
  const pick = (list) => list[Math.floor(random() * list.length)]
  const keys = [' ', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'm', 'n', 'p', '/', '?', 'Escape', 'Enter', '1', '2', '4', '5']
  let done = 0
  while (done < count) {
    done += 1
    const visible = [...document.querySelectorAll('button, a[href^="#"], input, select')]
      .filter(element => element.checkVisibility() && !element.closest('a[href^="http"]'))
    const dialog = document.querySelector('dialog[open], [popover]:popover-open')
    const inside = dialog ? visible.filter(element => dialog.contains(element)) : visible
    const element = pick(inside.length ? inside : visible)
    if (!element) { await new Promise(requestAnimationFrame); continue }
    if (random() < 0.12) {
      (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', {key: pick(keys), bubbles: true, cancelable: true}))
    } else if (element.matches('input[type=range], input[type=number]')) {
      element.value = random() * (Number(element.max) || 100)
      for (const name of ['input', 'change']) element.dispatchEvent(new Event(name, {bubbles: true}))
    } else if (element.matches('input:not([type=checkbox], [type=file])')) {
      element.value = pick(['', 'a', '1234', 'http://192.0.2.2:9/x', '<b>'])
      for (const name of ['input', 'change']) element.dispatchEvent(new Event(name, {bubbles: true}))
    } else if (element.matches('select')) {
      element.selectedIndex = Math.floor(random() * element.options.length)
      element.dispatchEvent(new Event('change', {bubbles: true}))
    } else if (!/Lock|PIN/.test(element.textContent)) {
      element.focus?.()
      element.click()
    }
    if (random() < 0.3) await new Promise(resolve => setTimeout(resolve, random() * 30))
  }
  return done
}"""


def random_clicks(home, browser, count, seed):
    home.fill([{"uri": f"http://192.0.2.2:9/{n}", "title": f"Title {n}"} for n in range(200)])
    page = browser.open("/#/now", **(PHONE if seed % 2 else DESKTOP))
    page.set_default_timeout(600_000)
    assert page.evaluate(RANDOM, [seed, count]) == count
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    # It still works.
    home.post("/api/standby", standby=False)
    go(page, "now")
    for level in (7, 9):
        home.post("/api/volume", level=level)
        eventually(lambda: page.locator("sw-now .percent").text_content() == str(home.state["volume"]["level"]))


def test_random_clicks(home, browser):
    seed = random.randrange(10_000)
    print(f"seed {seed}")
    random_clicks(home, browser, 300, seed)


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", [1, 2])
def test_many_random_clicks(home, browser, seed):
    random_clicks(home, browser, 5000, seed)
