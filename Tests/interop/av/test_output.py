"""Audio devices that are missing, busy or unplugged, with and without --wait-for-output."""

import json
import os
import subprocess

import pytest
from async_upnp_client.profiles.dlna import TransportState

from processes import PATIENCE, SWIFTLET, wait_until
from sound_card import Card
from test_status import metrics, status

LONG = "noise12-44100-16-2-30s.flac"


@pytest.fixture
def card(tmp_path):
    return Card(tmp_path)


@pytest.mark.keys("output")
@pytest.mark.parametrize(
    ("condition", "error"),
    [("gone", "The audio device is missing or was unplugged."), ("busy", "The audio device is in use by another program.")],
)
async def test_it_waits_for_an_unavailable_device(start, controlling, media, card, tmp_path, condition, error):
    def report():
        return json.loads(status(tmp_path / "state/status", "--json").stdout)

    card.mark(condition)
    renderer = start(output=card.output, before=card.environment(), more=("--wait-for-output",))
    renderer.wait_for("waiting for an audio device")
    async with controlling(renderer.description_url) as controller:
        assert "output" not in report()
        await controller.play(media.url(LONG))
        await controller.wait(lambda: "ERROR_OCCURRED" in controller.values("TransportStatus"))
        await controller.wait_for_state(TransportState.STOPPED)
        assert report()["error"] == error
        assert not card.has_sounded()

        card.mark(condition, False)
        renderer.wait_for(f"Now sound to {card.output}")
        assert report()["output"] == card.output
        await controller.dmr.async_play()
        await controller.wait_for_state(TransportState.PLAYING)
        wait_until(card.has_sounded)


async def test_it_waits_for_a_device_that_is_unplugged(start, controlling, media, card):
    renderer = start(output=card.output, before=card.environment(), more=("--wait-for-output",))
    async with controlling(renderer.description_url) as controller:
        await controller.play(media.url(LONG))
        wait_until(card.has_sounded)
        card.mark("gone")
        renderer.wait_for("The audio device is gone")
        card.mark("gone", False)
        renderer.wait_for(f"Now sound to {card.output}")
        await controller.dmr.async_play()
        await controller.wait_for_state(TransportState.PLAYING)


def run(card, tmp_path, *arguments):
    return subprocess.run(
        [*card.environment(), SWIFTLET, "--config", "/dev/null", "--state-dir", str(tmp_path / "state"), "--interface",
         "lo", *arguments],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False,
    )  # fmt: skip


def test_a_missing_device_is_an_error_without_wait_for_output(card, tmp_path):
    card.mark("gone")
    result = run(card, tmp_path, "--output", card.output)
    assert (result.returncode, result.stdout) == (69, "")
    assert card.output in result.stderr


@pytest.mark.parametrize("output", ["nosuchelement", "audioconvert"])
def test_an_invalid_output_is_an_error_even_with_wait_for_output(card, tmp_path, output):
    result = run(card, tmp_path, "--output", output, "--wait-for-output")
    assert (result.returncode, result.stdout) == (69, "")
    assert output in result.stderr


async def test_without_any_device_it_runs_and_reports_an_error(start, controlling, media):
    preferred = subprocess.run([SWIFTLET, "outputs", "--preferred"], capture_output=True, timeout=PATIENCE, check=False)
    if preferred.returncode == 0 and not os.environ.get("CI"):
        pytest.skip("this machine has an audio device")
    renderer = start(output=None, more=("--wait-for-output",))
    renderer.wait_for("waiting for an audio device")
    async with controlling(renderer.description_url) as controller:
        await controller.play(media.url(LONG))
        await controller.wait(lambda: "ERROR_OCCURRED" in controller.values("TransportStatus"))
        await controller.wait_for_state(TransportState.STOPPED)


async def test_underruns_are_counted(start, controlling, media, card, tmp_path):
    renderer = start(output=card.output, before=card.environment(), more=("--metrics", "true"))

    def xruns():
        return json.loads(status(tmp_path / "state/status", "--json").stdout)["xruns"]

    async with controlling(renderer.description_url) as controller:
        await controller.play(media.url(LONG))
        wait_until(card.has_sounded)
        before = xruns()
        card.mark("xrun")
        wait_until(lambda: xruns() > before)
        assert f"{xruns()} xruns" in status(tmp_path / "state/status").stdout
        assert f"\nswiftlet_xruns_total {xruns()}\n" in metrics(renderer)[1]
