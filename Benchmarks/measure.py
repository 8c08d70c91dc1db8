"""Measurements of a renderer: memory and CPU time from /proc, everything else as a controller."""

import http.client
import http.server
import os
import pathlib
import re
import statistics
import subprocess
import threading
import time
import urllib.parse
import xml.etree.ElementTree as ET

from renderers import ASKER

TICKS = os.sysconf("SC_CLK_TCK")
DEVICE = "{urn:schemas-upnp-org:device-1-0}"


def private_memory(pids):
    """Pages that only these processes use and that no file holds, MB."""
    total = 0
    for pid in pids:
        for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Private_Dirty:"):
                total += int(line.split()[1])
    return total / 1024


def peak_memory(pids):
    """The largest resident memory until now, with shared pages, MB."""
    texts = (pathlib.Path(f"/proc/{pid}/status").read_text() for pid in pids)
    return sum(int(re.search(r"VmHWM:\s+(\d+)", text)[1]) for text in texts) / 1024


def cpu(pids, seconds):
    """Average CPU time during `seconds`, in percent of a core."""

    def used():
        fields = (pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split() for pid in pids)
        return sum(int(f[11]) + int(f[12]) for f in fields) / TICKS

    before = used()
    time.sleep(seconds)
    return (used() - before) / seconds * 100


def wakeups(pids, seconds):
    """Wake-ups of its threads per second."""

    def count():
        total = 0
        for pid in pids:
            for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
                for line in (task / "status").read_text().splitlines():
                    if line.startswith("voluntary_ctxt_switches"):
                        total += int(line.split()[1])
        return total

    before = count()
    time.sleep(seconds)
    return max(0, count() - before) / seconds  # negative if threads have ended with their counts


def envelope(kind, action, arguments):
    """The SOAP request of an action."""
    return (
        '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" '
        's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>'
        f'<u:{action} xmlns:u="{kind}">{arguments}</u:{action}></s:Body></s:Envelope>'
    )


class Device:
    """The services of a description, over one persistent connection. Used on the control point's machine."""

    def __init__(self, location):
        parts = urllib.parse.urlsplit(location)
        self.host = parts.netloc
        self._connection = None
        root = ET.fromstring(self.request("GET", parts.path or "/")[1])
        self.services = {
            service.findtext(f"{DEVICE}serviceId").rsplit(":", 1)[1]: {
                child.tag.removeprefix(DEVICE): child.text for child in service
            }
            for service in root.iter(f"{DEVICE}service")
        }

    def request(self, method, path, headers=None, body=None):
        for attempt in (1, 2):
            if self._connection is None:
                self._connection = http.client.HTTPConnection(self.host, timeout=10)
            try:
                self._connection.request(method, path, body=body, headers=headers or {})
                response = self._connection.getresponse()
                data = response.read()
                if response.will_close:
                    self.close()
                return response, data
            except (http.client.HTTPException, ConnectionError):
                self.close()
                if attempt == 2:
                    raise

    def close(self):
        if self._connection:
            self._connection.close()
        self._connection = None

    def path(self, service, kind):
        return urllib.parse.urlsplit(self.services[service][kind]).path

    def call(self, service, action, **arguments):
        kind = self.services[service]["serviceType"]
        escaped = {k: str(v).replace("&", "&amp;").replace("<", "&lt;") for k, v in arguments.items()}
        body = envelope(kind, action, "".join(f"<{name}>{value}</{name}>" for name, value in escaped.items()))
        headers = {"Content-Type": 'text/xml; charset="utf-8"', "SOAPACTION": f'"{kind}#{action}"'}
        response, data = self.request("POST", self.path(service, "controlURL"), headers, body.encode())
        if response.status != 200:
            raise RuntimeError(f"{action}: {response.status} {data[:300]}")
        return data

    def subscribe(self, service, callback):
        headers = {"CALLBACK": f"<{callback}>", "NT": "upnp:event", "TIMEOUT": "Second-300"}
        response, _ = self.request("SUBSCRIBE", self.path(service, "eventSubURL"), headers)
        if response.status != 200:
            raise RuntimeError(f"SUBSCRIBE: {response.status}")
        return response.headers["SID"]


