"""Compares Swiftlet with other renderers in one run: same machine, same network, same file, one after the other.

Prints figures and ratios (the other renderer's figure divided by Swiftlet's, or the reverse if more is better). The figures
depend on the machine; the ratios hardly do.
"""

import argparse
import contextlib
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import discovery
import equalizer
import library
import load
import measure
import openhome
import renderers

from processes import MEDIA_SERVER, Process  # noqa: E402  (of Tests/interop, by renderers)

#: Name, unit, and whether less is better.
ROWS = [
    ("private memory idle", "MB", True),
    ("private memory playing FLAC", "MB", True),
    ("CPU playing FLAC", "% of a core", True),
    ("wake-ups idle", "1/s", True),
    ("search to first answer, p50", "ms", True),
    ("Play to PLAYING, p50", "ms", True),
    ("SetVolume to event, p50", "ms", True),
    ("200 subscribers: reached", "", False),
    ("200 subscribers: last", "ms", True),
    ("GetPositionInfo, playing", "1/s", False),
    ("GetPositionInfo, playing, 16 connections", "1/s", False),
]


def make_flac(path):
    """Two minutes at 44.1 kHz and 16 bits."""
    pipeline = (
        "audiotestsrc wave=pink-noise samplesperbuffer=4410 num-buffers=1200 "
        f"! audio/x-raw,format=S16LE,rate=44100,channels=2 ! flacenc ! filesink location={path}"
    )
    subprocess.run(["gst-launch-1.0", "--quiet", *pipeline.split()], check=True)


def search_time(renderer, rounds=7):
    times = []
    for _ in range(rounds):
        start = time.monotonic()
        answers = renderer.points.search(mx=1)
        if answers:
            times.append((min(a.heard_at for a in answers) - start) * 1000)
    return sorted(times)[len(times) // 2] if times else None


def play_time(device, uri, rounds=7):
    """Time from sending Play to the first answer with PLAYING."""
    times = []
    for _ in range(rounds):
        device.call("AVTransport", "Stop", InstanceID=0)
        device.call("AVTransport", "SetAVTransportURI", InstanceID=0, CurrentURI=uri, CurrentURIMetaData="")
        start = time.monotonic()
        device.call("AVTransport", "Play", InstanceID=0, Speed=1)
        while time.monotonic() < start + 10:
            if b">PLAYING<" in device.call("AVTransport", "GetTransportInfo", InstanceID=0):
                times.append((time.monotonic() - start) * 1000)
                break
    return sorted(times)[len(times) // 2] if times else None


def figures(name, network, folder, uri):
    """The figures of one renderer by row. Rows that cannot be measured are missing."""
    found = {}
    renderer = renderers.ALL[name](network, folder)
    try:
        device = network.asker.do(lambda: measure.Device(renderer.find()))
        listener = measure.Listener(network.asker)

        def note(row, body):
            try:
                found[row] = body()
            except Exception as error:  # a failed measurement has no figure
                print(f"  {name}: {row}: {error!r}", flush=True)

        time.sleep(5)
        note("private memory idle", lambda: measure.private_memory(renderer.pids))
        note("wake-ups idle", lambda: measure.wakeups(renderer.pids, 10))
        note("search to first answer, p50", lambda: search_time(renderer))
        note("SetVolume to event, p50", lambda: network.asker.do(lambda: measure.volume_to_event(device, listener)))

        def many():
            reached, last = network.asker.do(lambda: measure.many_subscribers(device, listener))
            found["200 subscribers: last"] = last
            return reached

        note("200 subscribers: reached", many)
        note("Play to PLAYING, p50", lambda: network.asker.do(lambda: play_time(device, uri)))
        time.sleep(10)  # until memory that only the start needs has been returned
        note("private memory playing FLAC", lambda: measure.private_memory(renderer.pids))
        note("CPU playing FLAC", lambda: measure.cpu(renderer.pids, 10))
        note(
            "GetPositionInfo, playing, 16 connections",
            lambda: measure.busy_rate(network.asker, device, folder),
        )
        poll = lambda: device.call("AVTransport", "GetPositionInfo", InstanceID=0)  # noqa: E731
        note("GetPositionInfo, playing", lambda: network.asker.do(lambda: measure.rate(poll)))
        listener.close()
    finally:
        renderer.close()
    return found


def text(value):
    return "–" if value is None else f"{value:.0f}" if value >= 100 else f"{value:.1f}"


def table(results):
    peers = [name for name in results if name != "swiftlet"]
    lines = ["| | swiftlet | " + " | ".join(f"{p} | ratio" for p in peers) + " |"]
    lines.append("|---|" + "---|" * (1 + 2 * len(peers)))
    for row, unit, less_is_better in ROWS:
        ours = results["swiftlet"].get(row)
        cells = [text(ours)]
        for peer in peers:
            theirs = results[peer].get(row)
            ratio = None
            if ours and theirs:
                ratio = theirs / ours if less_is_better else ours / theirs
            cells += [text(theirs), "–" if ratio is None else f"{ratio:.2f}"]
        lines.append(f"| {row}{', ' + unit if unit else ''} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("names", nargs="*", help="renderers to compare; default: all that are installed")
    arguments.add_argument("--no-playlist", action="store_true", help="leave out the measurement of the playlist")
    arguments.add_argument("--no-equalizer", action="store_true", help="leave out the cost of the equalizer")
    arguments.add_argument("--no-discovery", action="store_true", help="leave out swiftlet-control among many devices")
    arguments.add_argument("--no-library", action="store_true", help="leave out the scan of the music library")
    arguments.add_argument("--no-load", action="store_true", help="leave out open pages, floods and the small machine")
    arguments.add_argument(
        "--core", type=int, default=12, metavar="PERCENT", help="the small machine's share of a core; default: 12"
    )
    options = arguments.parse_args()
    names = ["swiftlet"] + [n for n in options.names or renderers.ALL if n != "swiftlet"]
    # SIGTERM also removes the machines and ends their processes.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(renderers.Network()) as network:
        make_flac(f"{folder}/noise.flac")
        server = Process(*network.asker.command(MEDIA_SERVER, "--folder", folder, "--host", renderers.ASKER))
        uri = server.wait_for(r"http://[\d.]+:\d+").group() + "/noise.flac"
        results = {}
        for name in names:
            print(f"{name} …", flush=True)
            results[name] = figures(name, network, pathlib.Path(folder) / name, uri)
        print("\nRatios above 1 are in swiftlet's favour.\n\n" + table(results))
        if not options.no_equalizer:
            equalizer.make_wav(f"{folder}/noise.wav")
            sound = uri.replace("noise.flac", "noise.wav")
            print("\n" + equalizer.table(equalizer.figures(network, pathlib.Path(folder) / "equalizer", sound)))
        if not options.no_playlist:
            print("\n" + openhome.table(openhome.figures(network, pathlib.Path(folder) / "playlist")))
        if not options.no_discovery:
            found = discovery.figures(network) | discovery.now_figures(network, pathlib.Path(folder) / "now")
            print("\n" + discovery.table(found))
        if not options.no_library:
            load.make_flac(f"{folder}/long.flac", 96_000, seconds=600)
            found = library.measured(network, pathlib.Path(folder) / "library", uri.replace("noise", "long"))
            print("\n" + library.table(found))
        if not options.no_load:
            print("\n" + load.table(load.figures(network, pathlib.Path(folder) / "load", percent=options.core)))


if __name__ == "__main__":
    main()
