"""The page's appearance and accessibility: contrast, names, sizes, hostile texts, long lists."""

import time

import pytest

import network
from browser import DESKTOP, PHONE, TABLET, eventually, go

pytestmark = network.needs_namespaces

VIEWS = ("now", "queue", "library", "radio", "pins", "speakers", "settings", "health", "equalizer", "alarms")

HOSTILE = {
    "markup": "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>",
    "right to left": "\u202eشارع الموسيقى\u2066 abc",
    "emoji": "🎻👩🏽‍🚀🏳️‍🌈" * 40,
    "combining": "Z\u0351\u036b\u0343" * 200,
    "long": "W" * 10_000,
    "words": "word " * 2_000,
    "blank": " ",
    "template": "${window.hacked = 1} {title} %s",
}


@pytest.fixture
def full(home):
    """Fills every view with content."""
    home.post("/api/source", source="playlist")
    home.fill([{"uri": f"http://192.0.2.2:9/{n}", "title": f"Title {n}", "artist": "Artist"} for n in range(30)])
    if not home.state["presets"]["items"]:
        home.post("/api/presets/add", title="Station", uri="http://192.0.2.2:9/radio")
    bands = [{"kind": "peak", "frequency": 105, "gain": -6}, {"kind": "notch", "frequency": 50, "channel": "left"}]
    home.post("/api/equalizer", on=True, bands=bands)
    home.post("/api/equalizer/save", name="Room")
    if not home.state["alarms"]["items"]:
        home.post("/api/alarms/add", time="07:00", days=["mon-fri"], what="tone", name="Work")


#: What a view shows once it has its content, with the fixture `full`. An empty view has no faults.
CONTENT = {
    "queue": "[role=listitem]:not(.absent)", "radio": "[role=listitem]:not(.absent)", "settings": ".setting",
    "health": ".log-lines .level", "equalizer": ".bands li", "alarms": ".alarms li",
}  # fmt: skip


def show(page, view):
    """Opens a view, and waits for its content."""
    go(page, view)
    page.locator(f"sw-{view} {CONTENT.get(view, 'h1:not(:empty)')}").first.wait_for()
    # For layout.
    page.wait_for_timeout(100)


# Contrast by WCAG 2: of each visible text and its background, painted on a canvas because colours may be in OKLCH.
CONTRAST = """() => {
  const canvas = document.createElement('canvas'); canvas.width = canvas.height = 1
  const context = canvas.getContext('2d', {willReadFrequently: true})
  const paint = (colours) => {
    context.clearRect(0, 0, 1, 1)
    for (const colour of colours) { context.fillStyle = colour; context.fillRect(0, 0, 1, 1) }
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3)
  }
  const luminance = (rgb) => rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
  const layers = (element) => {
    const found = []
    for (let at = element; at; at = at.parentElement) found.unshift(getComputedStyle(at).backgroundColor)
    return ['Canvas', ...found]
  }
  // The glow behind everything is darkest (or lightest) at the top.
  const glow = getComputedStyle(document.documentElement).getPropertyValue('--glow')
  const faults = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!node.textContent.trim() || !element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue
    if (element.closest('button:disabled, .hidden-text, option, script, style, noscript, .skip')) continue
    const box = element.getBoundingClientRect()
    if (!box.width || !box.height) continue
    const behind = layers(element)
    const isOpen = behind.slice(3).every(colour => colour === 'rgba(0, 0, 0, 0)')
    for (const background of isOpen ? [paint(behind), paint([...behind, glow])] : [paint(behind)]) {
      const front = luminance(paint([`rgb(${background})`, getComputedStyle(element).color])), back = luminance(background)
      const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05)
      if (ratio < 4.5) faults.push(`${node.textContent.trim().slice(0, 40)}: ${ratio.toFixed(2)}`)
    }
  }
  return faults
}"""

