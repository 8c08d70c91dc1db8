"""A receiver of Songcast: finds a zone, joins its unicast stream or its group, and keeps what it gets.

It only listens: it asks for nothing again and forwards nothing.
"""

import collections
import contextlib
import re
import socket
import struct
import threading
import time

from processes import PATIENCE, wait_until

ZONES = ("239.255.255.250", 51972)
JOIN, LISTEN, LEAVE, AUDIO, TRACK, METATEXT, SLAVE = range(7)
ZONE_QUERY, ZONE_URI = range(2)
HALT, LOSSLESS, RESENT = 1, 2, 8
#: Seconds between two Listens. A sender forgets a receiver after ten.
LISTEN_PAUSE = 2

Frame = collections.namedtuple(
    "Frame", "arrival flags samples number latency start total rate bit_rate depth channels codec pcm"
)
Track = collections.namedtuple("Track", "sequence uri metadata")


def _message(kind, body=b"", name=b"Ohm "):
    return struct.pack("!4sBBH", name, 1, kind, 8 + len(body)) + body


def _frame(body, arrival):
    size, flags, samples, number, _, latency, _ = struct.unpack_from("!BBHIIII", body)
    start, total, rate, bit_rate, _, depth, channels, _, name = struct.unpack_from("!QQIIhBBBB", body, 20)
    assert size == 50
    codec, pcm = body[50 : 50 + name].decode(), body[50 + name :]
    assert len(pcm) == samples * channels * depth // 8
    return Frame(arrival, flags, samples, number, latency, start, total, rate, bit_rate, depth, channels, codec, pcm)


class Receiver:
    """A receiver on a machine."""

    def __init__(self, machine, interface="eth0"):
        self.machine = machine
        self._index = machine.do(lambda: socket.if_nametoindex(interface))
        self._socket, self._target, self._thread = None, None, None
        self._is_over = threading.Event()
        self.frames, self.tracks, self.texts, self.slaves = [], [], [], []

    def close(self):
        self.leave()
        if self._thread:
            self._is_over.set()
            self._thread.join()
            self._socket.close()
            self._thread = None

    def find(self, zone):
        """The present URI of a zone: asks until it is answered."""
        with contextlib.closing(self.machine.do(lambda: self._group_socket(ZONES))) as asker:
            asker.settimeout(0.2)
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                name = zone.encode()
                asker.sendto(_message(ZONE_QUERY, struct.pack("!I", len(name)) + name, b"Ohz "), ZONES)
                with contextlib.suppress(TimeoutError):
                    while True:
                        data = asker.recv(65536)
                        if data[:4] == b"Ohz " and data[5] == ZONE_URI:
                            zone_size, uri_size = struct.unpack_from("!II", data, 8)
                            if data[16 : 16 + zone_size] == name:
                                return data[16 + zone_size : 16 + zone_size + uri_size].decode()
        raise AssertionError(f"nobody answers for the zone {zone}")

    def join(self, uri):
        """Joins a stream, and waits for its track and text."""
        scheme, address, port = re.fullmatch(r"(oh[um])://([0-9.]+):(\d+)", uri).groups()
        self._target = (address, int(port))
        group = self._target if scheme == "ohm" else None
        if not self._thread:
            self._socket = self.machine.do(lambda: self._group_socket(group) if group else self._unicast_socket())
            self._socket.settimeout(0.1)
            self._thread = threading.Thread(target=self._listen, daemon=True)
            self._thread.start()
        count = len(self.tracks), len(self.texts)
        end = time.monotonic() + PATIENCE
        while (len(self.tracks), len(self.texts)) == count or not self.texts:
            assert time.monotonic() < end, f"{uri} does not answer a Join"
            self._send(JOIN)
            time.sleep(0.1)

    def leave(self):
        if self._target:
            self._send(LEAVE)
            self._target = None

    def wait_for(self, condition):
        """Waits until the frames so far meet a condition; returns them."""
        wait_until(lambda: condition(self.frames))
        return list(self.frames)

    def _send(self, kind):
        with contextlib.suppress(OSError):
            self._socket.sendto(_message(kind), self._target)

    def _listen(self):
        next_listen = time.monotonic() + LISTEN_PAUSE
        while not self._is_over.is_set():
            if self._target and time.monotonic() >= next_listen:
                self._send(LISTEN)
                next_listen = time.monotonic() + LISTEN_PAUSE
            with contextlib.suppress(TimeoutError):
                self._receive(self._socket.recv(65536), time.monotonic())

    def _receive(self, data, arrival):
        name, version, kind, size = struct.unpack_from("!4sBBH", data)
        assert (name, version, size) == (b"Ohm ", 1, len(data))
        body = data[8:]
        if kind == AUDIO:
            self.frames.append(_frame(body, arrival))
        elif kind == TRACK:
            sequence, uri, metadata = struct.unpack_from("!III", body)
            self.tracks.append(
                Track(sequence, body[12 : 12 + uri].decode(), body[12 + uri : 12 + uri + metadata].decode())
            )
        elif kind == METATEXT:
            self.texts.append(body[8:].decode())
        elif kind == SLAVE:
            self.slaves.append(struct.unpack_from("!I", body)[0])

    def _unicast_socket(self):
        made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        made.bind(("", 0))
        return made

    def _group_socket(self, group):
        address, port = group
        made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        made.bind((address, port))
        member = struct.pack("4s4si", socket.inet_aton(address), b"", self._index)
        made.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
        made.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, struct.pack("4s4si", b"", b"", self._index))
        return made


def streams(frames):
    """Splits the frames where the sound does not continue: [[frame, …], …]. Halts end a stream, and are left out."""
    made, is_new = [], True
    for frame in frames:
        last = made[-1][-1] if made else None
        if frame.samples and (is_new or frame.start != last.start + last.samples):
            made.append([])
        is_new = bool(frame.flags & HALT)
        if frame.samples:
            made[-1].append(frame)
    return made


def stretches(frames):
    """Groups the streams whose sound goes on: [[stream, …], …].

    A machine that stalls leaves sound out: less than a second of it does not end a stretch.
    """
    made = []
    for stream in streams(frames):
        first, last = stream[0], made[-1][-1][-1] if made else None
        if last and first.rate == last.rate and 0 <= first.start - last.start - last.samples < first.rate:
            made[-1].append(stream)
        else:
            made.append([stream])
    return made
