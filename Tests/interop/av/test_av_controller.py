"""Every feature of async-upnp-client's DmrDevice, which Home Assistant uses, on an idle and on a playing device."""

import asyncio
import contextlib
import datetime

from async_upnp_client.profiles.dlna import PlayMode, TransportState

SHORT = "noise1-44100-16-2-3s.flac"
OTHER = "noise2-44100-16-2-3s.flac"
LONG = "noise12-44100-16-2-30s.flac"


def next_uri(controller):
    return controller.values("NextAVTransportURI")[-1]


async def test_an_idle_device_shows_its_capabilities(controller):
    dmr = controller.dmr
    await dmr.async_update()
    assert dmr.transport_state == TransportState.NO_MEDIA_PRESENT
    assert dmr.has_play_media and dmr.has_next_transport_uri
    assert dmr.has_play and dmr.has_pause and dmr.has_stop and dmr.has_next and dmr.has_previous
    # Home Assistant shows a seek bar only if both are supported.
    assert dmr.has_seek_rel_time and dmr.has_seek_abs_time
    assert dmr.valid_play_modes == {PlayMode.NORMAL, PlayMode.REPEAT_ONE}
    assert dmr.play_mode == PlayMode.NORMAL
    assert dmr.has_presets and dmr.preset_names == ["FactoryDefaults"]
    assert dmr.has_volume_level and dmr.has_volume_mute
    assert not dmr.media_title and not dmr.current_track_uri
    assert "http-get:*:audio/flac:*" in dmr.sink_protocol_info


async def test_an_idle_device_takes_volume_preset_and_play_mode(controller):
    dmr = controller.dmr
    await dmr.async_set_volume_level(0.25)
    await dmr.async_mute_volume(True)
    await controller.wait(lambda: dmr.volume_level == 0.25 and dmr.is_volume_muted)
    # Home Assistant offers it as a sound mode.
    await dmr.async_select_preset("FactoryDefaults")
    await dmr.async_set_play_mode(PlayMode.REPEAT_ONE)
    await controller.wait(lambda: dmr.play_mode == PlayMode.REPEAT_ONE)
    assert dmr.volume_level == 0.25 and dmr.is_volume_muted
    await dmr.async_set_play_mode(PlayMode.NORMAL)
    await controller.wait(lambda: dmr.play_mode == PlayMode.NORMAL)
    # Home Assistant's media_stop on an idle device.
    await dmr.async_stop()
    assert dmr.transport_state == TransportState.NO_MEDIA_PRESENT


async def test_an_item_is_ready_to_play_as_soon_as_it_is_set(controller, media):
    dmr = controller.dmr
    await dmr.async_set_transport_uri(media.url(LONG), "Title")
    await controller.wait_for_state(TransportState.STOPPED)
    assert dmr.can_play and dmr.can_seek_rel_time and dmr.can_stop
    assert not dmr.can_pause and not dmr.can_next and not dmr.can_previous
    assert dmr.media_title == "Title"
    assert dmr.current_track_uri == media.url(LONG) == dmr.av_transport_uri


async def test_a_playing_device_supports_every_command(controller, media):
    dmr = controller.dmr
    await controller.play(media.url(LONG))
    await controller.wait_for_state(TransportState.PLAYING)
    assert dmr.can_pause and dmr.can_stop and dmr.can_seek_abs_time and not dmr.can_next
    await controller.wait(lambda: dmr.media_duration == 30)

    await dmr.async_seek_abs_time(datetime.timedelta(seconds=10))
    assert await controller.wait_for_position(lambda position: position >= 10) < 20
    await dmr.async_seek_rel_time(datetime.timedelta(seconds=5))
    assert await controller.wait_for_position(lambda position: position < 10) >= 5

    await dmr.async_pause()
    await controller.wait_for_state(TransportState.PAUSED_PLAYBACK)
    assert dmr.can_play and not dmr.can_pause
    await dmr.async_play()
    await controller.wait_for_state(TransportState.PLAYING)

    following = media.url(LONG, "header=X-Track:2")
    await dmr.async_set_next_transport_uri(following, "Next")
    await controller.wait(lambda: dmr.can_next and next_uri(controller) == following)
    await dmr.async_next()
    await controller.wait(lambda: dmr.current_track_uri == following)
    assert dmr.media_title == "Next" and not next_uri(controller) and not dmr.can_next
    await controller.wait_for_state(TransportState.PLAYING)

    await dmr.async_stop()
    await controller.wait_for_state(TransportState.STOPPED)
    await dmr.async_unsubscribe_services()
    # Polling without events returns the same state.
    await dmr.async_set_volume_level(0.5)
    await dmr.async_update()
    assert dmr.volume_level == 0.5 and dmr.transport_state == TransportState.STOPPED
    assert dmr.current_track_uri == following


