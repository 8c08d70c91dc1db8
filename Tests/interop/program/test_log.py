"""The log: privacy, warnings of libraries, and rate limiting."""

import urllib.error
import urllib.request

import soap
from processes import PATIENCE, wait_until

SHORT = "noise3-44100-16-2-0.2s.flac"
INFO = ("--log-level", "info")
#: Part of every title and URL that is played.
SECRET = "Tellingtale"
SECRET_HEADER = f"header=X-Tale:{SECRET}"


def metadata(title):
    return (
        '<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="1" parentID="0" restricted="1">'
        f"<dc:title>{title}</dc:title><upnp:class>object.item.audioItem.musicTrack</upnp:class></item></DIDL-Lite>"
    )


def test_the_log_never_names_what_is_played(start, media):
    renderer = start(more=INFO)
    transport = soap.Service(renderer.description_url, "AVTransport")
    playlist = soap.Service(renderer.openhome_url, "Playlist")

    def has_ended():
        return transport("GetTransportInfo", InstanceID=0)["CurrentTransportState"] == "STOPPED"

    addresses = [
        media.url(SHORT, SECRET_HEADER),
        media.url(SHORT, f"{SECRET_HEADER}&close-after=3000&ranges=no"),
        media.url(SHORT, f"{SECRET_HEADER}&garbage=1"),
        media.url(SHORT, f"{SECRET_HEADER}&status=500"),
        media.url(SHORT, f"{SECRET_HEADER}&status=403"),
        media.url(SHORT, f"{SECRET_HEADER}&redirect=loop"),
        media.url(SHORT, f"{SECRET_HEADER}&icy=4000&icy-title=0:{SECRET}"),
        media.url("index.tsv", SECRET_HEADER),
        media.url(f"{SECRET}.flac"),
        f"http://127.0.0.1:9/{SECRET}.flac",
        f"https://127.0.0.1:9/{SECRET}.flac",
        f"ftp://127.0.0.1/{SECRET}.flac",
        f"file:///{SECRET}.flac",
        SECRET,
    ]
    for address in addresses:
        transport(
            "SetAVTransportURI", InstanceID=0, CurrentURI=address, CurrentURIMetaData=metadata(SECRET))  # fmt: skip
        transport("SetNextAVTransportURI", InstanceID=0, NextURI=addresses[0], NextURIMetaData=metadata(SECRET))
        transport("Play", InstanceID=0, Speed=1)
        wait_until(has_ended, explain=lambda: address)
        playlist("Insert", AfterId=0, Uri=address, Metadata=metadata(SECRET))
    playlist("Play")
    wait_until(lambda: playlist("TransportState")["Value"] == "Stopped")

    renderer.stop()
    leaks = [line for line in renderer.out + renderer.err if SECRET in line or media.base in line]
    assert leaks == []
    # It did log warnings about these items.
    assert sum("warning: " in line for line in renderer.err) > len(addresses) / 2


def test_libraries_log_no_warnings_over_several_tracks(start, media):
    """Guards against a SEGMENT event before CAPS, which GStreamer warns about."""
    renderer = start(more=INFO)
    transport = soap.Service(renderer.description_url, "AVTransport")
    for name in (SHORT, SHORT, "noise9-48000-24-1-3s.flac", SHORT):
        transport("SetAVTransportURI", InstanceID=0, CurrentURI=media.url(name), CurrentURIMetaData="")
        transport("Play", InstanceID=0, Speed=1)
        wait_until(lambda: transport("GetTransportInfo", InstanceID=0)["CurrentTransportState"] == "STOPPED")
    renderer.stop()
    assert [line for line in renderer.out + renderer.err if "GStreamer-" in line or "GLib-" in line] == []


def test_repeated_messages_are_rate_limited(start):
    renderer = start(more=INFO)
    request = urllib.request.Request(renderer.description_url, headers={"Host": "foreign.example.org"})
    for _ in range(200):
        try:
            urllib.request.urlopen(request, timeout=PATIENCE)
        except urllib.error.HTTPError as error:
            assert error.code == 403
    renderer.stop()
    refusals = [line for line in renderer.err if "foreign Host" in line]
    assert len(refusals) == 21
    assert "180 more like this in a minute: " in refusals[-1]
