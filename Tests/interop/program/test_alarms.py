"""The sleep timer and the alarms of the program."""

import datetime
import signal
import time

import pytest

import database
from page_api import Page
from processes import wait_until
from test_radio import LIVE, LONG

SHORT = "noise1-44100-16-2-3s.flac"
NOTHING_LISTENS = "http://127.0.0.1:9/a.m3u"


def clock(minutes=0):
    """The time of day in the renderer's time zone, as a test sees it, some minutes from now."""
    return (datetime.datetime.now() + datetime.timedelta(minutes=minutes)).strftime("%H:%M")


def switched_off(start, state, alarm, minutes, **options):
    """A speaker that was off when an alarm was due, some minutes ago."""
    before = start(state=state)
    Page(before).do("alarms/add", {"time": clock(-minutes), **alarm})
    before.stop()
    saved = database.settings(state, "alarms")
    database.replace(state, "alarms", {**saved, "settled": str(int(time.time()) - minutes * 60 - 120)})
    return start(state=state, **options)


def test_an_alarm_rings_at_its_time(start, tmp_path, media):
    """Waits up to a minute for the clock. An announcement is heard then, and the alarm waits for its end."""
    renderer = start(state=tmp_path)
    page = Page(renderer)
    preset = page.do("presets/add", {"title": "Morning", "uri": media.url("cbr.mp3", LIVE)})["id"]
    page.do("volume", {"level": 60})
    page.do("standby", {"standby": True})
    # The restart and the announcement come first.
    minutes = 1 if time.time() % 60 < 40 else 2
    body = {"time": clock(minutes), "what": "preset", "preset": preset, "name": "Up", "volume": 25, "ramp": 5}
    number = page.do("alarms/add", body)["id"]
    renderer.stop(signal.SIGTERM)
    renderer = start(state=tmp_path)
    page = Page(renderer)
    assert page.state["alarms"]["next"]["id"] == number
    due = datetime.datetime.fromisoformat(page.state["alarms"]["next"]["time"]).timestamp()
    wait_until(lambda: time.time() > due - 8, seconds=120)
    page.do("announce", {"uri": media.url(LONG), "seconds": 15})
    wait_until(lambda: page.state["alarms"].get("ringing", {}).get("waiting"))
    assert page.state["playing"]["state"] != "playing"
    wait_until(lambda: not page.state["alarms"]["ringing"]["waiting"])
    wait_until(lambda: page.state["playing"]["state"] == "playing")
    state = page.state
    assert (state["source"]["current"], state["source"]["standby"], state["volume"]["level"]) == ("radio", False, 25)
    assert state["alarms"]["ringing"] == {"id": number, "name": "Up", "tone": False, "waiting": False}
    assert not state["alarms"]["items"][0]["enabled"]
    # The ramp ends, and is no change of the volume.
    wait_until(lambda: "fade" not in page.state["output"]["reasons"])
    assert page.state["volume"]["level"] == 25
    page.do("alarms/snooze", {"minutes": 5})
    state = page.state
    assert state["alarms"]["snoozed"]["id"] == number
    assert (state["playing"]["state"], state["source"]["standby"], state["volume"]["level"]) == ("stopped", True, 60)
    page.do("alarms/dismiss")
    assert "snoozed" not in page.state["alarms"]
    page.post("alarms/dismiss").problem(409, "No alarm rings")


def test_a_tone_sounds_if_the_music_cannot_be_played(start, tmp_path, capture):
    state = tmp_path / "state"
    first = start(state=state)
    Page(first).do("alarms/add", {"time": clock(-3), "what": "playlist", "uri": NOTHING_LISTENS, "ramp": 0})
    first.stop()
    saved = database.settings(state, "alarms")
    database.replace(state, "alarms", {**saved, "settled": str(int(time.time()) - 300)})
    renderer = start(state=state, output=capture.output)
    page = Page(renderer)
    wait_until(lambda: page.state["alarms"].get("ringing", {}).get("tone"))
    renderer.wait_for_log("cannot be heard")
    # It repeats: the tone is two seconds long.
    wait_until(lambda: any(capture.path.read_bytes()[5 * 44100 * 2 :]))
    page.do("stop")
    state = page.state
    assert "ringing" not in state["alarms"]
    assert state["playing"]["state"] == "empty"


def test_an_alarm_that_is_too_late_is_reported(start, tmp_path):
    renderer = switched_off(start, tmp_path, {"what": "tone", "name": "Late"}, 20)
    page = Page(renderer)
    renderer.wait_for_log("The alarm “Late” of .* was missed")
    state = page.state
    assert [missed["name"] for missed in state["alarms"]["missed"]] == ["Late"]
    assert "ringing" not in state["alarms"] and state["playing"]["state"] == "empty"
    page.do("alarms/dismiss")
    assert page.state["alarms"]["missed"] == []


