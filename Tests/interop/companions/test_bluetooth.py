"""Beacon and pairing against python-dbusmock's BlueZ on a private bus."""

import contextlib
import os
import pathlib
import signal
import subprocess

import pytest
from async_upnp_client.profiles.dlna import TransportState

import bluetooth
from page_api import Page
from processes import EXIT_LIMIT, PATIENCE, SWIFTLET, Process, wait_until

LONG = "noise12-44100-16-2-30s.flac"
ANN = "00:00:5E:00:53:01"


def frame(event):
    """Type, UUID, major, minor and power of an advertisement."""
    data = bytes(event["values"]["ManufacturerData"]["76"])
    assert len(data) == 23 and data[:2] == b"\x02\x15"
    return data[2:18].hex(), int.from_bytes(data[18:20], "big"), int.from_bytes(data[20:22], "big"), data[22]


def advertised(bluez):
    """The next advertisement; waits for one."""
    return frame(wait_until(lambda: bluez.find(event="advertised"))[-1])


# Beacon


@pytest.mark.keys("beacon_power")
async def test_the_beacon_follows_playback(start, controlling, media, blue, bluez):
    renderer = start(before=blue.environment, more=("--beacon", "true", "--beacon-power", "-61"))
    uuid, major, minor, power = advertised(bluez)
    assert (minor, power) == (0, 256 - 61) and major > 0
    assert bluez.find(event="advertised")[0]["values"]["Type"] == "broadcast"
    async with controlling(renderer.description_url) as controller:
        await controller.play(media.url(LONG), "Rock & Roll")
        following = major % 65535 + 1

        def positions():
            frames = map(frame, bluez.find(event="refreshed"))
            return [minor for _, major, minor, _ in frames if major == following and minor > 0]

        # A busy machine may skip a second.
        shown = wait_until(lambda: len(set(seen := positions())) >= 3 and seen)
        assert shown == sorted(shown)
        await controller.dmr.async_stop()
        await controller.wait_for_state(TransportState.STOPPED)
        wait_until(lambda: frame(bluez.find(event="refreshed")[-1])[1:3] == (following, 0))
    status, seconds = renderer.stop()
    assert status == 0 and seconds < EXIT_LIMIT
    assert bluez.count(event="call", method="UnregisterAdvertisement") == 1
    before = bluez.count(event="advertised")
    start(before=blue.environment, more=("--beacon", "true"))
    wait_until(lambda: bluez.count(event="advertised") > before)
    again = advertised(bluez)
    assert again[0] == uuid and again[1] not in (major, following) and again[3] == 256 - 59


def test_the_beacon_comes_back(start, blue):
    """The beacon is advertised again after BlueZ, the adapter or the bus has restarted. The renderer keeps running."""
    renderer = start(before=blue.environment, more=("--beacon", "true"))
    assert renderer.description_url
    renderer.wait_for_log("BlueZ is not running")
    bluez = blue.start()
    renderer.wait_for_log("There is no Bluetooth adapter")
    bluez.do("add_adapter", powered=False)
    renderer.wait_for_log("switched off")
    bluez.do("power", powered=True)
    first = advertised(bluez)
    wait_until(lambda: bluez.count(event="call", method="RegisterAdvertisement") == 1)
    bluez.do("power", powered=False)
    bluez.do("power", powered=True)
    # Like BlueZ, the mock may keep the advertisement while the adapter is off, so the speaker replaces it.
    wait_until(lambda: bluez.count(event="call", method="RegisterAdvertisement") == 2)
    assert bluez.count(event="call", method="UnregisterAdvertisement") == 1
    bluez.do("release")
    wait_until(lambda: bluez.count(event="call", method="RegisterAdvertisement") == 3)
    bluez.do("remove_adapter")
    bluez.do("add_adapter", "hci1")
    wait_until(lambda: bluez.find(event="call", method="RegisterAdvertisement", path="/org/bluez/hci1"))
    bluez.kill()
    bluez = blue.start()
    bluez.do("add_adapter")
    assert advertised(bluez)[:2] == first[:2]
    blue.stop_bus()
    blue.start_bus()
    bluez = blue.start()
    bluez.do("add_adapter")
    assert advertised(bluez)[:2] == first[:2]
    assert renderer.process.poll() is None


