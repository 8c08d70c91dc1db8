"""Songcast received from an independent sender: two rooms hear the same, through pauses, gaps and restarts."""

import contextlib
import itertools
import random
import re
import socket
import statistics
import struct
import time

import pytest

import network
import rooms
import songcast
from attacked_renderer import Resources, Thread
from processes import wait_until
from songcast_sender import AUDIO, RESEND, SLAVE, ZONES, Sender, message

pytestmark = network.needs_namespaces

#: Milliseconds by which two rooms may differ on a busy machine.
APART = 10


@pytest.fixture
def house(tmp_path):
    """A sender's machine and two rooms."""
    with rooms.house(tmp_path, (100, -100)) as made:
        yield made


@pytest.fixture
def sender(house):
    with contextlib.closing(Sender(house[0], "192.0.2.1")) as sender:
        yield sender


@pytest.mark.parametrize("channel", [None, 7], ids=["unicast", "multicast"])
def test_two_rooms_hear_the_same(house, channel):
    machine, (kitchen, study) = house
    with contextlib.closing(Sender(machine, "192.0.2.1", channel=channel)) as sender:
        for room in (kitchen, study):
            room.receive(sender.uri)
        for room in (kitchen, study):
            wait_until(lambda room=room: room.state == "Playing")
            room.sounds(12)
        differences = rooms.apart(kitchen.heard(), study.heard())
        assert len(differences) >= 8
        assert statistics.median(differences) < APART, differences
        assert kitchen("Info", "Track")["Uri"] == "http://192.0.2.200/pulses.wav"
        sender.describe("Another title")
        wait_until(lambda: study("Info", "Metatext")["Value"] == "Another title")


def test_lost_frames_are_sent_again(house, sender):
    room = house[1][0]
    room.receive(sender.uri)
    room.sounds(2)
    first = sender.number
    with sender.dropping(lambda number: number % 20 == 0):
        room.sounds(8)
    assert any(kind == RESEND for kind, _ in sender.messages)
    # A machine that stalls may repair some too late.
    assert room.lost_packets < (sender.number - first) / 20 / 2


def test_frames_that_are_gone_are_counted(house, sender):
    room = house[1][0]
    room.receive(sender.uri)
    room.sounds(2)
    with sender.dropping(lambda number: number % 20 == 0, forever=True):
        wait_until(lambda: room.lost_packets)
    room.sounds(2)


def test_a_pause_of_the_sender_is_waited_for(house, sender):
    room = house[1][0]
    room.receive(sender.uri)
    room.sounds(2)
    sender.pause()
    wait_until(lambda: room.state == "Waiting")
    sender.resume()
    wait_until(lambda: room.state == "Playing")
    room.sounds(2)
    room("Receiver", "Stop")
    assert room.state == "Stopped"
    wait_until(lambda: not sender.listeners)


def test_a_sender_that_vanishes_is_waited_for(house):
    machine, (room, _) = house
    sender = Sender(machine, "192.0.2.1", channel=8)
    with contextlib.closing(sender):
        room.receive(sender.uri)
        room.sounds(2)
    wait_until(lambda: room.state != "Playing")
    with contextlib.closing(Sender(machine, "192.0.2.1", channel=8)):
        wait_until(lambda: room.state == "Playing")
        room.sounds(2)


def test_a_pulled_cable_is_waited_for(house, sender):
    room = house[1][0]
    room.receive(sender.uri)
    room.sounds(2)
    room.pull_cable()
    wait_until(lambda: not room.is_sounding())
    room.plug_cable()
    room.sounds(2)
    wait_until(lambda: room.state == "Playing")


def test_a_flood_does_not_disturb_the_sound(house, sender):
    """Forged, foreign and broken datagrams at all its ports, from a machine in its network."""
    room, other = house[1]
    # While it receives, its zone is that of the sender.
    zone = re.search(r">ohz://[^/<]*/([^<]*)<", room("Sender", "Metadata")["Value"]).group(1)
    with contextlib.closing(songcast.Receiver(other.machine)) as finder:
        own_sender = re.fullmatch(r"ohu://([0-9.]+):(\d+)", finder.find(zone)).groups()
    room.receive(sender.uri)
    room.sounds(4)
    resources = Resources(room.renderer.process.pid)
    memory = resources.memory
    targets = [*sender.listeners, (own_sender[0], int(own_sender[1])), ZONES]
    number = iter(itertools.count())
    with contextlib.closing(other.machine.do(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))) as attacker:
        index = other.machine.do(lambda: socket.if_nametoindex("eth0"))
        attacker.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, struct.pack("4s4si", b"", b"", index))

        def attack():
            for target in targets:
                attacker.sendto(hostile(next(number), zone), target)
            time.sleep(0.001)

        flood = Thread(attack)
        room.sounds(12)
        flood.stop()
    assert next(number) > 1000
    assert room.state == "Playing"
    assert len(sender.listeners) == 1
    assert resources.memory < memory + 4_000_000
    # The pulses go on, a quarter of a second apart. A machine that stalls may leave some out, or split one.
    times = room.heard()[-12:]
    gaps = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert sum(abs(gap - 0.25 * round(gap / 0.25)) >= 0.02 for gap in gaps) <= 2, gaps
    assert statistics.median(gaps) < 0.3


def hostile(number, zone):
    """A datagram that nobody should send: the same for the same number."""
    chance = random.Random(number)
    audio = struct.pack(">BBHIIIIQQIIhBBBB", 50, 2, 220, chance.getrandbits(32), 0, 1 << 20, 0, 0, 0, 44100, 0, 0, 16, 2, 0, 3)
    kinds = [
        chance.randbytes(chance.randrange(1400)),
        message(AUDIO, audio + b"WAV" + chance.randbytes(880)),
        message(AUDIO, audio[: chance.randrange(50)]),
        message(SLAVE, struct.pack(">I", 4) + b"".join(chance.randbytes(6) for _ in range(4))),
        message(SLAVE, struct.pack(">I", 1 << 31)),
        message(RESEND, struct.pack(">I", 300) + chance.randbytes(1200)),
        message(chance.randrange(3)),
        message(chance.randrange(8, 256), chance.randbytes(100)),
        b"Ohm " + struct.pack(">BBH", 2, AUDIO, 8),
        b"Ohz " + struct.pack(">BBHII", 1, 1, 16 + len(zone), len(zone), 1 << 20) + zone.encode(),
        b"Ohz " + struct.pack(">BBHI", 1, 0, 12 + len(zone), len(zone)) + zone.encode(),
    ]
    return chance.choice(kinds)


def test_a_sender_survives_a_restart_of_the_room(house, sender):
    room = house[1][0]
    room.receive(sender.uri)
    room.sounds(2)
    room.renderer.stop()
    room.start()
    assert room("Receiver", "Sender")["Uri"] == sender.uri
    wait_until(lambda: room.state == "Playing")
    room("Receiver", "Stop")
    room.renderer.stop()
    room.start()
    assert room.state == "Stopped"
