#!/usr/bin/python3
"""Simulates input devices with umockdev. Runs under the system's Python, which has umockdev's bindings.

Prints the folder of the testbed, then reads commands from standard input:

    add NUMBER ADDRESS NAME
    remove NUMBER
    send NUMBER AGE TYPE CODE VALUE [TYPE CODE VALUE ...]

AGE is in seconds. Timestamps use the real-time clock, because umockdev does not support the ioctl that selects another.
"""

import os
import struct
import sys
import time

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402

DEVICE = """\
P: /devices/virtual/input/input{number}
E: SUBSYSTEM=input
A: name={name}\\n
A: uniq={address}\\n
A: phys=test/input{number}\\n

P: /devices/virtual/input/input{number}/event{number}
N: input/event{number}
E: DEVNAME=/dev/input/event{number}
E: SUBSYSTEM=input
L: device=../../input{number}
"""


def main():
    testbed = UMockdev.Testbed.new()
    print(testbed.get_root_dir(), flush=True)
    for line in sys.stdin:
        command, number, *rest = line.split()
        if command == "add":
            address, name = rest[0], " ".join(rest[1:])
            testbed.add_from_string(DEVICE.format(number=number, name=name, address=address))
        elif command == "remove":
            os.close(testbed.get_dev_fd(f"/dev/input/event{number}"))
            testbed.remove_device(f"/sys/devices/virtual/input/input{number}")
            # umockdev does not remove the device node.
            node = f"{testbed.get_root_dir()}/dev/input/event{number}"
            if os.path.lexists(node):
                os.unlink(node)
        elif command == "send":
            moment = time.time() - float(rest[0])
            values = [int(value) for value in rest[1:]]
            events = [tuple(values[i : i + 3]) for i in range(0, len(values), 3)] + [(0, 0, 0)]
            records = [struct.pack("qqHHi", int(moment), int(moment % 1 * 1e6), *event) for event in events]
            os.write(testbed.get_dev_fd(f"/dev/input/event{number}"), b"".join(records))
        print("done", flush=True)


main()
