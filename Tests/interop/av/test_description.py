"""The device description, its icons and its identity."""

import struct
import urllib.parse
import xml.etree.ElementTree as ET

import pytest
from async_upnp_client.profiles.dlna import DmrDevice

import soap
from soap import DEVICE


@pytest.fixture
def renderer(shared_renderer):
    return shared_renderer


def device(renderer):
    return ET.fromstring(soap.get(renderer.description_url)[1]).find(f"{DEVICE}device")


async def test_async_upnp_client_accepts_the_device(renderer, controlling):
    async with controlling(renderer.description_url, subscribed=False) as controller:
        assert DmrDevice.is_profile_device(controller.dmr.device)
        dmr = controller.dmr
        assert dmr.name == "Kitchen"
        assert dmr.has_volume_level and dmr.has_volume_mute
        assert dmr.has_play_media and dmr.has_pause and dmr.has_stop
        # Without the allowed values of A_ARG_TYPE_SeekMode Home Assistant draws no seek bar.
        assert dmr.has_seek_rel_time and dmr.has_seek_abs_time
        sinks = (await dmr.async_get_protocol_info())["sink"]
        for mime_type in ("audio/flac", "audio/x-flac", "audio/wav", "audio/mpeg", "audio/mp4", "audio/ogg"):
            assert f"http-get:*:{mime_type}:*" in sinks


def test_the_name_is_escaped(start):
    name = 'Küche & "Bad" <1>'
    assert device(start(name=name)).findtext(f"{DEVICE}friendlyName") == name


def test_documents_have_content_type_and_length(renderer):
    addresses = [renderer.description_url]
    addresses += [service["SCPDURL"] for service in soap.services(renderer.description_url).values()]
    assert len(addresses) == 4
    for address in addresses:
        headers, body = soap.get(address)
        assert headers["Content-Type"] == 'text/xml; charset="utf-8"'
        assert int(headers["Content-Length"]) == len(body)
        ET.fromstring(body)


def test_the_description_has_dlna_and_windows_elements(renderer):
    description = device(renderer)
    assert description.findtext("{urn:schemas-dlna-org:device-1-0}X_DLNADOC") == "DMR-1.50"
    assert (
        description.findtext("{http://schemas.microsoft.com/windows/pnpx/2005/11}X_deviceCategory") == "MediaDevice.DMR"
    )


def size_of(kind, data):
    """Width and height of an image."""
    if kind == "image/png":
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        return struct.unpack(">II", data[16:24])
    assert data.startswith(b"\xff\xd8")
    offset = 2
    while data[offset + 1] not in (0xC0, 0xC1, 0xC2):
        offset += 2 + struct.unpack(">H", data[offset + 2 : offset + 4])[0]
    height, width = struct.unpack(">HH", data[offset + 5 : offset + 9])
    return width, height


def test_icons_match_their_description(renderer):
    found = set()
    for icon in device(renderer).iter(f"{DEVICE}icon"):
        kind = icon.findtext(f"{DEVICE}mimetype")
        size = int(icon.findtext(f"{DEVICE}width")), int(icon.findtext(f"{DEVICE}height"))
        headers, data = soap.get(urllib.parse.urljoin(renderer.description_url, icon.findtext(f"{DEVICE}url")))
        assert headers["Content-Type"] == kind
        assert size_of(kind, data) == size
        found.add((kind, size))
    # DLNA's small and large icon, each as PNG and JPEG.
    assert found == {(kind, (side, side)) for kind in ("image/png", "image/jpeg") for side in (48, 120)}


async def test_uuid_and_port_survive_a_restart(start):
    first = start()
    port, udn = first.port, device(first).findtext(f"{DEVICE}UDN")
    first.stop()
    second = start()
    assert second.port == port
    assert device(second).findtext(f"{DEVICE}UDN") == udn


@pytest.mark.keys("uuid")
def test_the_uuid_can_be_configured(start):
    uuid = "9a4be1f2-8c1d-4b6e-9d55-0123456789ab"
    assert device(start(more=("--uuid", uuid))).findtext(f"{DEVICE}UDN") == f"uuid:{uuid}"
