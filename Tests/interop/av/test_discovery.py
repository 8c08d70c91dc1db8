"""SSDP searches and announcements, received by async-upnp-client."""

import asyncio
import signal

import pytest
from async_upnp_client.advertisement import SsdpAdvertisementListener
from async_upnp_client.search import async_search

import soap
from controller import LOOPBACK
from devices import DEVICES, RENDERER, SERVICES, SOURCE
from processes import EXIT_LIMIT, PATIENCE


@pytest.fixture
def renderer(shared_renderer):
    return shared_renderer


def location(renderer, device):
    return {"av": renderer.description_url, "openhome": renderer.openhome_url}[device]


async def search(target, wanted):
    """Searches until this location answers; returns its answers by ST. Repeats, because datagrams may be lost."""
    answers = {}

    async def on_response(headers):
        if headers["LOCATION"] == wanted:
            answers[headers["ST"]] = headers

    async with asyncio.timeout(PATIENCE):
        while not answers:
            await async_search(on_response, timeout=1, search_target=target, source=LOOPBACK)
    return answers


#: Controllers also search for version 1 of services that have version 4.
SEARCHES = [("av", target) for target in ("upnp:rootdevice", RENDERER, *SERVICES)] + [
    ("openhome", target)
    for target in (
        "upnp:rootdevice", SOURCE, "urn:av-openhome-org:service:Product:1", "urn:av-openhome-org:service:Product:4",
        "urn:av-openhome-org:service:Volume:3", "urn:av-openhome-org:service:Time:1",
    )
]


@pytest.mark.parametrize(("device", "target"), SEARCHES)
async def test_a_search_for_a_type_is_answered(renderer, device, target):
    answers = await search(target, location(renderer, device))
    assert set(answers) == {target}
    answer = answers[target]
    assert answer["USN"].startswith("uuid:") and answer["USN"].endswith(f"::{target}")
    assert "max-age" in answer["CACHE-CONTROL"]
    assert "UPnP/1." in answer["SERVER"]
    assert answer["EXT"] == ""


@pytest.mark.parametrize("device", DEVICES)
async def test_a_search_for_all_returns_every_type(renderer, device):
    answers = await search("ssdp:all", location(renderer, device))
    udn = answers["upnp:rootdevice"]["USN"].split("::")[0]
    assert set(answers) == {"upnp:rootdevice", udn, *DEVICES[device]}


@pytest.mark.parametrize("device", DEVICES)
async def test_a_search_for_the_uuid_is_answered(renderer, device):
    url, own_type = location(renderer, device), DEVICES[device][0]
    udn = (await search(own_type, url))[own_type]["USN"].split("::")[0]
    assert set(await search(udn, url)) == {udn}


async def test_the_two_devices_have_different_uuids(renderer):
    names = [
        (await search(own_type, location(renderer, device)))[own_type]["USN"].split("::")[0]
        for device, (own_type, *_) in DEVICES.items()
    ]
    assert len(set(names)) == 2


async def test_start_sends_alive_and_exit_sends_byebye(start):
    alive, gone = {}, {}
    changed = asyncio.Event()

    def record(where):
        def on_advertisement(headers):
            where[headers["USN"]] = headers
            changed.set()

        return on_advertisement

    async def wait_for(condition):
        async with asyncio.timeout(PATIENCE):
            while not condition():
                changed.clear()
                await changed.wait()

    listener = SsdpAdvertisementListener(on_alive=record(alive), on_byebye=record(gone), source=LOOPBACK)
    await listener.async_start()
    try:
        renderer = start()
        everything = set()
        for device, types in DEVICES.items():
            url = await asyncio.to_thread(location, renderer, device)
            udn = await asyncio.to_thread(soap.udn, url)
            its = {udn} | {f"{udn}::{target}" for target in ("upnp:rootdevice", *types)}
            await wait_for(lambda: its <= set(alive))
            assert {alive[usn]["LOCATION"] for usn in its} == {url}
            everything |= its

        status, seconds = await asyncio.to_thread(renderer.stop, signal.SIGTERM)
        await wait_for(lambda: everything <= set(gone))
        assert status == 0
        assert seconds < EXIT_LIMIT
    finally:
        await listener.async_stop()