def is_stopped(pid):
    """Whether all threads of a process are stopped."""
    states = [path.read_text().rpartition(")")[2].split()[0] for path in pathlib.Path(f"/proc/{pid}/task").glob("*/stat")]
    return set(states) == {"T"}


def test_the_beacon_comes_back_after_a_restart_in_one_moment(start, blue, bluez):
    """The speaker learns at once that the old bluetoothd has gone, and that the new one is ready."""
    renderer = start(before=blue.environment, more=("--beacon", "true"))
    wait_until(lambda: bluez.find(event="call", method="RegisterAdvertisement"))
    os.kill(renderer.process.pid, signal.SIGSTOP)
    try:
        # On a busy machine, its threads stop one after the other.
        wait_until(lambda: is_stopped(renderer.process.pid))
        bluez.kill()
        bluez = blue.start()
        bluez.do("add_adapter")
    finally:
        os.kill(renderer.process.pid, signal.SIGCONT)
    wait_until(lambda: bluez.find(event="call", method="RegisterAdvertisement"))
    assert "Bluetooth is not available" not in "\n".join(renderer.err)


def test_an_adapter_that_refuses_is_asked_otherwise(start, blue, bluez):
    bluez.do("fail", "RegisterAdvertisement", [f"org.bluez.Error.{name}" for name in ("Failed", "InvalidLength")])
    renderer = start(before=blue.environment, more=("--beacon", "true"))
    # Broadcast and peripheral are refused; broadcast is accepted a second later.
    assert advertised(bluez)
    assert len([line for line in renderer.err if "Cannot advertise the beacon" in line]) == 1
    bluez.do("fail", "RegisterAdvertisement", ["org.bluez.Error.Failed"])
    bluez.do("release")
    wait_until(lambda: bluez.find(event="advertised")[-1]["values"]["Type"] == "peripheral")
    bluez.do("fail", "RegisterAdvertisement", ["org.bluez.Error.NotPermitted"] * 2)
    bluez.do("release")
    wait_until(lambda: bluez.count(event="advertised") == 3)
    assert len([line for line in renderer.err if "Other programs use all" in line]) == 1