# Every control has a role and a name, and is large enough for a finger.
CONTROLS = """(isTouch) => {
  const faults = []
  for (const element of document.querySelectorAll('button, a[href], input, select, [tabindex="0"], [role=button]')) {
    if (!element.checkVisibility({visibilityProperty: true}) || element.closest('.skip, [aria-hidden=true]')) continue
    const by = (element.getAttribute('aria-labelledby') ?? '').split(' ').map(id => document.getElementById(id)?.textContent)
    const label = element.labels?.length ? element.labels[0].textContent : ''
    const own = element.matches('input, select') ? '' : element.textContent
    const name = [element.getAttribute('aria-label'), ...by, label, own].find(text => text?.trim())
    const what = element.outerHTML.slice(0, 90)
    if (!name) faults.push(`no name: ${what}`)
    if (element.tabIndex < 0 && !element.closest('[role=menu], dialog') && !element.disabled) faults.push(`not reachable: ${what}`)
    const {width, height} = element.getBoundingClientRect()
    const isText = element.matches('a:not([class])')
    if (isTouch && (height < (isText ? 40 : 43.5) || width < 24) && width && height) faults.push(`${width}x${height}: ${what}`)
  }
  for (const list of document.querySelectorAll('[role=listitem]')) {
    if (!list.closest('[role=list]')) faults.push('list item outside of a list')
  }
  if (document.querySelectorAll('h1').length !== 1) faults.push('not one h1')
  if (!document.querySelector('main') || !document.querySelector('nav[aria-label]')) faults.push('landmarks')
  return faults
}"""


#: The horizontal extents of an artist and an album in the row of a queue, each as left and right.
EXTENTS = """([artist, album]) => {
  const more = [...document.querySelectorAll('.row-more')].find(one => one.textContent === `${artist} · ${album}`)
  const nodes = [], walker = document.createTreeWalker(more, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) for (let at = 0; at < walker.currentNode.length; at += 1) nodes.push([walker.currentNode, at])
  return [nodes.slice(0, artist.length), nodes.slice(-album.length)].map(letters => {
    const boxes = letters.map(([node, at]) => {
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      return range.getBoundingClientRect()
    })
    return [Math.min(...boxes.map(box => box.left)), Math.max(...boxes.map(box => box.right)), boxes[0].left < boxes.at(-1).left]
  })
}"""


@pytest.mark.parametrize("artist", ["فيروز feat. Sting", "\u202eevil"], ids=["arabic", "override"])
def test_a_text_from_right_to_left_reorders_no_other(home, browser, artist):
    home.fill([{"uri": "http://192.0.2.2:9/a", "title": "Title", "artist": artist, "album": "Album 12"}])
    page = browser.open("/#/queue", **DESKTOP)
    page.locator("sw-queue .row-more", has_text="Album 12").wait_for()
    (left, right, _), (album_left, album_right, is_forward) = page.evaluate(EXTENTS, [artist, "Album 12"])
    assert album_right <= left + 1 or right <= album_left + 1
    assert is_forward


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(browser, full, scheme):
    page = browser.open(scheme=scheme)
    for hue in (None, 30, 110, 260, 330):
        page.evaluate("""hue => {
          if (hue === null) document.documentElement.style.removeProperty('--hue')
          else document.documentElement.style.setProperty('--hue', hue)
        }""", hue)  # fmt: skip
        for view in VIEWS if hue in (None, 110) else ("queue", "settings"):
            show(page, view)
            assert page.evaluate(CONTRAST) == [], (view, hue)


@pytest.mark.parametrize("device", [PHONE, TABLET, DESKTOP], ids=["phone", "tablet", "desktop"])
def test_controls_have_names_and_sizes(browser, full, device):
    page = browser.open(**device)
    for view in VIEWS:
        show(page, view)
        assert page.evaluate(CONTROLS, device is not DESKTOP) == [], view
        # Nothing is wider than the screen.
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
        assert page.evaluate("() => { const m = document.querySelector('main'); return m.scrollWidth <= m.clientWidth }"), view


