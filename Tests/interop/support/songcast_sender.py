"""A Songcast sender, written from the protocol's description and independent of the program's own."""

import array
import contextlib
import math
import re
import socket
import struct
import threading
import time

RATE = 44100
#: Ticks of the sender's clock per second, for rates of the family of 44.1 kHz.
TICKS = 256 * 44100
JOIN, LISTEN, LEAVE, AUDIO, TRACK, METATEXT, SLAVE, RESEND = range(8)
HALT, LOSSLESS, RESENT = 1, 2, 8
ZONES = ("239.255.255.250", 51972)


def message(kind, body=b""):
    return b"Ohm " + struct.pack(">BBH", 1, kind, 8 + len(body)) + body


class Pulses:
    """Silence with a pulse every quarter of a second: 16 bits, two channels. The middle of a pulse can be measured exactly."""

    PERIOD = RATE // 4
    WIDTH = 44
    HALF = 3 * WIDTH
    _SOUNDING = re.compile(b"[^\\0]")

    def __init__(self):
        pulse = [int(20000 * math.exp(-0.5 * (at / self.WIDTH) ** 2)) for at in range(-self.HALF, self.HALF + 1)]
        samples = [0] * self.PERIOD
        samples[: len(pulse)] = pulse
        data = array.array("h", [value for sample in samples for value in (sample, sample)])
        data.byteswap()
        self._period = data.tobytes() * 2

    def pcm(self, first, count):
        start = first % self.PERIOD * 4
        return self._period[start : start + count * 4]

    @classmethod
    def middles(cls, recording, channels=2):
        """The frames in a recording of 32 bits at the middles of pulses."""
        samples = array.array("i", recording[: len(recording) // (4 * channels) * 4 * channels])[::channels]
        data, middles, at = samples.tobytes(), [], 0
        # Most is silence, which is skipped fast.
        while sounding := cls._SOUNDING.search(data, at * 4):
            at = sounding.start() // 4
            if abs(samples[at]) < 1 << 26:
                at += 1
                continue
            start = max(0, at - 2 * cls.HALF)
            part = [abs(value) for value in samples[start : at + 2 * cls.HALF]]
            middles.append(start + sum(place * value for place, value in enumerate(part)) / sum(part))
            at += 4 * cls.HALF
        return middles


class Sender:
    """Sends pulses in real time to all that join: by unicast, with slaves, or by multicast."""

    def __init__(self, machine, address, channel=None, latency=0.15, sound=None, title="Pulses"):
        self._sound = sound or Pulses()
        self._latency = latency
        self._title = title
        self.channel = channel
        self._lock = threading.Lock()
        self._listeners = {}
        self._history = {}
        self.number = 0
        self.position = 0
        #: When each frame was sent, by its first sample: the clock of time.monotonic().
        self.sent = {}
        self.messages = []
        self._sequence = 0
        self._drops, self._is_final = lambda number: False, False
        self._over = threading.Event()
        self._playing = threading.Event()
        self._playing.set()
        if channel is None:
            self._socket = machine.do(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            self._socket.bind((address, 0))
            self.uri = "ohu://{}:{}".format(*self._socket.getsockname())
            self._group = None
        else:
            self._group = (f"239.253.{channel >> 8}.{channel & 255}", 51970)
            self._socket = machine.do(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind(("", 51970))
            own = socket.inet_aton(address)
            self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(self._group[0]) + own)
            self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own)
            self._socket.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
            self.uri = "ohm://{}:{}".format(*self._group)
        self._address = address
        self._socket.settimeout(0.05)
        self._threads = [threading.Thread(target=body) for body in (self._listen, self._send)]
        for thread in self._threads:
            thread.start()

    def close(self):
        self._over.set()
        for thread in self._threads:
            thread.join()
        self._socket.close()

    @contextlib.contextmanager
    def dropping(self, drops, forever=False):
        """Does not send the frames with these numbers, unless it is asked for them; with `forever` not even then."""
        self._drops, self._is_final = drops, forever
        yield
        self._drops, self._is_final = lambda number: False, False

    def pause(self):
        self._playing.clear()

    def resume(self):
        self._playing.set()

    @property
    def listeners(self):
        with self._lock:
            return list(self._listeners)

    def describe(self, title):
        """Changes the title, as a station does."""
        self._title = title
        for target in self._targets():
            self._socket.sendto(self._metatext(), target)

    def _track(self):
        uri = b"http://192.0.2.200/pulses.wav"
        didl = (
            '<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" '
            'xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="0" parentID="-1" restricted="1">'
            "<dc:title>A track of the sender</dc:title><upnp:artist>Its artist</upnp:artist>"
            "<upnp:class>object.item.audioItem.musicTrack</upnp:class></item></DIDL-Lite>"
        ).encode()
        return message(TRACK, struct.pack(">III", 1, len(uri), len(didl)) + uri + didl)

    def _metatext(self):
        self._sequence += 1
        text = self._title.encode()
        return message(METATEXT, struct.pack(">II", self._sequence, len(text)) + text)

    def _targets(self):
        if self._group:
            return [self._group] if self.listeners else []
        return self.listeners[:1]

    def _listen(self):
        while not self._over.is_set():
            try:
                data, source = self._socket.recvfrom(9000)
            except TimeoutError:
                continue
            except ConnectionRefusedError:
                continue
            if data[:4] != b"Ohm " or source[0] == self._address:
                continue
            self.messages.append((data[5], source))
            with self._lock:
                if data[5] in (JOIN, LISTEN):
                    self._listeners[source] = time.monotonic()
                if data[5] == LEAVE:
                    self._listeners.pop(source, None)
                slaves = list(self._listeners)[1:]
            if data[5] in (JOIN, LEAVE) and self._targets():
                target = self._targets()[0]
                if not self._group:
                    body = b"".join(socket.inet_aton(host) + struct.pack(">H", port) for host, port in slaves)
                    self._socket.sendto(message(SLAVE, struct.pack(">I", len(slaves)) + body), target)
                self._socket.sendto(self._track(), target)
                self._socket.sendto(self._metatext(), target)
            if data[5] == RESEND:
                (count,) = struct.unpack_from(">I", data, 8)
                for number in struct.unpack_from(f">{count}I", data, 12):
                    if (frame := self._history.get(number)) and not (self._is_final and self._drops(number)):
                        resent = bytearray(frame)
                        resent[9] |= RESENT
                        for target in self._targets():
                            self._socket.sendto(resent, target)

    def _frame(self, count, flags):
        codec = b"WAV"
        body = struct.pack(
            ">BBHIIIIQQIIhBBBB", 50, flags, count, self.number, 0, int(self._latency * TICKS), 0, self.position, 0, RATE,
            RATE * 32, 0, 16, 2, 0, len(codec),
        )
        return message(AUDIO, body + codec + self._sound.pcm(self.position, count))

    def _send(self):
        begin, sent = time.monotonic(), 0
        was_playing = False
        while not self._over.is_set():
            due = begin + sent / RATE
            time.sleep(max(0, due - time.monotonic()))
            count = 220 + self.number % 2
            is_playing = self._playing.is_set()
            if not self.listeners or not (is_playing or was_playing):
                begin, sent = time.monotonic(), 0
                time.sleep(0.005)
                continue
            flags = LOSSLESS if is_playing else LOSSLESS | HALT
            frame = self._frame(count if is_playing else 0, flags)
            was_playing = is_playing
            self._history[self.number] = frame
            self._history.pop(self.number - 100, None)
            self.sent[self.position] = time.monotonic()
            if not self._drops(self.number):
                for target in self._targets():
                    self._socket.sendto(frame, target)
            self.number += 1
            if is_playing:
                self.position += count
                sent += count
