"""Strict checks of the device and service descriptions (UDA 1.1 §2.3, §2.5)."""

import re
import urllib.parse
import xml.etree.ElementTree as ET

import pytest

import soap
from processes import running_renderer
from soap import DEVICE

SERVICE = "{urn:schemas-upnp-org:service-1-0}"
NAME = 'Küche & "Bad" <1> 🎵'

#: The elements of a device in the order of the schema, with their maximum lengths; 0 is unlimited.
DEVICE_ELEMENTS = {
    "deviceType": 0,
    "friendlyName": 63,
    "manufacturer": 63,
    "manufacturerURL": 0,
    "modelDescription": 127,
    "modelName": 31,
    "modelNumber": 31,
    "modelURL": 0,
    "serialNumber": 63,
    "UDN": 0,
    "UPC": 12,
    "iconList": 0,
    "serviceList": 0,
    "deviceList": 0,
    "presentationURL": 0,
}
REQUIRED = {"deviceType", "friendlyName", "manufacturer", "modelName", "UDN", "serviceList"}
DATA_TYPES = {
    "ui1",
    "ui2",
    "ui4",
    "i1",
    "i2",
    "i4",
    "int",
    "r4",
    "r8",
    "number",
    "fixed.14.4",
    "float",
    "char",
    "string",
    "date",
    "dateTime",
    "dateTime.tz",
    "time",
    "time.tz",
    "boolean",
    "bin.base64",
    "bin.hex",
    "uri",
    "uuid",
}


@pytest.fixture(scope="module")
def module_renderer(tmp_path_factory):
    with running_renderer(tmp_path_factory.mktemp("shared"), name=NAME) as renderer:
        yield renderer


@pytest.fixture
def renderer(shared_renderer):
    return shared_renderer


def names(element):
    """The local names of the children, which must have the namespace of the element."""
    namespace = element.tag.split("}")[0] + "}"
    assert all(child.tag.startswith(namespace) for child in element)
    return [child.tag.removeprefix(namespace) for child in element]


@pytest.mark.parametrize("url", ["description_url", "openhome_url"])
def test_the_description_follows_the_schema(renderer, url):
    url = getattr(renderer, url)
    headers, body = soap.get(url)
    assert headers["Content-Type"] == 'text/xml; charset="utf-8"'
    assert body.startswith(b'<?xml version="1.0" encoding="utf-8"?>') and b"<!DOCTYPE" not in body
    root = ET.fromstring(body)
    assert root.tag == f"{DEVICE}root" and 0 <= int(root.get("configId")) < 1 << 24
    assert names(root) == ["specVersion", "device"]
    assert [(child.tag, child.text) for child in root[0]] == [(f"{DEVICE}major", "1"), (f"{DEVICE}minor", "1")]

    device = root[1]
    own = [child for child in device if child.tag.startswith(DEVICE)]
    # Vendor elements come last, in their own namespaces.
    assert list(device)[: len(own)] == own
    order = [child.tag.removeprefix(DEVICE) for child in own]
    assert order == [name for name in DEVICE_ELEMENTS if name in order] and REQUIRED <= set(order)
    for name, child in zip(order, own):
        assert len(child) or child.text.strip() == child.text != "", f"{name} is empty or has blanks around"
        assert not DEVICE_ELEMENTS[name] or len(child.text) <= DEVICE_ELEMENTS[name], name
        assert not name.endswith("URL") or urllib.parse.urlsplit(child.text).scheme in ("http", "https", "")
    suffix = " (OpenHome)" if url == renderer.openhome_url else ""
    assert device.findtext(f"{DEVICE}friendlyName") == NAME + suffix
    assert re.fullmatch(r"uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", device.findtext(f"{DEVICE}UDN"))
    marks = {child.tag: child.text for child in device if child not in own}
    if url == renderer.openhome_url:
        assert not marks
        return
    # DLNA's device class, and the categories that Windows shows.
    pnpx = "{http://schemas.microsoft.com/windows/pnpx/2005/11}"
    assert marks["{urn:schemas-dlna-org:device-1-0}X_DLNADOC"] == "DMR-1.50"
    assert marks[f"{pnpx}X_deviceCategory"] == "MediaDevice.DMR"
    assert "MS_DigitalMediaDeviceClass_V001" in marks[f"{pnpx}X_compatibleId"].split()


