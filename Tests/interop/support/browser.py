"""A speaker and its page: the renderer on one machine, Chromium and a media server on another."""

import contextlib
import os
import pathlib
import time

from playwright.sync_api import TimeoutError, sync_playwright

import soap
from network import Machine, NetworkedRenderer, connect
from page_api import Page
from processes import MEDIA_SERVER, PATIENCE, Process, wait_until

CHROMIUM = "/usr/bin/chromium"
SPEAKER, NEIGHBOUR = "192.0.2.1", "192.0.2.2"
BASE = f"http://{SPEAKER}:49494"

#: Takes the page's files from this folder, such as `web`, so that they can be changed without a build.
PAGE_FOLDER = os.environ.get("PAGE_FOLDER")

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TABLET = {"viewport": {"width": 820, "height": 1180}, "has_touch": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}


class Refused(Exception):
    """The API answered with an error."""

    def __init__(self, status, problem):
        super().__init__(status, problem)
        self.status = status
        self.problem = problem


class SpeakerAtHome:
    """The two machines. They do not use loopback addresses, because browsers treat loopback as a secure context."""

    def __init__(self, folder: pathlib.Path, more=(), name="Living room"):
        self.folder = folder
        self._more = ("--config", "/dev/null", "--port", "49494", "--status-socket", str(folder / "status"), *more)
        self._name = name
        self.here, self.there = Machine(), Machine()
        connect(self.here, "eth0", self.there, "eth0")
        self.here.ip("address", "add", f"{SPEAKER}/24", "dev", "eth0")
        self.there.ip("address", "add", f"{NEIGHBOUR}/24", "dev", "eth0")
        self._api = Page(BASE, machine=self.there)
        self.renderer = None
        self.media = None
        self.start()

    def start(self):
        self.renderer = NetworkedRenderer(self.here, self.folder / "state", name=self._name, more=self._more)
        self.renderer.wait_for("On eth0")

    def serve(self, folder):
        """Serves the files of a folder from the neighbour; returns the address."""
        self.media = Process(*self.there.command(MEDIA_SERVER, "--folder", str(folder), "--host", NEIGHBOUR))
        return self.media.wait_for(r"http://\S+").group()

    @contextlib.contextmanager
    def dead_network(self):
        """Nothing that the speaker sends arrives, and nothing reports it: as when a phone has left the Wi-Fi."""
        neighbour = ("neighbour", "replace", NEIGHBOUR, "dev", "eth0")
        self.here.ip(*neighbour, "lladdr", "02:00:00:00:00:99", "nud", "permanent")
        try:
            yield
        finally:
            self.here.ip("neighbour", "delete", NEIGHBOUR, "dev", "eth0")

    def close(self):
        with contextlib.ExitStack() as stack:
            for machine in (self.here, self.there):
                stack.callback(machine.remove)
            for process in (self.media, self.renderer):
                if process:
                    stack.callback(process.stop)

    # The API, from the neighbour.

    def get(self, path):
        return self._document(self._api.get(path))

    def post(self, path, token=None, **body):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self._document(self._api.post(path.removeprefix("/api/"), body, **headers))

    @staticmethod
    def _document(answer):
        if answer.status >= 400:
            raise Refused(answer.status, answer.body.decode())
        return answer.json

    def has(self, path):
        """Whether the speaker has this resource."""
        return self._api.get(path).status != 404

    @property
    def state(self):
        return self.get("/api/state")

    def controller(self, name):
        """Calls actions of a UPnP AV service from the neighbour."""
        service = self.there.do(lambda: soap.Service(f"{BASE}/renderer/description.xml", name))
        return lambda action, **arguments: self.there.do(lambda: service(action, **arguments))

    def fill(self, items):
        """Replaces the queue by items: dictionaries of the API."""
        self.post("/api/queue/clear")
        for start in range(0, len(items), 2000):
            self.post("/api/queue/add", items=items[start : start + 2000], where="end")


