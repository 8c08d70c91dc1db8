"""Songcast received from an independent sender: two rooms hear the same, through pauses, gaps and restarts."""

import contextlib
import statistics

import pytest

import network
import rooms
from processes import wait_until
from songcast_sender import RESEND, Sender

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
    with sender.dropping(lambda number: number % 20 == 0):
        room.sounds(8)
    assert any(kind == RESEND for kind, _ in sender.messages)
    assert "packets lost" not in room.status


def test_frames_that_are_gone_are_counted(house, sender):
    room = house[1][0]
    room.receive(sender.uri)
    room.sounds(2)
    with sender.dropping(lambda number: number % 20 == 0, forever=True):
        wait_until(lambda: "packets lost" in room.status)
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
