#!/usr/bin/env python3
"""Behaves like librespot with `--backend pipe` and `--onevent`: it writes as fast as it can, and reports events.

librespot itself needs an account. The folder in LIBRESPOT_FOLDER controls it: `play` plays, and without it it pauses.
"""

import argparse
import os
import pathlib
import subprocess
import time

from program_source import pcm
from songcast_sender import RATE, Pulses

TRACK = {
    "ITEM_TYPE": "Track", "TRACK_ID": "1", "URI": "spotify:track:1", "NAME": "Rock & Roll", "ARTISTS": "One\nTwo",
    "ALBUM": "First", "COVERS": "http://192.0.2.1/large\nhttp://192.0.2.1/small", "DURATION_MS": "200000",
}  # fmt: skip


def main():
    parser = argparse.ArgumentParser()
    for option in ("name", "backend", "format", "bitrate", "volume-ctrl", "initial-volume", "onevent"):
        parser.add_argument(f"--{option}", required=True)
    parser.add_argument("--disable-audio-cache", action="store_true")
    options = parser.parse_args()
    assert (options.backend, options.format) == ("pipe", "S16")
    folder = pathlib.Path(os.environ["LIBRESPOT_FOLDER"])

    def event(name, **values):
        # Like librespot, it splits at blanks, and the program has its standard output.
        subprocess.run(options.onevent.split(), env={**os.environ, "PLAYER_EVENT": name, **values}, check=True)

    is_playing, position, pulses = False, 0, Pulses()
    while True:
        if (folder / "play").exists() != is_playing:
            is_playing = not is_playing
            if is_playing and not position:
                event("track_changed", **TRACK)
            event("playing" if is_playing else "paused", TRACK_ID="1", POSITION_MS=str(position * 1000 // RATE))
        if not is_playing:
            time.sleep(0.01)
            continue
        data = pcm(pulses, position, 1024)
        while data:
            data = data[os.write(1, data) :]
        position += 1024


if __name__ == "__main__":
    main()
