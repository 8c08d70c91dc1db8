"""A bad line between two machines. What `tc netem` would do, which not every kernel has: packets pass through here."""

import contextlib
import fcntl
import os
import random
import select
import struct
import threading
import time

_TUNSETIFF = 0x400454CA
_TUN_WITHOUT_HEADER = 0x1001
_MTU = 1500


class BadLink:
    """Interfaces `eth0` with the addresses 10.9.1.1 and 10.9.1.2, at the ends of a line that loses packets."""

    def __init__(self, here, there, rate, loss, seed=1):
        """`rate` is in bits a second, each way; `loss` is the share of packets lost."""
        self._rate, self._loss, self._seed = rate, loss, seed
        self._ends = [self._open(machine, f"10.9.1.{number}") for number, machine in enumerate((here, there), 1)]
        self._closed = threading.Event()
        self._threads = [
            threading.Thread(target=self._carry, args=ends, daemon=True) for ends in (self._ends, self._ends[::-1])
        ]
        for thread in self._threads:
            thread.start()

    def close(self):
        self._closed.set()
        for thread in self._threads:
            thread.join()
        for end in self._ends:
            os.close(end)

    @staticmethod
    def _open(machine, address):
        def interface():
            end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(end, _TUNSETIFF, struct.pack("16sH22x", b"eth0", _TUN_WITHOUT_HEADER))
            return end

        end = machine.do(interface)
        machine.ip("address", "add", f"{address}/24", "dev", "eth0")
        machine.ip("link", "set", "eth0", "mtu", str(_MTU), "up")
        return end

    def _carry(self, source, target):
        chance = random.Random(self._seed)
        free_at = 0
        while not self._closed.is_set():
            if not select.select([source], [], [], 0.2)[0]:
                continue
            packet = os.read(source, _MTU + 100)
            if chance.random() < self._loss:
                continue
            # As long as a packet takes, the next one waits.
            free_at = max(free_at, time.monotonic()) + len(packet) * 8 / self._rate
            time.sleep(max(0, free_at - time.monotonic()))
            with contextlib.suppress(BlockingIOError):
                os.write(target, packet)
