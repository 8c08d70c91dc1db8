"""Sleep: the speaker prepares before the machine sleeps and recovers afterwards, with logind as a mock."""

import asyncio
import contextlib
import http.server
import threading

import pytest
from async_upnp_client.advertisement import SsdpAdvertisementListener
from async_upnp_client.profiles.dlna import TransportState

import database
import soap
import sound
from buses import message_bus
from controller import LOOPBACK
from page_api import Page
from processes import PATIENCE, wait_until, wait_until_equal
from test_page_openapi import check_answer

LONG = "noise12-44100-16-2-30s.flac"
LOGIND = "org.freedesktop.login1"
MANAGER = f"{LOGIND}.Manager"


class Logind:
    """The mock of logind."""

    def __init__(self, bus):
        self.bus = bus
        self.process = bus.mock("logind", LOGIND)

    @contextlib.contextmanager
    def _object(self):
        with contextlib.closing(self.bus.connect()) as connection:
            yield connection.get_object(LOGIND, "/org/freedesktop/login1")

    @property
    def inhibitors(self):
        """The inhibitors as (what, who, mode)."""
        with self._object() as logind:
            found = logind.ListInhibitors(dbus_interface=MANAGER)
            return [(str(what), str(who), str(mode)) for what, who, _, mode, _, _ in found]

    def prepare_for_sleep(self, begins):
        with self._object() as logind:
            logind.EmitSignal(MANAGER, "PrepareForSleep", "b", [begins], dbus_interface="org.freedesktop.DBus.Mock")


@pytest.fixture
def bus(tmp_path):
    with message_bus(tmp_path / "bus") as bus:
        yield bus


@pytest.fixture
def logind(bus):
    return Logind(bus)


def reported(speaker):
    """The state of sleep in the API."""
    answer = Page(speaker).get("/api/state")
    check_answer("/api/state", "get", answer)
    return answer.json["companion"]["sleep"]


def is_held(logind):
    return logind.inhibitors == [("sleep", "Swiftlet", "delay")]


@pytest.fixture
async def heard():
    """The announcements that a neighbour has heard: a list of (NTS, USN)."""
    heard = []

    def record(headers):
        heard.append((headers["NTS"], headers["USN"]))

    listener = SsdpAdvertisementListener(on_alive=record, on_byebye=record, source=LOOPBACK)
    await listener.async_start()
    yield heard
    await listener.async_stop()


async def until(condition):
    """Waits without blocking controllers and listeners."""
    async with asyncio.timeout(PATIENCE):
        while not await asyncio.to_thread(condition):
            await asyncio.sleep(0.01)


@pytest.mark.keys("sleep")
async def test_the_speaker_sleeps_and_recovers(start, bus, logind, heard, controlling, media, tmp_path):
    speaker = start(before=bus.before, more=("--sleep", "true"))
    udn = await asyncio.to_thread(soap.udn, await asyncio.to_thread(lambda: speaker.description_url))
    await until(lambda: is_held(logind))
    async with controlling(speaker.description_url) as controller:
        await controller.play(media.url(LONG))
        await controller.wait_for_position(lambda position: position >= 1)
        await until(lambda: ("ssdp:alive", udn) in heard)
        await controller.dmr.async_set_volume_level(0.37)
        heard.clear()
        await asyncio.to_thread(logind.prepare_for_sleep, True)
        await until(lambda: logind.inhibitors == [])
        # Without the preparation, the volume would be written up to a second later.
        assert database.settings(tmp_path / "state", "speaker")["volume"] == "37"
        await until(lambda: ("ssdp:byebye", udn) in heard)
        await controller.wait_for_state(TransportState.PAUSED_PLAYBACK)
        assert not [notification for notification, _ in heard if notification == "ssdp:alive"]
        position = await controller.position()

        heard.clear()
        await asyncio.to_thread(logind.prepare_for_sleep, False)
        await until(lambda: ("ssdp:alive", udn) in heard)
        await controller.wait_for_state(TransportState.PLAYING)
        await controller.wait_for_position(lambda now: now > position)
        await until(lambda: is_held(logind))


