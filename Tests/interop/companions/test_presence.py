"""Presence against python-dbusmock's BlueZ on a private bus."""

import contextlib
import json
import signal
import stat
import subprocess
import threading

import pytest
from async_upnp_client.profiles.dlna import TransportState
from jinja2 import Environment

import bluetooth
from broker import PREFIX
from processes import PATIENCE, SWIFTLET, Process, wait_until

LONG = "noise12-44100-16-2-30s.flac"
ANN = "00:00:5E:00:53:01"
STRANGER = "00:00:5E:00:53:99"


class Radio:
    """A device that advertises a few times a second while `in_reach` is set."""

    def __init__(self, bluez, path, **properties):
        self.rssi = -50
        self.in_reach = threading.Event()
        self._end = threading.Event()
        self._send = lambda: bluez.do("change_device", path, RSSI=self.rssi, **properties)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self):
        while not self._end.wait(0.3):
            if self.in_reach.is_set():
                self._send()

    def close(self):
        self._end.set()
        self._thread.join()


@pytest.fixture
def radio():
    """Creates radios, which stop at the end of the test."""
    with contextlib.ExitStack() as stack:

        def radio(*arguments, **named):
            made = Radio(*arguments, **named)
            stack.callback(made.close)
            return made

        yield radio


@pytest.mark.keys(
    "presence.people", "presence.arrival", "presence.departure", "presence.on_leave", "presence.on_return",
    "presence.on_change",
)
@pytest.mark.timeout(200)
async def test_presence_pauses_and_resumes(start, controlling, media, blue, bluez, radio, tmp_path):
    hook = tmp_path / "hook"
    log = tmp_path / "hook.log"
    hook.write_text(f'#!/bin/sh\necho "$SWIFTLET_EVENT|$SWIFTLET_PERSON|$SWIFTLET_PRESENCE" >>"{log}"\n')
    hook.chmod(hook.stat().st_mode | stat.S_IXUSR)
    bluez.do("add_device", STRANGER, "Somebody")
    # The phone was paired under another address, so only the property Address has its identity address.
    bluez.do("add_device", "00:00:5E:00:53:77", "Ann's phone")
    path = bluez.find(event="device")[-1]["path"]
    bluez.do("change_device", path, Address=ANN, Paired=True)
    phone = radio(bluez, path)
    phone.in_reach.set()
    # The hook logs whether SWIFTLET_PRESENCE is set, and its value.
    heard = tmp_path / "heard.log"
    ordinary = tmp_path / "ordinary"
    ordinary.write_text(f'#!/bin/sh\necho "$SWIFTLET_EVENT|${{SWIFTLET_PRESENCE+set}}|$SWIFTLET_PRESENCE" >>"{heard}"\n')
    ordinary.chmod(ordinary.stat().st_mode | stat.S_IXUSR)
    hooks = ("--hooks-play", str(ordinary), "--hooks-pause", str(ordinary))
    renderer = start(
        before=blue.environment,
        more=(
            *hooks,
            *bluetooth.person("Ann", ANN), "--presence-departure", "1", "--presence-arrival", "1", "--presence-on-leave", "pause",
            "--presence-on-return", "resume", "--presence-on-change", str(hook),
        ),
    )  # fmt: skip
    renderer.wait_for_log("Ann is present")
    assert bluez.find(event="filter")[0]["values"] == {"Transport": "le", "DuplicateData": True}
    phone.in_reach.clear()
    # One scan has missed her; the next one decides that she has left.
    wait_until(lambda: bluez.count(event="call", method="StopDiscovery") >= 2)
    async with controlling(renderer.description_url) as controller:
        await controller.play(media.url(LONG), "Rock & Roll")
        await controller.wait_for_state(TransportState.PLAYING)
        await controller.wait_for_state(TransportState.PAUSED_PLAYBACK)
        wait_until(lambda: log.exists() and log.read_text() == "leave|Ann|\n")
        phone.in_reach.set()
        await controller.wait_for_state(TransportState.PLAYING)
        wait_until(lambda: log.read_text() == "leave|Ann|\narrive|Ann|Ann\n")
        # Ignore the first line: she may still have been present when the track began.
        wait_until(lambda: heard.read_text().splitlines()[1:] == ["pause|set|", "play|set|Ann"])
    printed = "\n".join(renderer.out + renderer.err)
    assert "5E:00:53" not in printed and "5E_00_53" not in printed


@pytest.mark.timeout(200)
def test_presence_is_a_topic_and_an_entity(start, blue, bluez, radio, run_broker, mqtt_client):
    broker = run_broker()
    listener = mqtt_client(broker.port)
    bluez.do("add_device", ANN, "Ann's phone")
    path = bluez.find(event="device")[-1]["path"]
    bluez.do("change_device", path, Paired=True)
    phone = radio(bluez, path)
    phone.in_reach.set()
    start(
        before=blue.environment,
        more=(
            "--mqtt-broker", f"mqtt://127.0.0.1:{broker.port}", "--mqtt-prefix", PREFIX, "--mqtt-home-assistant", "true",
            "--room", "Living room", *bluetooth.person("Ann", ANN), "--presence-departure", "1", "--presence-arrival", "1",
        ),
    )  # fmt: skip
    listener.wait(f"{PREFIX}/presence", '{"Ann":"present"}')

    def description():
        payloads = [message.payload for message in list(listener.messages) if message.topic.endswith("/config")]
        return json.loads(payloads[-1]) if payloads else {"components": {}}

    wait_until(lambda: "person_Ann" in description()["components"])
    assert description()["device"]["suggested_area"] == "Living room"
    person = description()["components"]["person_Ann"]

    def shown():
        value = json.loads(listener.value(person["state_topic"]))
        return Environment().from_string(person["value_template"]).render(value_json=value)

    assert shown() == person["payload_on"]
    phone.in_reach.clear()
    # Two scans must have missed her.
    wait_until(lambda: shown() == person["payload_off"], 120)


