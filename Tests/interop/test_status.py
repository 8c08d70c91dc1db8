"""`swiftlet status` and the metrics of the built program."""

import json
import re
import signal
import subprocess
import urllib.error
import urllib.request

import pytest
from async_upnp_client.profiles.dlna import TransportState

from processes import PATIENCE, SWIFTLET

LONG = "noise12-44100-16-2-30s.flac"


def status(path, *more):
    return subprocess.run(
        [SWIFTLET, "status", "--config", "/dev/null", "--status-socket", str(path), *more],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False,
    )  # fmt: skip


async def test_what_it_plays(start, controlling, media, tmp_path):
    renderer = start()
    async with controlling(renderer.description_url) as controller:
        await controller.play(media.url(LONG), "Rock & Roll")
        await controller.wait_for_state(TransportState.PLAYING)
        await controller.dmr.async_set_volume_level(0.25)
        await controller.wait_for_position(lambda position: position >= 1)
        report = json.loads(status(tmp_path / "state/status", "--json").stdout)
        assert (report["name"], report["state"], report["source"]) == ("Kitchen", "playing", "upnp")
        assert (report["volume"], report["muted"], report["standby"]) == (25, False, False)
        assert report["uptime"] > 1
        track = report["track"]
        assert (track["uri"], track["title"]) == (media.url(LONG), "Rock & Roll")
        assert (track["duration"], track["sample_rate"], track["bit_depth"], track["channels"]) == (30, 44100, 16, 2)
        assert 1 <= track["position"] < 30
        assert report["output"] == "null"
        (interface,) = report["interfaces"]
        assert (interface["name"], interface["address"]) == ("lo", "127.0.0.1")
        assert renderer.description_url in interface["urls"]

        text = status(tmp_path / "state/status").stdout
        assert re.search(r"^State +playing, from upnp$", text, re.MULTILINE)
        assert re.search(r"^Track +Rock & Roll", text, re.MULTILINE)


async def test_what_went_wrong_lately(start, controlling, media, tmp_path):
    renderer = start()
    async with controlling(renderer.description_url) as controller:
        await controller.play(media.url("nothing.flac"))
        await controller.wait(lambda: "ERROR_OCCURRED" in controller.values("TransportStatus"))
    report = json.loads(status(tmp_path / "state/status", "--json").stdout)
    assert report["error"] == "The server has no such file."
    assert report["error"] in report["troubles"][-1]["text"]


def test_nobody_there(tmp_path):
    result = status(tmp_path / "status")
    assert result.returncode == 69
    (sentence,) = result.stderr.splitlines()
    assert str(tmp_path / "status") in sentence


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_the_socket_is_there_for_the_next_one(start, tmp_path, end):
    path = tmp_path / "state/status"
    first = start()
    assert first.port
    assert status(path).returncode == 0
    first.stop(end)
    assert status(path).returncode == 69
    second = start()
    assert second.port
    assert status(path).returncode == 0


def test_nobody_takes_anothers_socket(start, tmp_path):
    path = tmp_path / "state/status"
    assert start(name="First").port
    second = start(state=tmp_path / "other", name="Second", more=("--status-socket", str(path)))
    second.wait_for_log(f"{path} is another swiftlet's")
    second.stop()
    assert json.loads(status(path, "--json").stdout)["name"] == "First"


def metrics(renderer):
    url = f"http://127.0.0.1:{renderer.port}/metrics"
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        return answer.headers["Content-Type"], answer.read().decode()


def test_metrics_are_off_unless_asked_for(start):
    with pytest.raises(urllib.error.HTTPError, match="404"):
        metrics(start())


def test_metrics(start):
    kind, text = metrics(start(more=("--metrics", "true")))
    assert kind.startswith("text/plain; version=0.0.4")
    samples = [line for line in text.splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r'[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[0-9.e+]+', line) for line in samples)
    figures = {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in samples}
    assert figures["swiftlet_volume"] == 100
    assert figures["swiftlet_playing"] == 0
    assert figures["process_resident_memory_bytes"] > 1e6
