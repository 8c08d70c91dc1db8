"""The tags of a file are shown everywhere if its address comes without metadata, those of a chained stream always."""

import struct
import subprocess

import pytest

import sound
from page_api import Page
from processes import MediaServer, wait_until_equal
from soap import Service

TEXTS = {"TITLE": "Autumn & Leaves", "ARTIST": "Ana", "ALBUM": "Seasons"}


def tagged(data, texts):
    """A FLAC file with these Vorbis comments (RFC 9639 §8.6) in place of its own."""
    comments = [f"{name}={text}".encode() for name, text in texts.items()]
    block = struct.pack("<II", 0, len(comments)) + b"".join(struct.pack("<I", len(text)) + text for text in comments)
    blocks, place, is_last = [], 4, False
    while not is_last:
        is_last, kind = data[place] >> 7, data[place] & 127
        size = int.from_bytes(data[place + 1 : place + 4], "big")
        if kind not in (1, 4):
            blocks.append((kind, data[place + 4 : place + 4 + size]))
        place += 4 + size
    blocks.append((4, block))
    head = b"".join(
        bytes([kind | (128 if index == len(blocks) - 1 else 0)]) + len(body).to_bytes(3, "big") + body
        for index, (kind, body) in enumerate(blocks)
    )
    return data[:4] + head + data[place:]


@pytest.fixture
def url(tmp_path):
    """The address of a FLAC file with tags."""
    folder = tmp_path / "media"
    folder.mkdir()
    source = (sound.FOLDER / "noise12-44100-16-2-30s.flac").read_bytes()
    (folder / "one.flac").write_bytes(tagged(source, TEXTS))
    server = MediaServer(folder)
    yield server.url("one.flac")
    server.stop()


def shown(renderer):
    playing = Page(renderer).state["playing"]
    return [playing.get(name) for name in ("title", "artist", "album")]


def test_an_address_on_the_page(renderer, url):
    Page(renderer).do("queue/add", {"items": [{"uri": url}], "where": "now"})
    wait_until_equal(lambda: shown(renderer), list(TEXTS.values()))
    metadata = Service(renderer.openhome_url, "Info")("Track")["Metadata"]
    assert "Autumn &amp; Leaves" in metadata and "Seasons" in metadata


@pytest.mark.parametrize("metadata", ["", "NOT_IMPLEMENTED"])
def test_an_address_over_upnp(renderer, url, metadata):
    transport = Service(renderer.description_url, "AVTransport")
    transport("SetAVTransportURI", InstanceID=0, CurrentURI=url, CurrentURIMetaData=metadata)
    transport("Play", InstanceID=0, Speed=1)
    wait_until_equal(lambda: shown(renderer), list(TEXTS.values()))
    info = transport("GetPositionInfo", InstanceID=0)["TrackMetaData"]
    assert all(text in info for text in ("Autumn &amp; Leaves", "Ana", "Seasons"))


#: A live stream.
LIVE = "chunked=1&ranges=no&rate=60000"
CHANNEL = (
    '<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="1" parentID="0" restricted="1">'
    "<dc:title>Test FM</dc:title><upnp:class>object.item.audioItem.audioBroadcast</upnp:class></item></DIDL-Lite>"
)


@pytest.fixture
def chain(tmp_path):
    """The address of a live stream of three Ogg Vorbis links."""
    folder = tmp_path / "radio"
    folder.mkdir()
    for title in ("One", "Two & more", "Three"):
        tags = f'tags="title=\\"{title}\\",artist={title[:3]}"'
        subprocess.run(
            ["gst-launch-1.0", "-q", "audiotestsrc", "num-buffers=350", "wave=red-noise", "!", "audio/x-raw,rate=44100",
             "!", "taginject", tags, "!", "vorbisenc", "!", "oggmux", "!", "filesink", f"location={folder}/link"],
            check=True, timeout=60,
        )  # fmt: skip
        with (folder / "chain.ogg").open("ab") as file:
            file.write((folder / "link").read_bytes())
    server = MediaServer(folder)
    yield server.url("chain.ogg", LIVE)
    server.stop()


def test_titles_of_a_chained_stream(renderer, chain):
    transport = Service(renderer.description_url, "AVTransport")
    info = Service(renderer.openhome_url, "Info")
    transport("SetAVTransportURI", InstanceID=0, CurrentURI=chain, CurrentURIMetaData=CHANNEL)
    transport("Play", InstanceID=0, Speed=1)
    for title, artist in (("Two & more", "Two"), ("Three", "Thr")):
        wait_until_equal(lambda: shown(renderer)[:2], [title, artist])
        text = title.replace("&", "&amp;")
        for metadata in (transport("GetPositionInfo", InstanceID=0)["TrackMetaData"], info("Metatext")["Value"]):
            assert f">{text}<" in metadata and f">{artist}<" in metadata
        assert info("Track")["Metadata"] == CHANNEL
