"""Slow and failing media servers on the page: a tap is shown at once, works once, and takes no music away."""

import contextlib
import threading

import pytest

import network
from browser import NEIGHBOUR, PHONE, Refused, eventually, go
from hostile_server import Fault, HostileServer, container, item
from processes import PATIENCE

pytestmark = network.needs_namespaces

#: More than one request reads.
COUNT = 150


class SlowServer:
    """Tracks in a folder. Every answer below the root waits until the test lets it go."""

    def __init__(self, machine):
        self.gate = threading.Event()
        self.gate.set()
        #: Requests for parts of the folder that begin at or after this track fail.
        self.fails_from = COUNT
        self._over = threading.Event()
        # The tracks never begin. If they failed at once, the speaker would try all of them, and flood the server.
        pages = {"/track.flac": lambda handler: self._over.wait()}
        self.server = HostileServer(machine, NEIGHBOUR, self._browse, pages, name="Slow")
        self.udn = self.server.udn

    def close(self):
        self._over.set()
        self.server.close()

    def track(self, name):
        """The address of a track."""
        return f"{self.server.base}/track.flac?{name}"

    def _browse(self, object_id, flag, start, count):
        if object_id == "0":
            elements = [container("folder", "Folder")] if flag == "BrowseDirectChildren" else [container("0", "Root", "-1")]
            return elements, 1
        assert self.gate.wait(PATIENCE)
        if flag == "BrowseMetadata":
            return [container("folder", "Folder") if object_id == "folder" else self._item(int(object_id))], 1
        if start >= self.fails_from:
            raise Fault(501)
        return [self._item(number) for number in range(start, min(COUNT, start + count))], COUNT

    def _item(self, number):
        return item(str(number), f"Track {number}", self.track(number), parent="folder")

    @contextlib.contextmanager
    def holding(self):
        self.gate.clear()
        try:
            yield
        finally:
            self.gate.set()


@pytest.fixture(scope="module")
def server(home):
    server = SlowServer(home.there)
    eventually(lambda: home.has(f"/api/library?server={server.udn}&container=folder"))
    yield server
    server.close()


@pytest.fixture
def browser(home, server, browser):
    server.fails_from = COUNT
    home.fill([{"uri": server.track(f"old{number}"), "title": f"Old {number}"} for number in (1, 2)])
    return browser


def queued(home):
    return [entry["title"] for entry in home.get("/api/queue")["items"]]


def open_folder(browser, server, button):
    """Opens the folder and waits for a button. Only then may a test hold the server: the folder is read later than the page."""
    page = browser.open(f"/#/library/{server.udn.replace(':', '%3A')}/folder", **PHONE)
    page.get_by_role("button", name=button, exact=True).wait_for()
    # On a busy machine, the speaker may have been silent for too long.
    page.locator("sw-app:not(.is-lost)").wait_for()
    return page


def tap(page, name):
    """Taps a button twice; returns whether the first tap was shown before anything else happened."""
    button = page.get_by_role("button", name=name, exact=True)
    return button.evaluate("button => { button.click(); const busy = button.ariaBusy; button.click(); return busy === 'true'; }")


def requests_to_play(page):
    found = []
    page.on("request", lambda request: found.append(request) if request.url.endswith("/api/library/play") else None)
    return found


@pytest.mark.parametrize("name", ["Play Track 3", "Play all", "Add to queue"])
def test_a_tap_is_shown_at_once_and_works_once(home, server, browser, name):
    page = open_folder(browser, server, name)
    sent = requests_to_play(page)
    with server.holding():
        assert tap(page, name)
        page.get_by_text("Reading the tracks…").wait_for()
        assert queued(home) == ["Old 1", "Old 2"]
    tracks = [f"Track {number}" for number in range(COUNT)]
    eventually(lambda: queued(home) == (["Old 1", "Old 2"] if name == "Add to queue" else []) + tracks)
    eventually(lambda: page.get_by_text("Reading the tracks…").count() == 0)
    assert page.locator("sw-library [aria-busy]").count() == 0
    assert len(sent) == 1


def test_a_folder_that_opens_slowly_shows_its_title(server, browser):
    page = browser.open(f"/#/library/{server.udn.replace(':', '%3A')}/0", **PHONE)
    page.get_by_role("button", name="Open Folder", exact=True).wait_for()
    with server.holding():
        page.get_by_role("button", name="Open Folder", exact=True).click()
        page.get_by_role("heading", name="Folder", exact=True).wait_for()
        page.get_by_text("Loading…").wait_for()
        page.locator(".skeleton .row").last.wait_for()


def test_undo_brings_the_replaced_queue_back(home, server, browser):
    page = browser.open(f"/#/library/{server.udn.replace(':', '%3A')}/folder")
    page.get_by_role("button", name="Play Track 3", exact=True).click()
    page.get_by_role("button", name="Undo", exact=True).click()
    eventually(lambda: queued(home) == ["Old 1", "Old 2"])
    go(page, "queue")
    page.get_by_role("button", name="Play Old 2", exact=True).wait_for()


def test_a_replacement_that_fails_at_once_leaves_the_queue(home, server, browser):
    server.fails_from = 0
    for what in ({"container": "folder"}, {"container": "folder", "start": {"id": "120", "offset": 120}}):
        with pytest.raises(Refused):
            home.post("/api/library/play", server=server.udn, where="replace", **what)
        assert queued(home) == ["Old 1", "Old 2"]
    # A track that is no longer there.
    server.fails_from = COUNT
    with pytest.raises(Refused) as refused:
        home.post("/api/library/play", server=server.udn, where="replace", container="folder", start={"id": "x", "offset": 9})
    assert refused.value.status == 404
    assert queued(home) == ["Old 1", "Old 2"]


def test_a_track_plays_before_the_tracks_in_front_of_it_are_read(home, server, browser):
    answer = home.post(
        "/api/library/play", server=server.udn, where="replace", container="folder", start={"id": "120", "offset": 120}
    )
    reads = [line for line in server.server.requests if line.startswith("Browse folder BrowseDirectChildren")]
    assert [line.split()[-1] for line in reads[-3:]] == ["120", "0", "100"]
    assert answer["added"] == COUNT and answer["complete"]
    assert queued(home) == [f"Track {number}" for number in range(COUNT)]
    home.post("/api/queue/undo", undo=answer["undo"])
    assert queued(home) == ["Old 1", "Old 2"]
