"""The load of the soak test: random controllers, a listener, subscribers, and changing networks."""

import contextlib
import random
import re
import socket
import subprocess
import threading
import time
import xml.etree.ElementTree as ET
from xml.sax.saxutils import escape

import soap
from attacked_renderer import Thread
from processes import PATIENCE, wait_until

COMMANDS_A_SECOND = 50
CONTROLLERS = 8
#: Actions without arguments that change something.
CHANGES = re.compile("Play|Pause|Stop|Next|Previous|Skip|Delete|Clear|Volume(Inc|Dec)|Balance(Inc|Dec)|Fade(Inc|Dec)")
SCPD = "{urn:schemas-upnp-org:service-1-0}"
BEHAVIOURS = [
    "", "", "", "", "open-delay=1", "rate=300000", "stall-after=100000&stall-for=2", "close-after=50000&close-times=1",
    "length=no", "chunked=1", "status=404", "redirect=loop", "garbage=1", "ranges=no", "icy=16000&endless=1",
]
NETWORK_PAUSE = 5.0
#: Seconds of random commands, and of a track playing while controllers only read.
RANDOM_TIME, QUIET_TIME = 12.0, 6.0
INSTANCE = ("InstanceID", "0")
SHORTEST_SUBSCRIPTION = 10


class Action:
    """An action with the state variables of its arguments."""

    def __init__(self, service, element, variables):
        self.service = service
        self.name = element.findtext(f"{SCPD}name")
        self.arguments = [
            (argument.findtext(f"{SCPD}name"), variables[argument.findtext(f"{SCPD}relatedStateVariable")])
            for argument in element.iter(f"{SCPD}argument")
            if argument.findtext(f"{SCPD}direction") == "in"
        ]


def actions(description_url):
    """All actions of all services of a device."""
    found = []
    for service in soap.services(description_url).values():
        scpd = ET.fromstring(soap.get(service["SCPDURL"])[1])
        variables = {variable.findtext(f"{SCPD}name"): variable for variable in scpd.iter(f"{SCPD}stateVariable")}
        found += [Action(service, element, variables) for element in scpd.iter(f"{SCPD}action")]
    return found


class Media:
    """URLs of playable files, with random server behaviour, and some that cannot be played."""

    def __init__(self, server, names):
        self._server = server
        self.names = sorted(names)

    @property
    def log(self):
        return self._server.err

    def check(self):
        assert self._server.process.poll() is None, "the media server has ended"

    def stop(self):
        self._server.stop()

    def plain(self, name):
        """The URL of a file from a well-behaved server."""
        return self._server.url(name)

    def url(self, chance):
        if chance.random() < 0.02:
            return chance.choice(["", "bogus://a", "file:///etc/passwd", "http://127.0.0.1:9/", "http://[", "x" * 5000])
        return self._server.url(chance.choice(self.names), chance.choice(BEHAVIOURS))


def value(chance, name, variable, media):
    """A random value for an argument, mostly valid."""
    kind = variable.findtext(f"{SCPD}dataType")
    allowed = [element.text for element in variable.iter(f"{SCPD}allowedValue")]
    if chance.random() < 0.02:
        return chance.choice(["", "-1", "99999999999", "x", "\U0001F3A7 & <"])
    if allowed:
        return chance.choice(allowed)
    if kind in ("ui1", "ui2", "ui4", "i1", "i2", "i4", "int"):
        low, high = (variable.findtext(f".//{SCPD}{bound}") for bound in ("minimum", "maximum"))
        if name == "InstanceID":
            return "0"
        if low is not None and high is not None:
            return str(chance.randint(int(low), int(high)))
        return str(chance.choice([0, 0, 1, 2, 3, chance.randrange(30), chance.randrange(1000)]))
    if kind == "boolean":
        # Rarely, because a renderer in standby plays nothing.
        return str(chance.randrange(2)) if "tandby" not in name else str(int(chance.random() < 0.1))
    if "Metadata" in name or "MetaData" in name:
        return chance.choice(["", "", "<item><dc:title>T</dc:title></item>", "rubbish <", "<DIDL-Lite>" + "x" * 3000])
    if "Uri" in name or "URI" in name:
        return media.url(chance)
    if name == "Target":
        return chance.choice(["0:00:01", "0:00:20", "0:00:00", "1", "99:00:00"])
    if "IdList" in name:
        return " ".join(str(chance.randrange(200)) for _ in range(chance.randrange(5)))
    return chance.choice(["", "0", "Master", "text"])


class Controllers:
    """Threads that send COMMANDS_A_SECOND random actions in total. Within `quiet` they send only reading actions."""

    def __init__(self, actions, media):
        self.count = 0
        self.faults = 0
        self._actions = actions
        self._reading_actions = [
            action for action in actions
            if action.name.startswith("Get") or not action.arguments and not CHANGES.match(action.name)
        ]
        self._media = media
        self._changed = threading.Condition()
        self._is_quiet = False
        self._changing = 0
        self._next = time.monotonic()
        self._threads = [Thread(self._body(random.Random(seed))) for seed in range(CONTROLLERS)]

    def _body(self, chance):
        def ask():
            with self._changed:
                self._next = max(self._next + 1 / COMMANDS_A_SECOND, time.monotonic() - 1)
                pause = self._next - time.monotonic()
            time.sleep(max(0, pause))
            with self._changed:
                action = chance.choice(self._reading_actions if self._is_quiet else self._actions)
                is_change = action not in self._reading_actions
                self.count += 1
                self._changing += is_change
            try:
                self._ask(action, [(name, value(chance, name, kind, self._media)) for name, kind in action.arguments])
            finally:
                with self._changed:
                    self._changing -= is_change
                    self._changed.notify_all()

        return ask

    def _ask(self, action, arguments):
        status, _, body = soap.call(action.service, action.name, [(name, escape(text)) for name, text in arguments])
        root = ET.fromstring(body)
        if status == 500:
            self.faults += 1
            assert 400 <= soap.fault(body) < 900, body
            return
        assert status == 200, (action.name, arguments, status, body)
        assert root[0][0].tag == f"{{{action.service['serviceType']}}}{action.name}Response"

    @contextlib.contextmanager
    def quiet(self):
        """Within this block no controller changes anything."""
        with self._changed:
            self._is_quiet = True
            assert self._changed.wait_for(lambda: self._changing == 0, PATIENCE), "an answer is missing"
        try:
            yield
        finally:
            self._is_quiet = False

    def check(self):
        for thread in self._threads:
            thread.check()

    def stop(self):
        for thread in self._threads:
            thread.stop()


