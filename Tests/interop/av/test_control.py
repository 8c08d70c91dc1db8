"""SOAP requests in the dialects of real controllers, and malformed ones."""

import http.client
import urllib.parse
import xml.etree.ElementTree as ET

import pytest

import soap
from processes import PATIENCE

AVT = "urn:schemas-upnp-org:service:AVTransport:1"
RCS = "urn:schemas-upnp-org:service:RenderingControl:1"
INSTANCE, OTHER = ("InstanceID", "0"), ("InstanceID", "7")
MASTER = ("Channel", "Master")


def envelope(inner, head='<?xml version="1.0" encoding="utf-8"?>'):
    return (
        f'{head}<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" '
        f's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>{inner}</s:Body></s:Envelope>'
    )


def post(url, body, headers, version="HTTP/1.1"):
    """Sends a request with only these headers besides Host and Content-Length."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE)
    try:
        connection.putrequest("POST", parts.path, skip_accept_encoding=True)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        return response.status, response.headers, response.read()
    finally:
        connection.close()


# One request per family of controllers, in its dialect. All set the volume to 23.
FAMILIES = {
    # Java, Android: attributes in double quotes, a declaration with standalone.
    "cling": (
        {
            "User-Agent": "Android/13 UPnP/1.0 Cling/2.0",
            "Content-Type": 'text/xml;charset="utf-8"',
            "Soapaction": f'"{RCS}#SetVolume"',
        },
        '<?xml version="1.0" encoding="utf-8" standalone="yes"?><s:Envelope '
        'xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" '
        's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>'
        f'<u:SetVolume xmlns:u="{RCS}"><InstanceID>0</InstanceID><Channel>Master</Channel>'
        "<DesiredVolume>23</DesiredVolume></u:SetVolume></s:Body></s:Envelope>",
    ),
    # C++: encodingStyle comes before the namespace.
    "platinum": (
        {
            "User-Agent": "UPnP/1.0 DLNADOC/1.50 Platinum/1.0.5.13",
            "Content-Type": 'text/xml; charset="utf-8"',
            "SOAPAction": f'"{RCS}#SetVolume"',
            "Accept-Encoding": "identity",
        },
        '<?xml version="1.0" encoding="UTF-8"?>\n<s:Envelope '
        's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/" '
        'xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>'
        f'<u:SetVolume xmlns:u="{RCS}"><InstanceID>0</InstanceID><Channel>Master</Channel>'
        "<DesiredVolume>23</DesiredVolume></u:SetVolume></s:Body></s:Envelope>",
    ),
    # Windows: typed arguments, upper-case prefixes, no-cache headers.
    "windows": (
        {
            "Cache-Control": "no-cache",
            "Connection": "Close",
            "Pragma": "no-cache",
            "Content-Type": 'text/xml; charset="utf-8"',
            "User-Agent": "Microsoft-Windows/10.0 UPnP/1.0",
            "SOAPAction": f'"{RCS}#SetVolume"',
        },
        '<?xml version="1.0"?>\r\n<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/" '
        'SOAP-ENV:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><SOAP-ENV:Body>'
        f'<m:SetVolume xmlns:m="{RCS}"><InstanceID xmlns:dt="urn:schemas-microsoft-com:datatypes" dt:dt="ui4">0'
        '</InstanceID><Channel xmlns:dt="urn:schemas-microsoft-com:datatypes" dt:dt="string">Master</Channel>'
        '<DesiredVolume xmlns:dt="urn:schemas-microsoft-com:datatypes" dt:dt="ui2">23</DesiredVolume></m:SetVolume>'
        "</SOAP-ENV:Body></SOAP-ENV:Envelope>\r\n\r\n",
    ),
    # C: no XML declaration, a line end after every element.
    "libupnp": (
        {
            "CONTENT-TYPE": 'text/xml; charset="utf-8"',
            "SOAPACTION": f'"{RCS}#SetVolume"',
            "USER-AGENT": "Linux/5.10, UPnP/1.0, Portable SDK for UPnP devices/1.14.12",
        },
        '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" '
        's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/">\n<s:Body>'
        f'<u:SetVolume xmlns:u="{RCS}">\n<InstanceID>0</InstanceID>\n<Channel>Master</Channel>\n'
        "<DesiredVolume>23</DesiredVolume>\n</u:SetVolume>\n</s:Body>\n</s:Envelope>\n",
    ),
    # Home automation scripts: no quotes around SOAPACTION, a wrong content type, arguments in another order.
    "script": (
        {"Content-Type": "application/x-www-form-urlencoded", "SOAPAction": f"{RCS}#SetVolume"},
        envelope(
            f"<u:SetVolume xmlns:u='{RCS}'><DesiredVolume>23</DesiredVolume><Channel>Master</Channel>"
            "<InstanceID>0</InstanceID></u:SetVolume>",
            head="",
        ),
    ),
    # A byte order mark, and a body with the namespace of another service.
    "mark": (
        {"Content-Type": "text/xml", "SOAPACTION": f'"{RCS}#SetVolume"'},
        "\ufeff"
        + envelope(
            f'<u:SetVolume xmlns:u="{AVT}"><InstanceID>0</InstanceID><Channel>Master</Channel>'
            "<DesiredVolume> 23\n</DesiredVolume></u:SetVolume>"
        ),
    ),
    # No SOAPACTION: the namespace of the body decides.
    "silent": (
        {"Content-Type": "text/xml"},
        envelope(
            f'<SetVolume xmlns="{RCS}"><InstanceID>0</InstanceID><Channel>Master</Channel>'
            "<DesiredVolume>+23</DesiredVolume><Extra>1</Extra></SetVolume>"
        ),
    ),
}


@pytest.fixture
def renderer(shared_renderer):
    return shared_renderer


@pytest.mark.parametrize("family", FAMILIES)
def test_the_soap_dialects_of_controllers_are_accepted(renderer, family):
    service = soap.services(renderer.description_url)["RenderingControl"]
    assert soap.call(service, "SetVolume", [INSTANCE, MASTER, ("DesiredVolume", "50")])[0] == 200
    headers, body = FAMILIES[family]
    status, answer_headers, answer = post(service["controlURL"], body.encode(), headers)
    assert status == 200, answer
    assert answer_headers["EXT"] == "" and answer_headers["DATE"] and "UPnP/1.1" in answer_headers["SERVER"]
    assert answer_headers["Content-Type"] == 'text/xml; charset="utf-8"'
    response = ET.fromstring(answer).find("{http://schemas.xmlsoap.org/soap/envelope/}Body")[0]
    assert response.tag == f"{{{RCS}}}SetVolumeResponse"
    volume = soap.call(service, "GetVolume", [INSTANCE, MASTER])[2]
    assert b"<CurrentVolume>23</CurrentVolume>" in volume


@pytest.mark.parametrize(
    ("service", "action", "arguments", "code"),
    [
        # First the action,
        ("AVTransport", "play", [], 401),
        # then the presence of its arguments,
        ("AVTransport", "Play", [OTHER], 402),
        ("RenderingControl", "SetVolume", [OTHER, ("Channel", "Foo"), ("DesiredVolume", "loud")], 402),
        # then the instance,
        ("AVTransport", "Play", [OTHER, ("Speed", "9")], 718),
        ("AVTransport", "Seek", [OTHER, ("Unit", "FOO"), ("Target", "x")], 718),
        ("RenderingControl", "SetVolume", [OTHER, ("Channel", "Foo"), ("DesiredVolume", "101")], 702),
        ("AVTransport", "Play", [("InstanceID", "4294967296"), ("Speed", "1")], 718),
        # then the values, each with the fault code of its service,
        ("AVTransport", "Play", [INSTANCE, ("Speed", "9")], 717),
        ("AVTransport", "Seek", [INSTANCE, ("Unit", "FOO"), ("Target", "x")], 710),
        ("AVTransport", "SetPlayMode", [INSTANCE, ("NewPlayMode", "BACKWARDS")], 712),
        ("RenderingControl", "SetVolume", [INSTANCE, ("Channel", "Foo"), ("DesiredVolume", "10")], 402),
        ("RenderingControl", "SetVolume", [INSTANCE, MASTER, ("DesiredVolume", "101")], 601),
        ("RenderingControl", "SetVolume", [INSTANCE, MASTER, ("DesiredVolume", "70000")], 601),
        ("RenderingControl", "SelectPreset", [INSTANCE, ("PresetName", "Foo")], 701),
        # and finally the state.
        ("AVTransport", "Play", [INSTANCE, ("Speed", "1")], 701),
    ],
)
def test_arguments_are_checked_in_order(renderer, service, action, arguments, code):
    status, headers, body = soap.call(soap.services(renderer.description_url)[service], action, arguments)
    assert status == 500
    assert headers["Content-Type"] == 'text/xml; charset="utf-8"'
    assert soap.fault(body) == code


BOMB = (
    '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb">'
    + "".join(f'<!ENTITY {name} "{10 * f"&{before};"}">' for before, name in zip("bcdefghij", "cdefghijk"))
    + "]>"
)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\0" * 64,
        b"{}",
        b"<a>" * 100_000,
        envelope("").encode(),
        envelope(f'<u:Stop xmlns:u="{AVT}">').encode(),
        envelope("&k;", head=BOMB).encode(),
        b"<a>" + b"x" * (1 << 20) + b"</a>",
    ],
    ids=["empty", "zeros", "json", "deep", "no action", "unfinished", "bomb", "too long"],
)
def test_malformed_bodies_are_refused(renderer, body):
    service = soap.services(renderer.description_url)["AVTransport"]
    status, _, answer = post(service["controlURL"], body, {"Content-Type": "text/xml", "SOAPACTION": f'"{AVT}#Stop"'})
    if len(body) > 1 << 20:
        assert status == 413
    else:
        assert status == 500 and soap.fault(answer) in (401, 402)
    assert soap.call(service, "Stop", [INSTANCE])[0] == 200


@pytest.mark.parametrize(
    ("soapaction", "status"),
    [
        (f'"{AVT}#Stop"', 200),
        (f"{AVT}#Stop", 200),
        ('""', 200),
        (None, 200),
        (f'"{AVT}#Play"', 500),
        (f'"{RCS}#Stop"', 500),
        (f'"{AVT[:-1]}2#Stop"', 500),
    ],
)
def test_the_soapaction_header_selects_the_action(renderer, soapaction, status):
    service = soap.services(renderer.description_url)["AVTransport"]
    headers = {} if soapaction is None else {"SOAPACTION": soapaction}
    body = envelope(f'<u:Stop xmlns:u="{AVT}"><InstanceID>0</InstanceID></u:Stop>').encode()
    answer = post(service["controlURL"], body, headers)
    assert answer[0] == status
    if status == 500:
        assert soap.fault(answer[2]) == 401


def test_metadata_is_returned_unchanged(start):
    # Not the shared renderer: other tests need one without media.
    service = soap.services(start().description_url)["AVTransport"]
    uri = "http://127.0.0.1:9/a?b=1&c=%20ä"
    metadata = (
        '<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        '<item id="1" parentID="0" restricted="1"><dc:title>A &amp;amp; B "q" \'s\' &lt;x&gt; é 🎵</dc:title></item>'
        "</DIDL-Lite>"
    )
    escaped = [text.replace("&", "&amp;").replace("<", "&lt;") for text in (uri, metadata)]
    arguments = [INSTANCE, ("CurrentURI", escaped[0]), ("CurrentURIMetaData", escaped[1])]
    assert soap.call(service, "SetAVTransportURI", arguments)[0] == 200
    info = ET.fromstring(soap.call(service, "GetMediaInfo", [INSTANCE])[2])
    assert info.findtext(".//CurrentURI") == uri
    assert info.findtext(".//CurrentURIMetaData") == metadata
