"""The speaker's playlist, controlled by OpenHome."""

import base64
import html
import struct
import xml.etree.ElementTree as ET

import pytest

import soap
from processes import wait_until
from subscriber import check_rate
from test_openhome import LONG, listening

SHORT = "noise3-44100-16-2-0.2s.flac"


class Playlist(soap.Service):
    def __init__(self, renderer):
        super().__init__(renderer.openhome_url, "Playlist")

    def append(self, *urls):
        """Appends tracks; returns their ids."""
        ids = []
        last = (self.ids or [0])[-1]
        for url in urls:
            last = int(self("Insert", AfterId=last, Uri=url, Metadata=metadata(url))["NewId"])
            ids.append(last)
        return ids

    @property
    def ids(self):
        return ids_of(self("IdArray")["Array"])

    @property
    def id(self):
        return int(self("Id")["Value"])


def ids_of(text):
    data = base64.b64decode(text or "")
    return list(struct.unpack(f">{len(data) // 4}I", data))


def title(url):
    return f"{url.rsplit('/', 1)[1]} & <more>"


def metadata(url):
    return (
        '<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/">'
        f"<item id='1' parentID='0' restricted='1'><dc:title>{html.escape(title(url))}</dc:title>"
        "<upnp:class>object.item.audioItem.musicTrack</upnp:class></item></DIDL-Lite>"
    )


@pytest.fixture
def playlist(renderer):
    return Playlist(renderer)


@pytest.fixture
async def listener(renderer, notify_server):
    async with listening(renderer.openhome_url, notify_server) as listener:
        yield listener


async def test_the_playlist_plays_to_its_end(listener, playlist, media):
    # Long enough that each track is evented on a busy machine.
    urls = [media.url("noise1-44100-16-2-3s.flac", f"header=X-Track:{number}") for number in range(3)]
    ids = playlist.append(*urls)
    assert ids == playlist.ids == [1, 2, 3]
    await listener.device.play()

    def titles():
        return [changes["track_info"]["title"] for changes in listener.history if changes.get("track_info")]

    # At the end the first track is current again.
    await listener.wait(lambda: titles() == [title(url) for url in [*urls, urls[0]]])
    await listener.wait_for(transport_state="Stopped")
    assert playlist.id == 1
    assert listener.state["source"] == {"type": "Playlist", "name": "Playlist"}


async def test_home_assistant_controls_the_playlist(listener, playlist, media):
    device = listener.device
    assert [source["name"] for source in await device.sources()] == ["Playlist", "Radio", "Songcast"]
    urls = [media.url(LONG, f"header=X-Track:{number}") for number in range(3)]
    playlist.append(*urls)
    await device.play()
    await listener.wait_for(transport_state="Playing", can_pause=True, can_skip_next=True)
    await device.skip(1)
    await listener.wait(lambda: listener.state["track_info"]["title"] == title(urls[1]))
    await device.skip(1)
    await listener.wait(lambda: listener.state["track_info"]["title"] == title(urls[2]))
    await device.skip(-1)
    await listener.wait_for(transport_state="Playing")
    assert (await device.track_info())["title"] == title(urls[1])
    await device.pause()
    await listener.wait_for(transport_state="Paused")
    await device.play()
    await listener.wait_for(transport_state="Playing")
    await device.stop()
    await listener.wait_for(transport_state="Stopped")
    assert playlist.id == 2


def test_ids_and_tracks_survive_a_restart(start, media):
    first = start()
    playlist = Playlist(first)
    playlist.append(*(media.url(LONG, f"header=X-Track:{number}") for number in range(3)))
    playlist("DeleteId", Value=3)
    playlist("SeekId", Value=2)
    playlist("SetRepeat", Value=1)
    tracks = playlist("ReadList", IdList="1 2")
    first.stop()

    second = Playlist(start())
    assert (second.ids, second.id) == ([1, 2], 2)
    assert second("ReadList", IdList="1 2") == tracks
    assert second("TransportState")["Value"] == "Stopped"
    assert second("Repeat")["Value"] == "1"
    # The id of a deleted track is not reused.
    assert second.append(media.url(SHORT))[0] > 3


