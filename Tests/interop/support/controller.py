"""A controller: async-upnp-client's DmrDevice, with the events it received."""

import asyncio
import contextlib

from async_upnp_client.aiohttp import AiohttpNotifyServer, AiohttpRequester
from async_upnp_client.client_factory import UpnpFactory
from async_upnp_client.profiles.dlna import DmrDevice, TransportState

from processes import PATIENCE

LOOPBACK = ("127.0.0.1", 0)


class Controller:
    """A subscribed DmrDevice. `events` has all changes in order: (service, variable, value)."""

    def __init__(self, device, notify_server):
        self.dmr = DmrDevice(device, notify_server.event_handler)
        self.dmr.on_event = self._on_event
        self.events = []
        self._changed = asyncio.Event()

    def _on_event(self, service, variables):
        name = service.service_id.rsplit(":", 1)[1]
        self.events += [(name, variable.name, variable.value) for variable in variables]
        self._changed.set()

    def values(self, variable):
        """The values of a variable in order, without repetitions."""
        values = [value for _, name, value in self.events if name == variable]
        return [value for index, value in enumerate(values) if index == 0 or values[index - 1] != value]

    @property
    def states(self):
        return self.values("TransportState")

    async def wait(self, condition):
        """Waits for events until the condition holds."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def wait_for_state(self, state):
        await self.wait(lambda: self.dmr.transport_state == state)

    async def position(self):
        """Seconds into the track, from GetPositionInfo."""
        await self.dmr.async_update()
        return self.dmr.media_position

    async def wait_for_position(self, condition):
        """Polls until the position meets the condition, and returns it."""

        async def until():
            while not ((position := await self.position()) is not None and condition(position)):
                await asyncio.sleep(0.1)
            return position

        return await asyncio.wait_for(until(), PATIENCE)

    async def load(self, url, title="Title"):
        """Sets the URI and waits until it can be played, as Home Assistant does."""
        metadata = await self.dmr.construct_play_media_metadata(url, title)
        await self.dmr.async_set_transport_uri(url, title, metadata)
        await self.dmr.async_wait_for_can_play()

    async def play(self, url, title="Title"):
        await self.load(url, title)
        await self.dmr.async_play()

    async def play_to_the_end(self, url):
        self.events.clear()
        await self.play(url)
        await self.wait(lambda: "PLAYING" in self.states)
        await self.wait_for_state(TransportState.STOPPED)


@contextlib.asynccontextmanager
async def notify_server():
    """The server for events. One for all tests: stopping it waits until the renderers have closed idle connections."""
    server = AiohttpNotifyServer(AiohttpRequester(timeout=PATIENCE), LOOPBACK)
    await server.async_start_server()
    yield server
    await server.async_stop_server()


@contextlib.asynccontextmanager
async def controlling(notify_server, description_url, subscribed=True):
    """A controller of the device with this description."""
    device = await UpnpFactory(AiohttpRequester(timeout=PATIENCE)).async_create_device(description_url)
    controller = Controller(device, notify_server)
    try:
        if subscribed:
            await controller.dmr.async_subscribe_services()
            # The initial events.
            await controller.wait(lambda: len({service for service, _, _ in controller.events}) == 3)
        yield controller
    finally:
        await controller.dmr.async_unsubscribe_services()
