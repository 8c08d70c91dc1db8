"""`swiftlet status` and the metrics."""

import json
import os
import pathlib
import re
import signal
import subprocess
import urllib.error
import urllib.request

import pytest
from async_upnp_client.profiles.dlna import TransportState
from prometheus_client.parser import text_string_to_metric_families

import network
import soap
from processes import PATIENCE, SWIFTLET, wait_until

LONG = "noise12-44100-16-2-30s.flac"


def status(path, *more):
    return subprocess.run(
        [SWIFTLET, "status", "--config", "/dev/null", "--status-socket", str(path), *more],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False,
    )  # fmt: skip


async def test_status_shows_what_plays(start, controlling, media, tmp_path):
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
        assert report["output_format"] == {"sample_rate": 44100, "bit_depth": 16, "channels": 2}
        assert (report["bit_perfect"], report["reasons"]) == (False, ["volume", "shared"])
        assert 0 < report["buffer"] < 30
        (interface,) = report["interfaces"]
        assert (interface["name"], interface["address"]) == ("lo", "127.0.0.1")
        assert renderer.description_url in interface["urls"]
        assert interface["page"] and renderer.description_url.startswith(interface["page"])

        text = status(tmp_path / "state/status").stdout
        assert re.search(r"^State +playing, from upnp$", text, re.MULTILINE)
        assert re.search(r"^Track +Rock & Roll", text, re.MULTILINE)


async def test_status_shows_recent_errors(start, controlling, media, tmp_path):
    renderer = start()
    async with controlling(renderer.description_url) as controller:
        await controller.play(media.url("nothing.flac"))
        await controller.wait(lambda: "ERROR_OCCURRED" in controller.values("TransportStatus"))
    report = json.loads(status(tmp_path / "state/status", "--json").stdout)
    assert report["error"] == "“Title” from 127.0.0.1: There is no such file."
    assert report["troubles"][-1]["text"] == "127.0.0.1: There is no such file."


def test_status_works_with_an_invalid_configuration(start, tmp_path):
    path = tmp_path / "broken.toml"
    path.write_text("nmae = 1\n")
    # The last of several --config options counts.
    more = ("--config", str(path))
    result = status(tmp_path / "status", *more)
    assert result.returncode == 69
    problem, sentence = result.stderr.splitlines()
    assert problem.startswith(f"{path}:1: nmae: ") and str(tmp_path / "status") in sentence
    assert start().port
    assert "Kitchen" in status(tmp_path / "state/status", *more).stdout


def test_status_without_a_renderer_is_an_error(tmp_path):
    result = status(tmp_path / "status")
    assert result.returncode == 69
    (sentence,) = result.stderr.splitlines()
    assert str(tmp_path / "status") in sentence


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_stale_status_socket_is_replaced(start, tmp_path, end):
    path = tmp_path / "state/status"
    first = start()
    assert first.port
    assert status(path).returncode == 0
    first.stop(end)
    assert status(path).returncode == 69
    second = start()
    assert second.port
    assert status(path).returncode == 0


@pytest.mark.keys("status_socket")
def test_a_status_socket_in_use_is_left_alone(start, tmp_path):
    path = tmp_path / "state/status"
    assert start(name="First").port
    second = start(state=tmp_path / "other", name="Second", more=("--status-socket", str(path)))
    second.wait_for_log(f"Another swiftlet uses {path}")
    second.stop()
    assert json.loads(status(path, "--json").stdout)["name"] == "First"


def figures(text):
    """The metrics by name, parsed by the Prometheus client."""
    return {sample.name: sample.value for family in text_string_to_metric_families(text) for sample in family.samples}


def metrics(renderer):
    url = f"http://127.0.0.1:{renderer.port}/metrics"
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        return answer.headers["Content-Type"], answer.read().decode()


def test_metrics_are_off_by_default(start):
    with pytest.raises(urllib.error.HTTPError, match="404"):
        metrics(start())


