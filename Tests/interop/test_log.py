"""The log of the built program: what it names, and how much of it there is."""

import urllib.error
import urllib.request

import soap
from processes import PATIENCE, wait_until

SHORT = "noise3-44100-16-2-0.2s.flac"
INFO = ("--log-level", "info")
#: Stands in every title and address that is played.
TELLING = "Tellingtale"
TALE = f"header=X-Tale:{TELLING}"


def metadata(title):
    return (
        '<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="1" parentID="0" restricted="1">'
        f"<dc:title>{title}</dc:title><upnp:class>object.item.audioItem.musicTrack</upnp:class></item></DIDL-Lite>"
    )


def test_nobody_reads_in_it_what_is_played(start, media):
    renderer = start(more=INFO)
    transport = soap.Service(renderer.description_url, "AVTransport")
    playlist = soap.Service(renderer.openhome_url, "Playlist")

    def has_ended():
        return transport("GetTransportInfo", InstanceID=0)["CurrentTransportState"] == "STOPPED"

    addresses = [
        media.url(SHORT, TALE),
        media.url(SHORT, f"{TALE}&close-after=3000&ranges=no"),
        media.url(SHORT, f"{TALE}&garbage=1"),
        media.url(SHORT, f"{TALE}&status=500"),
        media.url(SHORT, f"{TALE}&status=403"),
        media.url(SHORT, f"{TALE}&redirect=loop"),
        media.url(SHORT, f"{TALE}&icy=4000&icy-title=0:{TELLING}"),
        media.url("index.tsv", TALE),
        media.url(f"{TELLING}.flac"),
        f"http://127.0.0.1:9/{TELLING}.flac",
        f"https://127.0.0.1:9/{TELLING}.flac",
        f"ftp://127.0.0.1/{TELLING}.flac",
        f"file:///{TELLING}.flac",
        TELLING,
    ]
    for address in addresses:
        transport(
            "SetAVTransportURI", InstanceID=0, CurrentURI=address, CurrentURIMetaData=metadata(TELLING))  # fmt: skip
        transport("SetNextAVTransportURI", InstanceID=0, NextURI=addresses[0], NextURIMetaData=metadata(TELLING))
        transport("Play", InstanceID=0, Speed=1)
        wait_until(has_ended, explain=lambda: address)
        playlist("Insert", AfterId=0, Uri=address, Metadata=metadata(TELLING))
    playlist("Play")
    wait_until(lambda: playlist("TransportState")["Value"] == "Stopped")

    renderer.stop()
    said = [line for line in renderer.out + renderer.err if TELLING in line or media.base in line]
    assert said == []
    # It was about these that it complained.
    assert sum("warning: " in line for line in renderer.err) > len(addresses) / 2


def test_the_libraries_find_nothing_wrong_with_a_run_after_another(start, media):
    """The samples of a run once began behind a segment that had come before their form."""
    renderer = start(more=INFO)
    transport = soap.Service(renderer.description_url, "AVTransport")
    for name in (SHORT, SHORT, "noise9-48000-24-1-3s.flac", SHORT):
        transport("SetAVTransportURI", InstanceID=0, CurrentURI=media.url(name), CurrentURIMetaData="")
        transport("Play", InstanceID=0, Speed=1)
        wait_until(lambda: transport("GetTransportInfo", InstanceID=0)["CurrentTransportState"] == "STOPPED")
    renderer.stop()
    assert [line for line in renderer.out + renderer.err if "GStreamer-" in line or "GLib-" in line] == []


def test_what_repeats_is_counted(start):
    renderer = start(more=INFO)
    request = urllib.request.Request(renderer.description_url, headers={"Host": "foreign.example.org"})
    for _ in range(200):
        try:
            urllib.request.urlopen(request, timeout=PATIENCE)
        except urllib.error.HTTPError as error:
            assert error.code == 403
    renderer.stop()
    refusals = [line for line in renderer.err if "foreign host" in line]
    assert len(refusals) == 21
    assert "180 more like this in a minute: " in refusals[-1]
