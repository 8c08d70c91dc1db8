"""A bad line between two machines. What `tc netem` would do, which not every kernel has: packets pass through here."""

import collections
import contextlib
import fcntl
import os
import random
import re
import select
import socket
import struct
import threading
import time

_TUNSETIFF = 0x400454CA
_TUNSETCARRIER = 0x400454E2
_TAP_WITHOUT_HEADER = 0x1002
_MTU = 1500

#: The network of a link, unless the test names another one: a documentation network (RFC 5737).
NETWORK = "198.51.100"


class Transfer:
    """How far a file has come that is sent over HTTP, as seen on the line."""

    def __init__(self):
        #: In bytes from its beginning, a head's few hundred too many.
        self.place = 0
        # Of each of the asker's ports: from where it asked, and the sequence number of the first byte of the answer.
        self._asked = {}

    def asks(self, packet):
        """A packet of the asker's arrives at the server."""
        port, _, _, answer, payload = _tcp(packet) or (None,) * 5
        if payload and payload.startswith(b"GET "):
            asked = re.search(rb"\r\nRange: bytes=(\d+)-", payload, re.IGNORECASE)
            self._asked[port] = int(asked.group(1)) if asked else 0, answer

    def answers(self, packet):
        """A packet of the server's arrives at the asker."""
        _, port, sequence, _, payload = _tcp(packet) or (None,) * 5
        if payload and port in self._asked:
            start, first = self._asked[port]
            self.place = max(self.place, start + (sequence - first) % 2**32 + len(payload))


def _tcp(packet):
    """Ports, sequence and acknowledgement numbers, and the payload; None for what is no TCP over IPv4."""
    if packet[12:14] != b"\x08\x00" or packet[23] != socket.IPPROTO_TCP:
        return None
    size = int.from_bytes(packet[16:18], "big")
    segment = packet[14 + (packet[14] & 15) * 4 : 14 + size]
    source, target, sequence, answer, offset = struct.unpack_from("!HHIIB", segment)
    return source, target, sequence, answer, segment[(offset >> 4) * 4 :]


class BadLink:
    """A point-to-point link with limited rate, delay, jitter and loss, which may change at any time.

    Its ends are interfaces with the addresses 1 (here) and 2 (there) of the network `net`, a /24.
    """

    def __init__(self, here, there, rate=50e6, loss=0, delay=0, jitter=0, seed=1, name="eth0", net=NETWORK, transfer=None):
        """`rate` is in bits a second, each way; `loss` is the share of packets lost; `delay` is in seconds, and up to
        `jitter` more."""
        self.rate, self.loss, self.delay, self.jitter = rate, loss, delay, jitter
        #: Of what a server over there sends to here.
        self.transfer = transfer or Transfer()
        self._seed, self._name = seed, name
        self._cut = False
        self._ends = [
            self._open(machine, f"{net}.{number}") for number, machine in enumerate((here, there), 1)
        ]
        self._closed = threading.Event()
        self._threads = [
            threading.Thread(target=self._carry, args=(*ends, arrives), daemon=True)
            for ends, arrives in (
                (self._ends, self.transfer.asks),
                (self._ends[::-1], self.transfer.answers),
            )
        ]
        for thread in self._threads:
            thread.start()

    def close(self):
        self._closed.set()
        for thread in self._threads:
            thread.join()
        for end in self._ends:
            os.close(end)

    def pull(self, told=True):
        """The cable is out. Unless it is `told`, beyond the next switch: then the interfaces keep their carrier."""
        self._cut = True
        self._set_carrier(not told)

    def plug(self):
        """The cable is in again."""
        self._cut = False
        self._set_carrier(True)

    def _set_carrier(self, is_on):
        for end in self._ends:
            fcntl.ioctl(end, _TUNSETCARRIER, struct.pack("i", is_on))

    def _open(self, machine, address):
        def interface():
            end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(end, _TUNSETIFF, struct.pack("16sH22x", self._name.encode(), _TAP_WITHOUT_HEADER))
            return end

        end = machine.do(interface)
        machine.ip("address", "add", f"{address}/24", "dev", self._name)
        machine.ip("link", "set", self._name, "mtu", str(_MTU), "up")
        return end

    def _carry(self, source, target, arrives):
        chance = random.Random(self._seed)
        # Packets under way, and when each arrives.
        under_way = collections.deque()
        free_at = arrives_at = 0
        while not self._closed.is_set():
            now = time.monotonic()
            while under_way and under_way[0][0] <= now:
                # An interface that is down, or full, takes none.
                with contextlib.suppress(OSError):
                    packet = under_way.popleft()[1]
                    os.write(target, packet)
                    arrives(packet)
            # As long as a packet takes, the next one waits.
            sources = [source] if free_at <= now else []
            pause = min([0.2, *([] if sources else [free_at - now]), *([under_way[0][0] - now] if under_way else [])])
            if not select.select(sources, [], [], max(0, pause))[0]:
                continue
            with contextlib.suppress(OSError):
                packet = os.read(source, _MTU + 100)
                if self._cut or chance.random() < self.loss:
                    continue
                free_at = max(free_at, time.monotonic()) + len(packet) * 8 / self.rate
                # None overtakes another.
                arrives_at = max(arrives_at, free_at + self.delay + chance.random() * self.jitter)
                under_way.append((arrives_at, packet))
