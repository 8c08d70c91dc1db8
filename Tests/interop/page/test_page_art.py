"""Pictures from the web, such as logos of radio stations: names, https, redirects, and forbidden addresses."""

import contextlib
import http.server
import pathlib
import socket
import socketserver
import ssl
import struct
import subprocess
import threading

import pytest

import network
from hostile_server import JPEG
from network import NetworkedRenderer
from page_api import Page
from processes import wait_until

pytestmark = network.needs_namespaces

HERE, ROUTER = "192.0.2.1", "192.0.2.2"
#: Addresses on the internet, behind the router.
WEB, ELSEWHERE = "198.51.100.7", "203.0.113.7"
PRIVATE = "10.1.2.3"

HOSTS = f"""127.0.0.1 localhost loopback.example
{WEB} art.example other.example
{WEB} several.example
{ELSEWHERE} several.example
{ROUTER} house.example
{PRIVATE} private.example
{WEB} both.example
127.0.0.1 both.example
169.254.1.1 link.example
"""


class Site:
    """Web servers on the router. They record requests as (server, Host header, path), and the server names of TLS."""

    def __init__(self, machine, folder):
        self.machine, self.folder = machine, folder
        self.requests, self.names = [], []
        self._servers = []
        self.pages = {}

    def serve(self, address, port, certificate=None):
        site, label = self, f"{address}:{port}"

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                site.requests.append((label, self.headers["Host"], self.path))
                with contextlib.suppress(OSError):
                    site.pages.get(self.path, picture)(self)

            def log_message(self, *_):
                pass

        server = self.machine.do(lambda: Server((address, port), Handler))
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate / "certificate.pem", certificate / "key.pem")
            context.sni_callback = lambda _socket, name, _context: site.names.append(name)
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self._servers.append(server)

    def close(self):
        for server in self._servers:
            server.shutdown()
            server.server_close()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


def picture(handler):
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(JPEG)))
    handler.end_headers()
    handler.wfile.write(JPEG)


def without_close_notify(handler):
    """Sends a body without a length, and ends the connection without TLS's close_notify."""
    handler.send_response(200)
    handler.end_headers()
    handler.wfile.write(JPEG)
    handler.connection.shutdown(socket.SHUT_WR)
    handler.close_connection = True


def endless(handler):
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(JPEG + bytes(1 << 16))


def redirect(location):
    def answer(handler):
        handler.send_response(302)
        handler.send_header("Location", location)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


class Names(socketserver.UDPServer):
    """A name server for DNS rebinding: the first answer for a name is an address on the internet, later ones loopback."""

    def __init__(self, address):
        self.questions = 0
        super().__init__(address, None)

    def finish_request(self, request, client_address):
        data, channel = request
        end = data.index(b"\0", 12) + 5
        is_known = b"\x06rebind\x07example" in data
        address = WEB if self.questions == 0 else "127.0.0.1"
        self.questions += is_known
        head = data[:2] + struct.pack(">HHHHH", 0x8180 if is_known else 0x8183, 1, int(is_known), 0, 0)
        answer = struct.pack(">HHHIH", 0xC00C, 1, 1, 0, 4) + socket.inet_aton(address) if is_known else b""
        channel.sendto(head + data[12:end] + answer, client_address)


