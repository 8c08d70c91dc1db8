"""The control script for Snapcast, without snapserver."""

import contextlib
import importlib.util
import json
import subprocess
import sys

import pytest

from page_api import Page
from processes import Process, wait_until
from snapcast import CONTROL

STATE = {
    "access": {"lock": False, "read_only": False},
    "playing": {
        "state": "playing", "track_id": 7, "title": "Autumn", "artist": "Ann", "art": "/api/art/1",
        "can": {"next": True, "pause": True, "play": True, "previous": False, "seek": True},
    },
    "position": {"advancing": True, "seconds": 3, "duration": 30},
    "modes": {"repeat": True, "shuffle": False},
    "volume": {"level": 40, "muted": True},
    "networks": [{"name": "eth0"}, {"name": "eth0", "url": "http://192.0.2.1:49494/"}],
}  # fmt: skip


@pytest.fixture(scope="module")
def script():
    specification = importlib.util.spec_from_file_location("snapcast_control", CONTROL)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def with_playing(**changes):
    return {**STATE, "playing": {**STATE["playing"], **changes}}


def test_a_state_in_the_words_of_snapcast(script):
    assert script.properties(STATE, 3.14159, "http://localhost:49494", has_pin=False) == {
        "playbackStatus": "playing", "position": 3.142, "loopStatus": "playlist", "shuffle": False, "volume": 40, "mute": True,
        "canGoNext": True, "canGoPrevious": False, "canPlay": True, "canPause": True, "canSeek": True, "canControl": True,
        "metadata": {
            "trackId": "7", "title": "Autumn", "artist": ["Ann"], "duration": 30, "artUrl": "http://192.0.2.1:49494/api/art/1",
        },
    }  # fmt: skip


@pytest.mark.parametrize(
    ("state", "expected"),
    [("playing", "playing"), ("buffering", "playing"), ("paused", "paused"), ("stopped", "stopped"), ("empty", "stopped")],
)
def test_states(script, state, expected):
    assert script.properties(with_playing(state=state), 0, "", has_pin=False)["playbackStatus"] == expected


@pytest.mark.parametrize(
    ("access", "has_pin", "expected"),
    [
        ({"lock": True, "read_only": False}, False, False), ({"lock": True, "read_only": False}, True, True),
        ({"lock": False, "read_only": True}, True, False),
    ],
)  # fmt: skip
def test_rights(script, access, has_pin, expected):
    assert script.properties({**STATE, "access": access}, 0, "", has_pin)["canControl"] is expected


def test_a_picture_without_a_network_has_the_address_of_the_configuration(script):
    properties = script.properties({**STATE, "networks": []}, 0, "http://localhost:49494", has_pin=False)
    assert properties["metadata"]["artUrl"] == "http://localhost:49494/api/art/1"


@pytest.mark.parametrize("url", ["https://192.0.2.1", "http://", "ftp://a"])
def test_addresses_that_are_refused(script, url):
    with pytest.raises(ValueError, match="is no address"):
        script.Speaker(url)


class Conversation:
    """The script, as snapserver talks to it."""

    def __init__(self, *arguments):
        self.process = Process(sys.executable, str(CONTROL), "--stream=Kitchen", *arguments, stdin=subprocess.PIPE)
        self._number = 0

    def send(self, line):
        self.process.process.stdin.write(line + "\n")
        self.process.process.stdin.flush()

    def ask(self, method, **parameters):
        self._number += 1
        number = self._number
        self.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": f"Plugin.Stream.Player.{method}", "params": parameters}))
        return wait_until(lambda: next((message for message in self.messages if message.get("id") == number), None))

    @property
    def messages(self):
        return [json.loads(line) for line in list(self.process.out)]

    def notified(self, method, condition=lambda parameters: True):
        return any(
            message.get("method") == method and condition(message.get("params")) for message in self.messages
        )


@pytest.fixture
def converse():
    with contextlib.ExitStack() as stack:

        def converse(*arguments):
            conversation = Conversation(*arguments)
            stack.callback(conversation.process.stop)
            return conversation

        yield converse


