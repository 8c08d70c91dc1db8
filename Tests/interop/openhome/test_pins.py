"""Pins: favourites that the speaker stores."""

import json
import signal
import threading
import time
import urllib.parse
import xml.etree.ElementTree as ET

import pytest

import database
import soap
from page_api import Page
from processes import MediaServer, wait_until
from test_openhome import listening

SHORT = "noise3-44100-16-2-0.2s.flac"
LONG = "noise12-44100-16-2-30s.flac"
EMPTY = {
    "id": 0, "mode": "", "type": "", "uri": "", "title": "", "description": "", "artworkUri": "", "shuffle": False,
}  # fmt: skip


class Pins(soap.Service):
    def __init__(self, renderer):
        super().__init__(renderer.openhome_url, "Pins")

    @property
    def ids(self):
        return json.loads(self("GetIdArray")["IdArray"])

    @property
    def all(self):
        return json.loads(self("ReadList", Ids=json.dumps(self.ids))["List"])

    def set(self, index, mode, type_, uri, title="", shuffle=False):
        self(
            "SetDevice", Index=index, Mode=mode, Type=type_, Uri=uri, Title=title, Description="about it",
            ArtworkUri="http://127.0.0.1:9/a.png", Shuffle=int(shuffle),
        )  # fmt: skip


def stream(url):
    return "url://stream?version=1&path=" + urllib.parse.quote(url, safe="")


@pytest.fixture
def pins(renderer):
    return Pins(renderer)


@pytest.fixture
def lists(tmp_path, media):
    """A server of playlist files; `album.m3u` lists three tracks."""
    folder = tmp_path / "lists"
    folder.mkdir()
    tracks = [media.url(LONG, f"header=X-Track:{number}") for number in range(3)]
    entries = "".join(f"#EXTINF:30,Track {number} & more\n{url}\n" for number, url in enumerate(tracks))
    (folder / "album.m3u").write_text("#EXTM3U\n" + entries)
    (folder / "page.html").write_text("<!DOCTYPE html><html><body>Hello</body></html>")
    server = MediaServer(folder)
    server.tracks = tracks
    yield server
    server.stop()


async def test_home_assistant_invokes_a_pin(renderer, pins, media, notify_server):
    async with listening(renderer.openhome_url, notify_server) as listener:
        device = listener.device
        assert device.pins_enabled and await device.pins() == []
        title = 'Jazz "&" <more>\n\\ é 🎵'
        pins.set(1, "url", "stream", stream(media.url(LONG)), title)
        pins.set(4, "transport", "source", "transport://source?version=1&id=UPnP%20AV", "AV")
        assert await device.pins() == [
            {"index": 2, "title": title, "artworkUri": "http://127.0.0.1:9/a.png"},
            {"index": 5, "title": "AV", "artworkUri": "http://127.0.0.1:9/a.png"},
        ]
        await device.invoke_pin(2)
        await listener.wait_for(transport_state="Playing", source={"type": "Radio", "name": "Radio"})
        # XML parsers normalize line ends.
        assert (await device.track_info())["title"] == title


def test_pins_are_set_swapped_cleared_and_refused(pins):
    assert (pins("GetDeviceMax"), pins("GetAccountMax")) == ({"DeviceMax": "6"}, {"AccountMax": "0"})
    assert json.loads(pins("GetModes")["Modes"]) == ["playlist", "radio", "transport", "upnp.cd", "url", "announcement"]
    assert pins("GetCloudConnected")["CloudConnected"] == "0"
    assert pins.ids == [0] * 6 and pins.all == [EMPTY] * 6
    pins.set(0, "url", "stream", "http://a/", "A")
    pins.set(3, "url", "stream", "http://b/", "B")
    pins("Swap", Index1=0, Index2=5)
    assert pins.ids == [0, 0, 0, 2, 0, 1]
    assert [pin["title"] for pin in pins.all] == ["", "", "", "B", "", "A"]
    pins("Clear", Id=2)
    assert (pins.ids, pins.all[3]) == ([0, 0, 0, 0, 0, 1], EMPTY)
    assert [
        pins.fault("Clear", Id=2), pins.fault("InvokeId", Id=2), pins.fault("InvokeIndex", Index=6),
        pins.fault("InvokeIndex", Index=3), pins.fault("Swap", Index1=0, Index2=6),
        pins.fault("InvokeUri", Mode="tidal", Type="album", Uri="tidal://album?id=1", Shuffle=0),
        pins.fault("InvokeUri", Mode="url", Type="stream", Uri="ftp://a/", Shuffle=0),
        pins.fault("ReadList", Ids="[1"),
    ] == [802, 802, 801, 805, 801, 803, 806, 801]  # fmt: skip


