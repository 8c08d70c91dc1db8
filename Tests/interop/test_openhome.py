"""The OpenHome device under openhomedevice, which Home Assistant uses."""

import asyncio
import contextlib

import pytest
from openhomedevice.device import Device

import soap
from processes import PATIENCE


LONG = "noise12-44100-16-2-30s.flac"


class Listener:
    """A subscribed Device, with all that it has been told."""

    def __init__(self, device):
        self.device = device
        self.told = {}
        self.history = []
        self._changed = asyncio.Event()

    def on_event(self, changes):
        self.told |= changes
        self.history.append(changes)
        self._changed.set()

    async def wait(self, condition):
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def wait_for(self, **values):
        await self.wait(lambda: values.items() <= self.told.items())


@contextlib.asynccontextmanager
async def listening(url, notify_server):
    device = Device(url, event_handler=notify_server.event_handler)
    await device.init()
    listener = Listener(device)
    await device.subscribe(listener.on_event)
    try:
        # Room, volume, state and track: one of each initial event.
        await listener.wait(lambda: {"room", "volume", "transport_state", "track_info"} <= listener.told.keys())
        yield listener
    finally:
        await device.unsubscribe()


@pytest.fixture
async def device(renderer):
    device = Device(renderer.openhome_url)
    await device.init()
    return device


@pytest.fixture
async def listener(renderer, notify_server):
    async with listening(renderer.openhome_url, notify_server) as listener:
        yield listener


async def test_it_is_what_it_says(device):
    assert device.friendly_name() == "Kitchen"
    assert (await device.room(), await device.name()) == ("Kitchen", "Swiftlet")
    assert device.manufacturer() == device.model_name() == "Swiftlet"
    assert device.events_enabled and device.volume_enabled
    assert await device.is_in_standby() is False
    assert await device.transport_state() == "Stopped"


async def test_initial_events_say_all_that_answers_say(listener):
    device, told = listener.device, listener.told
    for name in ("room", "name", "is_in_standby", "volume", "is_muted", "transport_state", "can_pause"):
        assert told[name] == await getattr(device, name)(), name
    assert (told["sources"], told["source"]) == (await device.sources(), await device.source())


async def test_volume_and_mute(listener, controller):
    """One volume for OpenHome and for AV controllers."""
    device = listener.device
    await device.set_volume(42)
    await listener.wait_for(volume=42)
    await controller.wait(lambda: controller.dmr.volume_level == 0.42)
    await device.set_mute(True)
    await listener.wait_for(is_muted=True)
    await device.increase_volume()
    await listener.wait_for(volume=43, is_muted=False)
    await device.decrease_volume()
    await listener.wait_for(volume=42)
    await controller.dmr.async_set_volume_level(0.11)
    await listener.wait_for(volume=11)
    assert await device.volume() == 11


async def test_what_an_av_controller_plays(listener, controller, media):
    """It takes the speaker, and can be controlled like any other source."""
    device = listener.device
    await controller.play(media.url(LONG), "Some noise")
    await listener.wait_for(transport_state="Playing", source={"type": "UpnpAv", "name": "UPnP AV"})
    assert (await device.track_info())["title"] == "Some noise"
    assert listener.told["track_info"]["title"] == "Some noise"
    assert await device.can_pause() is True
    await device.pause()
    await listener.wait_for(transport_state="Paused")
    await controller.wait(lambda: controller.states[-1] == "PAUSED_PLAYBACK")
    await device.play()
    await listener.wait_for(transport_state="Playing")
    await device.stop()
    await listener.wait_for(transport_state="Stopped")
    await controller.wait(lambda: controller.states[-1] == "STOPPED")


async def test_standby(listener, controller, media):
    await controller.play(media.url(LONG))
    await listener.wait_for(transport_state="Playing")
    await listener.device.set_standby(True)
    await listener.wait_for(is_in_standby=True, transport_state="Stopped")
    await controller.dmr.async_play()
    await listener.wait_for(is_in_standby=False, transport_state="Playing")


def test_images_are_there(renderer):
    service = soap.services(renderer.openhome_url)["Product"]
    for resolution in ("Low", "High"):
        status, _, body = soap.call(service, "GetImageUri", [("Resolution", resolution)])
        assert status == 200
        url = body.decode().split("<ImageUri>")[1].split("</ImageUri>")[0]
        headers, data = soap.get(url)
        assert headers["Content-Type"] == "image/png" and data.startswith(b"\x89PNG")