def test_a_locked_speaker_obeys_with_its_pin(start, converse, tmp_path):
    speaker = start()
    page = Page(speaker)
    page.do("lock", {"pin": "4711"})
    url = f"http://127.0.0.1:{speaker.port}"
    configuration = tmp_path / "snapcast.conf"
    configuration.write_text(f"[Kitchen]\nurl = {url}\npin = 4711\n[Study]\nurl = http://192.0.2.1\n")
    owner = converse("--config", str(configuration))
    wait_until(lambda: owner.notified("Plugin.Stream.Player.Properties", lambda new: new["canControl"]))
    assert owner.notified("Plugin.Stream.Ready")
    assert owner.ask("SetProperty", shuffle=True)["result"] == "ok"
    assert page.state["modes"]["shuffle"]
    wait_until(lambda: owner.ask("GetProperties")["result"]["shuffle"])
    # Without --snapcast-host, snapserver is too old to know it.
    assert "mute" not in owner.ask("GetProperties")["result"]

    guest = converse("--config", "/dev/null", "--url", url, "--snapcast-host=localhost")
    wait_until(lambda: guest.notified("Plugin.Stream.Player.Properties", lambda new: new["mute"] is False))
    assert not guest.ask("GetProperties")["result"]["canControl"]
    assert "locked" in guest.ask("SetProperty", shuffle=False)["error"]["message"]
    assert page.state["modes"]["shuffle"]


def test_what_it_cannot_do_is_an_error(start, converse):
    conversation = converse("--url", f"127.0.0.1:{start().port}")
    for method, parameters, code in (
        ("Control", {"command": "dance"}, -32602), ("Control", {"command": "seek", "params": {}}, -32602),
        ("Control", {"command": "setPosition", "params": {"position": "1"}}, -32602), ("Control", {"command": "play"}, -32603),
        ("SetProperty", {"loopStatus": "track"}, -32602), ("SetProperty", {"volume": True}, -32602),
        ("SetProperty", {"rate": 2.0}, -32602), ("Fly", {}, -32601),
    ):  # fmt: skip
        error = conversation.ask(method, **parameters)["error"]
        assert error["code"] == code, error
        assert error["data"] == error["message"]
    for line in ("{", "[]", '{"id": 99}', "7", '{"id": 98, "method": "Plugin.Stream.Player.Control", "params": []}'):
        count = len(conversation.messages)
        conversation.send(line)
        wait_until(lambda count=count: any("error" in message for message in conversation.messages[count:]))
    assert conversation.ask("SetProperty", volume=30)["result"] == "ok"


def test_it_reports_a_speaker_that_is_away_and_returns(start, converse, tmp_path):
    speaker = start()
    port = speaker.port
    conversation = converse("--url", f"http://127.0.0.1:{port}")
    wait_until(lambda: conversation.notified("Plugin.Stream.Player.Properties", lambda new: new["canControl"]))
    speaker.stop()
    wait_until(lambda: conversation.messages[-1].get("params", {}).get("severity") == "warning")
    assert not conversation.ask("GetProperties")["result"]["canControl"]
    assert "cannot be reached" in conversation.ask("Control", command="play")["error"]["message"]
    start(port=port)
    wait_until(lambda: conversation.ask("GetProperties")["result"]["canControl"])
    assert conversation.notified("Plugin.Stream.Log", lambda entry: entry["severity"] == "notice")


def test_it_ends_with_snapserver(converse):
    conversation = converse("--url", "http://127.0.0.1:1")
    wait_until(lambda: conversation.notified("Plugin.Stream.Ready"))
    conversation.process.process.stdin.close()
    assert conversation.process.process.wait(timeout=30) == 0


def test_a_wrong_configuration_is_named(tmp_path):
    configuration = tmp_path / "snapcast.conf"
    configuration.write_text("[Kitchen\nurl\n")
    command = (sys.executable, str(CONTROL), "--stream=Kitchen", "--config", str(configuration))
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == 1
    assert str(configuration) in done.stderr
