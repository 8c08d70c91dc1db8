"""The cost of the equalizer: ten bands on two channels at 192 kHz."""

import contextlib
import json
import pathlib
import subprocess
import time
import urllib.request

import measure
import renderers

RATE = 192_000
BANDS = [
    {"kind": "low_shelf", "frequency": 60, "gain": 4, "q": 0.7},
    *({"kind": "peak", "frequency": 100 * 2**step, "gain": (-1) ** step * 3, "q": 1.4} for step in range(8)),
    {"kind": "high_shelf", "frequency": 8000, "gain": -3, "q": 0.7},
]
SECONDS = 20


def make_wav(path):
    """Two minutes of noise with 24 bits."""
    pipeline = (
        f"audiotestsrc wave=pink-noise samplesperbuffer={RATE // 10} num-buffers=1200 "
        f"! audio/x-raw,format=S24LE,rate={RATE},channels=2 ! wavenc ! filesink location={path}"
    )
    subprocess.run(["gst-launch-1.0", "--quiet", *pipeline.split()], check=True)


def figures(network, folder, uri):
    """The CPU time of playback without and with the equalizer, and the difference; also with only the volume changed, which
    converts the samples to 64-bit floating point too."""
    found = {}
    with contextlib.closing(renderers.swiftlet(network, folder)) as renderer:
        location = renderer.find()
        device = network.asker.do(lambda: measure.Device(location))
        page = location.split("/renderer/")[0]

        def post(path, **body):
            request = urllib.request.Request(
                f"{page}/api/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
            )
            network.asker.do(lambda: urllib.request.urlopen(request, timeout=10).read())

        def start():
            device.call("AVTransport", "SetAVTransportURI", InstanceID=0, CurrentURI=uri, CurrentURIMetaData="")
            device.call("AVTransport", "Play", InstanceID=0, Speed=1)

        network.asker.do(start)
        time.sleep(15)  # until the buffer is full
        found["192 kHz, unchanged samples, % of a core"] = measure.cpu(renderer.pids, SECONDS)
        post("volume", level=50)
        time.sleep(2)
        found["192 kHz, software volume, % of a core"] = measure.cpu(renderer.pids, SECONDS)
        assert len(BANDS) == 10
        post("equalizer", on=True, bands=BANDS)
        time.sleep(2)
        found["192 kHz, software volume and ten bands, % of a core"] = measure.cpu(renderer.pids, SECONDS)
    rows = list(found.values())
    found["ten bands alone, % of a core"] = rows[2] - rows[1]
    return found


def table(found):
    return "\n".join(["| equalizer | |", "|---|---|", *(f"| {row} | {value:.2f} |" for row, value in found.items())])


def main():
    """Measures only this: `.venv/bin/python Benchmarks/equalizer.py`."""
    import tempfile  # noqa: PLC0415

    from processes import MEDIA_SERVER, Process  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder, contextlib.closing(renderers.Network()) as network:
        make_wav(f"{folder}/noise.wav")
        server = Process(*network.asker.command(MEDIA_SERVER, "--folder", folder, "--host", renderers.ASKER))
        uri = server.wait_for(r"http://[\d.]+:\d+").group() + "/noise.wav"
        print(table(figures(network, pathlib.Path(folder) / "equalizer", uri)))


if __name__ == "__main__":
    main()
