"""A slow or lossy link between two machines.

The packets pass through this process, because not every kernel has `tc netem`.
"""

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
    """Follows an HTTP download by the packets on the link."""

    def __init__(self):
        #: The highest byte of the file that has arrived. Includes a few hundred bytes of the HTTP header.
        self.place = 0
        #: Called before `place` grows.
        self.on_progress = lambda: None
        # For each client port: the requested start, and the sequence number of the first byte of the answer.
        self._requests = {}

    def on_client_packet(self, packet):
        """Handles a packet that arrives at the server."""
        port, _, _, acknowledged, payload = _tcp(packet) or (None,) * 5
        if payload and payload.startswith(b"GET "):
            range_ = re.search(rb"\r\nRange: bytes=(\d+)-", payload, re.IGNORECASE)
            self._requests[port] = int(range_.group(1)) if range_ else 0, acknowledged

    def on_server_packet(self, packet):
        """Handles a packet that arrives at the client."""
        _, port, sequence, _, payload = _tcp(packet) or (None,) * 5
        if payload and port in self._requests:
            start, first = self._requests[port]
            place = start + (sequence - first) % 2**32 + len(payload)
            if place > self.place:
                self.on_progress()
                self.place = place


def _tcp(packet):
    """Source and target port, sequence and acknowledgement number, payload. None unless it is TCP over IPv4."""
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
        """`rate` is in bits per second in each direction. `loss` is the share of lost packets. A packet is delayed by
        `delay` seconds and up to `jitter` more."""
        self.rate, self.loss, self.delay, self.jitter = rate, loss, delay, jitter
        #: The download from a server `there`.
        self.transfer = transfer or Transfer()
        #: By how many seconds the latest packet was late, because this process got no processor.
        self.latest = 0
        self._seed, self._name = seed, name
        self._cut = False
        self._ends = [
            self._open(machine, f"{net}.{number}") for number, machine in enumerate((here, there), 1)
        ]
        self._closed = threading.Event()
        self._threads = [
            threading.Thread(target=self._carry, args=(*ends, arrives), daemon=True)
            for ends, arrives in (
                (self._ends, self.transfer.on_client_packet),
                (self._ends[::-1], self.transfer.on_server_packet),
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

    def pull(self, loses_carrier=True):
        """Cuts the link. The interfaces keep their carrier if the cut is beyond a switch (not `loses_carrier`)."""
        self._cut = True
        self._set_carrier(not loses_carrier)

    def plug(self):
        """Restores the link."""
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
        random_ = random.Random(self._seed)
        # Packets in flight with their arrival times.
        in_flight = collections.deque()
        free_at = arrives_at = 0
        while not self._closed.is_set():
            now = time.monotonic()
            while in_flight and in_flight[0][0] <= now:
                # An interface that is down or full drops the packet.
                with contextlib.suppress(OSError):
                    due, packet = in_flight.popleft()
                    self.latest = max(self.latest, now - due)
                    os.write(target, packet)
                    arrives(packet)
            # Wait until the previous packet has been sent at this rate.
            sources = [source] if free_at <= now else []
            pause = min([0.2, *([] if sources else [free_at - now]), *([in_flight[0][0] - now] if in_flight else [])])
            if not select.select(sources, [], [], max(0, pause))[0]:
                continue
            with contextlib.suppress(OSError):
                packet = os.read(source, _MTU + 100)
                if self._cut or random_.random() < self.loss:
                    continue
                free_at = max(free_at, time.monotonic()) + len(packet) * 8 / self.rate
                # Packets keep their order.
                arrives_at = max(arrives_at, free_at + self.delay + random_.random() * self.jitter)
                in_flight.append((arrives_at, packet))