def test_the_reason_why_bluez_refuses_is_shown(start, blue, bluez, tmp_path):
    bluez.do("fail", "RegisterAdvertisement", ["org.bluez.Error.NotPermitted"] * 3)
    renderer = start(before=blue.environment, more=("--beacon", "true"))
    page = Page(renderer)

    def beacon():
        return page.state["companion"]["beacon"]

    reason = "Other programs use all advertisements of the adapter."
    wait_until(lambda: beacon().get("problem") == reason)
    status = subprocess.run(
        [SWIFTLET, "status", "--status-socket", f"{tmp_path}/state/status"], capture_output=True, text=True,
        timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert f"not advertised: {reason}" in status.stdout
    advertised(bluez)
    wait_until(lambda: beacon()["advertised"] and "problem" not in beacon())


def test_standby_stops_the_beacon(start, blue, bluez):
    renderer = start(before=blue.environment, more=("--beacon", "true"))
    advertised(bluez)
    page = Page(renderer)
    page.do("standby", {"standby": True})
    wait_until(lambda: bluez.count(event="call", method="UnregisterAdvertisement") == 1)
    wait_until(lambda: not page.state["companion"]["beacon"]["advertised"])
    page.do("standby", {"standby": False})
    wait_until(lambda: bluez.count(event="advertised") == 2)
    wait_until(lambda: page.state["companion"]["beacon"]["advertised"])


# Pairing


class Pair(Process):
    def __init__(self, blue, *more):
        super().__init__(*blue.environment, SWIFTLET, "pair", *more, stdin=subprocess.PIPE)

    def enter(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self):
        return self.process.wait(timeout=PATIENCE)


@pytest.fixture
def pair(blue):
    """Runs `swiftlet pair`."""
    with contextlib.ExitStack() as stack:

        def pair(*more):
            made = Pair(blue, *more)
            stack.callback(lambda: print("\n".join(made.out + made.err)))
            stack.callback(made.stop)
            return made

        yield pair


def assert_closed(bluez):
    wait_until(lambda: bluez.count(event="call", method="StopDiscovery") == 1)
    assert any("UnregisterAgent" in line for line in bluez.out)


def test_a_named_device_is_paired_when_it_appears(blue, bluez, pair):
    terminal = pair("knob")
    terminal.wait_for("open for pairing")
    assert bluez.find(event="filter")[0]["values"] == {"Transport": "auto", "Discoverable": True}
    bluez.do("add_device", "00:00:5E:00:53:03", "Knob")
    terminal.wait_for("Paired: Knob")
    assert terminal.end() == 0
    path = bluez.find(event="device")[-1]["path"]
    assert bluez.find(event="call", method="Pair", path=path)
    assert bluez.find(event="set", path=path)[0]["values"] == ["org.bluez.Device1", "Trusted", True]
    assert bluez.find(event="call", method="Connect", path=path)
    assert_closed(bluez)


def test_the_person_chooses_from_a_list(blue, bluez, pair):
    bluez.do("add_device", "00:00:5E:00:53:03", "Knob")
    bluez.do("add_device", "00:00:5E:00:53:04", "Lamp")
    terminal = pair()
    number = terminal.wait_for(r"(\d+)  Lamp").group(1)
    terminal.wait_for("open for pairing")
    terminal.enter(number)
    terminal.wait_for("Paired: Lamp")
    assert terminal.end() == 0
    assert_closed(bluez)


@pytest.mark.parametrize(("answer", "event"), [("y", "agent"), ("n", "failed")])
def test_a_phone_that_asks_needs_an_answer(blue, bluez, pair, answer, event):
    bluez.do("add_device", ANN, "Ann's phone")
    path = bluez.find(event="device")[-1]["path"]
    terminal = pair()
    terminal.wait_for("open for pairing")
    bluez.do("agent", "RequestConfirmation", path, 1234)
    terminal.wait_for("Does Ann's phone show 001234")
    assert not bluez.find(event="agent") and not bluez.find(event="failed")
    terminal.enter("perhaps")
    terminal.wait_for("answer y or n")
    terminal.enter(answer)
    wait_until(lambda: bluez.find(event=event))
    if answer == "y":
        bluez.do("change_device", path, Paired=True)
        terminal.wait_for("Paired: Ann's phone")
        assert terminal.end() == 0
    else:
        terminal.stop(signal.SIGINT)
        assert bluez.find(event="failed")[0]["error"] == "org.bluez.Error.Rejected"
        assert terminal.process.returncode == 1
    assert_closed(bluez)


def test_a_stranger_is_not_paired_without_an_answer(blue, bluez, pair):
    """Neither the fixed PIN of old devices nor a number on the display lets a device in."""
    bluez.do("add_device", "00:00:5E:00:53:99", "Stranger")
    path = bluez.find(event="device")[-1]["path"]
    service = "00001124-0000-1000-8000-00805f9b34fb"
    terminal = pair()
    terminal.wait_for("open for pairing")
    bluez.do("agent", "DisplayPinCode", path, "123456")
    terminal.wait_for("Type 123456 on Stranger")
    wait_until(lambda: bluez.find(event="agent", method="DisplayPinCode"))
    bluez.do("agent", "AuthorizeService", path, service)
    wait_until(lambda: bluez.count(event="failed", error="org.bluez.Error.Rejected") == 1)
    bluez.do("agent", "RequestPinCode", path)
    terminal.wait_for("May Stranger be paired")
    terminal.enter("n")
    wait_until(lambda: bluez.count(event="failed", error="org.bluez.Error.Rejected") == 2)
    bluez.do("agent", "RequestPinCode", path)
    wait_until(lambda: len([line for line in terminal.out if "May Stranger be paired" in line]) == 2)
    assert not bluez.find(event="agent", method="RequestPinCode")
    terminal.enter("y")
    assert wait_until(lambda: bluez.find(event="agent", method="RequestPinCode"))[0]["values"] == ["0000"]
    bluez.do("agent", "AuthorizeService", path, service)
    wait_until(lambda: bluez.find(event="agent", method="AuthorizeService"))
    bluez.do("change_device", path, Paired=True)
    terminal.wait_for("Paired: Stranger")
    assert terminal.end() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_window_is_closed_by_a_signal(blue, bluez, pair, number):
    terminal = pair()
    terminal.wait_for("open for pairing")
    terminal.stop(number)
    assert terminal.process.returncode == 1
    assert_closed(bluez)


def test_a_pairing_that_fails_closes_the_window(blue, bluez, pair):
    bluez.do("add_device", "00:00:5E:00:53:03", "Knob")
    bluez.do("fail", "Pair", ["org.bluez.Error.AuthenticationFailed"])
    terminal = pair("Knob")
    assert terminal.end() == 1
    assert "cannot pair the device" in terminal.err[-1]
    assert_closed(bluez)


def test_a_line_that_was_typed_early_does_not_replace_the_named_device(blue, bluez, pair):
    terminal = pair("Knob")
    terminal.enter("y")
    terminal.wait_for("“y” is no device of the list")
    terminal.wait_for("open for pairing")
    terminal.enter("7")
    terminal.wait_for("“7” is no device of the list")
    bluez.do("add_device", "00:00:5E:00:53:03", "Knob")
    terminal.wait_for("Paired: Knob")
    assert terminal.end() == 0


def test_a_program_that_repeats_a_line_is_answered_once(blue, bluez, pair):
    terminal = pair("Knob")
    terminal.wait_for("open for pairing")
    terminal.process.stdin.write("y\n" * 1000)
    terminal.enter("7")
    terminal.wait_for("“7” is no device of the list")
    assert len([line for line in terminal.out if "is no device of the list" in line]) == 2


def test_a_person_who_refuses_a_device_ends_with_1(blue, bluez, pair):
    bluez.do("add_device", "00:00:5E:00:53:03", "Knob")
    bluez.do("fail", "Pair", ["org.bluez.Error.AuthenticationRejected"])
    terminal = pair()
    number = terminal.wait_for(r"(\d+)  Knob").group(1)
    terminal.wait_for("open for pairing")
    terminal.enter(number)
    assert terminal.end() == 1
    assert_closed(bluez)


def test_pairing_without_bluez_says_so(blue, pair):
    terminal = pair()
    assert terminal.end() == 69
    assert "BlueZ is not running" in terminal.err[-1]


def test_bluez_that_ends_closes_the_window(blue, bluez, pair):
    terminal = pair()
    terminal.wait_for("open for pairing")
    bluez.kill()
    assert terminal.end() == 69


# Hostile BlueZ


def test_replies_and_signals_of_other_types_do_no_harm(start, blue):
    bluez = blue.start()
    bluez.do("hostile_objects")
    renderer = start(before=blue.environment, more=("--beacon", "true", *bluetooth.person("Ann", ANN)))
    assert renderer.description_url
    # Tried again at least once, and logged once.
    wait_until(lambda: bluez.count(event="objects") >= 2)
    renderer.wait_for_log("BlueZ does not list its objects: The reply has an unexpected form")
    assert len([line for line in renderer.err if "BlueZ does not list its objects" in line]) == 1
    for signature, arguments in [("s", ["x"]), ("os", ["/a", "b"]), ("", []), ("oa{sv}", ["/a", {"org.bluez.Adapter1": 1}])]:
        bluez.do("hostile", "InterfacesAdded", signature, arguments)
        bluez.do("hostile", "InterfacesRemoved", signature, arguments)
    bluez.kill()
    # The beacon works once a well-behaved BlueZ runs.
    bluez = blue.start()
    bluez.do("add_adapter")
    assert advertised(bluez)
    wait_until(lambda: bluez.count(event="call", method="StartDiscovery") >= 1)
    for signature, arguments in [("s", ["x"]), ("sss", ["org.bluez.Adapter1", "b", "c"]), ("", [])]:
        bluez.do("hostile", "PropertiesChanged", signature, arguments, "/org/bluez/hci0", "org.freedesktop.DBus.Properties")
    bluez.do("add_device", ANN, "Ann")
    path = bluez.find(event="device")[-1]["path"]
    bluez.do("change_device", path, RSSI=127)
    bluez.do("change_device", path, beacon="0215")
    before = bluez.count(event="advertised")
    bluez.do("release")
    wait_until(lambda: bluez.count(event="advertised") > before)
    assert renderer.stop()[0] == 0
