"""Songcast received from an independent sender: two rooms hear the same, through pauses, gaps and restarts."""

import contextlib

import pytest

import network
import soap
from network import Machine, NetworkedRenderer, Switch
from processes import wait_until
from songcast_sender import RATE, Pulses, Sender
from sound_card import Card

pytestmark = network.needs_namespaces

#: The format of the cards' recordings: 32 bits, two channels.
FRAME = 8
#: Milliseconds by which two rooms may differ. The machine that tests is busy; `scripts/rooms.py` measures.
APART = 10


class Room:
    """A speaker whose card has a clock of its own."""

    def __init__(self, machine, address, folder, drift):
        self.machine = machine
        self.card = Card(folder, formats="S32_LE", drift=drift)
        self.card.mark("timeline")
        self._folder = folder
        self._url = f"http://{address}:49494/openhome/description.xml"
        self.start()

    def start(self):
        options = ("--config", "/dev/null", "--port", "49494", "--status-socket", str(self._folder / "status"))
        self.renderer = NetworkedRenderer(
            self.machine, self._folder / "state", name=self._folder.name, before=self.card.environment(),
            more=("--output", self.card.output, *options),
        )
        self.renderer.wait_for("On eth0")

    def __call__(self, service, action, **arguments):
        return self.machine.do(lambda: soap.Service(self._url, service)(action, **arguments))

    @property
    def state(self):
        return self("Receiver", "TransportState")["Value"]

    def receive(self, uri):
        self("Volume", "SetVolume", Value=100)
        self("Receiver", "SetSender", Uri=uri, Metadata="")
        self("Receiver", "Play")

    def heard(self):
        """When the middles of the pulses were heard."""
        return [self.card.heard_at(frame, RATE, FRAME) for frame in Pulses.middles(self.card.recording)]


@pytest.fixture
def house(tmp_path):
    """A sender's machine and two rooms."""
    with contextlib.ExitStack() as stack:

        def machine():
            made = Machine()
            stack.callback(made.remove)
            return made

        switch = Switch(machine())
        machines = [machine() for _ in range(3)]
        for number, one in enumerate(machines, 1):
            switch.connect(one, "eth0")
            one.ip("address", "add", f"192.0.2.{number}/24", "dev", "eth0")
        rooms = [
            Room(one, f"192.0.2.{number}", tmp_path / name, drift)
            for one, number, name, drift in zip(machines[1:], (2, 3), ("Kitchen", "Study"), (100, -100))
        ]
        for room in rooms:
            stack.callback(lambda room=room: room.renderer.stop())
        yield machines[0], rooms


@pytest.fixture
def sender(house):
    with contextlib.closing(Sender(house[0], "192.0.2.1")) as sender:
        yield sender


def sounds(room, more):
    """Waits until a room has played more pulses."""
    count = len(Pulses.middles(room.card.recording))
    wait_until(lambda: len(Pulses.middles(room.card.recording)) >= count + more)


@pytest.mark.parametrize("channel", [None, 7], ids=["unicast", "multicast"])
def test_two_rooms_hear_the_same(house, channel):
    machine, rooms = house
    with contextlib.closing(Sender(machine, "192.0.2.1", channel=channel)) as sender:
        for room in rooms:
            room.receive(sender.uri)
        for room in rooms:
            wait_until(lambda room=room: room.state == "Playing")
            sounds(room, 12)
        first, second = (room.heard() for room in rooms)
        pairs = [(time, min(second, key=lambda other: abs(other - time))) for time in first]
        apart = sorted(abs(one - other) * 1000 for one, other in pairs if abs(one - other) < 0.1)
        assert len(apart) >= 8
        assert apart[len(apart) // 2] < APART, apart
        assert rooms[0]("Info", "Track")["Uri"] == "http://192.0.2.200/pulses.wav"
        sender.describe("Another title")
        wait_until(lambda: rooms[1]("Info", "Metatext")["Value"] == "Another title")


def test_lost_frames_are_sent_again(house, sender):
    room = house[1][0]
    room.receive(sender.uri)
    sounds(room, 2)
    with sender.dropping(lambda number: number % 20 == 0):
        sounds(room, 8)
    assert any(kind == 7 for kind, _ in sender.messages)


def test_a_pause_of_the_sender_is_waited_for(house, sender):
    room = house[1][0]
    room.receive(sender.uri)
    sounds(room, 2)
    sender.pause()
    wait_until(lambda: room.state == "Waiting")
    sender.resume()
    wait_until(lambda: room.state == "Playing")
    sounds(room, 2)
    room("Receiver", "Stop")
    assert room.state == "Stopped"
    wait_until(lambda: not sender.listeners)


def test_a_sender_that_vanishes_is_waited_for(house):
    machine, rooms = house
    room = rooms[0]
    sender = Sender(machine, "192.0.2.1", channel=8)
    with contextlib.closing(sender):
        room.receive(sender.uri)
        sounds(room, 2)
    wait_until(lambda: room.state != "Playing")
    with contextlib.closing(Sender(machine, "192.0.2.1", channel=8)):
        wait_until(lambda: room.state == "Playing")
        sounds(room, 2)


def test_a_sender_survives_a_restart_of_the_room(house, sender):
    room = house[1][0]
    room.receive(sender.uri)
    sounds(room, 2)
    room.renderer.stop()
    room.start()
    assert room("Receiver", "Sender")["Uri"] == sender.uri
    wait_until(lambda: room.state == "Playing")
    room("Receiver", "Stop")
    room.renderer.stop()
    room.start()
    assert room.state == "Stopped"
