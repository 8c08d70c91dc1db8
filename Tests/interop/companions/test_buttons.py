"""Buttons and dials through the built program, with devices of umockdev."""

import json
import os
import pathlib
import subprocess

import pytest
from jinja2 import Environment

from broker import PREFIX
from input_devices import DIAL, KEY, NEXT, PLAYPAUSE, VOLUME_UP, InputDevices
from processes import PATIENCE, SWIFTLET, Process, wait_until, wait_until_equal

CONFIGURATION = """
startup_volume = 50
[[buttons]]
device = "Wall Button"
key = "KEY_PLAYPAUSE"
action = ["{hook}", "click"]
[[buttons]]
device = "Wall Button"
key = "KEY_PLAYPAUSE"
trigger = "double"
action = ["{hook}", "double"]
[[buttons]]
device = "Wall Button"
key = "KEY_PLAYPAUSE"
trigger = "hold"
action = "standby"
[[buttons]]
device = "00:00:5E:00:53:02"
key = "REL_DIAL+"
action = "volume +2"
[[buttons]]
device = "00:00:5E:00:53:02"
key = "REL_DIAL-"
action = "volume -2"
[[buttons]]
device = "00:00:5E:00:53:02"
action = "mute"
"""


@pytest.fixture
def devices():
    devices = InputDevices()
    yield devices
    devices.close()


class Speaker:
    """A renderer with CONFIGURATION. Its hooks write each press to `log`."""

    def __init__(self, start, devices, folder):
        self.log = folder / "presses"
        self.log.write_text("")
        hook = folder / "hook"
        hook.write_text(
            '#!/bin/sh\necho "$1 $SWIFTLET_EVENT $SWIFTLET_BUTTON_DEVICE $SWIFTLET_BUTTON_KEY $SWIFTLET_BUTTON_TRIGGER" '
            f'>>"{self.log}"\n'
        )
        hook.chmod(0o755)
        path = folder / "swiftlet.toml"
        path.write_text(CONFIGURATION.format(hook=hook))
        self.folder = folder
        self.renderer = start(before=devices.before, more=("--config", str(path)))
        self.renderer.wait_for("http://")

    @property
    def status(self):
        done = subprocess.run(
            [SWIFTLET, "status", "--json", "--status-socket", f"{self.folder}/state/status"],
            capture_output=True, text=True, timeout=PATIENCE, check=True,
        )  # fmt: skip
        return json.loads(done.stdout)

    def connected(self, name):
        # Only the first connection of a device is logged at info, later ones at debug.
        return self.renderer.wait_for_log(f"Buttons: “{name}” is connected")


@pytest.fixture
def speaker(devices, start, tmp_path):
    devices.add(3, "Wall Button")
    devices.add(4, "Keyboard", "00:00:5e:00:53:03")
    speaker = Speaker(start, devices, tmp_path)
    speaker.connected("Wall Button")
    return speaker


@pytest.mark.keys("buttons")
def test_a_button_has_three_triggers(speaker, devices):
    devices.click(3, PLAYPAUSE)
    wait_until_equal(speaker.log.read_text, "click button Wall Button KEY_PLAYPAUSE click\n")
    devices.click(3, PLAYPAUSE)
    devices.click(3, PLAYPAUSE)
    lines = "click button Wall Button KEY_PLAYPAUSE click\ndouble button Wall Button KEY_PLAYPAUSE double\n"
    wait_until_equal(speaker.log.read_text, lines)
    before = speaker.status["standby"]
    devices.press(3, PLAYPAUSE)
    wait_until(lambda: speaker.status["standby"] != before)
    before = speaker.status["standby"]
    devices.release(3, PLAYPAUSE)
    # Keys and devices that are not in the configuration do nothing, and neither do old presses.
    devices.click(3, NEXT)
    devices.click(4, PLAYPAUSE)
    devices.press(3, PLAYPAUSE, age=5)
    devices.release(3, PLAYPAUSE)
    # The speaker handles this one after all of them.
    devices.click(3, PLAYPAUSE)
    wait_until_equal(speaker.log.read_text, lines + "click button Wall Button KEY_PLAYPAUSE click\n")
    # The old press would have been a hold.
    assert speaker.status["standby"] == before


