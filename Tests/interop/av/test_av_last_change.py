"""LastChange events: their variables, values and rate."""

import asyncio
import contextlib
import time
import xml.etree.ElementTree as ET

import soap
from async_upnp_client.profiles.dlna import TransportState
from subscriber import check_rate

SHORT = "noise1-44100-16-2-3s.flac"
OTHER = "noise2-44100-16-2-3s.flac"
EVENT = "{urn:schemas-upnp-org:event-1-0}"
SERVICE = "{urn:schemas-upnp-org:service-1-0}"
NAMESPACES = {
    "AVTransport": "{urn:schemas-upnp-org:metadata-1-0/AVT/}",
    "RenderingControl": "{urn:schemas-upnp-org:metadata-1-0/RCS/}",
}


def read_last_change(kind, body):
    """The variables of one message by name and channel. Fails if the message contains anything else."""
    namespace = NAMESPACES[kind]
    (last_change,) = ET.fromstring(body).findall(f"{EVENT}property/LastChange")
    event = ET.fromstring(last_change.text)
    assert event.tag == f"{namespace}Event"
    (instance,) = event
    assert (instance.tag, instance.attrib) == (f"{namespace}InstanceID", {"val": "0"})
    values = {}
    for variable in instance:
        assert set(variable.attrib) <= {"val", "channel"} and variable.tag.startswith(namespace)
        key = (variable.tag.removeprefix(namespace), variable.get("channel"))
        assert key not in values
        values[key] = variable.attrib["val"]
    return values


def declared(service):
    """The state variables of an SCPD by name: (is evented, allowed values)."""
    scpd = ET.fromstring(soap.get(service["SCPDURL"])[1])
    return {
        variable.findtext(f"{SERVICE}name"): (
            variable.get("sendEvents") == "yes",
            [value.text for value in variable.findall(f"{SERVICE}allowedValueList/{SERVICE}allowedValue")],
        )
        for variable in scpd.iter(f"{SERVICE}stateVariable")
    }


@contextlib.asynccontextmanager
async def subscribed(service):
    """Subscribes; yields a queue of the arrival times and bodies of the messages."""
    messages = asyncio.Queue()

    async def on_connection(reader, writer):
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                length = next(
                    int(line.split(":")[1]) for line in head.split("\r\n") if line.lower().startswith("content-length:"))
                messages.put_nowait((time.monotonic(), await reader.readexactly(length)))
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                await writer.drain()
        writer.close()

    async with await asyncio.start_server(on_connection, "127.0.0.1", 0) as server:
        callback = f"<http://127.0.0.1:{server.sockets[0].getsockname()[1]}/>"
        status, headers, _ = await asyncio.to_thread(
            soap.request, "SUBSCRIBE", service["eventSubURL"],
            {"CALLBACK": callback, "NT": "upnp:event", "TIMEOUT": "Second-300"})
        assert status == 200
        yield messages
        await asyncio.to_thread(soap.request, "UNSUBSCRIBE", service["eventSubURL"], {"SID": headers["SID"]})


async def test_last_change_has_only_declared_variables_at_most_five_times_a_second(renderer, controller, media):
    service = soap.services(renderer.description_url)["AVTransport"]
    variables = await asyncio.to_thread(declared, service)
    async with subscribed(service) as messages:
        when, body = await asyncio.wait_for(messages.get(), 30)
        in_last_change = {
            name for name, (evented, _) in variables.items()
            if not evented and not name.startswith("A_ARG_TYPE_") and not name.endswith("Position")
        }
        assert {name for name, _ in read_last_change("AVTransport", body)} == in_last_change

        await controller.play(media.url(SHORT), "First")
        await controller.dmr.async_set_next_transport_uri(media.url(OTHER), "Second")
        times, seen = [when], []
        while not seen or seen[-1].get(("TransportState", None)) != "STOPPED" or len(seen) < 4:
            when, body = await asyncio.wait_for(messages.get(), 30)
            times.append(when)
            seen.append(read_last_change("AVTransport", body))
    for values in seen:
        for (name, channel), value in values.items():
            assert name in in_last_change and channel is None
            assert not variables[name][1] or value in variables[name][1], (name, value)
    # AVTransport:1 §2.3.1. Only these states come before their time.
    urgent = ("STOPPED", "TRANSITIONING")
    check_rate(
        [when for when, values in zip(times[1:], seen) if values.get(("TransportState", None)) not in urgent], 0.2)
    joins = [values for values in seen if values.get(("AVTransportURI", None)) == media.url(OTHER)]
    assert len(joins) == 1
    assert joins[0]["CurrentTrackURI", None] == media.url(OTHER) and joins[0]["NextAVTransportURI", None] == ""
    assert "Second" in joins[0]["CurrentTrackMetaData", None]


async def test_volume_events_name_their_channel(renderer):
    service = soap.services(renderer.description_url)["RenderingControl"]
    async with subscribed(service) as messages:
        _, body = await asyncio.wait_for(messages.get(), 30)
        assert set(read_last_change("RenderingControl", body)) == {
            ("PresetNameList", None), ("Mute", "Master"), ("Volume", "Master"), ("VolumeDB", "Master")}
        started = time.monotonic()
        arguments = [("InstanceID", "0"), ("Channel", "Master"), ("DesiredVolume", "30")]
        status, _, _ = await asyncio.to_thread(soap.call, service, "SetVolume", arguments)
        assert status == 200
        when, body = await asyncio.wait_for(messages.get(), 30)
        assert read_last_change("RenderingControl", body) == {("Volume", "Master"): "30", ("VolumeDB", "Master"): "-10745"}
        print(f"SetVolume to event: {(when - started) * 1000:.1f} ms")


async def test_no_event_repeats_the_transport_state(renderer, media):
    """Bridges take another STOPPED for the end of the track. Plays and stops within the interval between two events."""
    service = soap.services(renderer.description_url)["AVTransport"]

    async def call(action, *arguments):
        status, _, _ = await asyncio.to_thread(soap.call, service, action, [("InstanceID", "0"), *arguments])
        assert status == 200, action

    async with subscribed(service) as messages:
        for number in range(6):
            await call("SetAVTransportURI", ("CurrentURI", media.url(SHORT if number % 2 else OTHER)),
                       ("CurrentURIMetaData", ""))
            await call("Play", ("Speed", "1"))
            await call("Stop")
        await call("SetPlayMode", ("NewPlayMode", "REPEAT_ONE"))
        values = {}
        while values.get(("CurrentPlayMode", None)) != "REPEAT_ONE":
            _, body = await asyncio.wait_for(messages.get(), 30)
            event = read_last_change("AVTransport", body)
            assert all(values.get(key) != value for key, value in event.items()), (event, values)
            values.update(event)


async def test_a_quick_second_play_of_home_assistant_is_heard(controller, media):
    """Home Assistant stops, sets the URI, and sends no Play while it believes that the device plays."""

    async def play_media(url):
        await controller.dmr.async_stop()
        await controller.dmr.async_set_transport_uri(url, "Title")
        assert controller.dmr.transport_state != TransportState.PLAYING, "no Play is sent"
        await controller.dmr.async_wait_for_can_play()
        await controller.dmr.async_play()
        await controller.wait_for_state(TransportState.PLAYING)

    for after in (0.02, 0.1, 0.19, 0.22, 0.27, 0.33):
        await play_media(media.url(SHORT))
        await asyncio.sleep(after)
        await play_media(media.url(OTHER))
        await controller.dmr.async_stop()
        # Longer than the time between two events, so that the next event is sent at once.
        await asyncio.sleep(0.5)
