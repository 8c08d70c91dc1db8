"""Streams as Music Assistant sends them: without a length, with the name of a station, and ended by the last chunk."""

import asyncio

import pytest
from async_upnp_client.profiles.dlna import TransportState

QUEUE = "noise12-44100-16-2-30s.flac"
TRACK = "noise1-44100-16-2-3s.flac"

#: The headers of every stream. Music Assistant also closes the connection after each response.
NAMED = "chunked=1&closes=1&ranges=no&header=icy-name:Music%20Assistant"


@pytest.fixture
def requests(media):
    """Counts the requests for a stream during the test."""
    before = len(media.err)
    return lambda name: sum(line.startswith(f"GET /{name}?") for line in media.err[before:])


def metadata(url, duration):
    return (
        '<DIDL-Lite xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/" '
        'xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/"><item id="1" parentID="0" restricted="1">'
        "<dc:title>Title</dc:title><upnp:class>object.item.audioItem.musicTrack</upnp:class>"
        f'<res duration="{duration}" protocolInfo="http-get:*:audio/flac:*">{url.replace("&", "&amp;")}</res>'
        "</item></DIDL-Lite>"
    )


@pytest.mark.parametrize("name", [TRACK, "noise1-44100-16-2-3s.wav"])
async def test_an_announcement_is_heard_once(recorded, capture, media, requests, fixtures, name):
    await recorded.play_to_the_end(media.url(name, NAMED))
    assert capture.read() == fixtures[name].pcm()
    assert requests(name) == 1
    assert set(recorded.values("TransportStatus")) <= {"OK"}


async def test_a_track_is_played_once(recorded, capture, media, requests, fixtures):
    url = media.url(TRACK, NAMED)
    recorded.events.clear()
    await recorded.dmr.async_set_transport_uri(url, "Title", metadata(url, "0:00:03.000"))
    await recorded.dmr.async_play()
    await recorded.wait(lambda: recorded.states[-2:] == ["PLAYING", "STOPPED"])
    assert capture.read() == fixtures[TRACK].pcm()
    assert requests(TRACK) == 1


async def test_a_queue_in_one_stream_ends_once(recorded, capture, media, requests, fixtures):
    await recorded.play_to_the_end(media.url(QUEUE, NAMED))
    assert capture.read() == fixtures[QUEUE].pcm()
    assert requests(QUEUE) == 1


async def test_a_pause_is_followed_by_the_rest(recorded, capture, media, requests, fixtures):
    # The whole stream is longer than what the speaker buffers, so it waits at the server during the pause.
    await recorded.play(media.url(QUEUE, NAMED))
    await recorded.wait_for_position(lambda position: position >= 2)
    await recorded.dmr.async_pause()
    await recorded.wait_for_state(TransportState.PAUSED_PLAYBACK)
    paused = await recorded.position()
    await asyncio.sleep(1.5)
    await recorded.dmr.async_play()
    await recorded.wait_for_state(TransportState.PLAYING)
    assert paused <= await recorded.position() <= paused + 5
    await recorded.wait_for_state(TransportState.STOPPED)
    assert capture.read() == fixtures[QUEUE].pcm()
    assert requests(QUEUE) == 1
