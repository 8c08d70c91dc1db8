"""The built program on a fake sound card: mixer, sample formats, and when the card is open."""

import contextlib
import json
import os
import pathlib
import time

import pytest
from async_upnp_client.profiles.dlna import TransportState

import soap
from processes import wait_until
from sound_card import Card
from test_playback import until
from test_status import status

LONG = "noise12-44100-16-2-30s.flac"
SHORT = "noise1-44100-16-2-3s.flac"


def master(value, on=True):
    """The lines of a mixer with a mute switch and steps of 0.5 dB from -50 dB. The lowest step is silent."""
    return [f"volume Master 0 100 {value} {value} -5000 50 mute", f"switch Master {'1 1' if on else '0 0'}"]


@pytest.fixture
def card(tmp_path):
    return Card(tmp_path, mixer=master(100))


@pytest.fixture
def on_card(start, controlling, card):
    """Starts a renderer on the card, with a controller."""

    @contextlib.asynccontextmanager
    async def on_card(*more):
        renderer = start(output=card.output, before=card.environment(), more=more)
        async with controlling(renderer.description_url) as controller:
            controller.renderer = renderer
            yield controller

    return on_card


async def test_the_mixer_and_the_controllers_stay_in_sync(on_card, card, subscriber):
    async with on_card("--mixer", "alsa:stand_in/Master", "--startup-volume", "100") as controller:
        openhome = soap.Service(controller.renderer.openhome_url, "Volume")
        listener = subscriber()
        headers = {"CALLBACK": f"<{listener.url}>", "NT": "upnp:event", "TIMEOUT": "Second-300"}
        assert soap.request("SUBSCRIBE", openhome.service["eventSubURL"], headers)[0] == 200

        # -30 dB is 40 steps above the minimum.
        await controller.dmr.async_set_volume_level(0.5)
        await until(lambda: card.controls() == master(40))
        openhome("SetVolume", Value=75)
        await until(lambda: card.controls() == master(70))
        await controller.dmr.async_mute_volume(True)
        await until(lambda: card.controls() == master(70, on=False))
        openhome("SetMute", Value=0)
        await until(lambda: card.controls() == master(70))

        card.set_mixer(*master(88))
        await controller.wait(lambda: controller.values("Volume")[-1] == 90)
        listener.wait_for_volume(90)
        card.set_mixer(*master(88, on=False))
        await controller.wait(lambda: controller.values("Mute")[-1] is True)
        assert openhome("Mute")["Value"] == "1"
        assert openhome("Volume")["Value"] == "90"


async def test_samples_are_untouched_when_the_mixer_sets_the_volume(on_card, card, media, fixtures):
    async with on_card("--mixer", "alsa:stand_in/Master") as controller:
        await controller.dmr.async_set_volume_level(0.5)
        await until(lambda: card.controls() == master(40))
        await controller.play_to_the_end(media.url(SHORT))
    assert card.formats == ["S16_LE 44100 2"]
    assert card.recording == fixtures[SHORT].pcm()


async def test_attenuated_samples_use_the_full_width_of_the_card(on_card, card, media):
    async with on_card() as controller:
        await controller.dmr.async_set_volume_level(0.3)
        await controller.play(media.url(SHORT))
        await controller.wait_for_state(TransportState.PLAYING)
    assert card.formats == ["S32_LE 44100 2"]


def real_time_threads(pid):
    """The names of the program's threads with real-time priority."""
    names = []
    for thread in pathlib.Path(f"/proc/{pid}/task").iterdir():
        # Some end meanwhile.
        with contextlib.suppress(ProcessLookupError, FileNotFoundError):
            if os.sched_getscheduler(int(thread.name)) & ~os.SCHED_RESET_ON_FORK == os.SCHED_RR:
                names.append((thread / "comm").read_text().strip())
    return sorted(names)


