"""The OpenHome device under openhomedevice, which Home Assistant uses."""

import asyncio
import contextlib
import datetime

import pytest
from openhomedevice.device import Device
from openhomedevice.exceptions import OpenhomeDeviceError

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
    assert device.friendly_name() == "Kitchen (OpenHome)"
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


async def test_what_is_not_here_is_said_to_be_so(device):
    """What only Linn's own players have: no software of theirs to update, no Songcast."""
    assert not device.songcast_sender_enabled and not device.songcast_receiver_enabled
    for call in (
        device.software_status, device.check_latest_firmware, device.update_firmware, device.songcast_sender_status,
        device.songcast_sender_audio, device.songcast_sender, device.songcast_receiver_sender,
        device.songcast_receiver_transport_state, device.songcast_receiver_leave,
    ):
        assert await call() is None, call
    await device.songcast_receiver_join({"uri": "ohz://239.255.255.250:51972/x", "metadata": ""})


async def test_a_subscription_is_renewed(listener):
    device = listener.device
    assert device.is_subscribed
    assert await device.renew(datetime.timedelta(seconds=300)) == datetime.timedelta(seconds=300)
    await device.set_volume(17)
    await listener.wait_for(volume=17)
    await device.unsubscribe()
    assert not device.is_subscribed


async def test_sources_are_chosen(listener):
    device = listener.device
    assert device.uuid().startswith("uuid:")
    for source in reversed(await device.sources()):
        await device.set_source(source["index"])
        await listener.wait_for(source={"type": source["type"], "name": source["name"]})
        assert await device.source() == listener.told["source"]
    with pytest.raises(OpenhomeDeviceError):
        await device.set_source(9)


async def test_volume_and_mute(listener, controller):
    """One volume for OpenHome and for AV controllers."""
    device = listener.device
    await device.set_volume(42)
    await listener.wait_for(volume=42)
    await controller.wait(lambda: controller.dmr.volume_level == 0.42)
    await device.set_mute(True)
    await listener.wait_for(is_muted=True)
    assert await device.is_muted() is True
    await device.increase_volume()
    await listener.wait_for(volume=43, is_muted=False)
    await device.decrease_volume()
    await listener.wait_for(volume=42)
    await controller.dmr.async_set_volume_level(0.11)
    await listener.wait_for(volume=11)
    assert await device.volume() == 11


def test_a_dragged_slider_is_followed_more_closely_than_lastchange_can(renderer, subscriber):
    """OpenHome's Volume sends an event every 50 ms in a series of changes, LastChange every 200 ms."""
    volume = soap.Service(renderer.openhome_url, "Volume")
    control = soap.Service(renderer.description_url, "RenderingControl")
    openhome, av = subscriber(), subscriber()
    for service, listener in ((volume, openhome), (control, av)):
        headers = {"CALLBACK": f"<{listener.url}>", "NT": "upnp:event", "TIMEOUT": "Second-300"}
        assert soap.request("SUBSCRIBE", service.service["eventSubURL"], headers)[0] == 200
        listener.wait(lambda events: len(events) == 1)
    for step in range(10_000):
        volume("SetVolume", Value=step % 2)
        if len(av.events) > 10:
            break
    assert len(openhome.events) > 1.5 * len(av.events)


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


async def test_what_plays_is_left_alone_by_the_playlists_next(renderer, listener, controller, media):
    """Repeat and shuffle are the speaker's, Next and Previous the current source's."""
    device, playlist = listener.device, soap.Service(renderer.openhome_url, "Playlist")
    transport = soap.Service(renderer.openhome_url, "Transport")
    playlist("Insert", AfterId=0, Uri=media.url(LONG), Metadata="")
    await controller.play(media.url(LONG), "Some noise")
    await listener.wait_for(transport_state="Playing", source={"type": "UpnpAv", "name": "UPnP AV"})
    for action in ("Next", "Previous"):
        playlist(action)
    # openhomedevice raises for a fault.
    await device.skip(1)
    await device.skip(-1)
    transport("SetRepeat", Repeat=1)
    playlist("SetShuffle", Value=1)
    assert (playlist("Repeat"), playlist("Shuffle")) == ({"Value": "1"}, {"Value": "1"})
    assert (transport("Repeat"), transport("Shuffle")) == ({"Repeat": "1"}, {"Shuffle": "1"})
    assert await device.source() == {"type": "UpnpAv", "name": "UPnP AV"}
    assert await device.transport_state() == "Playing"
    assert playlist("TransportState") == {"Value": "Stopped"}


async def test_standby(listener, controller, media):
    await controller.play(media.url(LONG))
    await listener.wait_for(transport_state="Playing")
    await listener.device.set_standby(True)
    await listener.wait_for(is_in_standby=True, transport_state="Stopped")
    await controller.dmr.async_play()
    await listener.wait_for(is_in_standby=False, transport_state="Playing")


def test_texts_and_addresses_are_there(renderer):
    """What Product says agrees with the description, and its addresses lead there."""
    product = soap.Service(renderer.openhome_url, "Product")
    manufacturer, model, answer = product("Manufacturer"), product("Model"), product("Product")
    assert (manufacturer["Name"], model["Name"]) == ("Swiftlet", "Swiftlet")
    assert model["Info"] == manufacturer["Info"] == "Network music player"
    assert answer["Info"].startswith("Swiftlet ")
    assert manufacturer["Url"] == model["Url"] == answer["Url"] == renderer.openhome_url
    assert product("SourceXmlChangeCount") == {"Value": "1"}


def test_images_are_there(renderer):
    service = soap.services(renderer.openhome_url)["Product"]
    for resolution in ("Low", "High"):
        status, _, body = soap.call(service, "GetImageUri", [("Resolution", resolution)])
        assert status == 200
        url = body.decode().split("<ImageUri>")[1].split("</ImageUri>")[0]
        headers, data = soap.get(url)
        assert headers["Content-Type"] == "image/png" and data.startswith(b"\x89PNG")