class Station:
    """A live stream, which can be off. It counts the requests that it has refused."""

    def __init__(self, audio):
        self.is_on = True
        self.refused = 0
        station = self

        class Handler(http.server.BaseHTTPRequestHandler):
            # Without it, the controller requests the stream itself to learn its type, and reads until memory is full.
            def do_HEAD(self):
                if not station.is_on:
                    station.refused += 1
                    self.send_error(503)
                    return False
                self.send_response(200)
                self.send_header("Content-Type", "audio/mpeg")
                self.send_header("icy-name", "Test")
                self.end_headers()
                return True

            def do_GET(self):
                if not self.do_HEAD():
                    return
                with contextlib.suppress(OSError):
                    while station.is_on:
                        self.wfile.write(audio)

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/live"

    def close(self):
        self.is_on = False
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def station(fixtures):
    station = Station((sound.FOLDER / "long.mp3").read_bytes())
    yield station
    station.close()


async def test_the_machine_sleeps_again_before_the_stream_can_be_reached(start, bus, logind, controlling, station):
    speaker = start(before=bus.before, more=("--sleep", "true"))
    await until(lambda: is_held(logind))
    async with controlling(speaker.description_url) as controller:
        await controller.play(station.url)
        await controller.wait_for_state(TransportState.PLAYING)
        await asyncio.to_thread(logind.prepare_for_sleep, True)
        await until(lambda: logind.inhibitors == [])
        # As if there were no network: the recovery tries again and again, for more than half a minute.
        station.is_on = False
        await asyncio.to_thread(logind.prepare_for_sleep, False)
        await until(lambda: is_held(logind) and station.refused)
        # logind waits five seconds, but this test cannot measure that.
        await asyncio.to_thread(logind.prepare_for_sleep, True)
        await until(lambda: logind.inhibitors == [])
        station.is_on = True
        await asyncio.to_thread(logind.prepare_for_sleep, False)
        await controller.wait_for_state(TransportState.PLAYING)
        await until(lambda: is_held(logind))


async def test_what_did_not_play_stays_silent(start, bus, logind, heard, controlling):
    speaker = start(before=bus.before, more=("--sleep", "true"))
    await until(lambda: is_held(logind))
    udn = await asyncio.to_thread(soap.udn, await asyncio.to_thread(lambda: speaker.description_url))
    async with controlling(speaker.description_url) as controller:
        await asyncio.to_thread(logind.prepare_for_sleep, True)
        await until(lambda: logind.inhibitors == [])
        heard.clear()
        await asyncio.to_thread(logind.prepare_for_sleep, False)
        await until(lambda: ("ssdp:alive", udn) in heard)
        await until(lambda: is_held(logind))
        assert controller.dmr.transport_state != TransportState.PLAYING


def test_the_inhibitor_is_taken_again_from_a_new_logind(start, bus):
    logind = Logind(bus)
    start(before=bus.before, more=("--sleep", "true"))
    wait_until(lambda: is_held(logind))
    logind.process.stop()
    again = Logind(bus)
    wait_until(lambda: is_held(again))


def test_the_inhibitor_ends_with_the_speaker(start, bus, logind):
    speaker = start(before=bus.before, more=("--sleep", "true"))
    wait_until(lambda: is_held(logind))
    assert speaker.stop()[0] == 0
    wait_until(lambda: logind.inhibitors == [])


def test_without_logind_the_speaker_works(start, bus):
    speaker = start(before=bus.before, more=("--sleep", "true"))
    assert speaker.description_url
    assert not bus.has(LOGIND)
    missing = {"ready": False, "problem": "logind is not running."}
    wait_until_equal(lambda: reported(speaker), missing)
    logind = Logind(bus)
    wait_until(lambda: is_held(logind))
    wait_until_equal(lambda: reported(speaker), {"ready": True})
    bus.kill()
    wait_until(lambda: "No connection to the system bus" in reported(speaker).get("problem", ""))
    assert not reported(speaker)["ready"]
