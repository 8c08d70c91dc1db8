"""The radio, controlled by OpenHome: presets from the configuration, and any other channel."""

import base64
import signal
import struct
import xml.etree.ElementTree as ET

import pytest

import database
import soap
from processes import wait_until
from test_openhome import listening

SHORT = "noise3-44100-16-2-0.2s.flac"
LONG = "noise12-44100-16-2-30s.flac"
#: An endless station without length and ranges, with stream titles.
LIVE = "endless=1&length=no&ranges=no&rate=40000&icy=4000&icy-title=0:Now%20%26%20Then"


class Radio(soap.Service):
    def __init__(self, renderer):
        super().__init__(renderer.openhome_url, "Radio")

    @property
    def ids(self):
        """The ids of the presets. The array is padded with zeros."""
        data = base64.b64decode(self("IdArray")["Array"])
        ids = list(struct.unpack(">100I", data))
        count = len([one for one in ids if one])
        assert not any(ids[count:])
        return ids[:count]

    @property
    def state(self):
        return self("TransportState")["Value"]

    def read(self, ids):
        """Calls ReadList; returns pairs of id and metadata."""
        channels = ET.fromstring(self("ReadList", IdList=" ".join(map(str, ids)))["ChannelList"])
        assert channels.tag == "ChannelList"
        return [(int(entry.findtext("Id")), entry.findtext("Metadata")) for entry in channels]


def presets(path, *pairs):
    """Writes a configuration file with presets, given as pairs of title and URI."""
    tables = (f'[[presets]]\ntitle = "{title}"\nuri = "{uri}"\nartwork = "{uri}.png"\n' for title, uri in pairs)
    path.write_text("\n".join(tables))
    return str(path)


def about(metadata):
    """The texts of DIDL-Lite elements by name."""
    return {element.tag.split("}")[1]: element.text for element in ET.fromstring(metadata).iter() if element.text}


@pytest.fixture
def stations(tmp_path, media):
    """The presets, and the path of their configuration file."""
    pairs = [("Jazz & <more>", media.url("cbr.mp3", LIVE)), ("Noise", media.url(LONG))]
    return pairs, tmp_path / "swiftlet.toml"


@pytest.fixture
def tuned(start, stations):
    """A renderer with the presets of `stations`."""
    pairs, path = stations
    return start(more=("--config", presets(path, *pairs)))


@pytest.mark.keys("presets")
def test_presets_are_listed(tuned, stations):
    radio = Radio(tuned)
    assert radio("ChannelsMax")["Value"] == "100"
    read = radio.read([*radio.ids, 0, 7])
    assert [one for one, _ in read] == radio.ids
    for (title, uri), (one, metadata) in zip(stations[0], read, strict=True):
        fields = about(metadata)
        assert (fields["title"], fields["res"], fields["albumArtURI"]) == (title, uri, f"{uri}.png")
        assert radio("Read", Id=one)["Metadata"] == metadata
    assert radio.fault("Read", Id=7) == 800


async def test_a_preset_plays_and_reports_stream_titles(tuned, stations, notify_server):
    radio, info = Radio(tuned), soap.Service(tuned.openhome_url, "Info")
    async with listening(tuned.openhome_url, notify_server) as listener:
        one = radio.ids[0]
        radio("SetId", Value=one, Uri=stations[0][0][1])
        assert radio.state == "Stopped"
        assert radio.fault("Play") is None
        await listener.wait_for(
            transport_state="Playing", source={"type": "Radio", "name": "Radio"}, can_pause=False)
        assert radio("Id")["Value"] == str(one)
        assert (await listener.device.track_info())["title"] == "Jazz & <more>"
        wait_until(lambda: "Now &amp; Then" in info("Metatext")["Value"])
        assert radio.fault("SeekSecondAbsolute", Value=3) == 803
        # A live stream cannot be paused, so Pause stops it.
        radio("Pause")
        await listener.wait_for(transport_state="Stopped")


async def test_a_new_preset_replaces_the_playing_one(tuned, notify_server):
    radio = Radio(tuned)
    async with listening(tuned.openhome_url, notify_server) as listener:
        radio("SetId", Value=radio.ids[0], Uri="")
        radio("Play")
        await listener.wait_for(transport_state="Playing")
        radio("SetId", Value=radio.ids[1], Uri="")
        radio("Play")
        await listener.wait(lambda: (listener.state["track_info"] or {}).get("title") == "Noise")
        await listener.wait_for(transport_state="Playing", can_pause=True)


