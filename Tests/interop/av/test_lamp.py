"""Examples/Lamp, a device in a separate package, controlled by async-upnp-client."""

import asyncio
import os
import signal

import pytest
from async_upnp_client.aiohttp import AiohttpRequester
from async_upnp_client.client_factory import UpnpFactory
from async_upnp_client.search import async_search

from controller import LOOPBACK
from processes import EXIT_LIMIT, PATIENCE, ROOT, Process

#: Built by scripts/lamp.sh.
LAMP = os.environ.get("LAMP", str(ROOT / ".build/debug/Lamp"))
BINARY_LIGHT = "urn:schemas-upnp-org:device:BinaryLight:1"
SWITCH_POWER = "urn:schemas-upnp-org:service:SwitchPower:1"


@pytest.fixture
def lamp():
    process = Process(LAMP, "lo")
    yield process
    process.stop()


async def location():
    """The URL of the lamp's description, from an M-SEARCH."""
    locations = []

    async def on_response(headers):
        locations.append(headers["LOCATION"])

    async with asyncio.timeout(PATIENCE):
        while not locations:
            await async_search(on_response, timeout=1, search_target=BINARY_LIGHT, source=LOOPBACK)
    return locations[0]


async def test_the_lamp_is_found_controlled_and_evented(lamp, notify_server):
    device = await UpnpFactory(AiohttpRequester(timeout=PATIENCE)).async_create_device(await location())
    assert device.friendly_name == "Lamp"
    service = device.service(SWITCH_POWER)
    events = asyncio.Queue()
    service.on_event = lambda _, variables: [events.put_nowait((one.name, one.value)) for one in variables]
    sid, _ = await notify_server.event_handler.async_subscribe(service)
    async with asyncio.timeout(PATIENCE):
        assert await events.get() == ("Status", False)
        await service.action("SetTarget").async_call(newTargetValue=True)
        assert await events.get() == ("Status", True)
    assert await service.action("GetStatus").async_call() == {"ResultStatus": True}
    await notify_server.event_handler.async_unsubscribe(sid)


async def test_the_lamp_ends_on_sigterm(lamp):
    await location()
    status, seconds = await asyncio.to_thread(lamp.stop, signal.SIGTERM)
    assert status == 0
    assert seconds < EXIT_LIMIT
