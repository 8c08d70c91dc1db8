#!/usr/bin/env python3
"""Shows that PulseAudio loses sound when playback is paused: `pause.py [runs]`.

Plays two seconds of sound by GStreamer's two sinks and by ALSA's library, without pauses and with three. No code of
Swiftlet is involved. Every frame of the sound is numbered, so that the missing ones can be listed.
Needs gcc, libgstreamer1.0-dev, libasound2-dev, pulseaudio and libasound2-plugins.
"""
import array
import os
import subprocess
import sys
import tempfile
import time

RATE, SECONDS = 48_000, 2
PLAYERS = [
    ("pause_gstreamer", "pulsesink"), ("pause_gstreamer", "alsasink device=pulse_plugin"),
    ("pause_alsa", "pulse_plugin"),
]


def build(folder):
    here = os.path.dirname(os.path.abspath(__file__))
    for name, library in [("pause_gstreamer", "gstreamer-1.0"), ("pause_alsa", "alsa")]:
        flags = subprocess.check_output(["pkg-config", "--cflags", "--libs", library], text=True).split()
        subprocess.check_call(["gcc", "-O1", f"{here}/{name}.c", "-o", f"{folder}/{name}", *flags])


def play(folder, program, sink, pauses):
    """Returns the numbers of the played frames, and the output of the program."""
    environment = dict(
        os.environ, HOME=folder, XDG_RUNTIME_DIR=folder, PULSE_SERVER=f"unix:{folder}/socket",
        ALSA_CONFIG_PATH=f"{folder}/asoundrc")
    server = subprocess.Popen(
        ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1",
         "-L", f"module-native-protocol-unix socket={folder}/socket auth-anonymous=1",
         "-L", f"module-pipe-sink file={folder}/pipe rate={RATE} channels=2 format=s16le"
         " use_system_clock_for_timing=yes"],
        env=environment, stderr=subprocess.DEVNULL)
    recorder = None
    try:
        while not (os.path.exists(f"{folder}/socket") and os.path.exists(f"{folder}/pipe")):
            time.sleep(0.01)
        with open(f"{folder}/recording", "wb") as recording:
            recorder = subprocess.Popen(["cat", f"{folder}/pipe"], stdout=recording)
        while os.path.getsize(f"{folder}/recording") == 0:
            time.sleep(0.01)
        output = subprocess.check_output(
            [f"{folder}/{program}", f"{folder}/sound", sink, *map(str, pauses)], env=environment, text=True,
            stderr=subprocess.DEVNULL).strip()
        enough = os.path.getsize(f"{folder}/recording") + RATE * 4
        while os.path.getsize(f"{folder}/recording") < enough:
            time.sleep(0.01)
    finally:
        for process in [recorder, server]:
            if process:
                process.kill()
                process.wait()
        for name in ["socket", "pipe"]:
            if os.path.exists(f"{folder}/{name}"):
                os.unlink(f"{folder}/{name}")
    with open(f"{folder}/recording", "rb") as recording:
        data = recording.read()
    frames = array.array("I", data[: len(data) // 4 * 4])
    return [frame for frame in frames if frame], output


def missing(played):
    """The ranges of missing frames in milliseconds. The first frame is ignored: GStreamer 1.22 always drops it."""
    numbers = sorted({number for number in played if 1 < number <= RATE * SECONDS})
    ranges, last = [], 1
    for number in [*numbers, RATE * SECONDS + 1]:
        if number > last + 1:
            ranges.append(f"{last / 48:.1f}–{(number - 1) / 48:.1f}")
        last = number
    return ranges


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as folder:
        build(folder)
        with open(f"{folder}/sound", "wb") as sound:
            array.array("I", range(1, RATE * SECONDS + 1)).tofile(sound)
        with open(f"{folder}/asoundrc", "w") as asoundrc:
            asoundrc.write(
                "</usr/share/alsa/alsa.conf>\n"
                f'pcm.pulse_plugin {{ type pulse server "unix:{folder}/socket" }}\n')
        for program, sink in PLAYERS:
            for pauses in [[], [300, 700, 1200]]:
                losses = 0
                for _ in range(runs):
                    played, output = play(folder, program, sink, pauses)
                    if lost := missing(played) + ([] if output == "eos" else [output]):
                        losses += 1
                        print(f"  {program} {sink}, {len(pauses)} pauses: missing ms {', '.join(lost)}", flush=True)
                print(f"{program} {sink}, {len(pauses)} pauses: {losses} of {runs} runs lost sound", flush=True)


main()