class Browser:
    """Headless Chromium on a machine."""

    def __init__(self, machine: Machine, folder: pathlib.Path):
        wrapper = folder / "chromium"
        wrapper.write_text(f'#!/bin/sh\nexec ip netns exec {machine.name} {CHROMIUM} "$@"\n')
        wrapper.chmod(0o755)
        self._playwright = sync_playwright().start()
        # Without a sandbox: the tests run as root. Without a GPU and shared memory: in any container.
        options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        self._chromium = self._playwright.chromium.launch(executable_path=str(wrapper), args=options)
        self._contexts = []

    def open(self, path="/", language="en", scheme="light", reduced_motion="reduce", base=BASE,
             ready="sw-app:not(.is-lost) .speaker-name:not(:empty)", **device):  # fmt: skip
        """Opens a page in a new context, and waits for the selector `ready`. The page's `errors` collects console errors."""
        context = self._chromium.new_context(
            **(device or DESKTOP), locale=language, color_scheme=scheme, reduced_motion=reduced_motion
        )
        context.set_default_timeout(PATIENCE * 1000)
        self._contexts.append(context)
        if PAGE_FOLDER:
            context.route("**/page/**", lambda route: route.fulfill(path=_local(route.request.url)))
        page = context.new_page()
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on("console", lambda message: _note(page, message))
        pending, failed, done = [], [], []
        page.on("request", lambda request: pending.append(request.url))
        for event in ("requestfinished", "requestfailed"):
            page.on(event, lambda request: request.url in pending and pending.remove(request.url))
        page.on("requestfailed", lambda request: failed.append((request.url, request.failure)))
        page.on("response", lambda response: done.append((response.url, response.status)))
        page.goto(base + path)
        try:
            page.locator(ready).wait_for()
        except TimeoutError as error:
            shown = page.evaluate("[document.visibilityState, document.querySelector('sw-app')?.className]")
            raise AssertionError(
                f"no {ready}; unanswered: {pending}, failed: {failed}, answered: {done}, errors: {page.errors}, state: {shown}"
            ) from error
        return page

    def blank(self, width, height):
        """An empty page, for drawings."""
        context = self._chromium.new_context(viewport={"width": width, "height": height})
        self._contexts.append(context)
        return context.new_page()

    def close_pages(self):
        """Closes all pages; returns their errors."""
        errors = [error for context in self._contexts for page in context.pages for error in getattr(page, "errors", ())]
        for context in self._contexts:
            context.close()
        self._contexts.clear()
        return errors

    def close(self):
        self._chromium.close()
        self._playwright.stop()


def _local(url):
    # Without the version.
    path = url.split("/page/")[1]
    return next(file for file in (pathlib.Path(PAGE_FOLDER) / path, pathlib.Path(PAGE_FOLDER) / path.split("/", 1)[-1]) if file.exists())


def _note(page, message):
    # Ignore failed requests: Chromium reports every status from 400 on. Other tests check the speaker's answers.
    if message.type == "error" and not message.text.startswith("Failed to load resource"):
        page.errors.append(message.text)


def go(page, view):
    """Opens a view by its address."""
    page.evaluate("view => { location.hash = `#/${view}` }", view)
    page.locator(f"sw-{view.split('/')[0]}").wait_for()


def drag_by_touch(page, start, end, steps=8):
    """Drags with a finger, which Playwright cannot."""
    session = page.context.new_cdp_session(page)

    def send(kind, points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    (x, y), (to_x, to_y) = start, end
    send("touchStart", [{"x": x, "y": y}])
    for step in range(1, steps + 1):
        send("touchMove", [{"x": x + (to_x - x) * step / steps, "y": y + (to_y - y) * step / steps}])
    send("touchEnd", [])


def centre(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


#: The speaker sends changes to its pages at most every 0.2 s.
MODERATION = 0.3


def eventually(condition):
    """`wait_until` for conditions that read the page or the speaker. Also waits until open pages have the speaker's state."""
    result = wait_until(condition)
    time.sleep(MODERATION)
    return result
