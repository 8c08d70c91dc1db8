"""A line that is hardly fast enough, or loses packets."""

import asyncio
import os
import time

import pytest

import network
import soap
import sound
from devices import RENDERER
from link import BadLink
from network import NetworkedRenderer
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
    return sound.Music(tmp_path / "music", fixtures, SECONDS)


@pytest.fixture
def machines(music):
    """The renderer's machine and the server's."""
    here, there = network.Machine(), network.Machine()
    link = BadLink(here, there, music.bit_rate * SPEED, LOSS)
    yield here, there
    link.close()
    here.remove()
    there.remove()


async def test_no_dropout(tmp_path, music, machines, capture):
    here, there = machines
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
    assert capture.read() == music.samples


def test_is_found_where_every_fifth_packet_is_lost(tmp_path, machine, listen):
    """Announcements are repeated, and who searches as often as controllers do is answered."""
    here, there = machine(), machine()
    link = BadLink(here, there, loss=0.2)
    point = listen(there)
    renderer = NetworkedRenderer(here, tmp_path / "state", interfaces=["eth0"])
    try:
        alive = point.wait_for_alive("198.51.100.1")
        # A message that is repeated says the same.
        assert len({(message.usn, message.location, message.fields["BOOTID.UPNP.ORG"]) for message in alive}) == len(
            point.usns("alive")
        )
        everything = set()
        for _ in range(20):
            everything |= {answer.usn for answer in point.search("ssdp:all")}
            if everything == point.usns("alive"):
                break
        assert everything == point.usns("alive")
        assert point.find()[0].usn.endswith(RENDERER)
    finally:
        renderer.stop()
        link.close()
