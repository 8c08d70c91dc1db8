"""What a speaker still knows after a restart."""

import asyncio
import pathlib
import signal

import pytest

import soap


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


async def has_written(folder, text):
    """Waits until the disk has it."""
    async with asyncio.timeout(30):
        while text not in (folder / "speaker").read_text() if (folder / "speaker").exists() else True:
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
async def test_volume_and_mute_stay_over_a_restart(start, tmp_path, end):
    state = tmp_path / "state"
    first = start(state=state)
    set_volume_and_mute(first, 37, True)
    if end == signal.SIGKILL:
        await has_written(state, "volume 37\nmuted true")
    first.stop(end)
    assert volume_and_mute(start(state=state)) == (37, True)


def test_a_damaged_file_is_set_aside_and_said(start, tmp_path):
    state = tmp_path / "state"
    first = start(state=state)
    set_volume_and_mute(first, 37, True)
    first.stop()
    (state / "speaker").write_text("swiftlet speaker 1\nvolume loud\n")
    second = start(state=state)
    assert volume_and_mute(second) == (100, False)
    assert [p.read_text() for p in pathlib.Path(state).glob("speaker.unreadable-*")] == [
        "swiftlet speaker 1\nvolume loud\n"
    ]
    assert any("speaker" in line and "damaged" in line for line in second.err)
