"""A directory of internet radio that behaves like Radio Browser: its servers, with faults, and the name server that lists them."""

import contextlib
import http.server
import json
import socket
import socketserver
import ssl
import struct
import threading
import time
import urllib.parse

DOMAIN = "radio-browser.info"
SERVICE, ALL = f"_api._tcp.{DOMAIN}", f"all.api.{DOMAIN}"


def station(number, name, uri, **more):
    """A station in the form of the service, with all members that matter to clients."""
    return {
        "changeuuid": f"00000000-0000-4000-9000-{number:012}", "stationuuid": f"00000000-0000-4000-8000-{number:012}",
        "name": name, "url": uri, "url_resolved": uri, "homepage": "", "favicon": "", "tags": "", "country": "",
        "countrycode": "", "state": "", "language": "", "languagecodes": "", "votes": 100 - number, "codec": "MP3",
        "bitrate": 128, "hls": 0, "lastcheckok": 1, "clickcount": 0, "geo_lat": None, "has_extended_info": False, **more,
    }  # fmt: skip


class DirectoryServer:
    """One server. `behaviour` is a fault: status, garbage, object, huge, truncated, silent or drip; None for none."""

    def __init__(self, stations, address=("127.0.0.1", 0), certificate=None, do=lambda body: body()):
        self.stations = stations
        self.behaviour = None
        #: The base of another server to which every request is redirected.
        self.redirect = None
        #: (path, query) and the User-Agent of each request.
        self.requests, self.agents = [], []
        self._release = threading.Event()
        directory = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                parts = urllib.parse.urlsplit(self.path)
                directory.requests.append((parts.path, dict(urllib.parse.parse_qsl(parts.query))))
                directory.agents.append(self.headers["User-Agent"])
                with contextlib.suppress(OSError):
                    directory._answer(self, parts.path, directory.requests[-1][1])

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request, client_address):
                pass

        self._server = do(lambda: Server(address, Handler))
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate / "certificate.pem", certificate / "key.pem")
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._release.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def searches(self):
        return [query for path, query in list(self.requests) if path == "/json/stations/search"]

    @property
    def clicks(self):
        """The ids of the stations that were reported as played."""
        return [path.rsplit("/", 1)[1] for path, _ in list(self.requests) if path.startswith("/json/url/")]

    def _answer(self, handler, path, query):
        if self.redirect:
            handler.send_response(302)
            handler.send_header("Location", self.redirect + handler.path)
            handler.send_header("Content-Length", "0")
            handler.end_headers()
            return
        if self.behaviour == "silent":
            self._release.wait()
            return
        if self.behaviour == "drip":
            self._drip(handler)
            return
        text = json.dumps(self._document(path, query)).encode()
        if self.behaviour == "garbage":
            text = text[: len(text) // 2]
        elif self.behaviour == "object":
            text = b'{"ok": false}'
        elif self.behaviour == "huge":
            text += b" " * (5 << 20)
        handler.send_response(503 if self.behaviour == "status" else 200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(text) + (10 if self.behaviour == "truncated" else 0)))
        handler.end_headers()
        handler.wfile.write(text)

    def _drip(self, handler):
        """Sends a byte now and then, for ever."""
        handler.send_response(200)
        handler.end_headers()
        while not self._release.is_set():
            handler.wfile.write(b" ")
            time.sleep(0.2)

    def _document(self, path, query):
        kind = path.split("/")
        if kind[1:3] == ["json", "url"]:
            return {"ok": "true", "message": "retrieved station url", "stationuuid": kind[3]}
        if kind[1:4] == ["json", "stations", "byuuid"]:
            return [one for one in self.stations if one["stationuuid"] == kind[4]]
        assert path == "/json/stations/search", path
        found = [one for one in self.stations if self._matches(one, query)]
        if query.get("order"):
            found.sort(key=lambda one: one[query["order"]], reverse=query.get("reverse") == "true")
        return found[: int(query.get("limit", 100000))]

    @staticmethod
    def _matches(one, query):
        if query.get("hidebroken") == "true" and one["lastcheckok"] != 1:
            return False
        if one["countrycode"] != query.get("countrycode", one["countrycode"]):
            return False
        parts = {"name": "name", "country": "country", "language": "language", "tag": "tags"}
        return all(query.get(key, "").lower() in one[member].lower() for key, member in parts.items())


class Names(socketserver.ThreadingUDPServer):
    """A name server. `records` has lists of (type, data) by name; `questions` all names that it was asked for."""

    daemon_threads = True
    A, PTR, AAAA, SRV = 1, 12, 28, 33

    def __init__(self, address):
        self.records, self.questions = {}, []
        super().__init__(address, None)

    def serve(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def add_service(self, *servers):
        """Lists servers, as (priority, port, host), each with an additional address of nobody."""
        self.records[SERVICE] = [
            (self.SRV, struct.pack(">HHH", priority, 0, port) + encoded(host)) for priority, port, host in servers
        ]

    def add_address(self, name, *addresses):
        self.records[name] = [(self.A, socket.inet_aton(address)) for address in addresses]

    def add_reverse(self, address, name):
        self.records[".".join(reversed(address.split("."))) + ".in-addr.arpa"] = [(self.PTR, encoded(name))]

    def finish_request(self, request, client_address):
        data, channel = request
        end = data.index(b"\0", 12) + 5
        name, kind = _decoded(data[12:]), struct.unpack(">H", data[end - 4 : end - 2])[0]
        self.questions.append((name, kind))
        known = self.records.get(name)
        found = [record for one, record in known or [] if one == kind]
        head = data[:2] + struct.pack(">HHHHH", 0x8180 if known is not None else 0x8183, 1, len(found), 0, 0)
        # The name is a pointer to that of the question.
        answers = b"".join(struct.pack(">HHHIH", 0xC00C, kind, 1, 60, len(record)) + record for record in found)
        channel.sendto(head + data[12:end] + answers, client_address)


def encoded(name):
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"


def _decoded(data):
    labels = []
    while data[0]:
        labels.append(data[1 : 1 + data[0]].decode())
        data = data[1 + data[0] :]
    return ".".join(labels).lower()
