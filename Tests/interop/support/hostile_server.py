"""A media server that misbehaves as configured by a test. It announces itself and describes a ContentDirectory."""

import http.server
import itertools
import socket
import struct
import threading
import urllib.parse
import xml.etree.ElementTree as ET
from xml.sax.saxutils import escape

GROUP = ("239.255.255.250", 1900)
CONTENT_DIRECTORY = "urn:schemas-upnp-org:service:ContentDirectory:1"
_numbers = itertools.count(1)
#: The signature of a JPEG image, followed by zeros.
JPEG = b"\xff\xd8\xff\xe0" + bytes(3000)

DESCRIPTION = """<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0">
<specVersion><major>1</major><minor>0</minor></specVersion><device>
<deviceType>urn:schemas-upnp-org:device:MediaServer:1</deviceType><friendlyName>{name}</friendlyName>
<manufacturer>Tests</manufacturer><modelName>Hostile</modelName><UDN>{udn}</UDN><serviceList><service>
<serviceType>urn:schemas-upnp-org:service:ContentDirectory:1</serviceType>
<serviceId>urn:upnp-org:serviceId:ContentDirectory</serviceId><SCPDURL>/scpd.xml</SCPDURL>
<controlURL>/control</controlURL><eventSubURL></eventSubURL></service></serviceList></device></root>"""

_IN = ("ObjectID", "BrowseFlag", "Filter", "StartingIndex", "RequestedCount", "SortCriteria")
_OUT = ("Result", "NumberReturned", "TotalMatches", "UpdateID")
SCPD = (
    '<?xml version="1.0"?><scpd xmlns="urn:schemas-upnp-org:service-1-0"><specVersion><major>1</major><minor>0</minor>'
    "</specVersion><actionList><action><name>Browse</name><argumentList>"
    + "".join(
        f"<argument><name>{name}</name><direction>{way}</direction>"
        f"<relatedStateVariable>A</relatedStateVariable></argument>"
        for names, way in ((_IN, "in"), (_OUT, "out"))
        for name in names
    )
    + '</argumentList></action></actionList><serviceStateTable><stateVariable sendEvents="no"><name>A</name>'
    "<dataType>string</dataType></stateVariable></serviceStateTable></scpd>"
)


def item(identifier, title, res="", art="", parent="0"):
    art = f"<upnp:albumArtURI>{escape(art)}</upnp:albumArtURI>" if art else ""
    res = f'<res protocolInfo="http-get:*:audio/flac:*">{escape(res)}</res>' if res else ""
    return (
        f'<item id="{identifier}" parentID="{parent}" restricted="1"><dc:title>{escape(title)}</dc:title>'
        f"<upnp:class>object.item.audioItem.musicTrack</upnp:class>{art}{res}</item>"
    )


def container(identifier, title, parent="0"):
    return (
        f'<container id="{identifier}" parentID="{parent}" restricted="1"><dc:title>{escape(title)}</dc:title>'
        "<upnp:class>object.container.storageFolder</upnp:class></container>"
    )


class Fault(Exception):
    """A UPnPError with this code."""


