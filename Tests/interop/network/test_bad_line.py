"""Playback and discovery over a slow, lossy link."""

import asyncio
import os
import time

import pytest

import network
import soap
import sound
from devices import ANNOUNCEMENTS, RENDERER
from link import BadLink
from network import NetworkedRenderer
from processes import MEDIA_SERVER, PATIENCE, Process, Renderer

pytestmark = network.needs_namespaces

#: Seconds of music; SWIFTLET_BAD_LINE=60 for the long run.
SECONDS = int(os.environ.get("SWIFTLET_BAD_LINE", "15"))
#: The rate of the link as a multiple of the bit rate of the music, and the share of lost packets.
SPEED, LOSS = 1.2, 0.05
#: Seconds by which a packet may be late before the link counts as slower than that.
LATE = 0.05


@pytest.fixture
def music(tmp_path, fixtures):
    return sound.Music(tmp_path / "music", fixtures, SECONDS)


@pytest.fixture
def machines(music):
    """The renderer's machine, the server's, and the link between them."""
    here, there = network.Machine(), network.Machine()
    link = BadLink(here, there, music.bit_rate * SPEED, LOSS)
    yield here, there, link
    link.close()
    here.remove()
    there.remove()


async def test_playback_survives_a_slow_lossy_link(tmp_path, music, machines, capture):
    here, there, link = machines
    server = Process(*there.command(MEDIA_SERVER, "--folder", str(music.folder), "--host", "198.51.100.2"))
    renderer = Renderer(tmp_path / "state", output=capture.output, before=here.command())
    try:
        url = server.wait_for(r"http://198\.51\.100\.2:\d+").group() + "/music.flac"
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
        end = time.monotonic() + 4 * SECONDS + PATIENCE
        while states[-1:] != ["STOPPED"]:
            assert time.monotonic() < end, states
            await asyncio.sleep(0.1)
            state = ask("GetTransportInfo").split("<CurrentTransportState>")[1].split("<")[0]
            if states[-1:] != [state]:
                states.append(state)
    finally:
        for process in (renderer, server):
            process.stop()
    assert capture.read() == music.samples
    assert set(states) == {"TRANSITIONING", "PLAYING", "STOPPED"}
    # On a machine that delays packets the link is slower than the music.
    if link.latest < LATE:
        assert states == ["TRANSITIONING", "PLAYING", "STOPPED"]


def test_discovery_survives_20_percent_packet_loss(tmp_path, machine, listen):
    """Announcements and searches are repeated, so lost packets only delay discovery."""
    here, there = machine(), machine()
    link = BadLink(here, there, loss=0.2)
    point = listen(there)
    renderer = NetworkedRenderer(here, tmp_path / "state", interfaces=["eth0"])
    try:
        # Each is sent three times. One run in eight loses all copies of one announcement, one in 3000 those of three.
        point.wait(lambda point: len(point.usns("alive")) >= ANNOUNCEMENTS - 2)
        everything = set()
        for _ in range(20):
            everything |= {answer.usn for answer in point.search("ssdp:all")}
            if len(everything) == ANNOUNCEMENTS:
                break
        assert len(everything) == ANNOUNCEMENTS and point.usns("alive") <= everything
        # Repeated messages are identical.
        alive = point.notifications("alive")
        assert len({(message.usn, message.location, message.fields["BOOTID.UPNP.ORG"]) for message in alive}) == len(
            point.usns("alive")
        )
        assert point.find()[0].usn.endswith(RENDERER)
    finally:
        renderer.stop()
        link.close()
