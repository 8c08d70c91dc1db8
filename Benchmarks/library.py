"""Measures the music library of a playing speaker: its first scan, whether the music suffers, and how fast lists are answered.

The files are made by `library_files`. Reading them takes little time in this measurement: they are in the page cache, and small.
"""

import argparse
import contextlib
import json
import pathlib
import statistics
import time

import library_files
import load
import measure
import renderers

TRACKS = 50_000
LISTS = ["0", "albums", "artists", "genres", "recent", "tracks", "folders"]
ITEMS = 'upnp:class derivedfrom "object.item.audioItem"'
SEARCHES = [
    f'{ITEMS} and dc:title contains "amber"',
    'upnp:class derivedfrom "object.container.album" and upnp:artist contains "ow"',
    f'(dc:title contains "stone" or upnp:artist contains "stone") and {ITEMS}',
    f'{ITEMS} and dc:title contains "e"',
    f'{ITEMS} and @refID exists false',
]


def library(device):
    return json.loads(device.request("GET", "/api/health")[1]).get("library")


def has_scanned(device):
    report = library(device)
    return report.get("last_scan") and not report["scanning"]


def wait_for_scan(network, device, seconds=900):
    end = time.monotonic() + seconds
    while not network.asker.do(lambda: has_scanned(device)):
        if time.monotonic() > end:
            raise RuntimeError(f"no scan within {seconds} s: {network.asker.do(lambda: library(device))}")
        time.sleep(0.2)


def idle_memory(network, folder, more=()):
    """Private memory of a speaker that has scanned its folders, if it has any, and does nothing."""
    with contextlib.closing(renderers.swiftlet(network, folder, more=more)) as renderer:
        device = network.asker.do(lambda: measure.Device(renderer.find()))
        if more:
            wait_for_scan(network, device)
        time.sleep(10)  # until memory that only the start needs has been returned
        return measure.private_memory(renderer.pids)


def longest(device, call, requests, rounds=7):
    """The median time of the slowest request, ms, and the request."""
    times = []
    for request in requests:
        durations = []
        for _ in range(rounds):
            start = time.monotonic()
            call(request)
            durations.append((time.monotonic() - start) * 1000)
        times.append((statistics.median(durations), request))
    return max(times)


def answers(base, found):
    device = measure.Device(f"{base}/library/description.xml")
    page = {"Filter": "*", "StartingIndex": 0, "RequestedCount": 100, "SortCriteria": ""}

    def browse(container):
        device.call("ContentDirectory", "Browse", ObjectID=container, BrowseFlag="BrowseDirectChildren", **page)

    def search(criteria):
        device.call("ContentDirectory", "Search", ContainerID="0", SearchCriteria=criteria, **page)

    duration, slowest = longest(device, browse, LISTS)
    found[f"100 entries of the slowest list ({slowest}), p50, ms"] = duration
    for criteria in SEARCHES:
        found[f"search: {criteria}, p50, ms"] = longest(device, search, [criteria])[0]
    device.close()


def figures(network, folder, uri, music):
    """The figures of a speaker with these folders of music, which plays the file at `uri` while it scans."""
    found = {"idle without folders: private memory, MB": idle_memory(network, folder / "none")}
    with load.speaker(network, folder / "playing", uri, more=("--library-folder", str(music))) as speaker:
        wait_for_scan(network, speaker.device)
        report = network.asker.do(lambda: library(speaker.device))
        found[f"first scan of {report['tracks']} tracks while FLAC plays, s"] = report["scan_time"]
        found["underruns in this time"] = speaker.underruns()
        found["peak memory of the playing speaker, MB"] = measure.peak_memory(speaker.renderer.pids)
        before = speaker.underruns()
        network.asker.do(lambda: answers(f"http://{speaker.address}", found))
        found["underruns while lists and searches are answered"] = speaker.underruns() - before
    more = ("--library-folder", str(music))
    idle_memory(network, folder / "idle", more)  # writes the index
    found["idle with these tracks: private memory, MB"] = idle_memory(network, folder / "idle", more)
    return found


def table(found):
    return "\n".join(["| library | |", "|---|---|", *(f"| {row} | {value:.1f} |" for row, value in found.items())])


def measured(network, folder, uri, tracks=TRACKS):
    music = folder / "music"
    library_files.make(music, tracks)
    return figures(network, folder, uri, music)


def main():
    """Measures only this: `.venv/bin/python Benchmarks/library.py`."""
    import tempfile  # noqa: PLC0415

    from processes import MEDIA_SERVER, Process  # noqa: PLC0415

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tracks", type=int, default=TRACKS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(renderers.Network()) as network:
        load.make_flac(f"{folder}/noise.flac", 96_000, seconds=600)
        server = Process(*network.asker.command(MEDIA_SERVER, "--folder", folder, "--host", renderers.ASKER))
        uri = server.wait_for(r"http://[\d.]+:\d+").group() + "/noise.flac"
        print(table(measured(network, pathlib.Path(folder), uri, options.tracks)))


if __name__ == "__main__":
    main()
