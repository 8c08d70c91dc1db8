"""Plain HTTP and SOAP, for requests that a client library would not send."""

import html
import http.client
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ET

from processes import PATIENCE

DEVICE = "{urn:schemas-upnp-org:device-1-0}"
CONTROL = "{urn:schemas-upnp-org:control-1-0}"


def get(url):
    with urllib.request.urlopen(url, timeout=PATIENCE) as response:
        return response.headers, response.read()


def udn(description_url):
    return ET.fromstring(get(description_url)[1]).findtext(f".//{DEVICE}UDN")


def services(description_url):
    """The URLs of each service by its short name: {"AVTransport": {"controlURL": …}}."""
    root = ET.fromstring(get(description_url)[1])
    return {
        service.findtext(f"{DEVICE}serviceId").rsplit(":", 1)[1]: {
            child.tag.removeprefix(DEVICE): (
                urllib.parse.urljoin(description_url, child.text) if child.tag.endswith("URL") else child.text
            )
            for child in service
        }
        for service in root.iter(f"{DEVICE}service")
    }


def request(method, url, headers, body=b""):
    """Sends a request; returns status, headers, body."""
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE)
    try:
        connection.request(method, parts.path, body=body or None, headers=headers)
        response = connection.getresponse()
        return response.status, response.headers, response.read()
    finally:
        connection.close()


def call(service, action, arguments):
    """Calls an action with any arguments; returns status, headers, body. `service` is a value of `services`."""
    inner = "".join(f"<{name}>{value}</{name}>" for name, value in arguments)
    body = (
        '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" '
        's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>'
        f'<u:{action} xmlns:u="{service["serviceType"]}">{inner}</u:{action}></s:Body></s:Envelope>'
    )
    headers = {
        "Content-Type": 'text/xml; charset="utf-8"',
        "SOAPACTION": f'"{service["serviceType"]}#{action}"',
    }
    return request("POST", service["controlURL"], headers, body.encode())


def fault(body):
    """The errorCode of a fault."""
    return int(ET.fromstring(body).findtext(f".//{CONTROL}errorCode"))


class Service:
    """A service whose actions return dictionaries."""

    def __init__(self, description_url, name):
        self.service = services(description_url)[name]

    def __call__(self, action, **arguments):
        status, body = self._call(action, arguments)
        assert status == 200, body
        return {child.tag: child.text or "" for child in ET.fromstring(body)[0][0]}

    def fault(self, action, **arguments):
        """The fault code of an action; None if it succeeds."""
        status, body = self._call(action, arguments)
        return None if status == 200 else fault(body)

    def _call(self, action, arguments):
        values = [(name, html.escape(str(value))) for name, value in arguments.items()]
        status, _, body = call(self.service, action, values)
        return status, body