@pytest.mark.parametrize(
    ("url", "domain", "id_domain"),
    [("description_url", "schemas-upnp-org", "upnp-org"), ("openhome_url", "av-openhome-org", "av-openhome-org")],
)
def test_the_description_lists_services_icons_and_urls(renderer, url, domain, id_domain):
    device = ET.fromstring(soap.get(getattr(renderer, url))[1]).find(f"{DEVICE}device")
    for service in device.iter(f"{DEVICE}service"):
        assert names(service) == ["serviceType", "serviceId", "SCPDURL", "controlURL", "eventSubURL"]
        name = re.fullmatch(rf"urn:{domain}:service:(\w+):\d", service[0].text).group(1)
        assert service[1].text == f"urn:{id_domain}:serviceId:{name}"
    assert [names(icon) for icon in device.iter(f"{DEVICE}icon")] == [
        ["mimetype", "width", "height", "depth", "url"] for _ in device.iter(f"{DEVICE}icon")
    ]
    urls = [
        e.text
        for e in device.iter()
        if e.tag in (f"{DEVICE}{n}" for n in ("SCPDURL", "controlURL", "eventSubURL", "url"))
    ]
    assert all(url.startswith("/") and not url.startswith("//") for url in urls)
    assert len(set(urls)) == len(urls)


@pytest.mark.parametrize(
    ("url", "name"),
    [("description_url", name) for name in ("AVTransport", "RenderingControl", "ConnectionManager")]
    + [
        ("openhome_url", name)
        for name in ("Product", "Playlist", "Radio", "Receiver", "Pins", "Info", "Time", "Volume", "Transport", "Sender")
    ],
)
def test_a_service_description_follows_the_schema(renderer, url, name):
    headers, body = soap.get(soap.services(getattr(renderer, url))[name]["SCPDURL"])
    assert headers["Content-Type"] == 'text/xml; charset="utf-8"'
    root = ET.fromstring(body)
    assert root.tag == f"{SERVICE}scpd" and names(root) == ["specVersion", "actionList", "serviceStateTable"]

    variables = {}
    for variable in root.find(f"{SERVICE}serviceStateTable"):
        assert variable.tag == f"{SERVICE}stateVariable" and variable.get("sendEvents") in ("yes", "no")
        order = ["name", "dataType", "defaultValue", "allowedValueList", "allowedValueRange"]
        assert names(variable) == [one for one in order if one in names(variable)]
        assert variable.findtext(f"{SERVICE}dataType") in DATA_TYPES
        allowed = [value.text for value in variable.iter(f"{SERVICE}allowedValue")]
        assert len(set(allowed)) == len(allowed) and all(value and len(value) <= 31 for value in allowed)
        default = variable.findtext(f"{SERVICE}defaultValue")
        assert default is None or not allowed or default in allowed
        for limits in variable.iter(f"{SERVICE}allowedValueRange"):
            assert names(limits) in (["minimum", "maximum"], ["minimum", "maximum", "step"])
            assert int(limits[0].text) < int(limits[1].text)
        assert variables.setdefault(variable.findtext(f"{SERVICE}name"), variable) is variable, "named twice"

    actions = set()
    for action in root.find(f"{SERVICE}actionList"):
        assert action.tag == f"{SERVICE}action" and names(action) in (["name"], ["name", "argumentList"])
        assert action[0].text not in actions
        actions.add(action[0].text)
        directions, arguments = [], set()
        for argument in action.iter(f"{SERVICE}argument"):
            assert [one for one in names(argument) if one != "retval"] == ["name", "direction", "relatedStateVariable"]
            directions.append(argument.findtext(f"{SERVICE}direction"))
            assert argument.findtext(f"{SERVICE}relatedStateVariable") in variables
            arguments.add(argument[0].text)
        # Input arguments come before output arguments, and names are unique.
        assert (
            directions == sorted(directions) and set(directions) <= {"in", "out"} and len(arguments) == len(directions)
        )
    assert actions
    for variable_name, variable in variables.items():
        is_evented = variable.get("sendEvents") == "yes"
        # Argument types are not evented.
        assert not (is_evented and variable_name.startswith("A_ARG_TYPE_"))
        assert variable_name != "LastChange" or is_evented