def test_idarray_events_are_rate_limited(playlist, subscriber, media):
    """A controller that adds an album sends many Inserts, and each IdArray event has the whole playlist."""
    listener = subscriber()
    headers = {"CALLBACK": f"<{listener.url}>", "NT": "upnp:event", "TIMEOUT": "Second-300"}
    assert soap.request("SUBSCRIBE", playlist.service["eventSubURL"], headers)[0] == 200
    listener.wait(lambda events: len(events) == 1)
    ids = playlist.append(*(media.url(LONG, f"header=X-Track:{number}") for number in range(100)))
    playlist("SeekId", Value=7)
    listener.wait(lambda events: any(event.values.get("Id") == "7" for event in events))
    listener.wait(lambda events: any(ids_of(event.values.get("IdArray")) == ids for event in events))
    check_rate([event.heard_at for event in listener.events if "IdArray" in event.values], 0.3)
    playlist("Stop")


def test_400_tracks_are_read_in_one_list(playlist, media):
    url = media.url(SHORT)
    ids = playlist.append(*(f"{url}?header=X-Track:{number}" for number in range(400)))
    tracks = ET.fromstring(playlist("ReadList", IdList=" ".join(map(str, ids)))["TrackList"])
    assert [int(entry.findtext("Id")) for entry in tracks] == ids
    for number, entry in enumerate(tracks):
        assert entry.findtext("Uri") == f"{url}?header=X-Track:{number}"
        assert entry.findtext("Metadata") == metadata(f"{url}?header=X-Track:{number}")


def test_seekid_play_and_seek_in_quick_succession_start_the_track_once(renderer, playlist, media):
    """A user taps on a track and drags the seek bar at once, and the controller also sends Play."""
    info, time = (soap.Service(renderer.openhome_url, name) for name in ("Info", "Time"))
    urls = [media.url(LONG, f"open-delay=0.5&header=X-Track:{number}") for number in range(3)]
    _, second, _ = playlist.append(*urls)
    count = int(info("Counters")["TrackCount"])
    playlist("SeekId", Value=second)
    playlist("Play")
    playlist("SeekSecondAbsolute", Value=10)
    wait_until(lambda: playlist("TransportState")["Value"] == "Playing")
    assert 10 <= int(time("Time")["Seconds"]) < 25
    wait_until(lambda: int(time("Time")["Seconds"]) > 10)
    assert info("Track") == {"Uri": urls[1], "Metadata": metadata(urls[1])}
    assert int(info("Counters")["TrackCount"]) == int(time("Time")["TrackCount"]) == count + 1


def test_the_playing_track_and_the_playlist_can_be_deleted(renderer, playlist, media):
    """First the playing track is deleted, then the whole playlist."""
    info, transport = (soap.Service(renderer.openhome_url, name) for name in ("Info", "Transport"))
    urls = [media.url(LONG, f"header=X-Track:{number}") for number in range(3)]
    first, second, third = playlist.append(*urls)
    playlist("Play")
    wait_until(lambda: playlist("TransportState")["Value"] == "Playing")
    # Controllers move a track by DeleteId and Insert.
    playlist("DeleteId", Value=first)
    again = int(playlist("Insert", AfterId=third, Uri=urls[0], Metadata=metadata(urls[0]))["NewId"])
    assert (playlist.ids, playlist.id) == ([second, third, again], second)
    wait_until(lambda: playlist("TransportState")["Value"] == "Playing")
    assert info("Track") == {"Uri": urls[1], "Metadata": metadata(urls[1])}
    playlist("DeleteAll")
    assert (playlist.ids, playlist.id, playlist("TransportState")["Value"]) == ([], 0, "Stopped")
    assert transport("TransportState")["State"] == "Stopped"
    assert info("Track") == {"Uri": "", "Metadata": ""}
    playlist.append(urls[2])
    playlist("Play")
    wait_until(lambda: playlist("TransportState")["Value"] == "Playing")
