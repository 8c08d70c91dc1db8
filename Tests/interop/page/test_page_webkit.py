"""The page in WebKit, the engine of Safari: it starts, shows every view, and its controls work."""

import json
import urllib.error
import urllib.request

import pytest

import network
from browser import BASE
from processes import Process, wait_until

pytestmark = network.needs_namespaces

BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"
DRIVER = "http://127.0.0.1:4444"
VIEWS = ("queue", "library", "radio", "pins", "speakers", "settings", "health", "equalizer", "alarms", "now")


class WebKit:
    """WebKitGTK's browser on a machine, driven over WebDriver."""

    def __init__(self, machine, folder):
        self._machine = machine
        self._display = Process("Xvfb", "-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp")
        number = self._display.wait_for(r"^\d+$").group()
        environment = (f"DISPLAY=:{number}", f"HOME={folder}", f"XDG_RUNTIME_DIR={folder}", "LIBGL_ALWAYS_SOFTWARE=1", "NO_AT_BRIDGE=1")
        self._driver = Process(*machine.command("env", *environment, "WebKitWebDriver", "--port=4444", "--host=127.0.0.1"))
        options = {"browserName": "MiniBrowser", "webkitgtk:browserOptions": {"binary": BROWSER, "args": ["--automation"]}}
        self._session = ""
        session = wait_until(lambda: self._ask("POST", "/session", {"capabilities": {"alwaysMatch": options}}))
        self._session = f"/session/{session['sessionId']}"

    def _ask(self, method, path, body=None):
        """The value of an answer; None while nobody answers."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(DRIVER + path, data, {"Content-Type": "application/json"}, method=method)

        def ask():
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return json.load(answer)["value"]
            except urllib.error.HTTPError as error:
                raise AssertionError(error.read().decode()) from error
            except urllib.error.URLError:
                return None

        return self._machine.do(ask)

    def open(self, address):
        self._ask("POST", f"{self._session}/url", {"url": address})

    def run(self, script):
        return self._ask("POST", f"{self._session}/execute/sync", {"script": script, "args": []})

    def close(self):
        if self._session:
            self._ask("DELETE", self._session)
        self._driver.stop()
        self._display.stop()


@pytest.fixture
def webkit(home, tmp_path):
    webkit = WebKit(home.there, tmp_path)
    yield webkit
    webkit.close()


def test_the_page_works_in_webkit(home, webkit):
    home.post("/api/volume", level=40)
    home.fill([{"uri": f"http://192.0.2.2:9/{number}", "title": f"Title {number}"} for number in range(30)])
    webkit.open(BASE)
    wait_until(lambda: webkit.run("return document.querySelector('.speaker-name')?.textContent") == "Living room")
    webkit.run("window.faults = []; addEventListener('error', ({message}) => faults.push(message)); addEventListener('unhandledrejection', ({reason}) => faults.push(String(reason)))")
    for view in VIEWS:
        webkit.run(f"location.hash = '#/{view}'")
        wait_until(lambda view=view: webkit.run(f"return document.querySelector('sw-{view} h1')?.checkVisibility()"))
        assert webkit.run("return document.documentElement.scrollWidth <= innerWidth"), view
    webkit.run("location.hash = '#/queue'")
    wait_until(lambda: "Title 3" in webkit.run("return document.querySelector('sw-queue virtual-list:not([hidden])').textContent"))
    webkit.run("document.querySelector('sw-mini sw-volume button').click()")
    wait_until(lambda: home.state["volume"]["muted"])
    assert webkit.run("return faults") == []