def test_presses_are_events_over_mqtt(start, devices, tmp_path, run_broker, mqtt_client):
    broker = run_broker()
    listener = mqtt_client(broker.port)
    path = tmp_path / "swiftlet.toml"
    path.write_text(
        f'mqtt.broker = "mqtt://127.0.0.1:{broker.port}"\nmqtt.prefix = "{PREFIX}"\nmqtt.home_assistant = true\n'
        '[[buttons]]\ndevice = "Wall*"\naction = "mute"\n'
    )
    devices.add(3, "Wall Button")
    renderer = start(before=devices.before, more=("--config", str(path)))
    renderer.wait_for_log("Buttons: “Wall Button” is connected")
    listener.wait(f"{PREFIX}/availability", "online")

    def description():
        payloads = [message.payload for message in list(listener.messages) if message.topic.endswith("/config")]
        return json.loads(payloads[-1]) if payloads else {"components": {}}

    wait_until(lambda: "button_Wall_2a_" in description()["components"])
    event = description()["components"]["button_Wall_2a_"]
    devices.click(3, PLAYPAUSE)
    wait_until(lambda: listener.of(event["state_topic"]))
    press = json.loads(listener.of(event["state_topic"])[0])
    assert press == {"device": "Wall Button", "key": "KEY_PLAYPAUSE", "name": "Wall*", "trigger": "click"}
    template = Environment().from_string(event["value_template"])
    assert json.loads(template.render(value_json=press)) == {
        "event_type": "click", "key": "KEY_PLAYPAUSE", "device": "Wall Button",
    }
    # Presses of other devices are none of this entity.
    assert template.render(value_json={**press, "name": "Knob"}) == ""
    assert not any(message.retain for message in listener.messages if message.topic == event["state_topic"])


def test_each_step_of_a_dial_that_is_plugged_in_later_counts(speaker, devices):
    devices.add(5, "Knob", "00:00:5e:00:53:02")
    speaker.connected("Knob")
    devices.turn(5, DIAL, 3)
    wait_until_equal(lambda: speaker.status["volume"], 56)
    devices.turn(5, DIAL, -1)
    wait_until_equal(lambda: speaker.status["volume"], 54)
    devices.click(5, VOLUME_UP)
    wait_until(lambda: speaker.status["muted"])


def test_a_device_may_come_back_under_another_number(speaker, devices):
    devices.remove(3)
    speaker.renderer.wait_for_log("Buttons: “Wall Button” is gone")
    devices.add(6, "Wall Button")
    wait_until(lambda: sum("“Wall Button” is connected" in line for line in speaker.renderer.err) == 2)
    devices.click(6, PLAYPAUSE)
    wait_until_equal(speaker.log.read_text, "click button Wall Button KEY_PLAYPAUSE click\n")


def test_the_command_shows_devices_and_triggers(devices):
    devices.add(3, "Wall Button")
    command = Process(*devices.before, SWIFTLET, "buttons")
    try:
        command.wait_for(r"^\+ /dev/input/event3  Wall Button  00:00:5e:00:53:01$")
        command.wait_for("Ctrl-C")
        devices.click(3, PLAYPAUSE)
        command.wait_for("Wall Button: KEY_PLAYPAUSE click")
        devices.add(5, "Knob", "00:00:5e:00:53:02")
        command.wait_for("Knob")
        devices.turn(5, DIAL, -2)
        wait_until_equal(lambda: command.out.count("  Knob: REL_DIAL- click"), 2)
        devices.remove(5)
        command.wait_for("^- /dev/input/event5")
    finally:
        command.stop()


def test_a_recorded_session_is_replayed(tmp_path):
    """`umockdev-run` replays events, as a developer would replay a recording of a real device."""
    device = tmp_path / "device.umockdev"
    device.write_text(
        "P: /devices/virtual/input/input3\nE: SUBSYSTEM=input\nA: name=Wall Button\\n\n\n"
        "P: /devices/virtual/input/input3/event3\nN: input/event3\nE: DEVNAME=/dev/input/event3\nE: SUBSYSTEM=input\n"
        "L: device=../../input3\n"
    )
    # The replay keeps the timestamps, so presses of the past would be stale. umockdev 0.17.16 loses an event whose first
    # byte is a blank (0x20), so the time is a fixed one. The replay begins before the program runs, so the first clicks may
    # become a double click.
    moment = 1 << 32
    events = tmp_path / "session.events"
    steps = [(0, 0, 0, 0)]
    steps += [(delay, KEY, PLAYPAUSE, value) for delay in range(2, 30, 3) for value in (1, 0)]
    events.write_text("".join(
        f"E: {moment + delay:.6f} {kind:04x} {code:04x} {value:04d}\nE: {moment + delay:.6f} 0000 0000 0000\n"
        for delay, kind, code, value in steps
    ))  # fmt: skip
    command = Process(
        "umockdev-run", f"--device={device}", f"--evemu-events=/dev/input/event3={events}", "--", SWIFTLET, "buttons"
    )
    try:
        command.wait_for("KEY_PLAYPAUSE click")
    finally:
        command.stop()


def test_the_command_works_without_any_device():
    command = Process(SWIFTLET, "buttons")
    try:
        command.wait_for("Ctrl-C")
    finally:
        command.stop()


def test_buttons_that_are_off_have_no_thread(start):
    renderer = start()
    renderer.wait_for("http://")
    process = pathlib.Path(f"/proc/{renderer.process.pid}")
    assert "companion" not in [(task / "comm").read_text().strip() for task in (process / "task").iterdir()]
    links = [os.readlink(entry.path) for entry in os.scandir(process / "fd")]
    assert not any("inotify" in link for link in links)