class Listener:
    """Plays one format after the other, each for a while without disturbance."""

    def __init__(self, services, media, controllers):
        self.played = []
        self._services = services
        self._media = media
        self._controllers = controllers
        self._thread = Thread(self._live)

    def _live(self):
        time.sleep(RANDOM_TIME)
        with self._controllers.quiet():
            name = self._media.names[len(self.played) % len(self._media.names)]
            self._do("Product", "SetStandby", ("Value", "0"))
            self._do("Volume", "SetMute", ("Value", "0"))
            uri = ("CurrentURI", escape(self._media.plain(name)))
            self._do("AVTransport", "SetAVTransportURI", INSTANCE, uri, ("CurrentURIMetaData", ""))
            self._do("AVTransport", "Play", INSTANCE, ("Speed", "1"))
            states = []

            def has_played():
                states.append(self._do("AVTransport", "GetTransportInfo", INSTANCE))
                # A short track may have ended already.
                return ">PLAYING<" in states[-1] or (">STOPPED<" in states[-1] and ">OK<" in states[-1])

            def explain():
                begun = time.monotonic()
                size = len(soap.get(self._media.plain(name))[1])
                took = time.monotonic() - begun
                return f"{name} does not play, and is {size} bytes in {took:.1f} s: {states[-1]}"

            wait_until(has_played, explain=explain)
            time.sleep(QUIET_TIME)
            self.played.append(name)

    def _do(self, service, action, *arguments):
        status, _, body = soap.call(self._services[service], action, arguments)
        assert status == 200, (action, arguments, body)
        return body.decode()

    def check(self):
        self._thread.check()

    def stop(self):
        self._thread.stop()


class Subscribers:
    """Subscribers that come and go: some unsubscribe, some disappear, some stay until they are removed."""

    def __init__(self, services):
        self.subscribed = self.events = 0
        self._urls = [service["eventSubURL"] for service in services]
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self._chance = random.Random(0)
        self._kept = []
        threading.Thread(target=self._accept, daemon=True).start()
        self._thread = Thread(self._live)

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self._serve, args=self._listener.accept()[:1], daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError), connection:
            while data := connection.recv(65536):
                for _ in range(data.count(b"NOTIFY /")):
                    self.events += 1
                    if b"NOTIFY /hangup" in data:
                        return
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    def _live(self):
        url, path = self._chance.choice(self._urls), self._chance.choice(["a", "a", "a", "hangup"])
        port = self._chance.choice([self._listener.getsockname()[1]] * 9 + [9])
        headers = {
            "CALLBACK": f"<http://127.0.0.1:{port}/{path}>", "NT": "upnp:event",
            "TIMEOUT": f"Second-{self._chance.choice([SHORTEST_SUBSCRIPTION, SHORTEST_SUBSCRIPTION, 300])}",
        }
        status, answer, _ = soap.request("SUBSCRIBE", url, headers)
        assert status == 200, status
        self.subscribed += 1
        if headers["TIMEOUT"] == "Second-300":
            self._kept.append((url, answer["SID"]))
        if len(self._kept) > 20:
            url, sid = self._kept.pop(self._chance.randrange(len(self._kept)))
            # 412: the renderer removed it because its listener hung up.
            assert soap.request("UNSUBSCRIBE", url, {"SID": sid})[0] in (200, 412)
        time.sleep(0.1)

    def check(self):
        self._thread.check()

    def stop(self):
        self._thread.stop()
        for url, sid in self._kept:
            soap.request("UNSUBSCRIBE", url, {"SID": sid})
        self._listener.close()


#: Two cables with both ends in this namespace, and the documentation networks on them (RFC 5737).
CABLES = ("eth0", "eth1")
NETWORKS = ("192.0.2", "198.51.100")


def create_cables():
    for number, name in enumerate(CABLES):
        _ip("link", "add", name, "type", "veth", "peer", "name", f"peer{number}")
        _ip("link", "set", name, "up")
        _ip("link", "set", f"peer{number}", "up")
        _ip("address", "add", f"{NETWORKS[number]}.1/24", "dev", name)


class Networks:
    """Pulls and plugs the cables, and changes their addresses."""

    def __init__(self):
        self.changes = 0
        self._chance = random.Random(0)
        self._thread = Thread(self._change)

    def _change(self):
        number = self._chance.randrange(2)
        if self._chance.random() < 0.5:
            _ip("link", "set", f"peer{number}", "down")
            time.sleep(self._chance.random() * NETWORK_PAUSE)
            _ip("link", "set", f"peer{number}", "up")
        else:
            _ip("address", "flush", "dev", CABLES[number])
            _ip("address", "add", f"{NETWORKS[number]}.{self._chance.randrange(1, 250)}/24", "dev", CABLES[number])
        self.changes += 1
        time.sleep(self._chance.random() * NETWORK_PAUSE)

    def check(self):
        self._thread.check()

    def stop(self):
        self._thread.stop()


def _ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, capture_output=True)
