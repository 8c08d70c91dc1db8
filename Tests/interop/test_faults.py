"""SOAP faults, over plain HTTP."""

import pytest

import soap

INSTANCE = ("InstanceID", "0")


@pytest.mark.parametrize(
    ("service", "action", "arguments", "code"),
    [
        ("AVTransport", "Fly", [INSTANCE], 401),
        ("RenderingControl", "Fly", [INSTANCE], 401),
        ("ConnectionManager", "Fly", [], 401),
        ("AVTransport", "Play", [], 402),
        ("AVTransport", "Play", [INSTANCE], 402),
        ("AVTransport", "Play", [("InstanceID", "first"), ("Speed", "1")], 402),
        ("RenderingControl", "SetVolume", [INSTANCE, ("Channel", "Master")], 402),
        ("RenderingControl", "SetVolume", [INSTANCE, ("Channel", "Master"), ("DesiredVolume", "loud")], 402),
        ("RenderingControl", "SetMute", [INSTANCE, ("Channel", "Master"), ("DesiredMute", "perhaps")], 402),
        # AVTransport 1 §2.4 and RenderingControl 1 §2.4.
        ("AVTransport", "Stop", [("InstanceID", "7")], 718),
        ("RenderingControl", "GetVolume", [("InstanceID", "7"), ("Channel", "Master")], 702),
        ("ConnectionManager", "GetCurrentConnectionInfo", [("ConnectionID", "7")], 706),
    ],
)
def test_fault(renderer, service, action, arguments, code):
    status, headers, body = soap.call(soap.services(renderer.description_url)[service], action, arguments)
    assert status == 500
    assert headers["Content-Type"] == 'text/xml; charset="utf-8"'
    assert soap.fault(body) == code


def test_an_action_without_fault(renderer):
    service = soap.services(renderer.description_url)["RenderingControl"]
    status, headers, body = soap.call(service, "GetVolume", [INSTANCE, ("Channel", "Master")])
    assert status == 200
    assert "EXT" in headers
    assert b"<CurrentVolume>" in body