@pytest.mark.keys("hooks.alarm")
def test_a_person_who_plays_something_else_ends_the_alarm(start, tmp_path, media):
    log, script = tmp_path / "hook.log", tmp_path / "hook"
    script.write_text(f'#!/bin/sh\necho "$SWIFTLET_EVENT $SWIFTLET_ALARM $SWIFTLET_ALARM_NAME" >>{log}\n')
    script.chmod(0o755)
    alarm = {"what": "tone", "volume": 30, "name": "Up"}
    renderer = switched_off(start, tmp_path / "state", alarm, 5, more=("--hooks-alarm", str(script)))
    page = Page(renderer)
    wait_until(lambda: page.state["alarms"].get("ringing"))
    wait_until(lambda: page.state["playing"]["state"] == "playing")
    page.do("queue/add", {"items": [{"uri": media.url(LONG)}], "where": "now"})
    wait_until(lambda: page.state["playing"]["state"] == "playing")
    state = page.state
    assert "ringing" not in state["alarms"]
    assert (state["source"]["current"], state["volume"]["level"]) == ("playlist", 30)
    wait_until(lambda: log.read_text() == "alarm ringing Up\nalarm off \n")


def test_wrong_alarms_are_refused_and_change_nothing(start, tmp_path):
    page = Page(start(state=tmp_path))
    number = page.do("alarms/add", {"time": "7:00", "what": "queue", "days": ["mon-fri"]})["id"]
    before = page.get("/api/alarms").json
    assert before["items"][0]["days"] == ["mon", "tue", "wed", "thu", "fri"]
    fine = {"time": "07:00", "what": "queue"}
    wrong = [
        ({"time": "25:00"}, 400), ({"time": "7"}, 400), ({"days": ["someday"]}, 400), ({"what": "siren"}, 400),
        ({"what": "preset", "preset": 4}, 404), ({"what": "preset"}, 400), ({"what": "pin", "pin": 2}, 404),
        ({"what": "pin", "pin": 6}, 400), ({"what": "playlist", "uri": "file:///etc/passwd"}, 400),
        ({"what": "playlist"}, 400), ({"volume": 101}, 400), ({"volume": -1}, 400), ({"ramp": 3601}, 400),
        ({"limit": 0}, 400), ({"snooze": 61}, 400), ({"name": "x" * 101}, 400),
    ]
    for change, status in wrong:
        page.post("alarms/add", {**fine, **change}).problem(status)
        page.post("alarms/change", {"id": number, **change}).problem(status)
    for command in ("change", "remove", "enable"):
        page.post(f"alarms/{command}", {"id": 99, "enabled": True}).problem(404, "There is no such alarm")
    for minutes in (0, 1441):
        page.post("sleep", {"minutes": minutes}).problem(400)
    page.post("sleep", {"minutes": 5, "end": "track"}).problem(400)
    page.post("sleep", {"end": "queue"}).problem(409, "Nothing plays")
    assert page.get("/api/alarms").json == before
    for _ in range(31):
        page.do("alarms/add", fine)
    page.post("alarms/add", fine).problem(409, "There are 32 alarms already")
    page.do("alarms/change", {"id": number, "time": "23:59", "days": [], "volume": 30, "enabled": False})
    changed = page.get("/api/alarms").json["items"][0]
    assert (changed["time"], changed["days"], changed["volume"], changed["enabled"]) == ("23:59", [], 30, False)
    page.do("alarms/remove", {"id": number})
    assert len(page.get("/api/alarms").json["items"]) == 31


def test_playback_ends_with_the_track(start, capture, media, fixtures):
    page = Page(start(output=capture.output))
    page.do("volume", {"level": 100})
    page.do("queue/add", {"items": [{"uri": media.url(SHORT)}, {"uri": media.url(LONG)}], "where": "end"})
    page.do("play")
    wait_until(lambda: page.state["playing"]["state"] == "playing")
    page.do("sleep", {"end": "track"})
    assert page.state["sleep"]["end"] == "track"
    wait_until(lambda: page.state["sleep"] is None)
    state = page.state
    assert (state["playing"]["state"], state["queue"]["current_id"], state["volume"]["level"]) == ("stopped", 2, 100)
    heard = capture.path.read_bytes()
    # Nothing of the second track is heard: the fade has ended in silence before.
    track = fixtures[SHORT]
    assert not any(heard[int((track.seconds - 0.5) * track.bytes_per_second) :])
    # The next playback is as loud as ever.
    page.do("play")
    wait_until(lambda: page.state["playing"]["state"] == "playing")
    assert page.state["output"]["reasons"] == ["shared"]


def test_a_volume_during_the_fade_keeps_the_music(start, media):
    page = Page(start())
    page.do("queue/add", {"items": [{"uri": media.url(LONG)}], "where": "end"})
    page.do("play")
    wait_until(lambda: page.state["playing"]["state"] == "playing")
    page.post("sleep", {"end": "queue"})
    wait_until(lambda: page.state["sleep"]["fading"])
    wait_until(lambda: "fade" in page.state["output"]["reasons"])
    page.do("volume", {"level": 40})
    state = page.state
    assert state["sleep"] is None and state["playing"]["state"] == "playing"
    wait_until(lambda: "fade" not in page.state["output"]["reasons"])


@pytest.mark.keys("time_zone")
def test_the_time_zone_of_the_configuration_counts(start, tmp_path):
    page = Page(start(state=tmp_path, more=("--time-zone", "Australia/Lord_Howe")))
    page.do("alarms/add", {"time": "07:00", "what": "tone", "days": ["daily"]})
    alarms = page.get("/api/alarms").json
    assert alarms["zone"] == "Australia/Lord_Howe"
    assert alarms["items"][0]["next"][10:] in ("T07:00:00+10:30", "T07:00:00+11:00")
