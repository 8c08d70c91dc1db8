"""GENA events for async-upnp-client, and the life of a subscription."""

import asyncio

import soap


async def test_initial_events_have_the_complete_state(controller):
    known = {(service, variable): value for service, variable, value in controller.events}
    assert known["AVTransport", "TransportState"] == "NO_MEDIA_PRESENT"
    assert known["AVTransport", "TransportStatus"] == "OK"
    assert isinstance(known["RenderingControl", "Volume"], int)
    assert known["RenderingControl", "Mute"] is False
    # ConnectionManager events plain variables, not LastChange. Kodi fills its list of formats from this event.
    assert "http-get:*:audio/flac:*" in known["ConnectionManager", "SinkProtocolInfo"]
    assert known["ConnectionManager", "CurrentConnectionIDs"] == "0"
    assert ("ConnectionManager", "LastChange") not in known


async def test_volume_and_mute_are_evented(controller):
    await controller.dmr.async_set_volume_level(0.37)
    await controller.wait(lambda: controller.values("Volume")[-1:] == [37])
    await controller.dmr.async_mute_volume(True)
    await controller.wait(lambda: controller.values("Mute")[-1:] == [True])
    await controller.dmr.async_mute_volume(False)
    await controller.wait(lambda: controller.values("Mute")[-1:] == [False])
    assert controller.dmr.volume_level == 0.37


async def test_a_cancelled_subscription_is_unknown(renderer):
    service = soap.services(renderer.description_url)["RenderingControl"]
    received = asyncio.Queue()

    async def on_connection(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        lines = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:] if ": " in line)
        await reader.readexactly(int({name.lower(): value for name, value in lines.items()}["content-length"]))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()
        received.put_nowait({name.upper(): value for name, value in lines.items()})

    server = await asyncio.start_server(on_connection, "127.0.0.1", 0)
    async with server:
        callback = f"<http://127.0.0.1:{server.sockets[0].getsockname()[1]}/>"
        subscription = {"CALLBACK": callback, "NT": "upnp:event", "TIMEOUT": "Second-300"}
        status, headers, _ = await asyncio.to_thread(soap.request, "SUBSCRIBE", service["eventSubURL"], subscription)
        assert status == 200
        assert headers["TIMEOUT"].startswith("Second-")
        initial = await asyncio.wait_for(received.get(), 30)
        assert initial["SID"] == headers["SID"]
        assert initial["SEQ"] == "0"
        assert (initial["NT"], initial["NTS"]) == ("upnp:event", "upnp:propchange")

        sid = {"SID": headers["SID"]}
        renewal = {**sid, "TIMEOUT": "Second-300"}
        ask = [("SUBSCRIBE", renewal, 200), ("UNSUBSCRIBE", sid, 200), ("UNSUBSCRIBE", sid, 412),
               ("SUBSCRIBE", renewal, 412)]
        for method, fields, expected in ask:
            answer = await asyncio.to_thread(soap.request, method, service["eventSubURL"], fields)
            assert answer[0] == expected, method
