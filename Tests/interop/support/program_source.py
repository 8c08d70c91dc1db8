"""A program that is a source of the speaker: it writes pulses to its standard output. Also a program of its own."""

import array
import json
import os
import pathlib
import sys
import time

from songcast_sender import RATE, Pulses


class Program:
    """The files with which a test controls the program, and its entry in the configuration."""

    def __init__(self, folder, name="Radio set", more="", **options):
        self.folder = folder / name
        self.folder.mkdir(parents=True)
        (self.folder / "options").write_text(json.dumps(options))
        command = json.dumps([sys.executable, __file__, str(self.folder)])
        control = json.dumps([sys.executable, __file__, str(self.folder), "told"])
        self.table = f'[[source]]\nname = "{name}"\ncommand = {command}\ncontrol = {control}\n{more}\n'

    def play(self, is_on=True):
        """Begins to write, or ceases."""
        if is_on:
            (self.folder / "play").touch()
        else:
            (self.folder / "play").unlink(missing_ok=True)

    def say(self, *lines):
        """Says something about the track."""
        (self.folder / "say.new").write_text("".join(f"{line}\n" for line in lines))
        (self.folder / "say.new").rename(self.folder / "say")

    def crash(self):
        (self.folder / "crash").touch()

    def _lines(self, name):
        path = self.folder / name
        return path.read_text().splitlines() if path.exists() else []

    @property
    def written(self):
        """When the middle of each pulse was there to be written: the clock of time.monotonic()."""
        return [float(line) for line in self._lines("written")]

    @property
    def late(self):
        """The most by which the program itself was late, in seconds: the machine gave it no processor."""
        return max((float(line) for line in self._lines("late")), default=0)

    @property
    def told(self):
        """What the speaker has told the program."""
        return self._lines("told")

    @property
    def starts(self):
        return len(self._lines("starts"))


def pcm(pulses, position, count):
    data = array.array("h")
    for part in range(0, count, Pulses.PERIOD):
        data.frombytes(pulses.pcm(position + part, min(count - part, Pulses.PERIOD)))
    data.byteswap()
    return data.tobytes()


def main(folder, drift=0, lump=0.02, is_free=False):
    """Writes in real time by a clock of its own, or as fast as it can (`is_free`)."""
    pulses = Pulses()
    with (folder / "starts").open("a") as starts:
        print(os.getpid(), file=starts)
    print("The program is ready.", file=sys.stderr, flush=True)
    written = (folder / "written").open("a", buffering=1)
    position, start, late = 0, time.monotonic(), 0
    while True:
        if (folder / "crash").exists():
            (folder / "crash").unlink()
            print("Something is wrong.", file=sys.stderr, flush=True)
            sys.exit(3)
        if (folder / "say").exists():
            pathlib.Path(os.environ["SWIFTLET_EVENTS"]).write_text((folder / "say").read_text())
            (folder / "say").unlink()
        if not (folder / "play").exists():
            time.sleep(0.01)
            position, start = 0, time.monotonic()
            continue
        count = int(RATE * lump)
        due = start + (position + count) / RATE / (1 + drift / 1e6)
        while not is_free and (wait := due - time.monotonic()) > 0:
            time.sleep(wait)
        # The last sample of a lump is written as soon as it is there.
        for pulse in range(-(-position // Pulses.PERIOD), -(-(position + count) // Pulses.PERIOD)):
            moment = time.monotonic() if is_free else due - (position + count - pulse * Pulses.PERIOD - Pulses.HALF) / RATE
            print(moment, file=written)
        data = pcm(pulses, position, count)
        while data:
            data = data[os.write(1, data) :]
        position += count
        if not is_free and time.monotonic() - due > late:
            late = time.monotonic() - due
            (folder / "late").write_text(f"{late}\n")


if __name__ == "__main__":
    place = pathlib.Path(sys.argv[1])
    if sys.argv[2:3] == ["told"]:
        with (place / "told").open("a") as told:
            print(*sys.argv[3:], file=told)
    else:
        main(place, **json.loads((place / "options").read_text()))