def test_a_phone_shows_all_controls_without_scrolling(browser, full):
    for size in ((390, 844), (360, 640)):
        page = browser.open("/#/now", **{**PHONE, "viewport": {"width": size[0], "height": size[1]}})
        page.wait_for_timeout(100)
        bottom = page.locator("sw-now sw-volume").bounding_box()
        tabs = page.locator("nav.tabs").bounding_box()
        assert bottom["y"] + bottom["height"] <= tabs["y"] + 1, size


#: Controls of the view Playing that are not wholly on the screen above the tabs, by their names, and what makes the view wider.
OUTSIDE = """() => {
  const main = document.querySelector('main'), {right, bottom} = main.getBoundingClientRect()
  const faults = [...main.querySelectorAll('button, input')].filter(one => one.checkVisibility({visibilityProperty: true})).filter(one => {
    const box = one.getBoundingClientRect()
    return box.width && (box.left < 0 || box.right > right + 1 || box.bottom > bottom + 1)
  }).map(one => one.ariaLabel ?? one.textContent)
  return main.scrollWidth > main.clientWidth ? [...faults, `wide: ${main.scrollWidth}`] : faults
}"""

MOVEMENTS = [f"Symphony No. 9 in D minor, Op. 125 “Choral”: {part}" for part in ("I. Allegro ma non troppo", "II. Scherzo", "III. Adagio")]


def test_long_titles_push_no_control_off_a_small_screen(home, browser):
    artist = "Orchestra of the Age of Enlightenment, Sir Simon Rattle and the Choir of King’s College"
    home.fill([{"uri": f"http://192.0.2.2:9/{n}", "title": title, "artist": artist, "album": title} for n, title in enumerate(MOVEMENTS)])
    for width, height in ((390, 844), (360, 640), (375, 667), (320, 568), (667, 375), (844, 390)):
        page = browser.open("/#/now", language="de", **{**PHONE, "viewport": {"width": width, "height": height}})
        page.get_by_role("heading", name=MOVEMENTS[0]).wait_for()
        page.wait_for_timeout(100)
        assert page.evaluate(OUTSIDE) == [], (width, height)
        show(page, "health")
        assert page.evaluate("() => { const m = document.querySelector('main'); return m.scrollWidth <= m.clientWidth }"), width


def test_the_queue_of_a_phone_shows_where_titles_differ(home, browser):
    home.fill([{"uri": f"http://192.0.2.2:9/{n}", "title": title, "artist": "A"} for n, title in enumerate([*MOVEMENTS, "Short"])])
    page = browser.open("/#/queue", **PHONE)
    page.get_by_text("Short", exact=True).wait_for()
    lines = "rows => rows.map(one => Math.round(one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)))"
    assert page.locator("sw-queue .row-title").evaluate_all(lines) == [3, 3, 3, 1]


def test_a_guest_reaches_the_volume_on_a_phone(home, browser, full):
    token = home.post("/api/lock", pin="2468")["token"]
    try:
        for size in ((390, 844), (360, 640)):
            page = browser.open("/#/now", **{**PHONE, "viewport": {"width": size[0], "height": size[1]}})
            page.locator(".banner.guest").wait_for()
            page.wait_for_timeout(100)
            bottom = page.locator("sw-now sw-volume").bounding_box()
            tabs = page.locator("nav.tabs").bounding_box()
            assert bottom["y"] + bottom["height"] <= tabs["y"] + 1, size
            assert page.evaluate(CONTRAST) == [] and page.evaluate(CONTROLS, True) == []
    finally:
        home.post("/api/lock/remove", token=token)