async def test_home_assistant_skips_from_preset_to_preset(tuned, notify_server):
    radio = Radio(tuned)
    async with listening(tuned.openhome_url, notify_server) as listener:
        device = listener.device
        radio("SetId", Value=radio.ids[0], Uri="")
        radio("Play")
        await listener.wait_for(can_skip_next=True, transport_state="Playing")
        assert (await device.can_skip_next(), await device.can_skip_previous()) == (True, False)
        await device.skip(1)
        await listener.wait(lambda: (listener.state["track_info"] or {}).get("title") == "Noise")
        await listener.wait_for(can_skip_next=False, can_skip_previous=True)
        assert radio("Id")["Value"] == str(radio.ids[1])
        await device.skip(-1)
        await listener.wait(lambda: (listener.state["track_info"] or {}).get("title") == "Jazz & <more>")


def test_a_pin_can_refer_to_a_preset(tuned, stations):
    radio, pins = Radio(tuned), soap.Service(tuned.openhome_url, "Pins")
    uri = "radio://preset?version=1&id=2"
    pins("SetDevice", Index=0, Mode="radio", Type="preset", Uri=uri, Title="Noise", Description="", ArtworkUri="", Shuffle=0)
    pins("InvokeIndex", Index=0)
    wait_until(lambda: radio.state == "Playing")
    assert radio("Id")["Value"] == str(radio.ids[1]) and radio("Channel")["Uri"] == stations[0][1][1]
    assert pins.fault("InvokeUri", Mode="radio", Type="preset", Uri=uri.replace("id=2", "id=3"), Shuffle=0) == 805


async def test_home_assistant_announcements_play_over_the_playlist(renderer, media, notify_server):
    """The same file twice, while the playlist plays."""
    playlist = soap.Service(renderer.openhome_url, "Playlist")
    async with listening(renderer.openhome_url, notify_server) as listener:
        device = listener.device
        playlist("Insert", AfterId=0, Uri=media.url(LONG), Metadata="")
        playlist("Play")
        await listener.wait_for(transport_state="Playing")
        for _ in range(2):
            listener.history.clear()
            await device.play_media({"uri": media.url(SHORT), "title": "Bell"})
            await listener.wait(
                lambda: [changes["transport_state"] for changes in listener.history if "transport_state" in changes][-1:]
                == ["Stopped"])
            assert (await device.track_info())["title"] == "Bell"
            assert await device.source() == {"type": "Radio", "name": "Radio"}
        assert playlist("TransportState")["Value"] == "Stopped"
        playlist("Play")
        await listener.wait_for(transport_state="Playing", source={"type": "Playlist", "name": "Playlist"})


@pytest.mark.parametrize("how", ["SIGHUP", "RefreshPresets"])
def test_presets_can_be_reloaded(tuned, stations, how, subscriber):
    radio, (pairs, path) = Radio(tuned), stations
    ids, token = radio.ids, radio("IdArray")["Token"]
    listener = subscriber()
    headers = {"CALLBACK": f"<{listener.url}>", "NT": "upnp:event", "TIMEOUT": "Second-300"}
    assert soap.request("SUBSCRIBE", radio.service["eventSubURL"], headers)[0] == 200
    listener.wait(lambda events: len(events) == 1)
    presets(path, pairs[1], ("New", "http://127.0.0.1:9/"))
    if how == "SIGHUP":
        tuned.process.send_signal(signal.SIGHUP)
    else:
        radio("RefreshPresets")
    listener.wait(lambda events: any("IdArray" in event.values for event in events[1:]))
    assert radio.ids[0] == ids[1] and radio.ids[1] not in ids and len(radio.ids) == 2
    assert radio("IdArrayChanged", Token=token)["Value"] == "1"


def test_an_invalid_file_keeps_the_presets(tuned, stations):
    radio, (pairs, path) = Radio(tuned), stations
    ids = radio.ids
    path.write_text("presets = 3\n")
    radio("RefreshPresets")
    wait_until(lambda: any("presets" in line and "not a list" in line for line in tuned.err))
    assert radio.ids == ids


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_channel_and_preset_ids_survive_a_restart(start, tmp_path, stations, end):
    pairs, path = stations
    state, more = tmp_path / "state", ("--config", presets(path, *pairs))
    first = start(state=state, more=more)
    radio = Radio(first)
    ids = radio.ids
    radio("SetId", Value=ids[1], Uri="")
    channel = radio("Channel")
    if end == signal.SIGKILL:
        wait_until(lambda: pairs[1][1] in database.settings(state, "radio").values())
    first.stop(end)
    again = Radio(start(state=state, more=more))
    assert (again.ids, again("Id")["Value"], again("Channel")) == (ids, str(ids[1]), channel)
    assert again.state == "Stopped"
    assert again.fault("Play") is None
    wait_until(lambda: again.state == "Playing")