@pytest.mark.keys("metrics")
def test_metrics_are_valid_and_plausible(start):
    name = 'Küche "1" \\ 2'
    renderer = start(name=name, more=("--metrics", "true"))
    kind, text = metrics(renderer)
    assert kind.startswith("text/plain; version=0.0.4")
    families = list(text_string_to_metric_families(text))
    # Each metric has a help text and a type, and appears once.
    assert all(family.documentation and family.type in ("gauge", "counter") for family in families)
    assert len({family.name for family in families}) == len(families)
    (info,) = (family.samples[0] for family in families if family.name == "swiftlet_info")
    assert info.labels["name"] == name

    read = figures(text)
    assert read["swiftlet_volume"] == 100
    assert read["swiftlet_playing"] == read["swiftlet_failed"] == read["swiftlet_muted"] == 0
    process = pathlib.Path(f"/proc/{renderer.process.pid}")
    pages = int((process / "statm").read_text().split()[1])
    assert read["process_resident_memory_bytes"] == pytest.approx(pages * os.sysconf("SC_PAGESIZE"), rel=0.2)
    assert read["process_open_fds"] == pytest.approx(len(list((process / "fd").iterdir())), abs=3)
    again = figures(metrics(renderer)[1])
    assert again["swiftlet_uptime_seconds"] > read["swiftlet_uptime_seconds"]
    assert again["process_cpu_seconds_total"] >= read["process_cpu_seconds_total"]


def test_metrics_and_status_follow_the_player(start, media, tmp_path):
    renderer = start(more=("--metrics", "true"))
    transport = soap.Service(renderer.description_url, "AVTransport")
    rendering = soap.Service(renderer.description_url, "RenderingControl")

    def wait_until_reported(state, **values):
        """Waits until status and metrics both report these values."""
        names = {f"swiftlet_{name}": value for name, value in values.items()}

        def holds():
            report = json.loads(status(tmp_path / "state/status", "--json").stdout)
            return report["state"] == state and names.items() <= figures(metrics(renderer)[1]).items()

        wait_until(holds)

    def play(url):
        transport("SetAVTransportURI", InstanceID=0, CurrentURI=url, CurrentURIMetaData="")
        transport("Play", InstanceID=0, Speed=1)

    play(media.url(LONG))
    wait_until_reported("playing", playing=1, buffering=0, failed=0)
    transport("Pause", InstanceID=0)
    wait_until_reported("paused", playing=0, buffering=0)
    rendering("SetVolume", InstanceID=0, Channel="Master", DesiredVolume=25)
    rendering("SetMute", InstanceID=0, Channel="Master", DesiredMute=1)
    wait_until_reported("paused", volume=25, muted=1)
    transport("Play", InstanceID=0, Speed=1)
    wait_until_reported("playing", playing=1)
    transport("Stop", InstanceID=0)
    wait_until_reported("stopped", playing=0, failed=0)
    play(media.url(LONG, "open-delay=20"))
    wait_until_reported("buffering", buffering=1, playing=0)
    play(media.url("nothing.flac"))
    wait_until_reported("stopped", failed=1, playing=0, buffering=0)


@network.needs_namespaces
def test_metrics_and_status_follow_the_network(here, there, tmp_path):
    path = tmp_path / "status"
    more = ("--config", "/dev/null", "--status-socket", str(path), "--metrics", "true", "--port", "49494")
    renderer = network.NetworkedRenderer(here, tmp_path / "state", more=more)
    try:

        def networks():
            """The networks by status; None if the metrics differ."""
            interfaces = json.loads(status(path, "--json").stdout)["interfaces"]
            read = figures(here.get("http://127.0.0.1:49494/metrics").decode())
            named = [(interface["name"], interface["address"]) for interface in interfaces]
            return named if read["swiftlet_interfaces"] == len(named) else None

        renderer.wait_for("Not on a network yet")
        assert re.search(r"^Network +none$", status(path).stdout, re.MULTILINE)
        here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
        renderer.wait_for("On eth0")
        wait_until(lambda: networks() == [("eth0", "192.0.2.1")])
        there.ip("link", "set", "eth0", "down")
        wait_until(lambda: networks() == [])
        assert re.search(r"^Network +none$", status(path).stdout, re.MULTILINE)
    finally:
        renderer.stop()
