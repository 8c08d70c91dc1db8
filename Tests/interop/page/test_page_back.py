"""Back, tabs and places: the page returns to where it was, and Back closes what is open first."""

import pytest

import network
from albums import make_album, serve_albums
from browser import DESKTOP, PHONE, SpeakerAtHome, eventually

pytestmark = network.needs_namespaces

SMALL = {**PHONE, "viewport": {"width": 390, "height": 460}}
TITLES = [f"Piece {number}" for number in range(1, 13)]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("back")
    speaker = SpeakerAtHome(folder)
    make_album(folder / "music", "Lyric Pieces", "Edvard Grieg", TITLES)
    server = serve_albums(speaker.there, folder, folder / "music")
    speaker.fill([{"uri": f"http://192.0.2.2:9/{n}", "title": f"Title {n}"} for n in range(300)])
    yield speaker
    server.stop()
    speaker.close()


@pytest.fixture
def browser(home, browser):
    make_current(home, 150)
    return browser


def make_current(home, number):
    """Makes a track of the queue the current one. Its address does not answer, so it is stopped soon."""
    (item,) = home.get(f"/api/queue?offset={number}&count=1")["items"]
    home.post("/api/queue/play", id=item["id"])
    home.post("/api/stop")
    eventually(lambda: home.state["queue"].get("current_id") == item["id"])


def scroll(page, top):
    page.evaluate("top => { document.querySelector('main').scrollTop = top }", top)
    eventually(lambda: abs(place(page) - top) <= 2)


def place(page):
    return page.evaluate("document.querySelector('main').scrollTop")


def is_in_view(page, text):
    """Whether the row with this title is within the scrolled area."""
    return page.evaluate("""text => {
      const row = [...document.querySelectorAll('main .row-title')].find(title => title.textContent === text)
      if (!row) return false
      const [at, box] = [row, document.querySelector('main')].map(element => element.getBoundingClientRect())
      return at.top >= box.top && at.bottom <= box.bottom
    }""", text)  # fmt: skip


def tab(page, name):
    page.get_by_role("navigation", name="Views").get_by_role("link", name=name, exact=True).click()


def test_the_queue_opens_at_the_current_track(home, browser):
    page = browser.open("/#/now", **PHONE)
    tab(page, "Queue")
    eventually(lambda: is_in_view(page, "Title 150"))
    # A return keeps the place, until another track is current.
    scroll(page, 640)
    tab(page, "Playing")
    tab(page, "Queue")
    eventually(lambda: abs(place(page) - 640) <= 2)
    assert is_in_view(page, "Title 12")
    tab(page, "Playing")
    make_current(home, 250)
    tab(page, "Queue")
    eventually(lambda: is_in_view(page, "Title 250"))
    # Back restores the place in any case.
    page.go_back()
    page.go_back()
    eventually(lambda: abs(place(page) - 640) <= 2)


def test_the_queue_keeps_its_place_over_a_reload(browser):
    page = browser.open("/#/queue", **PHONE)
    eventually(lambda: is_in_view(page, "Title 150"))
    scroll(page, 6400)
    page.reload()
    eventually(lambda: is_in_view(page, "Title 102"))


def test_folders_keep_their_places(home, browser):
    page = browser.open("/#/now", **SMALL)
    tab(page, "Library")
    page.get_by_role("link", name="Music on the NAS").click()
    page.get_by_role("button", name="Open Album").click()
    page.get_by_role("button", name="Open Lyric Pieces").click()
    page.get_by_role("button", name="Play Piece 1", exact=True).wait_for()
    scroll(page, 400)
    # A tab leads to the folder as it was left, and from there to the servers.
    tab(page, "Playing")
    tab(page, "Library")
    page.locator("sw-library h1", has_text="Lyric Pieces").wait_for()
    eventually(lambda: abs(place(page) - 400) <= 2)
    # Back leads through the views and the folders, each at its place.
    tab(page, "Queue")
    eventually(lambda: is_in_view(page, "Title 150"))
    page.go_back()
    eventually(lambda: abs(place(page) - 400) <= 2)
    tab(page, "Library")
    page.get_by_role("link", name="Music on the NAS").wait_for()
    page.go_back()
    page.locator("sw-library h1", has_text="Lyric Pieces").wait_for()
    eventually(lambda: abs(place(page) - 400) <= 2)
    # The page does not request these folders again.
    with home.dead_network():
        for _ in range(3):
            page.go_back()
        page.get_by_role("button", name="Open Lyric Pieces").wait_for()


@pytest.mark.parametrize("first", [True, False], ids=["first entry", "later entry"])
def test_back_closes_what_is_open_first(browser, first):
    page = browser.open("/#/radio" if first else "/#/now", **PHONE)
    if not first:
        tab(page, "Radio")
    add = page.get_by_role("button", name="Add station")
    dialog = page.get_by_role("dialog")
    add.click()
    dialog.wait_for()
    page.go_back()
    dialog.wait_for(state="hidden")
    # Back leads away for a moment, and the page returns.
    eventually(lambda: page.evaluate("location.hash") == "#/radio" and add.is_visible())
    # A menu, too. Nothing is left over by one that was closed otherwise.
    more = page.get_by_role("button", name="More", exact=True)
    menu = page.get_by_role("menu")
    for _ in range(2):
        more.click()
        menu.wait_for()
        page.keyboard.press("Escape")
        menu.wait_for(state="hidden")
    more.click()
    menu.wait_for()
    page.go_back()
    menu.wait_for(state="hidden")
    eventually(lambda: page.evaluate("location.hash") == "#/radio" and add.is_visible())
    # The page is where it was before the menu. The next one leaves the view.
    eventually(lambda: page.evaluate("history.state.index") == 1)
    page.go_back()
    page.wait_for_url("about:blank" if first else "**/#/now")
    if first:
        return
    # A menu that leads elsewhere leaves nothing behind.
    more.click()
    page.get_by_role("menuitem", name="Settings").click()
    page.locator("sw-settings").wait_for()
    page.go_back()
    page.locator("sw-now").wait_for()


@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_press_beside_a_form_keeps_what_was_typed(browser, device):
    page = browser.open("/#/radio", **device)
    add = page.get_by_role("button", name="Add station")
    dialog = page.get_by_role("dialog")
    # An empty form is closed.
    add.click()
    dialog.wait_for()
    page.mouse.click(10, 80)
    dialog.wait_for(state="hidden")
    add.click()
    page.get_by_label("Name").fill("My station")
    page.mouse.click(10, 80)
    # Neither does the margin of the form, nor a selection that ends beside it.
    box = dialog.bounding_box()
    page.mouse.click(box["x"] + 4, box["y"] + box["height"] / 2)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(10, 80)
    page.mouse.up()
    assert page.get_by_label("Name").input_value() == "My station"
    page.get_by_role("button", name="Cancel").click()
    dialog.wait_for(state="hidden")
