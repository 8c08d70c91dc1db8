"""The cost of a long OpenHome playlist."""

import base64
import contextlib
import statistics
import struct
import time
import xml.etree.ElementTree as ET

import measure
import renderers

SOURCE = "urn:av-openhome-org:device:Source:1"
METADATA = (
    '<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/">'
    '<item id="{0}" parentID="0" restricted="1"><dc:title>Title {0} &amp; more</dc:title>{1}</item></DIDL-Lite>'
)
#: Metadata of about a kilobyte, like that of media servers.
FILLING = "".join(f"<dc:description>Part {n} of what is said of a track</dc:description>" for n in range(12))


def metadata(number):
    return METADATA.format(number, FILLING)


def insert(device, after, count, first):
    """Inserts tracks one by one; returns the last id and the median time, ms."""
    times = []
    for number in range(first, first + count):
        start = time.perf_counter()
        data = device.call(
            "Playlist", "Insert", AfterId=after, Uri=f"http://host/{number}.flac", Metadata=metadata(number)
        )
        times.append((time.perf_counter() - start) * 1000)
        after = int(data.split(b"<NewId>")[1].split(b"<")[0])
    return after, statistics.median(times), count / (sum(times) / 1000)


def ids(device):
    array = ET.fromstring(device.call("Playlist", "IdArray")).findtext(".//Array")
    data = base64.b64decode(array)
    return struct.unpack(f">{len(data) // 4}I", data)


def figures(network, folder):
    found = {}

    def measure_playlist(renderer):
        device = measure.Device(renderer.find(SOURCE))
        time.sleep(3)
        idle = measure.private_memory(renderer.pids)
        last, short, _ = insert(device, 0, 200, 0)
        last, _, found["inserts, 1/s"] = insert(device, last, 9800, 200)
        time.sleep(3)
        inside = 10000 * len(metadata(9999).encode()) / 1e6
        found["memory of 10 000 tracks beyond their metadata, kB a track"] = (
            (measure.private_memory(renderer.pids) - idle - inside) * 1000 / 10000
        )
        last, _, _ = insert(device, last, 6000, 10000)
        _, long, _ = insert(device, ids(device)[8000], 200, 16000)
        found["insert into 16 000 tracks / into 100, time"] = long / short
        wanted = " ".join(map(str, ids(device)[:1000]))
        times = []
        for _ in range(7):
            start = time.perf_counter()
            device.call("Playlist", "ReadList", IdList=wanted)
            times.append((time.perf_counter() - start) * 1000)
        found["ReadList of 1000, p50, ms"] = statistics.median(times)
        return len(ids(device))

    with contextlib.closing(renderers.swiftlet(network, folder)) as renderer:
        count = network.asker.do(lambda: measure_playlist(renderer))
    # From the start of the program until it prints its address.
    for row, arguments in (("restart with 16 200 tracks, ms", folder), ("start without any, ms", f"{folder}-empty")):
        start = time.monotonic()
        with contextlib.closing(renderers.swiftlet(network, arguments)) as renderer:
            renderer.wait_for(r"http://\S+")
            found[row] = (time.monotonic() - start) * 1000
            if row.startswith("restart"):
                kept = network.asker.do(lambda: len(ids(measure.Device(renderer.find(SOURCE)))))
                if kept != count:
                    raise RuntimeError(f"Only {kept} of {count} tracks survived the restart.")
    return found


def table(found):
    return "\n".join(["| playlist | |", "|---|---|", *(f"| {row} | {value:.2f} |" for row, value in found.items())])
