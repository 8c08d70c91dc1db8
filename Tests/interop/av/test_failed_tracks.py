"""A track that cannot be played is named with its host wherever the speaker shows its state."""

import json
import subprocess
import urllib.request

import pytest

from broker import PREFIX
from page_api import Events, Page
from processes import PATIENCE, SWIFTLET, wait_until_equal

GOOD = "noise12-44100-16-2-30s.flac"
SENTENCE = "“Broken” from 127.0.0.1: There is no such file."
FAILURE = {"code": "not_found", "title": "Broken", "host": "127.0.0.1", "text": SENTENCE}


class Speaker:
    """A speaker, and everything that shows its failures."""

    def __init__(self, renderer, listener, socket):
        self.page = Page(renderer)
        self.listener, self.port, self.socket = listener, renderer.port, socket

    def add(self, *tracks):
        """Adds tracks to the queue and plays the first; returns their ids."""
        items = [{"uri": uri, "title": title} for uri, title in tracks]
        return self.page.do("queue/add", {"items": items, "where": "now"})["ids"]

    @property
    def status(self):
        command = [SWIFTLET, "status", "--config", "/dev/null", "--status-socket", str(self.socket), "--json"]
        return json.loads(subprocess.run(command, capture_output=True, timeout=PATIENCE, check=True).stdout)

    @property
    def metrics(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=PATIENCE) as answer:
            lines = [line for line in answer.read().decode().splitlines() if line.startswith("swiftlet_failed")]
        return {name: int(value) for name, value in (line.split() for line in lines)}

    def marks(self, path="/api/queue"):
        """The failures of the queue by id."""
        document = self.page.get(path).json
        items = document["items"] if "items" in document else document["queue"]["window"]["items"]
        return {item["id"]: item["failure"] for item in items if "failure" in item}


@pytest.fixture
def speaker(run_broker, mqtt_client, speak_mqtt, tmp_path):
    broker = run_broker()
    listener = mqtt_client(broker.port)
    renderer = speak_mqtt(broker.port, "metrics = true")
    listener.wait(f"{PREFIX}/availability", "online")
    return Speaker(renderer, listener, tmp_path / "state/status")


def test_the_error_of_the_only_track_stays(speaker, media):
    """The playlist prepared the track again, and the error was gone at once."""
    (track,) = speaker.add((media.url("nothing.flac"), "Broken"))
    wait_until_equal(lambda: speaker.page.state["playing"].get("failure"), FAILURE)
    playing = speaker.page.state["playing"]
    assert (playing["state"], playing["error"]) == ("stopped", SENTENCE)
    assert "skipped" not in playing
    assert speaker.marks() == speaker.marks("/api/state") == {track: FAILURE}
    assert speaker.status["error"] == SENTENCE
    assert speaker.metrics == {"swiftlet_failed": 1, "swiftlet_failed_tracks_total": 1}
    speaker.listener.wait(f"{PREFIX}/failure", SENTENCE)
    assert speaker.listener.value(f"{PREFIX}/skipped") is None

    speaker.page.do("stop")
    assert "failure" not in speaker.page.state["playing"]
    assert "error" not in speaker.status
    assert speaker.metrics == {"swiftlet_failed": 0, "swiftlet_failed_tracks_total": 1}
    speaker.listener.wait(f"{PREFIX}/failure", None)
    # The mark stays until the track plays.
    assert speaker.marks() == {track: FAILURE}


def test_a_skipped_track_is_named(speaker, media):
    revision = speaker.page.state["queue"]["revision"]
    with Events(speaker.page) as events:
        tracks = speaker.add((media.url("nothing.flac"), "Broken"), (media.url(GOOD), "Good"))
        skipped = FAILURE | {"queue_id": tracks[0]}
        events.wait_for_state(lambda state: state["playing"].get("skipped") == skipped)
        events.wait_for_state(lambda state: state["playing"]["state"] == "playing")
        events.wait_for_state(lambda state: state["queue"]["window"]["items"][0].get("failure") == FAILURE)
    state = speaker.page.state
    assert (state["playing"]["title"], state["playing"]["skipped"]) == ("Good", skipped)
    assert "error" not in state["playing"]
    assert state["queue"]["revision"] != revision
    assert speaker.marks() == speaker.marks("/api/state") == {tracks[0]: FAILURE}
    assert speaker.status["skipped"] == SENTENCE
    assert speaker.metrics == {"swiftlet_failed": 0, "swiftlet_failed_tracks_total": 1}
    speaker.listener.wait(f"{PREFIX}/skipped", SENTENCE)

    speaker.page.do("seek", {"seconds": 2})
    assert "skipped" not in speaker.page.state["playing"]
    speaker.listener.wait(f"{PREFIX}/skipped", None)
    speaker.page.do("queue/remove", {"ids": [tracks[0]]})
    assert speaker.marks() == {}
