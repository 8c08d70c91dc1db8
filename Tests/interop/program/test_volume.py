"""Volume and mute: stored values, and the configuration keys that override them."""

import signal

import pytest

import database
import soap
from processes import wait_until


def volume_and_mute(renderer):
    service = soap.services(renderer.description_url)["RenderingControl"]
    arguments = [("InstanceID", "0"), ("Channel", "Master")]
    volume = soap.call(service, "GetVolume", arguments)[2].split(b"CurrentVolume>")[1].split(b"<")[0]
    mute = soap.call(service, "GetMute", arguments)[2].split(b"CurrentMute>")[1].split(b"<")[0]
    return int(volume), mute == b"1"


def set_volume_and_mute(renderer, volume, mute):
    service = soap.services(renderer.description_url)["RenderingControl"]
    first = [("InstanceID", "0"), ("Channel", "Master")]
    assert soap.call(service, "SetVolume", [*first, ("DesiredVolume", str(volume))])[0] == 200
    assert soap.call(service, "SetMute", [*first, ("DesiredMute", str(int(mute)))])[0] == 200


@pytest.mark.keys("state_dir")
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
async def test_volume_and_mute_survive_a_restart(start, tmp_path, end):
    state = tmp_path / "state"
    first = start(state=state)
    set_volume_and_mute(first, 37, True)
    if end == signal.SIGKILL:
        wait_until(lambda: {"volume": "37", "muted": "true"}.items() <= database.settings(state, "speaker").items())
    first.stop(end)
    assert volume_and_mute(start(state=state)) == (37, True)


@pytest.mark.keys("startup_volume")
def test_the_startup_volume_overrides_the_stored_one(start, tmp_path):
    state = tmp_path / "state"
    first = start(state=state, more=("--startup-volume", "25"))
    assert volume_and_mute(first) == (25, False)
    set_volume_and_mute(first, 37, True)
    first.stop()
    assert volume_and_mute(start(state=state, more=("--startup-volume", "25"))) == (25, True)


@pytest.mark.keys("max_volume")
def test_a_new_maximum_volume_applies_at_once(start, tmp_path):
    state, path = tmp_path / "state", tmp_path / "swiftlet.toml"
    path.write_text("max_volume = 80\n")
    renderer = start(state=state, more=("--config", str(path)))
    assert volume_and_mute(renderer) == (80, False)
    path.write_text("max_volume = 40\n")
    renderer.process.send_signal(signal.SIGHUP)
    wait_until(lambda: volume_and_mute(renderer) == (40, False))
    set_volume_and_mute(renderer, 90, False)
    assert volume_and_mute(renderer) == (40, False)


@pytest.mark.keys("fixed_volume")
def test_a_fixed_volume_cannot_be_changed(start, tmp_path):
    renderer = start(state=tmp_path / "state", more=("--fixed-volume", "true"))
    set_volume_and_mute(renderer, 20, True)
    assert volume_and_mute(renderer) == (100, True)