def test_hostile_titles_stay_text(home, browser, full):
    home.fill([{"uri": f"http://192.0.2.2:9/{n}", "title": text, "artist": text, "album": text}
               for n, text in enumerate(HOSTILE.values())])  # fmt: skip
    for text in HOSTILE.values():
        if text.strip():
            home.post("/api/presets/add", title=text[:200], uri="http://192.0.2.2:9/x")
    try:
        for device in (PHONE, DESKTOP):
            page = browser.open("/#/queue", **device)
            eventually(lambda page=page: page.locator("sw-queue [role=listitem]").count() == len(HOSTILE))
            eventually(lambda page=page: HOSTILE["markup"] in page.locator("sw-queue").text_content())
            for number, item in enumerate(home.get("/api/queue")["items"]):
                home.post("/api/queue/play", id=item["id"])
                go(page, "now" if number % 2 else "radio")
                page.wait_for_timeout(50)
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert page.evaluate("window.hacked") is None
            assert page.evaluate("document.querySelectorAll('sw-app script, sw-app img[src=x]').length") == 0
    finally:
        for preset in home.state["presets"]["items"]:
            home.post("/api/presets/remove", id=preset["id"])


def test_a_queue_of_16000_entries_scrolls(home, browser):
    count = 16_000
    items = [{"uri": f"http://192.0.2.2:9/{n}", "title": f"Title {n}"} for n in range(count)]
    start = time.monotonic()
    home.fill(items)
    filled = time.monotonic() - start
    page = browser.open("/#/queue")
    eventually(lambda: "Title 0" in page.locator("sw-queue").text_content())
    assert page.locator("sw-queue [role=listitem]").first.get_attribute("aria-setsize") == str(count)
    for part in (0.25, 0.5, 1, 0.75):
        page.evaluate("part => { const m = document.querySelector('main'); m.scrollTop = (m.scrollHeight - m.clientHeight) * part }", part)
        expected = round(part * (count - 1))
        eventually(lambda expected=expected: any(
            f"Title {n}" in page.locator("sw-queue").text_content() for n in range(expected - 8, expected + 8)))  # fmt: skip
        assert page.locator("sw-queue [role=listitem]").count() < 60
    # Fast scrolling does not add rows.
    page.evaluate("""async () => {
      const main = document.querySelector('main')
      for (let step = 0; step < 120; step += 1) {
        main.scrollTop = main.scrollHeight * step / 120
        await new Promise(requestAnimationFrame)
      }
    }""")
    eventually(lambda: page.locator("sw-queue [role=listitem]").count() < 60)
    # Regression: the speaker searched the whole list for each of its entries, and did nothing else meanwhile.
    start = time.monotonic()
    home.post("/api/queue/clear")
    assert time.monotonic() - start < filled
    page.get_by_text("The queue is empty").wait_for()


# What moves from now on, with those that have begun.
WATCH_MOTION = """() => {
  window.moved = document.getAnimations().map(() => 'at first')
  for (const kind of ['animationstart', 'transitionrun'])
    document.addEventListener(kind, event => moved.push(`${kind} ${event.target.tagName}.${event.target.className}`), true)
}"""


@pytest.mark.parametrize("preference", ["reduce", "no-preference"])
def test_nothing_moves_for_those_who_prefer_that(home, browser, full, preference):
    page = browser.open("/#/now", reduced_motion=preference, **PHONE)
    page.evaluate(WATCH_MOTION)
    home.post("/api/volume", level=20)
    for view in VIEWS:
        go(page, view)
    go(page, "now")
    page.get_by_role("button", name="Source: Playlist").locator("visible=true").first.click()
    page.get_by_role("menu").wait_for()
    if preference == "reduce":
        # Two frames later, what moves has begun.
        page.evaluate("() => new Promise(end => requestAnimationFrame(() => requestAnimationFrame(end)))")
        assert page.evaluate("moved") == []
    else:
        eventually(lambda: page.evaluate("moved.length"))


def test_only_own_code_runs(home, browser):
    """The policy of the page forbids inline code, and nothing on the page needs it."""
    page = browser.open()
    page.evaluate("""() => {
      const script = document.createElement('script')
      script.textContent = 'window.hacked = 1'
      document.body.append(script)
      document.body.insertAdjacentHTML('beforeend', '<img src="/nothing" onerror="window.hacked = 2">')
    }""")
    page.wait_for_timeout(200)
    assert page.evaluate("window.hacked") is None
    assert page.errors and all("Content Security Policy" in error for error in page.errors)
    page.errors.clear()