class Home:
    """A speaker on a system that trusts the test's authority and resolves the names in HOSTS."""

    def __init__(self, folder):
        self.machine, self.router = network.Machine(), network.Machine()
        network.connect(self.machine, "eth0", self.router, "eth0")
        self.machine.ip("address", "add", f"{HERE}/24", "dev", "eth0")
        self.machine.ip("route", "add", "default", "via", ROUTER)
        self.router.ip("address", "add", f"{ROUTER}/24", "dev", "eth0")
        for address in (WEB, ELSEWHERE, PRIVATE):
            self.router.ip("address", "add", f"{address}/32", "dev", "lo")
        trusted = certificate(folder / "trusted", "art.example")
        (folder / "hosts").write_text(HOSTS)
        (folder / "resolv.conf").write_text(f"nameserver {ROUTER}\n")
        binds = {
            folder / "hosts": "/etc/hosts", folder / "resolv.conf": "/etc/resolv.conf",
            trusted / "certificate.pem": "/etc/ssl/certs/ca-certificates.crt",
        }  # fmt: skip
        script = " && ".join(f"mount --bind {source} $(readlink -f {path})" for source, path in binds.items())
        self.speaker = NetworkedRenderer(
            self.machine, folder / "state", interfaces=["eth0"],
            before=("unshare", "--mount", "sh", "-c", f'{script} && exec "$@"', "sh"),
        )  # fmt: skip
        self.api = Page(self.speaker.wait_for(r"http://192\.0\.2\.1:\d+/renderer/\S*").group(), machine=self.router)
        self.site = Site(self.router, folder)
        for address in (WEB, ELSEWHERE, ROUTER, PRIVATE):
            self.site.serve(address, 80)
        self.site.serve(WEB, 443, trusted)
        self.site.serve(WEB, 8443, certificate(folder / "untrusted", "art.example"))

    def close(self):
        self.speaker.stop()
        self.site.close()
        for machine in (self.machine, self.router):
            machine.remove()
        print("\n".join(self.speaker.out + self.speaker.err))

    def picture(self, url):
        """Adds a station with this logo, and returns the answer to a request for it; None if the API has no path for it."""
        added = self.api.post("presets/add", {"title": "Station", "uri": "http://192.0.2.9/", "art": url})
        assert added.status == 200, added
        identifier = added.json["id"]
        presets = self.api.get("/api/state").json["presets"]["items"]
        path = next(preset.get("art") for preset in presets if preset["id"] == identifier)
        self.api.post("presets/remove", {"id": identifier})
        return self.api.get(path) if path else None

    @property
    def threads(self):
        folder = pathlib.Path(f"/proc/{self.speaker.process.pid}/task")
        return [(task / "comm").read_text().strip() for task in folder.iterdir()]


def certificate(folder, name):
    folder.mkdir()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / "key.pem",
         "-out", folder / "certificate.pem", "-days", "2", "-subj", f"/CN={name}",
         "-addext", f"subjectAltName=DNS:{name}"],
        check=True, capture_output=True,
    )  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = Home(tmp_path_factory.mktemp("art"))
    yield home
    home.close()


@pytest.fixture
def site(home):
    home.site.requests.clear()
    home.site.names.clear()
    home.site.pages.clear()
    return home.site


@pytest.mark.parametrize("host", ["art.example", "several.example", WEB])
def test_logos_come_from_the_internet(home, site, host):
    answer = home.picture(f"http://{host}/logo.jpg?a=b")
    assert (answer.status, answer.body, answer.headers["Content-Type"]) == (200, JPEG, "image/jpeg")
    assert site.requests[0][1:] == (host, "/logo.jpg?a=b")


@pytest.mark.parametrize("page", [picture, without_close_notify])
def test_logos_come_over_tls(home, site, page):
    path = f"/{page.__name__}.jpg"
    site.pages[path] = page
    answer = home.picture(f"https://art.example{path}")
    assert (answer.status, answer.body) == (200, JPEG), answer
    assert site.requests == [(f"{WEB}:443", "art.example", path)]
    assert site.names == ["art.example"]


@pytest.mark.parametrize(
    "url", ["https://art.example:8443/a.jpg", "https://other.example/a.jpg", f"https://{WEB}/a.jpg"]
)
def test_certificates_are_checked(home, site, url):
    answer = home.picture(url)
    assert answer.status == 502 and "certificate" in answer.json["detail"], answer
    assert not site.requests


def test_a_server_without_tls_is_an_error(home, site):
    answer = home.picture("https://art.example:80/a.jpg")
    assert answer.status == 502 and "TLS" in answer.json["detail"], answer