@pytest.mark.parametrize("shuffle", [False, True])
def test_a_playlist_pin_replaces_the_playlist(renderer, pins, media, lists, shuffle):
    playlist = soap.Service(renderer.openhome_url, "Playlist")
    playlist("Insert", AfterId=0, Uri=media.url(SHORT), Metadata="")
    pins.set(0, "playlist", "m3u", lists.url("album.m3u"), "Album", shuffle)
    pins("InvokeIndex", Index=0)
    tracks = ET.fromstring(playlist("ReadList", IdList="1 2 3 4 5")["TrackList"])
    assert [track.findtext("Uri") for track in tracks] == lists.tracks
    assert ["Track 1 &amp; more" in track.findtext("Metadata") for track in tracks] == [False, True, False]
    assert playlist("Shuffle")["Value"] == str(int(shuffle))
    wait_until(lambda: playlist("TransportState")["Value"] == "Playing")
    if not shuffle:
        assert playlist("Id")["Value"] == tracks[0].findtext("Id")


@pytest.mark.parametrize("path", ["nothing.m3u", "page.html", "album.m3u?status=500", "refused"])
def test_an_unreadable_playlist_pin_changes_nothing(renderer, pins, media, lists, path):
    playlist, radio = (soap.Service(renderer.openhome_url, name) for name in ("Playlist", "Radio"))
    playlist("Insert", AfterId=0, Uri=media.url(SHORT), Metadata="")
    radio("SetChannel", Uri=media.url(LONG), Metadata="")
    radio("Play")
    wait_until(lambda: radio("TransportState")["Value"] == "Playing")
    url = "http://127.0.0.1:9/album.m3u" if path == "refused" else f"{lists.base}/{path}"
    assert pins.fault("InvokeUri", Mode="playlist", Type="m3u", Uri=url, Shuffle=0) == 805
    assert radio("TransportState")["Value"] == "Playing"
    assert playlist("IdArray")["Array"] == "AAAAAQ=="


def test_reading_a_playlist_blocks_no_one_else(renderer, pins, lists):
    answers = []
    url = lists.url("album.m3u", "open-delay=3")
    asking = threading.Thread(
        target=lambda: answers.append(pins.fault("InvokeUri", Mode="playlist", Type="", Uri=url, Shuffle=0))
    )
    asking.start()
    served = 0
    while not answers:
        Pins(renderer)("GetModes")
        served += 1
        time.sleep(0.02)
    asking.join()
    assert answers == [None]
    # One request may have been answered before the server began to read the playlist.
    assert served > 1


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_pins_survive_a_restart(start, tmp_path, end):
    state = tmp_path / "state"
    first = start(state=state)
    pins = Pins(first)
    pins.set(0, "url", "stream", "http://a/", "A\nB")
    pins.set(5, "playlist", "", "http://b/b.m3u", "", shuffle=True)
    pins("Clear", Id=1)
    kept = pins.all
    if end == signal.SIGKILL:
        wait_until(lambda: database.settings(state, "pins").get("uri") == "http://b/b.m3u")
    first.stop(end)
    again = Pins(start(state=state))
    assert again.all == kept and again.ids == [0, 0, 0, 0, 0, 2]
    again.set(0, "url", "stream", "http://a/")
    # Ids are not reused, not even those of the last second before a power cut.
    assert again.ids[0] > 2 and again.ids[1:] == [0, 0, 0, 0, 2]


def test_a_pin_announces(renderer, media):
    """An announcement changes neither the source nor the transport."""
    pins, page = Pins(renderer), Page(renderer)
    before = page.state["source"], page.state["playing"]["state"]
    pins("SetDevice", Index=0, Mode="announcement", Type="announcement", Uri=media.url("noise12-44100-16-2-30s.flac"),
         Title="Dinner", Description="", ArtworkUri="", Shuffle=False)
    pins("InvokeIndex", Index=0)
    wait_until(lambda: page.state["announcement"]["playing"])
    assert (page.state["source"], page.state["playing"]["state"]) == before