def may_be_real_time():
    """Whether programs of this user may have real-time priority."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(10))
    except PermissionError:
        return False
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return True


async def test_the_threads_that_write_sound_have_real_time_priority(on_card, card, media):
    is_possible = may_be_real_time()
    async with on_card() as controller:
        pid = controller.renderer.process.pid
        await controller.play(media.url(LONG))
        await until(card.has_sounded)
        # GStreamer's streaming thread, and the card's, which inherits its name.
        assert real_time_threads(pid) == (["appsrc0:src", "appsrc0:src", "feeder"] if is_possible else [])
        await controller.dmr.async_stop()
        await controller.wait_for_state(TransportState.STOPPED)
        # GStreamer lends its threads to decoders afterwards.
        await until(lambda: real_time_threads(pid) == (["feeder"] if is_possible else []))


async def test_the_card_is_closed_after_the_release_delay(on_card, card, media):
    async with on_card("--device-release", "1") as controller:
        assert not card.is_open()
        await controller.play(media.url(LONG))
        await controller.wait_for_state(TransportState.PLAYING)
        assert card.is_open()
        stopped = time.monotonic()
        await controller.dmr.async_stop()
        await controller.wait_for_state(TransportState.STOPPED)
        await until(lambda: not card.is_open())
        assert time.monotonic() - stopped >= 1


async def test_standby_closes_the_card_at_once(on_card, card, media):
    async with on_card("--device-release", "60") as controller:
        product = soap.Service(controller.renderer.openhome_url, "Product")
        await controller.play(media.url(LONG))
        await controller.wait_for_state(TransportState.PLAYING)
        product("SetStandby", Value=1)
        await until(lambda: not card.is_open())


async def test_playback_fails_while_the_card_is_busy(on_card, card, media, tmp_path):
    await check_failure(on_card, card, media, tmp_path, "busy", "The audio device is in use by another program.")


async def test_playback_fails_while_the_card_is_missing(on_card, card, media, tmp_path):
    await check_failure(on_card, card, media, tmp_path, "gone", "The audio device is missing or was unplugged.")


async def test_playback_fails_while_the_card_is_forbidden(on_card, card, media, tmp_path):
    error = "No permission to use the audio device: add this user to the group “audio”."
    await check_failure(on_card, card, media, tmp_path, "forbidden", error)


async def check_failure(on_card, card, media, tmp_path, condition, error):
    """Playback fails with this error while the card has this condition, and works afterwards."""
    async with on_card() as controller:
        card.mark(condition)
        await controller.play(media.url(LONG))
        await controller.wait(lambda: controller.values("TransportStatus")[-1] == "ERROR_OCCURRED")
        await controller.wait_for_state(TransportState.STOPPED)
        assert json.loads(status(tmp_path / "state/status", "--json").stdout)["error"] == error
        card.mark(condition, False)
        await controller.dmr.async_play()
        await controller.wait_for_state(TransportState.PLAYING)
        await controller.wait(lambda: controller.values("TransportStatus")[-1] == "OK")


async def test_playback_fails_when_the_card_is_unplugged_and_works_when_it_is_back(on_card, card, media):
    async with on_card() as controller:
        await controller.play(media.url(LONG))
        await controller.wait_for_position(lambda position: position >= 1)
        card.mark("gone")
        await controller.wait(lambda: controller.values("TransportStatus")[-1] == "ERROR_OCCURRED")
        await controller.wait_for_state(TransportState.STOPPED)
        card.mark("gone", False)
        await controller.dmr.async_play()
        await controller.wait_for_state(TransportState.PLAYING)
        assert await controller.wait_for_position(lambda position: position >= 1)


async def test_an_underrun_is_logged_and_playback_continues(on_card, card, media):
    async with on_card() as controller:
        await controller.play(media.url(LONG))
        await controller.wait_for_position(lambda position: position >= 1)
        card.mark("xrun")
        await until(lambda: any("ran out of samples" in line for line in controller.renderer.err))
        position = await controller.position()
        await controller.wait_for_position(lambda now: now > position)
        assert controller.dmr.transport_state == TransportState.PLAYING
    wait_until(lambda: card.log.count("xrun") == 1)
