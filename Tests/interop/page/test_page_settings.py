"""Settings, party lock and health of the speaker's page."""

import http.server
import json
import pathlib
import re
import signal
import subprocess
import threading

import pytest

from page_api import Page
from processes import PATIENCE, SWIFTLET, running_renderer, wait_until
from soap import Service, get
from test_page_openapi import ROUTES
from test_state import fill, small_disk


def shown(*arguments, **environment):
    """The output of `config show` for these arguments."""
    return subprocess.run(
        [SWIFTLET, "config", "show", *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False,
        env={"HOME": "/nowhere", **environment},
    )  # fmt: skip


@pytest.mark.keys("page")
@pytest.mark.parametrize("mode", ["on", "read-only", "off"])
def test_the_page_has_three_modes(mode):
    assert f'page = "{mode}"' in shown("--page", mode).stdout
    assert shown("--page", "open").returncode == 64


@pytest.fixture
def layers(tmp_path):
    """Runs `config show` with `max_volume` in some layers; returns the value in force and its origin."""

    def layers(file=None, page=None, environment=None, option=None):
        state = tmp_path / "state"
        state.mkdir(exist_ok=True)
        (tmp_path / "swiftlet.toml").write_text(f"max_volume = {file}\n" if file else "")
        (state / "page.toml").write_text(f"max_volume = {page}\n" if page else "")
        arguments = ["--config", str(tmp_path / "swiftlet.toml"), "--state-dir", str(state)]
        result = shown(
            *arguments, *(["--max-volume", str(option)] if option else []),
            **({"SWIFTLET_MAX_VOLUME": str(environment)} if environment else {}),
        )  # fmt: skip
        assert result.returncode == 0, result.stderr
        value, origin = re.search(r"^max_volume = (\d+) +# (.*)$", result.stdout, re.MULTILINE).groups()
        return int(value), origin.replace(str(tmp_path), "")

    return layers


@pytest.mark.parametrize(
    ("given", "value", "origin"),
    [
        ({}, 100, "default"),
        ({"file": 10}, 10, "/swiftlet.toml:1"),
        ({"page": 20}, 20, "/state/page.toml"),
        ({"file": 10, "page": 20}, 20, "/state/page.toml"),
        ({"file": 10, "page": 20, "environment": 30}, 30, "SWIFTLET_MAX_VOLUME"),
        ({"file": 10, "page": 20, "option": 40}, 40, "--max-volume"),
        ({"page": 20, "environment": 30, "option": 40}, 40, "--max-volume"),
    ],
)
def test_show_names_the_origin_of_each_layer(layers, given, value, origin):
    assert layers(**given) == (value, origin)


def test_a_damaged_file_is_set_aside_and_its_valid_settings_stay(start, tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    (state / "page.toml").write_text('room = "Attic"\nport = 1\nname = \n')
    renderer = start(state=state)
    renderer.wait_for_log(r"page\.toml:2: port: The page has no such setting")
    renderer.wait_for_log(r"page\.toml:3: name: ")
    aside = renderer.wait_for_log(r"is kept as (\S+page\.toml\.unreadable-\d+)\.").group(1)
    assert "port = 1" in pathlib.Path(aside).read_text()
    assert Service(renderer.openhome_url, "Product")("Product")["Room"] == "Attic"
    wait_until(lambda: (state / "page.toml").exists())
    text = (state / "page.toml").read_text()
    assert 'room = "Attic"' in text
    assert "port" not in text
    assert (state / "page.toml").stat().st_mode & 0o777 == 0o600


class API:
    """The settings and the lock of a speaker's page."""

    def __init__(self, page):
        self.page = page
        self.token = None

    def __call__(self, path, **body):
        """The status and the document of a command, or of a GET if it has no arguments."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if body:
            answer = self.page.post(path, body.get("body", body), **headers)
        else:
            answer = self.page.get(f"/api/{path}", **headers)
        return answer.status, answer.json

    def setting(self, key):
        return next(setting for setting in self("settings")[1]["settings"] if setting["key"] == key)

    def set(self, key, value):
        """Sets a value that must be accepted; returns the setting afterwards."""
        status, entry = self("settings", key=key, value=value)
        assert status == 200, entry
        return entry

    @property
    def state(self):
        return self("state")[1]


@pytest.fixture
def speaker(start, tmp_path):
    """Starts a speaker with this configuration file. Its command line has no settings that the page can change."""
    path = tmp_path / "swiftlet.toml"

    def speaker(text='output = "null"\n', **options):
        path.write_text(text)
        renderer = start(name=None, output=None, more=("--config", str(path)), **options)
        api = API(Page(renderer))

        def reload(text):
            path.write_text(text)
            renderer.process.send_signal(signal.SIGHUP)

        renderer.reload = reload
        return renderer, api

    return speaker


def test_a_setting_is_in_force_at_once_and_survives(speaker, tmp_path):
    renderer, api = speaker('output = "null"\nname = "File"\nroom = "Hall"\n')
    product = Service(renderer.openhome_url, "Product")
    assert api.setting("name").items() >= {"value": "File", "origin": "file", "editable": True}.items()
    assert api.set("name", "Page")["origin"] == "page"
    wait_until(lambda: api.state["speaker"]["name"] == "Page")
    wait_until(lambda: product("Product")["Name"] == "Page")
    wait_until(lambda: "<friendlyName>Page<" in get(renderer.description_url)[1].decode())
    # The owner's file stays as it is, and a reload keeps the page's value.
    assert 'name = "File"' in (tmp_path / "swiftlet.toml").read_text()
    renderer.reload('output = "null"\nname = "Other"\nroom = "Attic"\n')
    renderer.wait_for_log(r"Reloaded .*In force now: room\.$")
    assert product("Product")["Name"] == "Page"
    assert api.set("max_volume", 70)["value"] == 70
    wait_until(lambda: api.state["volume"]["limit"] == 70)
    renderer.stop()

    renderer, api = speaker((tmp_path / "swiftlet.toml").read_text())
    assert (api.state["speaker"]["name"], api.state["volume"]["limit"]) == ("Page", 70)
    reset = api.set("name", None)
    assert (reset["value"], reset["origin"]) == ("Other", "file")
    wait_until(lambda: api.state["speaker"]["name"] == "Other")
    wait_until(lambda: "\nname = " not in (tmp_path / "state/page.toml").read_text())


def test_a_new_name_is_announced(here, there, point, start_on, tmp_path):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    renderer = start_on(here, name=None, more=("--config", "/dev/null"))
    (*_, alive) = point.wait_for_alive("192.0.2.1")
    api = API(Page(alive.location, machine=there))
    point.forget()
    api.set("name", "Page")
    point.wait(lambda point: point.notifications("byebye", "192.0.2.1"))
    point.wait_for_alive("192.0.2.1")
    _, description = there.do(lambda: get(alive.location))
    assert b"<friendlyName>Page" in description
    renderer.stop()


def test_another_output_continues_the_track(speaker, capture, media, fixtures, tmp_path):
    fixture = fixtures["noise12-44100-16-2-30s.wav"]
    renderer, api = speaker(f'output = "{capture.output}"\n')
    # The API does not show the description of a configured bin.
    setting = api.setting("output")
    assert setting["value"] == "bin"
    assert {"value": "null", "name": "Discards the sound in real time"} in setting["choices"]
    assert api("queue/add", items=[{"uri": media.url(fixture.name)}], where="now")[0] == 200
    wait_until(lambda: api.state["position"]["seconds"] > 1)
    assert api.set("output", "null")["value"] == "null"
    wait_until(lambda: api.state["output"]["name"] == "null")
    wait_until(lambda: api.state["playing"]["state"] == "playing")
    assert 1 < api.state["position"]["seconds"] < 20
    before = capture.size
    wait_until(lambda: api.state["position"]["seconds"] > 3)
    assert capture.size == before
    # A reset restores the bin, which continues at the same position.
    assert api.set("output", None)["origin"] == "file"
    wait_until(lambda: api.state["output"]["name"] == "bin")
    wait_until(lambda: capture.size >= fixture.bytes_per_second)
    renderer.stop()
    heard = capture.read()
    begin = fixture.pcm().find(heard[: fixture.bytes_per_second // 2])
    assert begin >= 3 * fixture.bytes_per_second


@pytest.mark.parametrize(
    ("body", "status", "detail"),
    [
        ({"key": "output", "value": "filesink location=/tmp/x"}, 400, "not an output"),
        ({"key": "output", "value": "alsa:hw:99"}, 400, "not an output"),
        ({"key": "max_volume", "value": 101}, 400, "0 to 100"),
        ({"key": "max_volume", "value": "80"}, 400, "text"),
        ({"key": "name", "value": "x" * 101}, 400, "longer"),
        ({"key": "name", "value": ["x"]}, 400, "value"),
        ({"key": "name"}, 400, "“value” is missing"),
        ({"value": 1}, 400, "“key” is missing"),
        ({"key": "room", "value": "Bath"}, 409, "SWIFTLET_ROOM"),
        ({"key": "buffer", "value": 5}, 409, "--buffer"),
        *(
            ({"key": key, "value": "x"}, 404, "no setting")
            for key in ("hooks.play", "state_dir", "page", "hosts", "presets", "mixer", "nothing")
        ),
    ],
)
def test_settings_that_are_refused(picky, body, status, detail):
    """A refused command changes no setting."""
    before = picky("settings")
    code, problem = picky("settings", body=body)
    assert (code, problem["status"]) == (status, status)
    assert detail in problem["detail"]
    assert picky("settings") == before


@pytest.fixture(scope="module")
def picky(tmp_path_factory):
    """The API of a speaker with settings in the environment and on the command line."""
    folder = tmp_path_factory.mktemp("picky")
    (folder / "swiftlet.toml").write_text('output = "null"\n')
    more = ("--config", str(folder / "swiftlet.toml"), "--buffer", "8")
    with running_renderer(
        folder, name=None, output=None, more=more, before=("env", "SWIFTLET_ROOM=Hall")
    ) as renderer:
        yield API(Page(renderer))


def test_settings_of_stronger_origins_are_shown_with_the_reason(picky):
    room, buffer = picky.setting("room"), picky.setting("buffer")
    assert (room["value"], room["origin"], room["editable"]) == ("Hall", "environment", False)
    assert room["why_not"] == "The environment variable SWIFTLET_ROOM sets it."
    assert (buffer["value"], buffer["origin"], buffer["editable"]) == (8, "command line", False)
    assert buffer["why_not"] == "The option --buffer sets it."


def test_a_read_only_page_changes_nothing(start):
    api = API(Page(start(more=('--page', 'read-only'))))
    assert not any(setting["editable"] for setting in api("settings")[1]["settings"])
    for path, body in (("settings", {"key": "room", "value": "x"}), ("lock", {"pin": "1234"})):
        status, problem = api(path, body=body)
        assert (status, problem["type"]) == (403, "/problems/read-only")


def test_a_full_disk_is_logged_and_the_settings_are_written_later(start, small_disk):
    before, folder, seen = small_disk
    more = ("--config", "/dev/null")
    renderer = start(name=None, state=folder, before=before, more=more)
    api = API(Page(renderer))
    api.set("room", "First")
    page = seen / "page.toml"
    wait_until(lambda: page.exists() and "First" in page.read_text())
    fill(seen / "filler")
    # The new file is larger than the old one.
    api.set("name", "x" * 100)
    api.set("room", "Second" * 10)
    renderer.wait_for_log(r"Cannot write .*page\.toml: no space left on device\. A restart loses")
    wait_until(lambda: api.state["speaker"]["room"] == "Second" * 10)
    assert "First" in page.read_text()
    (seen / "filler").unlink()
    renderer.wait_for_log(r"page\.toml can be written again")
    assert "Second" in page.read_text()
    assert len([line for line in renderer.err if "no space left" in line and "page.toml" in line]) == 1


def test_guests_of_a_locked_speaker(start, tmp_path):
    # With all features that add commands.
    renderer = start(more=("--beacon", "true"))
    owner, guest = (API(Page(renderer)) for _ in range(2))
    assert guest("lock") == (200, {"locked": False, "owner": False})
    for pin in ("12", "12ab", "1" * 13, ""):
        assert owner("lock", pin=pin)[0] == 400
    owner("volume", level=50)
    owner.token = owner("lock", pin="1234")[1]["token"]
    assert guest("lock") == (200, {"locked": True, "owner": False})
    assert guest.state["access"]["lock"] is True
    add = {"items": [{"uri": "http://192.0.2.9/a.flac"}]}
    allowed = {
        "queue/add": {**add, "where": "end"}, "volume": {"level": 40}, "mute": {"muted": True},
    }  # fmt: skip
    for path, body in allowed.items():
        assert guest(path, body=body)[0] == 200, path
    refused = [
        ("queue/add", {**add, "where": "next"}), ("queue/add", {**add, "where": "now"}), ("volume", {"level": 60}),
        ("volume", {"change": 1}), ("mute", {"muted": False}), ("next", {}), ("play", {}), ("stop", {}),
        ("queue/clear", {}), ("settings", {"key": "max_volume", "value": 100}), ("lock", {"pin": "9999"}),
        ("lock/remove", {}), ("standby", {"standby": True}), ("source", {"source": "radio"}),
    ]  # fmt: skip
    for path, body in refused:
        status, problem = guest(path, body=body)
        assert (status, problem["type"]) == (403, "/problems/locked"), path
    assert (guest.state["volume"]["level"], guest.state["volume"]["muted"]) == (40, True)
    assert owner("mute", muted=False)[0] == 200
    # Access is checked before the body is read, except where the body decides it or anyone may send the command.
    posts = {path.removeprefix("/api/") for path, method in ROUTES if method == "post"}
    assert {path for path in posts if guest(path, body={})[0] != 403} == {
        "companion/enter", "companion/leave", "companion/register", "library/play", "lists/play", "mute", "queue/add", "unlock",
        "volume",
    }  # fmt: skip

    # The lock survives a restart, tokens do not.
    wait_until((tmp_path / "state/page.lock").exists)
    assert (tmp_path / "state/page.lock").stat().st_mode & 0o777 == 0o600
    assert "1234" not in (tmp_path / "state/page.lock").read_text()
    renderer.stop()
    owner.page = guest.page = Page(start())
    assert owner("stop", body={})[0] == 403
    status, problem = owner("unlock", pin="4321")
    assert (status, problem["type"]) == (403, "/problems/wrong-pin")
    owner.token = owner("unlock", pin="1234")[1]["token"]
    assert re.fullmatch("[0-9a-f]{32}", owner.token)
    assert owner("stop", body={})[0] == 200
    guest.token = owner.token[:-1] + "x"
    assert guest("stop", body={})[0] == 403
    assert owner("lock/remove", body={})[0] == 200
    assert guest("stop", body={})[0] == 200
    assert guest("unlock", pin="1234")[0] == 409


def test_five_wrong_pins_a_minute(start):
    api = API(Page(start()))
    api("lock", pin="1234")
    assert [api("unlock", pin="0000")[0] for _ in range(7)] == [403] * 5 + [429] * 2
    # The right PIN is refused, too: the limit prevents the comparison.
    status, problem = api("unlock", pin="1234")
    assert status == 429
    assert re.search(r"Try again in \d+ seconds", problem["detail"])


def test_a_damaged_lock_is_set_aside(start, tmp_path):
    (tmp_path / "state").mkdir()
    (tmp_path / "state/page.lock").write_text("1234\n")
    renderer = start()
    renderer.wait_for_log(r"Cannot read the PIN of the party lock.*page\.lock\.unreadable-")
    assert API(Page(renderer))("lock")[1] == {"locked": False, "owner": False}


class Nothing(http.server.BaseHTTPRequestHandler):
    """A server without any file."""

    def do_GET(self):  # noqa: N802
        self.send_error(404)

    def log_message(self, *_):
        """Prints nothing."""


def test_health_shows_the_log_without_secrets(start):
    renderer = start()
    api = API(Page(renderer))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Nothing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://user:word@127.0.0.1:{server.server_port}/a.flac?token=secret"
        api("queue/add", items=[{"uri": address}], where="now")
        renderer.wait_for_log(r"debug: .*status\(404\)")
        wait_until(lambda: api("health")[1]["errors"])
        server.shutdown()
    status, health = api("health")
    assert status == 200
    assert health.keys() >= {"version", "uptime", "networks", "output", "xruns", "buffer", "errors", "log"}
    assert health["networks"][0]["name"] == "lo"
    assert health["output"] == "null"
    assert 0 < len(health["log"]) <= 200
    assert {line["level"] for line in health["log"]} >= {"debug", "info", "warning"}
    log = json.dumps([renderer.err, health["log"], health["errors"], api.state["health"]])
    assert "secret" not in log
    assert "word" not in log
