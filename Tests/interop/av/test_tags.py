"""The tags of a file are shown everywhere if its address comes without metadata."""

import struct

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