LOCAL_NAMES = ("house.example", "private.example", "loopback.example", "both.example", "link.example")


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("host", LOCAL_NAMES)
def test_names_do_not_lead_into_the_local_network(home, site, scheme, host):
    answer = home.picture(f"{scheme}://{host}/a.jpg")
    assert answer.status == 502 and "does not fetch pictures" in answer.json["detail"], answer
    assert not site.requests


def test_private_addresses_are_not_fetched(home, site):
    assert home.picture(f"http://{PRIVATE}/a.jpg").status == 502
    assert home.picture("http://localhost/a.jpg") is None
    assert not site.requests
    # Addresses in the speaker's own network are allowed, because media servers have them.
    assert home.picture(f"http://{ROUTER}/a.jpg").status == 200


def test_unknown_names_are_an_error(home, site):
    answer = home.picture("http://unknown.example/a.jpg")
    assert answer.status == 502 and "unknown" in answer.json["detail"], answer


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_redirects_are_checked_and_limited(home, site, scheme):
    site.pages |= {
        "/moved.jpg": redirect("https://art.example/good.jpg"),
        "/plain.jpg": redirect("http://several.example/good.jpg"),
        "/relative.jpg": redirect("good.jpg"), "/round.jpg": redirect("/round.jpg"),
        "/file.jpg": redirect("file:///etc/passwd"), "/localhost.jpg": redirect("http://localhost/"),
    } | {f"/to-{host}": redirect(f"http://{host}/a.jpg") for host in LOCAL_NAMES}  # fmt: skip
    # Once on the internet, always on the internet: a router answers at any port.
    site.pages["/to-router"] = redirect(f"http://{ROUTER}/good.jpg")
    base = f"{scheme}://art.example"
    for path in ("/moved.jpg", "/plain.jpg", "/relative.jpg"):
        assert home.picture(base + path).status == 200, path
        assert site.requests[-1][2] == "/good.jpg"
    site.requests.clear()
    assert home.picture(base + "/round.jpg").status == 502
    assert len(site.requests) == 4
    for path in ("/file.jpg", "/localhost.jpg", "/to-router", *(f"/to-{host}" for host in LOCAL_NAMES)):
        site.requests.clear()
        assert home.picture(base + path).status == 502, path
        assert [request[2] for request in site.requests] == [path]


def test_the_checked_address_is_used(home, site):
    """DNS rebinding: the name gets another address as soon as the first one has been checked."""
    listener = home.machine.do(lambda: socket.create_server(("127.0.0.1", 80)))
    listener.setblocking(False)
    names = home.router.do(lambda: Names((ROUTER, 53)))
    threading.Thread(target=names.serve_forever, daemon=True).start()
    try:
        assert home.picture("http://rebind.example/1.jpg").status == 200
        assert names.questions == 1
        answer = home.picture("http://rebind.example/2.jpg")
        assert answer.status == 502 and "does not fetch pictures" in answer.json["detail"], answer
        assert names.questions == 2
        assert site.requests == [(f"{WEB}:80", "rebind.example", "/1.jpg")]
        with pytest.raises(BlockingIOError):
            listener.accept()
    finally:
        names.shutdown()
        names.server_close()
        listener.close()


def test_limits_hold_over_tls(home, site):
    site.pages["/endless.jpg"] = endless
    answer = home.picture("https://art.example/endless.jpg")
    assert answer.status == 502 and "larger" in answer.json["detail"], answer
    # A server that accepts connections and never shakes hands.
    silent = home.router.do(lambda: socket.create_server((WEB, 9443)))
    answer = home.picture("https://art.example:9443/a.jpg")
    assert answer.status == 504, answer
    silent.close()
    # The threads end once no client waits for them.
    wait_until(lambda: not {"tls", "lookup"} & set(home.threads), explain=lambda: home.threads)
