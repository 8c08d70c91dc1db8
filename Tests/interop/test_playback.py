"""Played: from a controller's commands to the samples that come out."""

import asyncio
import datetime
import pathlib

import pytest
from async_upnp_client.profiles.dlna import TransportState

import sound
from processes import PATIENCE

SHORT = "noise1-44100-16-2-3s.flac"
LONG = "noise12-44100-16-2-30s.flac"


async def until(condition):
    """Waits for something that nobody reports."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.05)


async def test_states_follow_each_other(controller, media):
    controller.events.clear()
    # Slow to open: events within 0.2 s of each other become one.
    url = media.url(SHORT, "open-delay=1")
    await controller.dmr.async_set_transport_uri(url, "Title")
    await controller.wait_for_state(TransportState.STOPPED)
    await controller.dmr.async_play()
    await controller.wait(lambda: controller.states[-2:] == ["PLAYING", "STOPPED"])
    assert controller.states == ["STOPPED", "TRANSITIONING", "PLAYING", "STOPPED"]
    assert set(controller.values("TransportStatus")) <= {"OK"}
    assert controller.dmr.current_track_uri == url


async def test_metadata_comes_back_as_it_was_given(controller, media):
    await controller.load(media.url(SHORT), title='Ä & <B> "C" \'D\'')
    await controller.wait(lambda: controller.dmr.media_title == 'Ä & <B> "C" \'D\'')


async def test_position_duration_pause_seek_stop(controller, media):
    await controller.play(media.url(LONG))
    await controller.wait_for_state(TransportState.PLAYING)
    assert controller.dmr.can_pause and controller.dmr.can_stop and controller.dmr.can_seek_rel_time
    first = await controller.wait_for_position(lambda position: position >= 1)
    assert first < 25
    assert controller.dmr.media_duration == 30
    await controller.wait_for_position(lambda position: position > first)

    await controller.dmr.async_pause()
    await controller.wait_for_state(TransportState.PAUSED_PLAYBACK)
    paused = await controller.position()
    # Longer than a second, which is as finely as positions are told.
    await asyncio.sleep(1.5)
    assert await controller.position() == paused
    assert controller.dmr.can_play

    await controller.dmr.async_seek_rel_time(datetime.timedelta(seconds=20))
    assert await controller.wait_for_position(lambda position: position >= 20) == 20
    assert controller.dmr.transport_state == TransportState.PAUSED_PLAYBACK
    await controller.dmr.async_play()
    await controller.wait_for_state(TransportState.PLAYING)
    await controller.wait_for_position(lambda position: position >= 21)
    await controller.dmr.async_seek_rel_time(datetime.timedelta(seconds=5))
    assert await controller.wait_for_position(lambda position: position < 20) >= 5

    await controller.dmr.async_stop()
    await controller.wait_for_state(TransportState.STOPPED)
    assert controller.values("TransportStatus")[-1] == "OK"


async def test_plays_again_after_the_end(controller, media):
    await controller.play_to_the_end(media.url("noise3-44100-16-2-0.2s.flac"))
    controller.events.clear()
    await controller.dmr.async_play()
    await controller.wait(lambda: controller.states[-2:] == ["PLAYING", "STOPPED"])


async def test_another_uri_while_playing_takes_over(controller, media):
    await controller.play(media.url(LONG))
    await controller.wait_for_state(TransportState.PLAYING)
    await controller.play(media.url(SHORT))
    await controller.wait(lambda: controller.dmr.current_track_uri == media.url(SHORT))
    await controller.wait_for_state(TransportState.PLAYING)
    await controller.wait_for_state(TransportState.STOPPED)


@pytest.mark.parametrize(
    "name",
    [
        SHORT, "noise1-44100-16-2-3s.wav", "noise6-44100-16-1-3s.flac", "noise7-48000-16-2-3s.flac", "block-alaw.aiff",
        "block-ms.wav", "block-s16.w64", "block-s16le.caf", "noise8-44100-24-2-3s.flac", "noise10-96000-24-2-3s.flac", "noise3-44100-16-2-0.2s.flac",
    ],
)
async def test_what_is_heard_is_what_is_in_the_file(recorded, capture, media, fixtures, name):
    await recorded.play_to_the_end(media.url(name))
    expected = fixtures[name].pcm()
    await until(lambda: len(capture.read()) >= len(expected))
    assert capture.read() == expected


@pytest.mark.parametrize("name", ["noise1-44100-16-2-3s.l16", "noise8-44100-24-2-3s.l24"])
async def test_samples_without_a_header_are_heard_as_they_are(recorded, capture, media, name):
    await recorded.play_to_the_end(media.url(name))
    expected = (sound.FOLDER / name).read_bytes()
    await until(lambda: len(capture.read()) >= len(expected))
    assert capture.read() == expected


@pytest.mark.parametrize(
    "manners",
    [
        "ranges=no", "ranges=no&silent-on-ranges=1", "redirect=3", "chunked=1", "length=no", "open-delay=1.5", "rate=300000", "type=none",
        "stall-after=200000&stall-for=1", "close-after=200000&close-times=1", "status=503&status-times=0", "head=no",
    ],
)
async def test_what_is_heard_whatever_the_server(recorded, capture, media, fixtures, manners):
    await recorded.play_to_the_end(media.url(SHORT, manners))
    expected = fixtures[SHORT].pcm()
    await until(lambda: len(capture.read()) >= len(expected))
    assert capture.read() == expected


async def test_seek_lands_on_the_sample(recorded, capture, media, fixtures):
    fixture = fixtures[LONG]
    await recorded.play(media.url(LONG))
    await until(lambda: len(capture.read()) > fixture.bytes_per_second)
    await recorded.dmr.async_seek_rel_time(datetime.timedelta(seconds=20))
    reference, target = fixture.pcm(), 20 * fixture.bytes_per_second
    await until(lambda: reference[target : target + fixture.bytes_per_second] in capture.read())
    captured = capture.read()
    # Before it, only the beginning: nothing of the middle, and no silence.
    before = captured.index(reference[target : target + 1024])
    assert captured[:before] == reference[:before]


async def test_mute_is_silence_and_unmute_undoes_it(recorded, capture, media, fixtures):
    silence = bytes(fixtures[LONG].bytes_per_second // 10)
    await recorded.play(media.url(LONG))
    await until(lambda: len(capture.read()) > len(silence))
    await recorded.dmr.async_mute_volume(True)
    await until(lambda: capture.read().endswith(silence))
    await recorded.dmr.async_mute_volume(False)
    await until(lambda: not capture.read().endswith(bytes(64)))
    # A tenth of a second after the silence it is the file again.
    end = capture.read().rfind(bytes(64)) + len(silence)
    await until(lambda: len(capture.read()) > end + 4096)
    assert capture.read()[end : end + 4096] in fixtures[LONG].pcm()


@pytest.mark.parametrize(
    "name",
    [
        "cbr.mp3", "vbr.mp3", "vorbis.ogg", "opus.opus", "adts.aac", "aac.m4a", "aac-faststart.m4a",
        "noise1-44100-16-2-3s.m4a", "noise1-44100-16-2-3s.aiff", "noise11-96000-16-2-3s.flac",
    ],
)
async def test_formats(start, tmp_path, media, fixtures, controlling, name):
    capture = sound.Capture(tmp_path, realtime=False)
    async with controlling(start(output=capture.output).description_url) as controller:
        await controller.dmr.async_set_volume_level(1.0)
        await controller.play(media.url(name))
        # So fast that a subscriber may hear of the end only.
        async with asyncio.timeout(PATIENCE):
            while controller.dmr.transport_state != TransportState.STOPPED or not capture.read():
                await asyncio.sleep(0.05)
                await controller.dmr.async_update()
        assert controller.values("TransportStatus")[-1:] in ([], ["OK"])
    fixture = fixtures[name]
    if fixture.path:
        # AIFF keeps its byte order.
        assert capture.read() in (fixture.pcm(), sound.swapped(fixture.pcm(), 2))
    else:
        # Some encoders leave their padding in; decoders choose the width of a sample.
        seconds = {width: len(capture.read()) / width / fixture.channels / fixture.rate for width in (2, 4)}
        if pathlib.Path(name).suffix == ".opus":
            seconds = {width: length * fixture.rate / 48000 for width, length in seconds.items()}
        assert any(abs(length - fixture.seconds) < 0.2 for length in seconds.values()), seconds


@pytest.mark.parametrize(
    "name_and_manners",
    ["nothing.flac", f"{SHORT}?status=500", f"{SHORT}?redirect=loop", f"{SHORT}?garbage=1"],
)
async def test_failure_is_told(controller, media, name_and_manners):
    await controller.dmr.async_set_transport_uri(f"{media.base}/{name_and_manners}", "Title")
    await controller.dmr.async_play()
    await controller.wait(lambda: controller.values("TransportStatus")[-1:] == ["ERROR_OCCURRED"])
    await controller.wait_for_state(TransportState.STOPPED)
    # And it is none the worse for it.
    await controller.play(media.url(SHORT))
    await controller.wait_for_state(TransportState.PLAYING)
    assert controller.values("TransportStatus")[-1] == "OK"


async def test_survives_impatience(controller, media):
    """A person who skips on before anything has begun, whatever the server is at."""
    manners = [
        "open-delay=60", "stall-after=100000", "stall-after=0", "rate=50000", "close-after=5000&open-delay=0.2",
        "redirect=loop", "",
    ]
    for round_ in range(56):
        # No metadata: to make some, the client would ask the server itself.
        await controller.dmr.async_set_transport_uri(media.url(LONG, manners[round_ % len(manners)]), "Title", "")
        await controller.dmr.async_play()
        await asyncio.sleep((0.01, 0.05, 0.2)[round_ % 3])
        if round_ % 2:
            await controller.dmr.async_stop()
    await controller.play(media.url(SHORT))
    await controller.wait_for_state(TransportState.PLAYING)
    await controller.wait_for_state(TransportState.STOPPED)
