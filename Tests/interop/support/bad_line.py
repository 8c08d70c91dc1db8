"""A cable with delay, jitter and loss between two interfaces of a machine: forwards each Ethernet frame by itself.

Run on its machine: bad_line.py LEFT RIGHT DELAY JITTER LOSS. A frame takes DELAY seconds and up to JITTER more, so that frames may
overtake each other; LOSS is the share of datagrams that vanish.
"""

import heapq
import itertools
import os
import random
import select
import socket
import sys
import time

#: Of linux/if_ether.h and linux/if_packet.h.
ALL_PROTOCOLS, OUTGOING = 3, 4
#: Where an Ethernet frame of IPv4 has its EtherType and protocol.
IPV4, UDP = b"\x08\x00", 17


def is_udp(frame):
    return frame[12:14] == IPV4 and frame[23] == UDP


def main(left, right, delay, jitter, loss):
    # A cable does not wait for a processor.
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    chance = random.Random(1)
    ends = [socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS)) for _ in range(2)]
    for end, name in zip(ends, (left, right), strict=True):
        end.bind((name, 0))
        end.setblocking(False)
    numbers, due = itertools.count(), []
    print("ready", flush=True)
    while True:
        wait = max(0, due[0][0] - time.monotonic()) if due else None
        for end in select.select(ends, [], [], wait)[0]:
            frame, (_, _, kind, *_) = end.recvfrom(65536)
            if kind != OUTGOING and not (is_udp(frame) and chance.random() < loss):
                at = time.monotonic() + delay + chance.random() * jitter
                heapq.heappush(due, (at, next(numbers), ends[end is ends[0]], frame))
        while due and due[0][0] <= time.monotonic():
            _, _, end, frame = heapq.heappop(due)
            end.send(frame)


if __name__ == "__main__":
    main(*sys.argv[1:3], *map(float, sys.argv[3:6]))