class HostileServer:
    """Runs on a machine at an address until `close`.

    `browse(object_id, flag, start, count)` returns a list of elements and the total, or raises Fault. `pages` maps paths to
    functions that are given the request handler.
    """

    def __init__(self, machine, address, browse, pages=None, name="Hostile"):
        self.address, self.browse, self.pages, self.name = address, browse, pages or {}, name
        # A new UDN for each server: the speaker would look for a known one at its old port until that says byebye.
        self.udn = f"uuid:00000000-0000-0000-0000-{next(_numbers):012}"
        #: The requested paths.
        self.requests = []
        self._closed = threading.Event()
        self._server = machine.do(lambda: http.server.ThreadingHTTPServer((address, 0), self._handler()))
        self._server.daemon_threads = True
        self.base = f"http://{address}:{self._server.server_address[1]}"
        self._listener = machine.do(self._open)
        self._listener.settimeout(0.2)
        self._threads = [
            threading.Thread(target=target, daemon=True) for target in (self._server.serve_forever, self._answer)
        ]
        for thread in self._threads:
            thread.start()

        self._notify("ssdp:alive")

    def hang_up(self):
        """Stops the HTTP server without a byebye."""
        self._server.shutdown()
        self._server.server_close()

    def close(self):
        self._notify("ssdp:byebye")
        self._closed.set()
        self._server.shutdown()
        for thread in self._threads:
            thread.join()
        self._server.server_close()
        self._listener.close()

    def _open(self):
        listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(GROUP)
        member = struct.pack("4s4s", socket.inet_aton(GROUP[0]), socket.inet_aton(self.address))
        listener.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
        listener.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(self.address))
        return listener

    def _notify(self, kind):
        notice = (
            f"NOTIFY * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nCACHE-CONTROL: max-age=1800\r\n"
            f"LOCATION: {self.base}/description.xml\r\nNT: upnp:rootdevice\r\nNTS: {kind}\r\n"
            f"SERVER: Tests/1 UPnP/1.0 Hostile/1\r\nUSN: {self.udn}::upnp:rootdevice\r\n\r\n"
        )
        self._listener.sendto(notice.encode(), GROUP)

    def _answer(self):
        while not self._closed.is_set():
            try:
                data, sender = self._listener.recvfrom(4096)
            except TimeoutError:
                continue
            if data.startswith(b"M-SEARCH"):
                answer = (
                    "HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=1800\r\nEXT:\r\n"
                    f"LOCATION: {self.base}/description.xml\r\nSERVER: Tests/1 UPnP/1.0 Hostile/1\r\n"
                    f"ST: upnp:rootdevice\r\nUSN: {self.udn}::upnp:rootdevice\r\n\r\n"
                )
                self._listener.sendto(answer.encode(), sender)

    def _handler(self):
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

            def reply(self, body, content_type="text/xml", status=200, **headers):
                self.send_response(status)
                for name, value in {"Content-Type": content_type, "Content-Length": len(body), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                path = urllib.parse.urlsplit(self.path).path
                server.requests.append(path)
                try:
                    if path == "/description.xml":
                        self.reply(DESCRIPTION.format(name=escape(server.name), udn=server.udn).encode())
                    elif path == "/scpd.xml":
                        self.reply(SCPD.encode())
                    elif path in server.pages:
                        server.pages[path](self)
                    else:
                        self.reply(b"", status=404)
                except (BrokenPipeError, ConnectionResetError):
                    pass

            def do_POST(self):
                body = ET.fromstring(self.rfile.read(int(self.headers["Content-Length"])))
                fields = {element.tag: element.text or "" for element in body.iter()}
                server.requests.append(f"Browse {fields['ObjectID']} {fields['BrowseFlag']} {fields['StartingIndex']}")
                try:
                    elements, total = server.browse(
                        fields["ObjectID"], fields["BrowseFlag"], int(fields["StartingIndex"]),
                        int(fields["RequestedCount"]),
                    )  # fmt: skip
                except Fault as fault:
                    detail = (
                        '<s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>'
                        '<UPnPError xmlns="urn:schemas-upnp-org:control-1-0">'
                        f"<errorCode>{fault}</errorCode><errorDescription>No</errorDescription></UPnPError></detail></s:Fault>"
                    )
                    return self.reply(_envelope(detail), status=500)
                didl = (
                    '<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" '
                    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/">'
                    + "".join(elements)
                    + "</DIDL-Lite>"
                )
                answer = (
                    f'<u:BrowseResponse xmlns:u="{CONTENT_DIRECTORY}"><Result>{escape(didl)}</Result>'
                    f"<NumberReturned>{len(elements)}</NumberReturned><TotalMatches>{total}</TotalMatches>"
                    "<UpdateID>1</UpdateID></u:BrowseResponse>"
                )
                return self.reply(_envelope(answer))

        return Handler


def _envelope(body):
    return (
        '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" '
        's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>' + body + "</s:Body></s:Envelope>"
    ).encode()
