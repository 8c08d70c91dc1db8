"""Simulated input devices. Programs that preload umockdev's library see them."""

import pathlib
import subprocess

from processes import PATIENCE

LIBRARY = "libumockdev-preload.so.0"
KEY, RELATIVE = 1, 2
#: Codes of linux/input-event-codes.h.
PLAYPAUSE, VOLUME_UP, NEXT = 164, 115, 163
DIAL = 7

#: The age of an event in seconds that is current whenever the program reads it: it takes events of the future for
#: current ones. A busy machine or a change of its clock would make others stale.
CURRENT = -1_000_000_000


class InputDevices:
    """A umockdev testbed. Devices have the numbers of their event nodes."""

    def __init__(self):
        self._process = subprocess.Popen(
            ["/usr/bin/python3", pathlib.Path(__file__).with_name("input_testbed.py")],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._root = self._process.stdout.readline().strip()
        assert self._root, "umockdev's testbed did not start"

    @property
    def before(self):
        """The command prefix that makes a program see the devices."""
        return ("env", f"LD_PRELOAD={LIBRARY}", f"UMOCKDEV_DIR={self._root}")

    def add(self, number, name, address="00:00:5e:00:53:01"):
        self._do("add", number, address, name)

    def remove(self, number):
        self._do("remove", number)

    def press(self, number, code, age=CURRENT):
        self._do("send", number, age, KEY, code, 1)

    def release(self, number, code):
        self._do("send", number, CURRENT, KEY, code, 0)

    def click(self, number, code):
        self._do("send", number, CURRENT, KEY, code, 1, 0, 0, 0, KEY, code, 0)

    def turn(self, number, axis, steps):
        self._do("send", number, CURRENT, RELATIVE, axis, steps)

    def _do(self, *words):
        print(*words, file=self._process.stdin, flush=True)
        assert self._process.stdout.readline() == "done\n"

    def close(self):
        self._process.stdin.close()
        self._process.wait(timeout=PATIENCE)


__all__ = ["DIAL", "NEXT", "PLAYPAUSE", "VOLUME_UP", "InputDevices", "wait_until"]
