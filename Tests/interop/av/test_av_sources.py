"""What UPnP AV shows of the other sources: Home Assistant's library watches and controls a playlist and a radio."""

import datetime

import pytest
from async_upnp_client.profiles.dlna import TransportState

import soap
from test_playlist import Playlist
from test_radio import LIVE, Radio, presets

LONG = "noise12-44100-16-2-30s.flac"
SHORT = "noise1-44100-16-2-3s.flac"


def named(title):
    return (
        '<DIDL-Lite xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/" '
        'xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/"><item id="1" parentID="0" restricted="1">'
        f"<dc:title>{title}</dc:title><upnp:class>object.item.audioItem.musicTrack</upnp:class></item></DIDL-Lite>"
    )


@pytest.fixture
def fill(renderer, media):
    """Fills the playlist with one track for each title; returns it and the addresses."""

    def fill(*titles, name=LONG):
        playlist = Playlist(renderer)
        urls = [media.url(name, f"header=X-Track:{number}") for number in range(len(titles))]
        for url, title in zip(urls, titles):
            playlist("Insert", AfterId=([0] + playlist.ids)[-1], Uri=url, Metadata=named(title))
        return playlist, urls

    return fill


async def test_home_assistant_shows_and_controls_the_playlist(controller, fill):
    dmr = controller.dmr
    playlist, urls = fill("One", "Two")
    playlist("Play")
    await controller.wait_for_state(TransportState.PLAYING)
    await controller.wait(lambda: dmr.media_title == "One" and dmr.media_duration == 30)
    assert dmr.current_track_uri == dmr.av_transport_uri == urls[0]
    assert dmr.can_pause and dmr.can_stop and dmr.can_next and dmr.can_previous and dmr.can_seek_rel_time
    # What a controller stages is its own: the playlist's next track is not shown as such.
    assert controller.values("NextAVTransportURI") in ([], [""])

    await dmr.async_seek_rel_time(datetime.timedelta(seconds=10))
    assert await controller.wait_for_position(lambda position: position >= 10) < 25
    await dmr.async_pause()
    await controller.wait_for_state(TransportState.PAUSED_PLAYBACK)
    assert playlist("TransportState") == {"Value": "Paused"}
    await dmr.async_play()
    await controller.wait_for_state(TransportState.PLAYING)

    await dmr.async_next()
    await controller.wait(lambda: dmr.media_title == "Two" and not dmr.can_next)
    assert playlist.id == playlist.ids[1]
    await dmr.async_previous()
    await controller.wait(lambda: dmr.media_title == "One" and dmr.current_track_uri == urls[0])

    await dmr.async_stop()
    await controller.wait_for_state(TransportState.STOPPED)
    assert playlist("TransportState") == {"Value": "Stopped"}
    assert dmr.media_title == "One" and dmr.can_play
    # Home Assistant's play button.
    await dmr.async_play()
    await controller.wait_for_state(TransportState.PLAYING)
    assert playlist("TransportState")["Value"] in ("Playing", "Buffering")


async def test_home_assistant_shows_and_controls_the_radio(start, controlling, tmp_path, media):
    path = presets(tmp_path / "swiftlet.toml", ("Jazz", media.url("cbr.mp3", LIVE)), ("Noise", media.url(LONG)))
    renderer = start(more=("--config", path))
    radio = Radio(renderer)
    async with controlling(renderer.description_url) as controller:
        dmr = controller.dmr
        radio("SetId", Value=radio.ids[0], Uri="")
        radio("Play")
        await controller.wait_for_state(TransportState.PLAYING)
        await controller.wait(lambda: dmr.media_title == "Now & Then")
        assert dmr.av_transport_uri == media.url("cbr.mp3", LIVE)
        assert dmr.can_pause and dmr.can_stop and dmr.can_next and not dmr.can_previous and not dmr.can_seek_rel_time
        # A live stream cannot resume, so Pause stops it, as everywhere on this speaker.
        await dmr.async_pause()
        await controller.wait_for_state(TransportState.STOPPED)
        assert radio.state == "Stopped"
        await dmr.async_play()
        await controller.wait_for_state(TransportState.PLAYING)
        await dmr.async_next()
        await controller.wait(lambda: dmr.av_transport_uri == media.url(LONG))
        assert radio("Id")["Value"] == str(radio.ids[1])
        await dmr.async_stop()
        await controller.wait_for_state(TransportState.STOPPED)
        assert radio.state == "Stopped"


async def test_an_item_of_home_assistant_takes_over_and_comes_back(renderer, controller, fill, media):
    """Also when the other source stops by itself, Home Assistant's item does not seem to end."""
    dmr, product = controller.dmr, soap.Service(renderer.openhome_url, "Product")
    playlist, urls = fill("One", name=SHORT)
    own = media.url(LONG, "header=X-Own:1")
    await controller.play(own, "Own")
    await controller.wait_for_state(TransportState.PLAYING)
    await controller.wait(lambda: dmr.media_title == "Own")
    controller.events.clear()

    playlist("SeekIndex", Value=0)
    await controller.wait(lambda: dmr.media_title == "One")
    await controller.wait_for_state(TransportState.STOPPED)
    # The playlist ended. The item that Home Assistant had set was replaced; it neither stopped nor ended.
    assert "STOPPED" not in controller.states[:-1]
    assert controller.values("AVTransportURI") == [urls[0]] and dmr.av_transport_uri == urls[0]
    assert controller.values("TransportStatus") in ([], ["OK"])

    playlist("Play")
    await controller.wait_for_state(TransportState.PLAYING)
    # As Home Assistant plays: it stops, sets the address, and sends Play once that is offered.
    await dmr.async_stop()
    await controller.play(own, "Own")
    await controller.wait_for_state(TransportState.PLAYING)
    assert dmr.av_transport_uri == own and playlist("TransportState") == {"Value": "Stopped"}
    await controller.wait(lambda: dmr.media_title == "Own")
    assert product("SourceIndex")["Value"] == "2"

    # Without a Stop, too: setting the address alone does not interrupt the playlist.
    playlist("Play")
    await controller.wait(lambda: dmr.media_title == "One")
    await controller.load(own, "Own")
    await controller.wait(lambda: dmr.av_transport_uri == own and dmr.transport_state == TransportState.STOPPED)
    assert playlist("TransportState")["Value"] in ("Playing", "Buffering")
    await dmr.async_play()
    await controller.wait_for_state(TransportState.PLAYING)
    assert playlist("TransportState") == {"Value": "Stopped"}

    # The item comes back when its source is selected again.
    playlist("Play")
    await controller.wait(lambda: dmr.media_title == "One")
    product("SetSourceIndex", Value=2)
    await controller.wait(lambda: dmr.av_transport_uri == own and dmr.media_title == "Own")
    assert dmr.transport_state == TransportState.STOPPED
