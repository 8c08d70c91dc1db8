"""Many independent controllers: every answer is well-formed, and the final state is consistent."""

import asyncio
import os
import random
import time
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from xml.sax.saxutils import escape

import pytest

import soap

#: Seconds of random commands; 60 for a thorough run.
SECONDS = float(os.environ.get("STRESS_SECONDS", "6"))
CLIENTS = 8

#: The faults that these commands can cause.
FAULTS = {701, 710, 711}

NAMES = ["noise1-44100-16-2-3s.flac", "noise12-44100-16-2-30s.flac", "noise7-48000-16-2-3s.flac",
         "noise3-44100-16-2-0.2s.flac", "cbr.mp3", "no-such-file.flac"]


def actions(chance, media):
    """A random action: service, name, arguments."""
    def uri():
        return escape(media.url(chance.choice(NAMES), f"header=x:{chance.randrange(1000)}"))

    def time_target():
        return f"0:00:{chance.randrange(35):02}"

    metadata = escape(chance.choice(["", "<item><title>&lt;</title></item>", "garbage <", "\U0001F3A7"]))
    return chance.choice([
        ("AVTransport", "SetAVTransportURI", {"CurrentURI": uri(), "CurrentURIMetaData": metadata}),
        ("AVTransport", "SetAVTransportURI", {"CurrentURI": chance.choice(["", uri()]), "CurrentURIMetaData": ""}),
        ("AVTransport", "SetNextAVTransportURI", {"NextURI": chance.choice(["", uri()]), "NextURIMetaData": metadata}),
        ("AVTransport", "Play", {"Speed": "1"}),
        ("AVTransport", "Play", {"Speed": "1"}),
        ("AVTransport", "Pause", {}),
        ("AVTransport", "Stop", {}),
        ("AVTransport", "Next", {}),
        ("AVTransport", "Previous", {}),
        ("AVTransport", "Seek", {"Unit": chance.choice(["REL_TIME", "ABS_TIME"]), "Target": time_target()}),
        ("AVTransport", "SetPlayMode", {"NewPlayMode": chance.choice(["NORMAL", "REPEAT_ONE"])}),
        ("AVTransport", "GetPositionInfo", {}),
        ("AVTransport", "GetMediaInfo", {}),
        ("AVTransport", "GetTransportInfo", {}),
        ("AVTransport", "GetCurrentTransportActions", {}),
        ("RenderingControl", "SetVolume", {"Channel": "Master", "DesiredVolume": str(chance.randrange(101))}),
        ("RenderingControl", "SetVolumeDB", {"Channel": "Master", "DesiredVolume": str(-chance.randrange(15351))}),
        ("RenderingControl", "SetMute", {"Channel": "Master", "DesiredMute": str(chance.randrange(2))}),
        ("RenderingControl", "GetVolumeDB", {"Channel": "Master"}),
        ("ConnectionManager", "GetProtocolInfo", {}),
    ])


def ask(service, kind, action, arguments):
    """Calls an action; returns its results by name, or the fault code."""
    instance = [] if kind == "ConnectionManager" else [("InstanceID", "0")]
    status, headers, body = soap.call(service, action, instance + list(arguments.items()))
    assert headers["Content-Type"] == 'text/xml; charset="utf-8"'
    root = ET.fromstring(body)
    if status == 500:
        return soap.fault(body)
    assert status == 200, body
    response = root[0][0]
    assert response.tag == f"{{{service['serviceType']}}}{action}Response"
    return {result.tag: result.text or "" for result in response}


def client(seed, services, media):
    """Sends random actions until the time is over; returns their number."""
    chance, deadline, count = random.Random(seed), time.monotonic() + SECONDS, 0
    while time.monotonic() < deadline:
        kind, action, arguments = actions(chance, media)
        answer = ask(services[kind], kind, action, arguments)
        assert isinstance(answer, dict) or answer in FAULTS, (action, arguments, answer)
        count += 1
        if chance.random() < 0.2:
            time.sleep(chance.random() * 0.3)
    return count


@pytest.mark.timeout(SECONDS + 120)
async def test_the_device_stays_consistent_under_random_commands(renderer, controller, media):
    services = soap.services(renderer.description_url)

    def get(action, kind="AVTransport", **arguments):
        return asyncio.to_thread(ask, services[kind], kind, action, arguments)

    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(CLIENTS) as pool:
        counts = await asyncio.gather(
            *(loop.run_in_executor(pool, client, seed, services, media) for seed in range(CLIENTS)))
    print("answers", counts)
    assert renderer.process.poll() is None
    await get("SetPlayMode", NewPlayMode="NORMAL")
    await get("Stop")

    # The last events agree with the answers of actions.
    def evented(variable):
        return str(controller.values(variable)[-1])

    async def agrees():
        media_info, transport = await get("GetMediaInfo"), await get("GetTransportInfo")
        volume = await get("GetVolume", "RenderingControl", Channel="Master")
        offered = await get("GetCurrentTransportActions")
        return (
            transport["CurrentTransportState"] in ("STOPPED", "NO_MEDIA_PRESENT")
            and evented("TransportState") == transport["CurrentTransportState"]
            and evented("TransportStatus") == transport["CurrentTransportStatus"]
            and evented("AVTransportURI") == media_info["CurrentURI"]
            and evented("NextAVTransportURI") == media_info["NextURI"]
            and evented("CurrentMediaDuration") == media_info["MediaDuration"]
            and evented("CurrentTransportActions") == offered["Actions"]
            and evented("Volume") == volume["CurrentVolume"]
        )

    async with asyncio.timeout(30):
        while not await agrees():
            await asyncio.sleep(0.1)

    # It still plays.
    controller.events.clear()
    await controller.play(media.url("noise1-44100-16-2-3s.flac"))
    await controller.wait(lambda: controller.states[-2:] == ["PLAYING", "STOPPED"])
    assert controller.values("TransportStatus")[-1:] in ([], ["OK"])
