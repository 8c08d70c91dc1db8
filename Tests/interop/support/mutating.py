"""A proxy that changes what a device sends, the same way for the same seed."""

import contextlib
import http.client
import http.server
import random
import re
import threading
import urllib.parse

EXTREMES = [
    "-1", "0", "1", "9", "128", "2147483648", "4294967296", "-9223372036854775808", "9223372036854775807",
    "90000000000000000", "1e999", "NaN", "٣", "",
]  # fmt: skip


class MutatingProxy:
    """Forwards requests to a device, and its events to subscribers, and changes some of its messages."""

    def __init__(self, location, seed):
        self._device = urllib.parse.urlsplit(location)
        self._random = random.Random(seed)
        #: The share of messages that are changed. With many intact ones, a run gets beyond its first steps.
        self._share = (1, 0.3, 0.1, 0.03)[seed % 4]
        self._intact = 0 if seed % 3 == 0 else 3
        self._lock = threading.Lock()
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def __getattr__(self, name):
                if name.startswith("do_"):
                    return lambda: proxy._forward(self)
                raise AttributeError(name)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer((self._device.hostname, 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def location(self):
        return f"http://{self._device.hostname}:{self._server.server_port}{self._device.path}"

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def _forward(self, handler):
        handler.close_connection = True
        length = handler.headers.get("Content-Length", "0")
        body = handler.rfile.read(int(length)) if length.isdigit() else b""
        headers = {name: value for name, value in handler.headers.items() if name.lower() != "connection"}
        if handler.path.startswith("/event/"):
            # NOTIFY: /event/PORT/PATH
            _, _, port, path = handler.path.split("/", 3)
            body, headers = self._changed_event(body, headers)
            host, target = (self._device.hostname, int(port)), f"/{path}"
        else:
            callback = headers.get("CALLBACK", "")
            headers["CALLBACK"] = re.sub(
                r"<http://[^:/>]+:(\d+)/([^>]*)>", rf"<http://{self._server.server_address[0]}:{self._server.server_port}/event/\1/\2>", callback)
            if not callback:
                del headers["CALLBACK"]
            host, target = (self._device.hostname, self._device.port), handler.path
        connection = http.client.HTTPConnection(*host, timeout=10)
        with contextlib.closing(connection):
            connection.putrequest(handler.command, target, skip_host=True, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name, value.encode("utf-8", "replace"))
            connection.endheaders(body)
            answer = connection.getresponse()
            status, fields, content = answer.status, answer.getheaders(), answer.read()
        handler.wfile.write(self._changed_answer(handler, status, fields, content))

    # MARK: Changes

    def _is_changed(self):
        return self._random.random() < self._share

    def _changed_event(self, body, headers):
        with self._lock:
            if not self._is_changed():
                return body, headers
            if self._random.random() < 0.4:
                name = self._random.choice(list(headers))
                headers[name] = self._changed_value(headers[name])
                return body, headers
            body = self._changed_text(body.decode(errors="replace")).encode()
            return body, headers | {"CONTENT-LENGTH": str(len(body))}

    def _changed_answer(self, handler, status, fields, content):
        with self._lock:
            if "description" in handler.path and self._intact > 0:
                self._intact -= 1
            elif self._is_changed():
                kind = self._random.randrange(10)
                if kind == 0:
                    return b""
                if kind == 1:
                    status = self._random.choice([100, 199, 204, 304, 404, 412, 500, 999, -1])
                elif kind == 2 and fields:
                    index = self._random.randrange(len(fields))
                    fields[index] = (fields[index][0], self._changed_value(fields[index][1]))
                elif kind == 3:
                    return b"HTTP/1.1 100 Continue\r\n\r\n" * 50_000
                elif kind == 4:
                    content += content
                else:
                    content = self._changed_text(content.decode(errors="replace")).encode()
                    fields = [(name, str(len(content)) if name.lower() == "content-length" else value) for name, value in fields]
        fields = [(name, value) for name, value in fields if name.lower() not in ("connection", "transfer-encoding")]
        head = "".join(f"{name}: {value}\r\n" for name, value in [*fields, ("Connection", "close")])
        return f"HTTP/1.1 {status} Status\r\n{head}\r\n".encode("utf-8", "replace") + content

    def _changed_value(self, value):
        extreme = self._random.choice(EXTREMES)
        return self._random.choice(["", value[: len(value) // 2], value + "x" * 70_000, re.sub(r"\d+", extreme, value)])

    def _changed_text(self, text):
        chance = self._random.random
        kind = self._random.randrange(8)
        if kind == 0:
            return text[: self._random.randrange(len(text) + 1)]
        if kind == 1:
            return text * self._random.choice([0, 2, 50])
        if kind == 2:
            characters = list(text)
            for _ in range(4 if characters else 0):
                characters[self._random.randrange(len(characters))] = self._random.choice("<&\"\0🎵-9")
            return "".join(characters)
        if kind == 3:
            return re.sub(r"<([\w:]+)[^<>]*>[^<>]*</\1>", lambda found: "" if chance() < 0.2 else found[0], text)
        return re.sub(
            r"(?<=[>\"\[,;])-?\d+(?=[<\"\],&])",
            lambda found: self._random.choice(EXTREMES) if chance() < 0.3 else found[0], text)  # fmt: skip
