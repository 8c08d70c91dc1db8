"""The built program on a sound card of its own: its mixer, its forms, and when it is open."""

import contextlib
import json
import time

import pytest
from async_upnp_client.profiles.dlna import TransportState

import soap
from card import Card
from processes import wait_until
from test_playback import until
from test_status import status

LONG = "noise12-44100-16-2-30s.flac"
SHORT = "noise1-44100-16-2-3s.flac"


def master(value, on=True):
    """Steps of half a decibel from -50 dB, the lowest of which is silence; a switch."""
    return [f"volume Master 0 100 {value} {value} -5000 50 mute", f"switch Master {'1 1' if on else '0 0'}"]


@pytest.fixture
def card(tmp_path):
    return Card(tmp_path, mixer=master(100))


@pytest.fixture
def on_card(start, controlling, card):
    """Makes a renderer on the card, and a controller of it."""

    @contextlib.asynccontextmanager
    async def on_card(*more):
        renderer = start(output=card.output, before=card.environment(), more=more)
        async with controlling(renderer.description_url) as controller:
            controller.renderer = renderer
            yield controller

    return on_card


async def test_the_mixer_follows_controllers_and_they_follow_the_mixer(on_card, card, subscriber):
    async with on_card("--mixer", "alsa:stand_in/Master", "--startup-volume", "100") as controller:
        openhome = soap.Service(controller.renderer.openhome_url, "Volume")
        listener = subscriber()
        headers = {"CALLBACK": f"<{listener.url}>", "NT": "upnp:event", "TIMEOUT": "Second-300"}
        assert soap.request("SUBSCRIBE", openhome.service["eventSubURL"], headers)[0] == 200

        # -30 dB, which is 40 steps above the least.
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


async def test_the_samples_are_left_to_the_mixer(on_card, card, media, fixtures):
    async with on_card("--mixer", "alsa:stand_in/Master") as controller:
        await controller.dmr.async_set_volume_level(0.5)
        await until(lambda: card.controls() == master(40))
        await controller.play_to_the_end(media.url(SHORT))
    assert card.forms == ["S16_LE 44100 2"]
    assert card.recording == fixtures[SHORT].pcm()


async def test_soft_samples_get_all_bits_of_the_card(on_card, card, media):
    async with on_card() as controller:
        await controller.dmr.async_set_volume_level(0.3)
        await controller.play(media.url(SHORT))
        await controller.wait_for_state(TransportState.PLAYING)
    assert card.forms == ["S32_LE 44100 2"]


async def test_the_card_is_open_while_it_plays_and_a_while_after(on_card, card, media):
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


async def test_standby_frees_the_card_at_once(on_card, card, media):
    async with on_card("--device-release", "60") as controller:
        product = soap.Service(controller.renderer.openhome_url, "Product")
        await controller.play(media.url(LONG))
        await controller.wait_for_state(TransportState.PLAYING)
        product("SetStandby", Value=1)
        await until(lambda: not card.is_open())


async def test_a_busy_card_is_an_error_that_says_so_and_plays_once_it_is_free(on_card, card, media, tmp_path):
    await troubled(on_card, card, media, tmp_path, "busy", "The audio device is in use by another program.")


async def test_a_missing_card_is_an_error_that_says_so_and_plays_once_it_is_there(on_card, card, media, tmp_path):
    await troubled(on_card, card, media, tmp_path, "gone", "The audio device is not there.")


async def test_a_forbidden_card_is_an_error_that_says_what_to_do(on_card, card, media, tmp_path):
    sentence = "The audio device may not be used: add this user to the group “audio”."
    await troubled(on_card, card, media, tmp_path, "forbidden", sentence)


async def troubled(on_card, card, media, tmp_path, trouble, sentence):
    """What keeps the card from being opened is told, and forgotten once it is mended."""
    async with on_card() as controller:
        card.mark(trouble)
        await controller.play(media.url(LONG))
        await controller.wait(lambda: controller.values("TransportStatus")[-1] == "ERROR_OCCURRED")
        await controller.wait_for_state(TransportState.STOPPED)
        assert json.loads(status(tmp_path / "state/status", "--json").stdout)["error"] == sentence
        card.mark(trouble, False)
        await controller.dmr.async_play()
        await controller.wait_for_state(TransportState.PLAYING)
        await controller.wait(lambda: controller.values("TransportStatus")[-1] == "OK")


async def test_a_card_that_is_pulled_out_ends_the_track_and_is_found_again(on_card, card, media):
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


async def test_a_starved_card_is_said_and_plays_on(on_card, card, media):
    async with on_card() as controller:
        await controller.play(media.url(LONG))
        await controller.wait_for_position(lambda position: position >= 1)
        card.mark("xrun")
        await until(lambda: any("ran out of samples" in line for line in controller.renderer.err))
        position = await controller.position()
        await controller.wait_for_position(lambda now: now > position)
        assert controller.dmr.transport_state == TransportState.PLAYING
    wait_until(lambda: card.log.count("xrun") == 1)
