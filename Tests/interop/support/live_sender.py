"""A program that streams what a computer plays over HTTP, as swyh-rs does: pulses in real time, without an end."""

import array
import contextlib
import http.server
import os
import struct
import threading
import time

from songcast_sender import RATE, Pulses

#: Of the pulses: 16 bits, two channels.
FRAME = 4


def wav_header():
    """A header that declares the longest size, as encoders write that stream."""
    size = 0xFFFFFFFF
    form = struct.pack("<HHIIHH", 1, 2, RATE, RATE * FRAME, FRAME, 16)
    return b"RIFF" + struct.pack("<I", size) + b"WAVEfmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", size)


class LiveSender:
    """Serves `/live.wav` (chunked) and `/live.l16` (with an absurd length)."""

    def __init__(self, drift=0, lump=0.02, burst=0.0):
        self._drift, self._lump, self._burst = drift, lump, burst
        #: When the middle of each pulse was there to be sent: the clock of time.monotonic().
        self.sent = []
        self.requests = 0
        self.is_silent = threading.Event()
        sender = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_HEAD(self):
                self._begin()

            def do_GET(self):
                sender.requests += 1
                self._begin()
                try:
                    sender._send(self._write, self.path.endswith("wav"))
                except OSError:
                    self.close_connection = True

            def _begin(self):
                self.send_response(200)
                if self.path.endswith("wav"):
                    self.send_header("Content-Type", "audio/wav")
                    self.send_header("Transfer-Encoding", "chunked")
                else:
                    self.send_header("Content-Type", f"audio/L16;rate={RATE};channels=2")
                    self.send_header("Content-Length", str(2**64 - 2))
                self.end_headers()

            def _write(self, data):
                if self.path.endswith("wav"):
                    data = f"{len(data):x}\r\n".encode() + data + b"\r\n"
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def _send(self, write, is_wav):
        # A busy machine would delay this thread, and so change the delay that is measured.
        with contextlib.suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(10))
        # A stream that begins with the same bytes again would be a file.
        pulses, first = Pulses(), self.requests * 12345
        position = first
        if is_wav:
            write(wav_header())
        start = time.monotonic()
        self.sent = []
        while True:
            count = int(RATE * (self._burst if position == first and self._burst else self._lump))
            due = start + max(0, position - first + count - RATE * self._burst) / RATE / (1 + self._drift / 1e6)
            while (wait := due - time.monotonic()) > 0:
                time.sleep(wait)
            while self.is_silent.is_set():
                time.sleep(0.01)
                due = time.monotonic()
                start = due - (position - first + count) / RATE
            data = array.array("h")
            for part in range(0, count, Pulses.PERIOD):
                data.frombytes(pulses.pcm(position + part, min(count - part, Pulses.PERIOD)))
            if is_wav:
                data.byteswap()
            # The last sample of a lump is sent as soon as it is there.
            for pulse in range(-(-position // Pulses.PERIOD), -(-(position + count) // Pulses.PERIOD)):
                self.sent.append(due - (position + count - pulse * Pulses.PERIOD - Pulses.HALF) / RATE)
            write(data.tobytes())
            position += count

    def stop(self):
        self._server.shutdown()
        self._server.server_close()
