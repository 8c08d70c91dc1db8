"""Found, and gone again: SSDP as a controller sees it."""

import asyncio
import signal

import pytest
from async_upnp_client.advertisement import SsdpAdvertisementListener
from async_upnp_client.search import async_search

from controller import LOOPBACK
from processes import PATIENCE

RENDERER = "urn:schemas-upnp-org:device:MediaRenderer:1"
SERVICES = [
    f"urn:schemas-upnp-org:service:{name}:1" for name in ("AVTransport", "RenderingControl", "ConnectionManager")
]


async def search(target, wanted):
    """Searches until the wanted location has answered; its answers by ST. MX is 1 s, and a datagram may be lost."""
    answers = {}

    async def on_response(headers):
        if headers["LOCATION"] == wanted:
            answers[headers["ST"]] = headers

    async with asyncio.timeout(PATIENCE):
        while not answers:
            await async_search(on_response, timeout=1, search_target=target, source=LOOPBACK)
    return answers


@pytest.mark.parametrize("target", ["upnp:rootdevice", RENDERER, *SERVICES])
async def test_answers_a_search(renderer, target):
    answers = await search(target, renderer.description_url)
    assert set(answers) == {target}
    answer = answers[target]
    assert answer["USN"].startswith("uuid:") and answer["USN"].endswith(f"::{target}")
    assert "max-age" in answer["CACHE-CONTROL"]
    assert "UPnP/1." in answer["SERVER"]
    assert answer["EXT"] == ""


async def test_answers_a_search_for_all_with_everything(renderer):
    answers = await search("ssdp:all", renderer.description_url)
    udn = answers["upnp:rootdevice"]["USN"].split("::")[0]
    assert set(answers) == {"upnp:rootdevice", udn, RENDERER, *SERVICES}


async def test_answers_a_search_for_its_own_name(renderer):
    udn = (await search(RENDERER, renderer.description_url))[RENDERER]["USN"].split("::")[0]
    assert set(await search(udn, renderer.description_url)) == {udn}


async def test_says_hello_and_goodbye(start, controlling):
    alive, gone = {}, {}
    changed = asyncio.Event()

    def heard(where):
        def on_advertisement(headers):
            where[headers["USN"]] = headers
            changed.set()

        return on_advertisement

    async def wait_for(condition):
        async with asyncio.timeout(PATIENCE):
            while not condition():
                changed.clear()
                await changed.wait()

    listener = SsdpAdvertisementListener(on_alive=heard(alive), on_byebye=heard(gone), source=LOOPBACK)
    await listener.async_start()
    try:
        renderer = start()
        location = await asyncio.to_thread(lambda: renderer.description_url)
        async with controlling(location, subscribed=False) as controller:
            udn = controller.dmr.udn
        everything = {udn} | {f"{udn}::{target}" for target in ("upnp:rootdevice", RENDERER, *SERVICES)}
        await wait_for(lambda: everything <= set(alive))
        assert {alive[usn]["LOCATION"] for usn in everything} == {location}

        status, seconds = await asyncio.to_thread(renderer.stop, signal.SIGTERM)
        await wait_for(lambda: everything <= set(gone))
        assert status == 0
        assert seconds < 3
    finally:
        await listener.async_stop()
