"""The sleep timer and the alarms by swiftlet-control."""

import json

import pytest

import device_network
import network
from processes import wait_until

pytestmark = network.needs_namespaces

#: Exit statuses: refused by the speaker, wrong usage, no such object, not offered.
REFUSED, USAGE, NO_OBJECT, NOT_OFFERED = 1, 64, 68, 69


@pytest.fixture(scope="module")
def devices(tmp_path_factory):
    with device_network.running(tmp_path_factory.mktemp("devices")) as devices:
        yield devices


@pytest.fixture
def alarm(devices):
    """Runs `swiftlet-control alarm` for the speaker, which has no alarms."""
    kitchen = devices.url("Kitchen")

    def run(*arguments, **options):
        return devices.run("alarm", kitchen, *arguments, **options)

    for one in json.loads(run("list", "--json")[0])["items"]:
        run("remove", str(one["id"]))
    return run


def test_alarms_are_listed_changed_and_removed(alarm):
    options = "--days mon-fri --tone --volume 25 --ramp 60 --limit 20 --snooze 5 --name Work".split()
    number = alarm("add", "07:00", *options)[0].strip()
    assert alarm()[0].splitlines() == [f"{number}  07:00  mon tue wed thu fri  tone  volume 25  on  Work"]
    alarm("change", number, "--time", "6:30", "--days", "once", "--volume", "0", "--playlist", "http://192.0.2.9/a.m3u")
    alarm("off", number)
    assert alarm()[0].splitlines() == [f"{number}  06:30  once  playlist http://192.0.2.9/a.m3u  off  Work"]
    alarm("on", number)
    one = json.loads(alarm("list", "--json")[0])["items"][0]
    assert (one["enabled"], one["ramp"], one["limit"], one["snooze"]) == (True, 60, 20, 5)
    alarm("remove", number)
    assert "There are no alarms." in alarm()[1]


def test_wrong_alarms_are_refused(alarm):
    for arguments in (["add"], ["remove", "x"], ["snooze", "x"], ["list", "3"], ["add", "7:00", "--tone", "--queue"]):
        alarm(*arguments, expect=USAGE)
    assert "from 00:00 to 23:59" in alarm("add", "25:00", expect=REFUSED)[1]
    assert "no such alarm" in alarm("off", "99", expect=REFUSED)[1]
    assert "no pin" in alarm("add", "07:00", "--pin-place", "2", expect=REFUSED)[1]
    assert "No alarm rings" in alarm("snooze", expect=REFUSED)[1]
    assert "no preset 7" in alarm("add", "07:00", "--preset", "7", expect=NO_OBJECT)[1]
    assert "There are no alarms." in alarm()[1]


def test_the_sleep_timer_is_set_and_shown(devices):
    kitchen = devices.url("Kitchen")
    assert devices.run("sleep", kitchen)[0] == "off\n"
    devices.run("sleep", kitchen, "30")
    assert devices.run("sleep", kitchen)[0].startswith("30 minutes (29:")
    assert "Nothing plays" in devices.run("sleep", kitchen, "track", expect=REFUSED)[1]
    assert json.loads(devices.run("sleep", kitchen, "--json")[0])["sleep"]["minutes"] == 30
    for wrong in ("0", "1441", "tomorrow"):
        devices.run("sleep", kitchen, wrong, expect=USAGE)
    devices.run("sleep", kitchen, "off")
    assert devices.run("sleep", kitchen)[0] == "off\n"


def test_another_speaker_has_no_alarms(devices):
    wait_until(lambda: "Bedroom" in devices.listed())
    assert "no page of a Swiftlet" in devices.run("alarm", devices.url("Bedroom"), expect=NOT_OFFERED)[1]
