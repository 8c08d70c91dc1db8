"""The OpenHome device, controlled by openhomedevice, which Home Assistant uses."""

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
    """A subscribed Device with the evented state and the history of changes."""

    def __init__(self, device):
        self.device = device
        self.state = {}
        self.history = []
        self._changed = asyncio.Event()

    def on_event(self, changes):
        self.state |= changes
        self.history.append(changes)
        self._changed.set()

    async def wait(self, condition):
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def wait_for(self, **values):
        await self.wait(lambda: values.items() <= self.state.items())


@contextlib.asynccontextmanager
async def listening(url, notify_server):
    device = Device(url, event_handler=notify_server.event_handler)
    await device.init()
    listener = Listener(device)
    await device.subscribe(listener.on_event)
    try:
        # Wait for one value from each initial event.
        await listener.wait(lambda: {"room", "volume", "transport_state", "track_info"} <= listener.state.keys())
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


async def test_product_describes_the_device(device):
    assert device.friendly_name() == "Kitchen (OpenHome)"
    assert (await device.room(), await device.name()) == ("Kitchen", "Swiftlet")
    assert device.manufacturer() == device.model_name() == "Swiftlet"
    assert device.events_enabled and device.volume_enabled
    assert await device.is_in_standby() is False
    assert await device.transport_state() == "Stopped"


async def test_initial_events_agree_with_actions(listener):
    device, evented = listener.device, listener.state
    for name in ("room", "name", "is_in_standby", "volume", "is_muted", "transport_state", "can_pause"):
        assert evented[name] == await getattr(device, name)(), name
    assert (evented["sources"], evented["source"]) == (await device.sources(), await device.source())


async def test_missing_services_are_reported_as_missing(device):
    """Software updates exist only on players by Linn."""
    for call in (
        device.software_status, device.check_latest_firmware, device.update_firmware,
    ):
        assert await call() is None, call


async def test_other_speakers_can_join(device):
    assert device.songcast_sender_enabled
    assert await device.songcast_sender_status() == "Enabled"
    assert not await device.songcast_sender_audio()
    sender = await device.songcast_sender()
    assert sender["uri"].startswith("ohz://239.255.255.250:51972/")
    assert "<dc:title>" in sender["metadata"]


async def test_a_subscription_is_renewed(listener):
    device = listener.device
    assert device.is_subscribed
    assert await device.renew(datetime.timedelta(seconds=300)) == datetime.timedelta(seconds=300)
    await device.set_volume(17)
    await listener.wait_for(volume=17)
    await device.unsubscribe()
    assert not device.is_subscribed


async def test_sources_can_be_selected(listener):
    device = listener.device
    assert device.uuid().startswith("uuid:")
    for source in reversed(await device.sources()):
        await device.set_source(source["index"])
        await listener.wait_for(source={"type": source["type"], "name": source["name"]})
        assert await device.source() == listener.state["source"]
    with pytest.raises(OpenhomeDeviceError):
        await device.set_source(9)


async def test_volume_and_mute_are_shared_with_av_controllers(listener, controller):
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


def test_openhome_volume_events_are_more_frequent_than_lastchange(renderer, subscriber):
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


async def test_openhome_controls_playback_of_an_av_controller(listener, controller, media):
    """An AV controller starts playback, and OpenHome shows and controls it like any other source."""
    device = listener.device
    await controller.play(media.url(LONG), "Some noise")
    await listener.wait_for(transport_state="Playing", source={"type": "UpnpAv", "name": "UPnP AV"})
    assert (await device.track_info())["title"] == "Some noise"
    assert listener.state["track_info"]["title"] == "Some noise"
    assert await device.can_pause() is True
    await device.pause()
    await listener.wait_for(transport_state="Paused")
    await controller.wait(lambda: controller.states[-1] == "PAUSED_PLAYBACK")
    await device.play()
    await listener.wait_for(transport_state="Playing")
    await device.stop()
    await listener.wait_for(transport_state="Stopped")
    await controller.wait(lambda: controller.states[-1] == "STOPPED")


async def test_next_of_the_playlist_leaves_another_source_alone(renderer, listener, controller, media):
    """Repeat and Shuffle belong to the speaker; Next and Previous belong to the current source."""
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


async def test_standby_stops_and_play_ends_standby(listener, controller, media):
    await controller.play(media.url(LONG))
    await listener.wait_for(transport_state="Playing")
    await listener.device.set_standby(True)
    await listener.wait_for(is_in_standby=True, transport_state="Stopped")
    await controller.dmr.async_play()
    await listener.wait_for(is_in_standby=False, transport_state="Playing")


def test_product_texts_and_urls(renderer):
    """The texts and URLs of Product agree with the description."""
    product = soap.Service(renderer.openhome_url, "Product")
    manufacturer, model, answer = product("Manufacturer"), product("Model"), product("Product")
    assert (manufacturer["Name"], model["Name"]) == ("Swiftlet", "Swiftlet")
    assert model["Info"] == manufacturer["Info"] == "Network music player"
    assert answer["Info"].startswith("Swiftlet ")
    page = renderer.openhome_url.removesuffix("openhome/description.xml")
    assert manufacturer["Url"] == model["Url"] == answer["Url"] == page
    assert product("SourceXmlChangeCount") == {"Value": "1"}


def test_product_images_are_served(renderer):
    service = soap.services(renderer.openhome_url)["Product"]
    for resolution in ("Low", "High"):
        status, _, body = soap.call(service, "GetImageUri", [("Resolution", resolution)])
        assert status == 200
        url = body.decode().split("<ImageUri>")[1].split("</ImageUri>")[0]
        headers, data = soap.get(url)
        assert headers["Content-Type"] == "image/png" and data.startswith(b"\x89PNG")
