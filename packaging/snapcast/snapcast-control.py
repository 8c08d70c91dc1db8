#!/usr/bin/python3
"""Shows what a Swiftlet speaker plays in Snapcast, and passes Snapcast's commands to the speaker.

snapserver starts this program for a stream (`controlscript`) and exchanges JSON-RPC with it by standard input and output, a
message a line: doc/json_rpc_api/stream_plugin.md of Snapcast. The speaker is reached by its API: docs/api.md of Swiftlet.
"""

import argparse
import configparser
import http.client
import json
import sys
import threading
import time
import urllib.parse

CONFIGURATION = "/etc/swiftlet/snapcast.conf"
SPEAKER = "http://localhost:49494"
#: Seconds without a byte of the speaker, which sends a comment every 2 s, after which the connection is dead.
SILENCE = 10
#: Seconds until the first attempts to connect again; the last pause repeats.
PAUSES = (1, 2, 5, 10)
#: The longest line of the speaker's events and of its answers.
LONGEST = 4 * 1024 * 1024


class Refused(Exception):
    """A request that cannot be fulfilled; the text is for the user."""

    def __init__(self, text, code=-32603):
        super().__init__(text)
        self.code = code


class Speaker:
    """The speaker's state and commands. Its methods may be called on any thread."""

    def __init__(self, url, pin=None):
        parts = urllib.parse.urlsplit(url if "//" in url else f"http://{url}")
        self.url = f"{parts.scheme}://{parts.netloc}"
        self.host, self.port = parts.hostname, parts.port or 80
        if parts.scheme != "http" or not self.host:
            raise ValueError(f"{url} is no address such as {SPEAKER}")
        self._pin = pin
        self._token = None
        self._lock = threading.Lock()
        self._state = None
        self._read_at = 0.0

    def update(self, kind, sections):
        """Takes an event: the whole state, or the sections that have changed."""
        with self._lock:
            if kind == "state":
                self._state = sections
            elif kind == "change" and self._state is not None:
                self._state = {**self._state, **sections}
            if "position" in sections:
                self._read_at = time.monotonic()

    def lost(self):
        with self._lock:
            self._state = None

    def _position(self):
        position = (self._state or {}).get("position", {})
        seconds = position.get("seconds", 0)
        if position.get("advancing"):
            seconds += time.monotonic() - self._read_at
        return min(seconds, position.get("duration", seconds))

    def properties(self):
        """The state in Snapcast's words."""
        with self._lock:
            if self._state is None:
                return {"playbackStatus": "stopped", "canControl": False, "metadata": {}}
            return properties(self._state, self._position(), self.url, bool(self._pin))

    def events(self):
        """Yields the speaker's events: their kind and contents. Ends with an exception."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=SILENCE)
        try:
            connection.request("GET", "/api/events", headers={"Accept": "text/event-stream"})
            answer = connection.getresponse()
            if answer.status != 200:
                raise Refused(f"the speaker answered with status {answer.status}")
            kind, data = "", []
            while line := answer.readline(LONGEST):
                if not line.endswith(b"\n"):
                    raise Refused("the speaker sent too long a line")
                name, _, value = line.decode("utf-8", "replace").rstrip("\r\n").partition(": ")
                if name == "event":
                    kind = value
                elif name == "data":
                    data.append(value)
                elif not name and data:
                    yield kind, json.loads("\n".join(data))
                    kind, data = "", []
            raise Refused("the speaker closed the connection")
        finally:
            connection.close()

    def command(self, path, **arguments):
        """Performs a command; with a PIN also while the speaker is locked."""
        status, answer = self._request(path, arguments)
        if status == 403 and answer.get("type") == "/problems/locked" and self._pin:
            status, unlocked = self._request("unlock", {"pin": self._pin})
            self._token = unlocked.get("token")
            if status == 200:
                status, answer = self._request(path, arguments)
            else:
                answer = unlocked
        if status != 200:
            raise Refused(answer.get("detail") or f"The speaker answered with status {status}.")

    def position(self):
        """Seconds, as the speaker knows them now: an event may still be on its way."""
        status, state = self._request("state")
        if status != 200:
            raise Refused(f"The speaker answered with status {status}.")
        return state["position"]["seconds"]

    def _request(self, path, arguments=None):
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        connection = http.client.HTTPConnection(self.host, self.port, timeout=SILENCE)
        try:
            body = None if arguments is None else json.dumps(arguments)
            connection.request("POST" if body else "GET", f"/api/{path}", body, headers)
            answer = connection.getresponse()
            result = json.loads(answer.read(LONGEST) or b"{}")
            return answer.status, result if isinstance(result, dict) else {}
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Refused(f"The speaker cannot be reached: {error}") from error
        finally:
            connection.close()


def properties(state, position, url, has_pin):
    """A speaker's state in Snapcast's words.

    `url` is the speaker's own address, for pictures, unless the state has one that other machines can use.
    """
    playing, can, access = state["playing"], state["playing"]["can"], state["access"]
    may_control = not access["read_only"] and (has_pin or not access["lock"])
    status = {"playing": "playing", "buffering": "playing", "paused": "paused"}.get(playing["state"], "stopped")
    metadata = {
        "trackId": str(playing["track_id"]),
        "title": playing.get("title"),
        "artist": [playing["artist"]] if playing.get("artist") else None,
        "album": playing.get("album"),
        "name": playing.get("station"),
        "url": playing.get("uri"),
        "duration": state["position"].get("duration"),
    }
    if playing.get("art"):
        addresses = [network["url"] for network in state["networks"] if network.get("url")]
        metadata["artUrl"] = urllib.parse.urljoin(addresses[0] if addresses else url, playing["art"])
    return {
        "playbackStatus": status,
        "position": round(position, 3),
        "loopStatus": "playlist" if state["modes"]["repeat"] else "none",
        "shuffle": state["modes"]["shuffle"],
        "volume": state["volume"]["level"],
        "mute": state["volume"]["muted"],
        "canGoNext": can["next"],
        "canGoPrevious": can["previous"],
        "canPlay": can["play"],
        "canPause": can["pause"],
        "canSeek": can["seek"],
        "canControl": may_control,
        "metadata": {name: value for name, value in metadata.items() if value is not None},
    }


def perform(speaker, method, parameters):
    """Performs a request of snapserver, and returns its result."""
    if method == "Plugin.Stream.Player.GetProperties":
        return speaker.properties()
    if method == "Plugin.Stream.Player.Control":
        control(speaker, parameters.get("command"), parameters.get("params") or {})
    elif method == "Plugin.Stream.Player.SetProperty":
        for name, value in parameters.items():
            set_property(speaker, name, value)
    else:
        raise Refused(f"Unknown method {method}.", code=-32601)
    return "ok"


def control(speaker, command, parameters):
    paths = {name: name for name in ("play", "pause", "stop", "next", "previous")} | {"playPause": "toggle"}
    if command in paths:
        speaker.command(paths[command])
    elif command == "seek":
        speaker.command("seek", seconds=max(0, speaker.position() + number(parameters, "offset")))
    elif command == "setPosition":
        speaker.command("seek", seconds=max(0, number(parameters, "position")))
    else:
        raise Refused(f"Unknown command {command}.", code=-32602)


def number(parameters, name):
    value = parameters.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Refused(f"{name} must be a number.", code=-32602)
    return value


def set_property(speaker, name, value):
    if name == "volume" and isinstance(value, int) and not isinstance(value, bool):
        speaker.command("volume", level=min(max(value, 0), 100))
    elif name == "mute" and isinstance(value, bool):
        speaker.command("mute", muted=value)
    elif name == "shuffle" and isinstance(value, bool):
        speaker.command("modes", shuffle=value)
    elif name == "loopStatus" and value in ("none", "playlist"):
        speaker.command("modes", repeat=value == "playlist")
    else:
        raise Refused(f"The speaker cannot set {name} to {json.dumps(value)}.", code=-32602)


class Plugin:
    """The conversation with snapserver."""

    def __init__(self, speaker, stream, knows_mute=True):
        self._speaker = speaker
        self._stream = stream
        self._knows_mute = knows_mute
        self._writing = threading.Lock()
        self._last = None

    def run(self):
        """Answers requests until snapserver ends."""
        threading.Thread(target=self._follow, daemon=True).start()
        self._notify("Plugin.Stream.Ready")
        for line in sys.stdin:
            if line.strip():
                self._answer(line)

    def _answer(self, line):
        identifier = None
        try:
            request = json.loads(line)
            identifier = request["id"]
            result = perform(self._speaker, request["method"], request.get("params") or {})
            if isinstance(result, dict):
                result = self._known(result)
            self._send({"id": identifier, "result": result})
        except Refused as error:
            self._fail(identifier, error.code, str(error))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self._fail(identifier, -32700, f"The request is malformed: {error}")

    def _fail(self, identifier, code, text):
        # snapserver shows `data`.
        self._send({"id": identifier, "error": {"code": code, "message": text, "data": text}})

    def _follow(self):
        """Reports the state of the speaker and its changes, for ever."""
        attempt = 0
        while True:
            try:
                for kind, sections in self._speaker.events():
                    if attempt:
                        self._log("notice", f"{self._speaker.url} is back.")
                    attempt = 0
                    self._speaker.update(kind, sections)
                    self._report()
            except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError, Refused) as error:
                self._speaker.lost()
                self._report()
                if not attempt:
                    self._log("warning", f"{self._speaker.url}: {error}; trying again.")
            time.sleep(PAUSES[min(attempt, len(PAUSES) - 1)])
            attempt += 1

    def _report(self):
        now = self._known(self._speaker.properties())
        # The position advances by itself; it is sent with everything else, and after a jump.
        if now != self._last:
            self._last = now
            self._notify("Plugin.Stream.Player.Properties", now)

    def _known(self, everything):
        if self._knows_mute:
            return everything
        return {name: value for name, value in everything.items() if name != "mute"}

    def _log(self, severity, text):
        self._notify("Plugin.Stream.Log", {"severity": severity, "message": f"{self._stream}: {text}"})

    def _notify(self, method, parameters=None):
        self._send({"method": method} if parameters is None else {"method": method, "params": parameters})

    def _send(self, message):
        with self._writing:
            print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--stream", default="", help="name of the stream, which snapserver passes")
    parser.add_argument("--url", help=f"address of the speaker; {SPEAKER} unless the configuration has another one")
    parser.add_argument(
        "--config", default=CONFIGURATION,
        help=f"file with a section for each stream, which has `url` and, for a locked speaker, `pin`; default {CONFIGURATION}",
    )
    # Only newer versions pass this, and only they know the property `mute`. Others: --snapcast-port.
    parser.add_argument("--snapcast-host")
    options, _ = parser.parse_known_args()
    configuration = configparser.ConfigParser(interpolation=None)
    try:
        configuration.read(options.config, encoding="utf-8")
        section = configuration[options.stream] if options.stream in configuration else configuration["DEFAULT"]
        speaker = Speaker(options.url or section.get("url", SPEAKER), section.get("pin"))
    except (OSError, ValueError, configparser.Error) as error:
        sys.exit(f"error: {options.config}: {error}")
    try:
        Plugin(speaker, options.stream, knows_mute=options.snapcast_host is not None).run()
    except (BrokenPipeError, KeyboardInterrupt):
        pass


if __name__ == "__main__":
    main()
