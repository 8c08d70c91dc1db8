"""A line that is hardly fast enough, and loses packets."""

import asyncio
import os
import subprocess
import time
import wave

import pytest

import network
import soap
from link import BadLink
from processes import MEDIA_SERVER, PATIENCE, Process, Renderer

# Where CI runs nothing is left out: what cannot be had fails there.
pytestmark = pytest.mark.skipif(
    not os.environ.get("CI") and not network.are_available(), reason="network namespaces need root"
)

#: How much is listened to; SWIFTLET_BAD_LINE=60 is the long run.
SECONDS = int(os.environ.get("SWIFTLET_BAD_LINE", "15"))
SPEED, LOSS = 1.2, 0.05


@pytest.fixture
def music(tmp_path, fixtures):
    """A folder with a FLAC file of so many seconds, and its samples."""
    fixture = fixtures["noise12-44100-16-2-30s.wav"]
    samples = (fixture.pcm() * (SECONDS // 30 + 1))[: SECONDS * fixture.bytes_per_second]
    folder = tmp_path / "music"
    folder.mkdir()
    with wave.open(str(tmp_path / "music.wav"), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(fixture.rate)
        file.writeframes(samples)
    subprocess.run(["flac", "--totally-silent", "-o", folder / "music.flac", tmp_path / "music.wav"], check=True)
    return folder, samples


@pytest.fixture
def machines(music):
    """The renderer's machine and the server's."""
    here, there = network.Machine(), network.Machine()
    bit_rate = (music[0] / "music.flac").stat().st_size * 8 / SECONDS
    link = BadLink(here, there, bit_rate * SPEED, LOSS)
    yield here, there
    link.close()
    here.remove()
    there.remove()


async def test_no_dropout(tmp_path, music, machines, capture):
    here, there = machines
    folder, samples = music
    server = Process(*there.command(MEDIA_SERVER, "--folder", str(folder), "--host", "10.9.1.2"))
    renderer = Renderer(tmp_path / "state", output=capture.output, before=here.command())
    try:
        url = server.wait_for(r"http://10\.9\.1\.2:\d+").group() + "/music.flac"
        services = here.do(lambda: soap.services(renderer.description_url))

        def ask(action, *arguments, service="AVTransport"):
            status, _, body = here.do(
                lambda: soap.call(services[service], action, (("InstanceID", 0), *arguments)))
            assert status == 200, body
            return body.decode()

        ask("SetVolume", ("Channel", "Master"), ("DesiredVolume", 100), service="RenderingControl")
        ask("SetAVTransportURI", ("CurrentURI", url), ("CurrentURIMetaData", ""))
        ask("Play", ("Speed", 1))
        states = []
        end = time.monotonic() + SECONDS + PATIENCE
        while states[-1:] != ["STOPPED"]:
            assert time.monotonic() < end, states
            await asyncio.sleep(0.1)
            state = ask("GetTransportInfo").split("<CurrentTransportState>")[1].split("<")[0]
            if states[-1:] != [state]:
                states.append(state)
    finally:
        for process in (renderer, server):
            process.stop()
    assert states == ["TRANSITIONING", "PLAYING", "STOPPED"]
    assert capture.read() == samples