class Listener:
    """Receives events on the control point's machine: (path, arrival, body) of each."""

    def __init__(self, machine):
        self.events = []
        self.changed = threading.Condition()
        listener = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_NOTIFY(self):
                arrived = time.monotonic()
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()
                with listener.changed:
                    listener.events.append((self.path, arrived, body))
                    listener.changed.notify_all()

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            request_queue_size = 512

        self.server = machine.do(lambda: Server((ASKER, 0), Handler))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://{ASKER}:{self.server.server_port}"

    def wait(self, condition, seconds=10):
        with self.changed:
            return self.changed.wait_for(lambda: condition(self.events), timeout=seconds)

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def volume_to_event(device, listener, rounds=15):
    """Time from sending SetVolume to its event, p50, ms."""
    device.subscribe("RenderingControl", f"{listener.url}/volume")
    if not listener.wait(lambda events: any(e[0] == "/volume" for e in events)):
        raise RuntimeError("No initial event from RenderingControl arrived within 10 s.")
    times = []
    for number in range(rounds):
        time.sleep(1.1)  # longer than every moderation interval, so that the event is not delayed
        seen = len(listener.events)
        start = time.monotonic()
        device.call("RenderingControl", "SetVolume", InstanceID=0, Channel="Master", DesiredVolume=30 + number)
        if listener.wait(lambda events: len(events) > seen, 5):
            times.append((listener.events[seen][1] - start) * 1000)
    return statistics.median(times) if times else None


def many_subscribers(device, listener, count=200):
    """The number of subscribers that receive a change, of `count`, and the time until the last of them does, ms."""
    for number in range(count):
        device.subscribe("RenderingControl", f"{listener.url}/many/{number}")
    listener.wait(lambda events: len({e[0] for e in events if e[0].startswith("/many/")}) == count)
    time.sleep(1)
    seen = len(listener.events)
    start = time.monotonic()
    device.call("RenderingControl", "SetVolume", InstanceID=0, Channel="Master", DesiredVolume=77)

    def reached(events):
        return {e[0] for e in events[seen:] if e[0].startswith("/many/")}

    listener.wait(lambda events: len(reached(events)) == count, 5)
    last = max((e[1] for e in listener.events[seen:] if e[0].startswith("/many/")), default=start)
    return len(reached(listener.events)), (last - start) * 1000


def busy_rate(machine, device, folder, connections=16, seconds=5):
    """Answers to GetPositionInfo per second on several connections. Each sends a request after the answer to the last one.

    wrk needs only a fraction of a core, so the renderer limits the rate.
    """
    kind, inner = device.services["AVTransport"]["serviceType"], "<InstanceID>0</InstanceID>"
    body = envelope(kind, "GetPositionInfo", inner)
    script = pathlib.Path(folder) / "wrk.lua"
    script.write_text(
        f"wrk.method = 'POST'\nwrk.body = [[{body}]]\n"
        "wrk.headers['Content-Type'] = 'text/xml; charset=\"utf-8\"'\n"
        f"wrk.headers['SOAPACTION'] = '\"{kind}#GetPositionInfo\"'\n"
    )
    done = subprocess.run(
        machine.command(
            "wrk", "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s", "--script", str(script),
            f"http://{device.host}{device.path('AVTransport', 'controlURL')}",
        ),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    if "Non-2xx" in done.stdout or not (found := re.search(r"Requests/sec: *([\d.]+)", done.stdout)):
        raise RuntimeError(done.stdout)
    return float(found[1])


def rate(call, seconds=3):
    """Answers per second for one client."""
    count, start = 0, time.monotonic()
    while (elapsed := time.monotonic() - start) < seconds:
        call()
        count += 1
    return count / elapsed
