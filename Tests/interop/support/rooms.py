"""Speakers in several rooms, each with a sound card that has a clock of its own."""

import contextlib
import os
import pathlib
import re
import subprocess
import time

import soap
from network import BadLine, Machine, NetworkedRenderer, Switch
from processes import PATIENCE, SWIFTLET, wait_until
from songcast_sender import RATE, Pulses
from sound_card import Card

#: The format of the cards' recordings: 32 bits, two channels.
FRAME = 8


class Room:
    """A speaker whose card has a clock of its own."""

    def __init__(self, machine, address, folder, drift, songcast, switch, port):
        self.machine = machine
        self.address = address
        self._switch, self._port = switch, port
        folder.mkdir()
        (folder / "swiftlet.toml").write_text(f'songcast = "{songcast}"\n')
        self.card = Card(folder, formats="S32_LE", drift=drift)
        self.card.mark("timeline")
        self._folder = folder
        self._base = f"http://{address}:49494"
        self.start()

    def start(self):
        options = ("--config", str(self._folder / "swiftlet.toml"), "--port", "49494", "--status-socket", str(self._folder / "status"))
        self.renderer = NetworkedRenderer(
            self.machine, self._folder / "state", name=self._folder.name, before=self.card.environment(),
            more=("--output", self.card.output, *options),
        )
        self.renderer.wait_for("On eth0")

    def __call__(self, service, action, device="openhome", **arguments):
        url = f"{self._base}/{device}/description.xml"
        return self.machine.do(lambda: soap.Service(url, service)(action, **arguments))

    @property
    def state(self):
        return self("Receiver", "TransportState")["Value"]

    @property
    def status(self):
        """What `swiftlet status` prints."""
        command = (SWIFTLET, "status", "--config", "/dev/null", "--status-socket", str(self._folder / "status"))
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout

    def receive(self, uri):
        self("Volume", "SetVolume", Value=100)
        self("Receiver", "SetSender", Uri=uri, Metadata="")
        self("Receiver", "Play")

    def pull_cable(self):
        self._switch.pull(self._port)

    def plug_cable(self):
        self._switch.plug(self._port)

    @property
    def puts_sound_first(self):
        """Whether the event loop gets the processor before other programs."""
        tasks = pathlib.Path(f"/proc/{self.renderer.process.pid}/task").iterdir()
        loops = [int(task.name) for task in tasks if (task / "comm").read_text().startswith("NIO-ELT")]
        return any(os.sched_getscheduler(loop) & ~os.SCHED_RESET_ON_FORK == os.SCHED_RR for loop in loops)

    @property
    def lost_packets(self):
        lost = re.search(r"(\d+) packets lost", self.status)
        return int(lost.group(1)) if lost else 0

    def heard(self):
        """When the middles of the pulses were heard."""
        return [self.card.heard_at(frame, RATE, FRAME) for frame in Pulses.middles(self.card.recording)]

    def is_sounding(self):
        """Whether it plays pulses within a second."""
        count = len(self.card.recording)
        time.sleep(1)
        return len(self.card.recording) > count

    def sounds(self, more):
        """Waits until it has played more pulses."""
        count = len(Pulses.middles(self.card.recording))
        # On a very busy machine much of it is silence.
        wait_until(lambda: len(Pulses.middles(self.card.recording)) >= count + more, 3 * PATIENCE)


@contextlib.contextmanager
def house(folder, drifts, songcast="unicast", line=None):
    """A machine 192.0.2.1, and one for each room, from 192.0.2.2 on.

    The drifts of the rooms' cards are in parts per million. `line` has the arguments of BadLine for all rooms but the first.
    """
    with contextlib.ExitStack() as stack:

        def machine():
            made = Machine()
            stack.callback(made.remove)
            return made

        switch = Switch(machine())
        machines = [machine() for _ in range(len(drifts) + 1)]
        rooms = []
        for number, one in enumerate(machines, 1):
            if line and number > 2:
                bad = BadLine(machine(), one, switch, **line)
                stack.callback(bad.stop)
                port = bad.port
            else:
                port = switch.connect(one, "eth0")
            address = f"192.0.2.{number}"
            one.ip("address", "add", f"{address}/24", "dev", "eth0")
            if number > 1:
                rooms.append(Room(one, address, folder / f"room{number}", drifts[number - 2], songcast, switch, port))
                stack.callback(lambda room=rooms[-1]: room.renderer.stop())
        yield machines[0], rooms


def apart(first, second):
    """How far apart two rooms heard the same pulses, in milliseconds."""
    pairs = [(time, min(second, key=lambda other: abs(other - time))) for time in first]
    return [abs(one - other) * 1000 for one, other in pairs if abs(one - other) < 0.1]