@pytest.mark.keys("presence.rssi")
def test_presence_prints_sightings_and_decisions(blue, bluez, radio):
    uuid = "318fdeaa-64dd-4448-88b4-2cd462cf68be"
    bluez.do("add_device", "00:00:5E:00:53:02", "Tag")
    path = bluez.find(event="device")[-1]["path"]
    data = "0215" + uuid.replace("-", "") + "00010002c5"
    bluez.do("change_device", path, beacon=data)
    tag = radio(bluez, path, beacon=data)
    tag.in_reach.set()
    bluez.do("add_device", STRANGER, "Some\x1b[31mbody")
    terminal = Process(
        *blue.environment, SWIFTLET, "presence", "--all", "--config", "/dev/null", "--presence-arrival", "1",
        "--presence-rssi", "-45", "--presence-person", f'[{{ name = "Bob", ibeacon = "{uuid}" }}]',
    )  # fmt: skip
    try:
        terminal.wait_for("scan begins")
        terminal.wait_for("Bob: -50 dBm, smoothed -50, far")
        tag.rssi = -30
        terminal.wait_for("Bob: -30 dBm, smoothed -[34][0-9], near")
        terminal.wait_for("DECISION: Bob is present")
        terminal.wait_for(f"unknown device: {STRANGER}, -?[0-9]+ dBm, Some.31mbody")
        terminal.wait_for("scan ends")
        tag.close()
        bluez.kill()
        terminal.wait_for("BlueZ is not running")
    finally:
        status, _ = terminal.stop(signal.SIGINT)
    assert status == 0


@pytest.mark.keys("presence.people")
@pytest.mark.timeout(200)
def test_a_connected_phone_is_present(blue, bluez):
    """A connected phone does not advertise, so no signal arrives."""
    bluez.do("add_device", ANN, "Ann's phone")
    path = bluez.find(event="device")[-1]["path"]
    bluez.do("change_device", path, Paired=True, Connected=True)
    # Scans go on, because Bob is not there.
    terminal = Process(
        *blue.environment, SWIFTLET, "presence", "--config", "/dev/null", "--presence-arrival", "1",
        "--presence-departure", "1", *bluetooth.people({"Ann": ANN, "Bob": "00:00:5E:00:53:02"}),
    )  # fmt: skip

    def count(text):
        return len([line for line in terminal.out if text in line])

    try:
        terminal.wait_for("Ann: connected")
        terminal.wait_for("DECISION: Ann is present")
        # If she were not connected, she would count as gone after two scans without a signal.
        seen = count("scan ends")
        wait_until(lambda: count("scan ends") >= seen + 2, 2 * PATIENCE)
        assert count("Ann has left") == 0
        bluez.do("change_device", path, Connected=False)
        terminal.wait_for("Ann: disconnected")
        wait_until(lambda: count("DECISION: Ann has left"), 2 * PATIENCE)
        bluez.do("change_device", path, Connected=True)
        terminal.wait_for("DECISION: Ann has arrived")
        # The end of BlueZ ends all connections.
        bluez.kill()
        wait_until(lambda: count("Ann: disconnected") == 2)
    finally:
        status, _ = terminal.stop(signal.SIGINT)
    assert status == 0


def test_nothing_is_scanned_while_everybody_is_connected(blue, bluez):
    bluez.do("add_device", ANN, "Ann's phone")
    path = bluez.find(event="device")[-1]["path"]
    bluez.do("change_device", path, Paired=True, Connected=True)
    terminal = Process(
        *blue.environment, SWIFTLET, "presence", "--config", "/dev/null", "--presence-arrival", "1",
        *bluetooth.person("Ann", ANN),
    )  # fmt: skip
    try:
        terminal.wait_for("DECISION: Ann is present")
        assert bluez.count(event="call", method="StartDiscovery") == 0
        bluez.do("change_device", path, Connected=False)
        terminal.wait_for("scan begins")
    finally:
        status, _ = terminal.stop(signal.SIGINT)
    assert status == 0


def test_a_refused_scan_is_reported(start, blue, bluez, tmp_path):
    bluez.do("fail", "StartDiscovery", ["org.bluez.Error.NotReady"] * 3)
    renderer = start(before=blue.environment, more=bluetooth.person("Ann", ANN))
    problem = "BlueZ does not scan: refused by the test. Test it with `bluetoothctl scan le`."

    def report():
        command = [SWIFTLET, "status", "--json", "--status-socket", f"{tmp_path}/state/status"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
        return json.loads(done.stdout)["companions"]["presence"]

    renderer.wait_for_log("Presence detection does not work")
    assert report().get("problem") == problem
    renderer.wait_for_log("Presence detection works again")
    assert bluez.count(event="refused", method="StartDiscovery") == 3
    assert len([line for line in renderer.err if problem in line]) == 1
    assert report()["watching"] and "problem" not in report()
    renderer.stop()
    # The terminal says the same.
    bluez.do("fail", "StartDiscovery", ["org.bluez.Error.NotReady"])
    terminal = Process(*blue.environment, SWIFTLET, "presence", "--config", "/dev/null", *bluetooth.person("Ann", ANN))
    try:
        terminal.wait_for(problem)
    finally:
        terminal.stop(signal.SIGINT)