async def test_a_gapless_join_is_one_event(controller, media):
    dmr = controller.dmr
    await controller.play(media.url(SHORT), "First")
    await dmr.async_set_next_transport_uri(media.url(LONG), "Second")
    await controller.wait_for_state(TransportState.PLAYING)
    # Wait until the first changes have been evented.
    await controller.wait(lambda: next_uri(controller) == media.url(LONG) and dmr.media_duration == 3)
    controller.events.clear()
    await controller.wait(lambda: dmr.current_track_uri == media.url(LONG))
    changed = {variable: value for _, variable, value in controller.events}
    assert changed["AVTransportURI"] == media.url(LONG) and not changed["NextAVTransportURI"]
    assert "Second" in changed["CurrentTrackMetaData"] and "Second" in changed["AVTransportURIMetaData"]
    assert "TransportState" not in changed
    # The position begins anew, and does not go on after that of the first track.
    assert (await controller.position() or 0) < 3

    await dmr.async_seek_rel_time(datetime.timedelta(seconds=25))
    assert await controller.wait_for_position(lambda position: position >= 25)
    await controller.wait_for_state(TransportState.STOPPED)
    assert set(controller.values("TransportStatus")) <= {"OK"}


async def test_a_radio_title_replaces_only_the_title(controller, media):
    url = media.url("cbr.mp3", "icy=4000&icy-title=0:First&icy-title=60000:Second%20%26%20Two&rate=40000&endless=1"
                    "&ranges=no")
    await controller.play(url, "Channel")
    await controller.wait(lambda: controller.dmr.media_title == "First")
    await controller.wait(lambda: controller.dmr.media_title == "Second & Two")
    assert "Channel" in controller.values("AVTransportURIMetaData")[-1]
    assert controller.dmr.media_duration is None and not controller.dmr.can_seek_rel_time
    await controller.dmr.async_stop()
    await controller.wait(lambda: controller.dmr.media_title == "Channel")


async def test_one_item_is_repeated(controller, media):
    dmr = controller.dmr
    await dmr.async_set_play_mode(PlayMode.REPEAT_ONE)
    await controller.play(media.url(SHORT))
    await controller.wait_for_state(TransportState.PLAYING)
    await dmr.async_seek_rel_time(datetime.timedelta(seconds=2))
    await controller.wait_for_position(lambda position: position >= 2)
    await controller.wait_for_position(lambda position: position < 2)
    assert dmr.transport_state == TransportState.PLAYING
    await dmr.async_set_play_mode(PlayMode.NORMAL)
    await controller.wait_for_state(TransportState.STOPPED)


@contextlib.asynccontextmanager
async def serving(text, content_type):
    """Serves a document; yields its URL."""
    async def on_connection(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        body = text.encode()
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n"
                     "Connection: close\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(on_connection, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/album.m3u"


async def test_a_playlist_uri_plays_all_its_entries(controller, media):
    dmr = controller.dmr
    tracks = [media.url(name) for name in (SHORT, LONG, OTHER)]
    async with serving("#EXTM3U\n" + "\n".join(tracks), "audio/x-mpegurl") as url:
        await controller.play(url, "Album")
        await controller.wait(lambda: controller.values("NumberOfTracks")[-1:] == [3])
        await controller.wait_for_state(TransportState.PLAYING)
        assert dmr.av_transport_uri == url and dmr.current_track_uri == tracks[0]
        await controller.wait(lambda: dmr.can_next and not dmr.can_previous)
        await controller.wait(lambda: dmr.media_track_number == 2)
        await dmr.async_next()
        await controller.wait(lambda: dmr.media_track_number == 3)
        assert dmr.current_track_uri == tracks[2]
        await controller.wait(lambda: dmr.can_previous and not dmr.can_next)
        await dmr.async_previous()
        await controller.wait(lambda: dmr.current_track_uri == tracks[1])
        await controller.wait_for_state(TransportState.PLAYING)
        await dmr.async_next()
        await controller.wait(lambda: dmr.media_track_number == 3)
        await controller.wait_for_state(TransportState.STOPPED)
        assert dmr.av_transport_uri == url and set(controller.values("TransportStatus")) <= {"OK"}


async def test_two_controllers_see_one_device(renderer, controlling, media):
    async with controlling(renderer.description_url) as one, controlling(renderer.description_url) as other:
        await one.play(media.url(LONG), "From one")
        await other.wait_for_state(TransportState.PLAYING)
        assert other.dmr.media_title == "From one"
        await other.dmr.async_pause()
        await one.wait_for_state(TransportState.PAUSED_PLAYBACK)
        await one.dmr.async_set_volume_level(0.4)
        await other.wait(lambda: other.dmr.volume_level == 0.4)
        # A new item from the other controller replaces the playing one without a stop.
        await one.dmr.async_play()
        await other.wait_for_state(TransportState.PLAYING)
        await other.play(media.url(SHORT), "From the other")
        await one.wait(lambda: one.dmr.media_title == "From the other")
        assert one.dmr.current_track_uri == media.url(SHORT)
        for controller in (one, other):
            await controller.wait_for_state(TransportState.STOPPED)


async def test_the_last_of_fifty_quick_plays_wins(controller, media):
    for number in range(50):
        await controller.dmr.async_set_transport_uri(media.url(SHORT if number % 2 else LONG, f"header=n:{number}"), "x")
        await controller.dmr.async_play()
    last = media.url(SHORT, "header=n:49")
    await controller.wait(lambda: controller.dmr.current_track_uri == last)
    await controller.wait_for_state(TransportState.PLAYING)
    assert controller.dmr.current_track_uri == last
    await controller.wait_for_state(TransportState.STOPPED)
    assert set(controller.values("TransportStatus")) <= {"OK"}
