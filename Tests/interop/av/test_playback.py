"""Playback by AVTransport, from the commands of a controller to the played samples."""

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
    """Polls until the condition holds."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.05)


async def test_transport_states_are_evented_in_order(controller, media):
    controller.events.clear()
    # A slow server makes TRANSITIONING last longer than 0.2 s, within which LastChange coalesces changes.
    url = media.url(SHORT, "open-delay=3")
    await controller.dmr.async_set_transport_uri(url, "Title")
    await controller.wait_for_state(TransportState.STOPPED)
    await controller.dmr.async_play()
    await controller.wait(lambda: controller.states[-2:] == ["PLAYING", "STOPPED"])
    assert controller.states == ["STOPPED", "TRANSITIONING", "PLAYING", "STOPPED"]
    assert set(controller.values("TransportStatus")) <= {"OK"}
    assert controller.dmr.current_track_uri == url


async def test_the_title_is_returned_unchanged(controller, media):
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
    # Longer than a second, the resolution of positions.
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


async def test_play_after_the_end_plays_again(controller, media):
    await controller.play_to_the_end(media.url(SHORT))
    controller.events.clear()
    await controller.dmr.async_play()
    await controller.wait(lambda: controller.states[-2:] == ["PLAYING", "STOPPED"])


async def test_a_new_uri_replaces_the_playing_one(controller, media):
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
async def test_playback_is_bit_perfect(recorded, capture, media, fixtures, name):
    await recorded.play(media.url(name))
    expected = fixtures[name].pcm()
    await until(lambda: len(capture.read()) >= len(expected))
    # Of the shortest track, only the final state may be evented.
    await recorded.wait_for_state(TransportState.STOPPED)
    assert capture.read() == expected


@pytest.mark.parametrize("name", ["noise1-44100-16-2-3s.l16", "noise8-44100-24-2-3s.l24"])
async def test_raw_pcm_is_bit_perfect(recorded, capture, media, name):
    await recorded.play_to_the_end(media.url(name))
    expected = (sound.FOLDER / name).read_bytes()
    await until(lambda: len(capture.read()) >= len(expected))
    assert capture.read() == expected


@pytest.mark.parametrize(
    "behaviour",
    [
        "ranges=no", "ranges=no&silent-on-ranges=1", "redirect=3", "chunked=1", "length=no", "open-delay=1.5", "rate=300000", "type=none",
        "stall-after=200000&stall-for=1", "close-after=200000&close-times=1", "status=503&status-times=0", "head=no",
    ],
)
async def test_playback_is_bit_perfect_with_any_server_behaviour(recorded, capture, media, fixtures, behaviour):
    await recorded.play_to_the_end(media.url(SHORT, behaviour))
    expected = fixtures[SHORT].pcm()
    await until(lambda: len(capture.read()) >= len(expected))
    assert capture.read() == expected


async def test_seek_is_sample_accurate(recorded, capture, media, fixtures):
    fixture = fixtures[LONG]
    await recorded.play(media.url(LONG))
    await until(lambda: len(capture.read()) > fixture.bytes_per_second)
    await recorded.dmr.async_seek_rel_time(datetime.timedelta(seconds=20))
    reference, target = fixture.pcm(), 20 * fixture.bytes_per_second
    await until(lambda: reference[target : target + fixture.bytes_per_second] in capture.read())
    captured = capture.read()
    # Everything before the seek is the beginning of the file, without silence.
    before = captured.index(reference[target : target + 1024])
    assert captured[:before] == reference[:before]


async def test_mute_is_digital_silence(recorded, capture, media, fixtures):
    silence = bytes(fixtures[LONG].bytes_per_second // 10)
    await recorded.play(media.url(LONG))
    await until(lambda: len(capture.read()) > len(silence))
    await recorded.dmr.async_mute_volume(True)
    await until(lambda: capture.read().endswith(silence))
    await recorded.dmr.async_mute_volume(False)
    await until(lambda: not capture.read().endswith(bytes(64)))
    # A tenth of a second after the silence, the samples are those of the file.
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
async def test_every_format_plays_completely(start, tmp_path, media, fixtures, controlling, name):
    capture = sound.Capture(tmp_path, realtime=False)
    async with controlling(start(output=capture.output).description_url) as controller:
        await controller.dmr.async_set_volume_level(1.0)
        await controller.play(media.url(name))
        # Playback is so fast that only the final state may be evented.
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
        # Some files keep the padding of their encoder, and decoders choose the sample width.
        seconds = {width: len(capture.read()) / width / fixture.channels / fixture.rate for width in (2, 4)}
        if pathlib.Path(name).suffix == ".opus":
            seconds = {width: length * fixture.rate / 48000 for width, length in seconds.items()}
        assert any(abs(length - fixture.seconds) < 0.2 for length in seconds.values()), seconds


@pytest.mark.parametrize(
    "name_and_behaviour",
    ["nothing.flac", f"{SHORT}?status=500", f"{SHORT}?redirect=loop", f"{SHORT}?garbage=1"],
)
async def test_a_failure_is_evented_and_the_next_item_plays(controller, media, name_and_behaviour):
    await controller.dmr.async_set_transport_uri(f"{media.base}/{name_and_behaviour}", "Title")
    await controller.dmr.async_play()
    await controller.wait(lambda: controller.values("TransportStatus")[-1:] == ["ERROR_OCCURRED"])
    await controller.wait_for_state(TransportState.STOPPED)
    # The next item plays.
    await controller.play(media.url(LONG))
    await controller.wait_for_state(TransportState.PLAYING)
    assert controller.values("TransportStatus")[-1] == "OK"


async def test_quick_skipping_over_slow_servers_leaves_a_working_renderer(controller, media):
    """A user who skips before playback starts, with servers that fail in different ways."""
    behaviours = [
        "open-delay=60", "stall-after=100000", "stall-after=0", "rate=50000", "close-after=5000&open-delay=0.2",
        "redirect=loop", "",
    ]
    for round_ in range(56):
        # Without metadata, because the client would ask the server to create it.
        await controller.dmr.async_set_transport_uri(media.url(LONG, behaviours[round_ % len(behaviours)]), "Title", "")
        await controller.dmr.async_play()
        await asyncio.sleep((0.01, 0.05, 0.2)[round_ % 3])
        if round_ % 2:
            await controller.dmr.async_stop()
    await controller.play(media.url(SHORT))
    await controller.wait_for_state(TransportState.PLAYING)
    await controller.wait_for_state(TransportState.STOPPED)
