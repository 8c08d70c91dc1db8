"""swiftlet-control check against swiftlet and gmediarender."""

import fnmatch
import json
import re

import pytest

import network
from checker import FAILED, UNTESTED

pytestmark = network.needs_namespaces


def results(output):
    return {result["id"]: result for result in json.loads(output)["results"]}


#: Why a check may be skipped on each of Swiftlet's devices, besides the modes that a run does not have.
MISSING = "the device has no "
SKIPS = {
    "Kitchen": {
        "all types are of version 1", "there are no files; --media names a folder", MISSING + "OpenHome services",
        *(MISSING + service for service in (
            "Info", "Pins", "Playlist", "Product", "Radio", "Time", "Transport", "Volume",
            "ContentDirectory", "Credentials", "Receiver", "Sender",
        )),
    },
    "Kitchen (OpenHome)": {
        "FadeMax is 0", "VolumeLimit is VolumeMax", "no getter has input arguments",
        *(MISSING + service for service in (
            "AVTransport", "ConnectionManager", "ContentDirectory", "RenderingControl", "Credentials",
        )),
    },
}  # fmt: skip


def assert_passes(check, name, *modes, seconds):
    """Fails with the checks that the device does not pass, except those skipped for an expected reason."""
    report = json.loads(check(check.udn(name), "--strict", "--json", "--limit=90", *modes, expect=None, seconds=seconds))
    assert "Swiftlet" in report["target"]["model"]
    skips = SKIPS[name] | {f"it runs only with {mode}" for mode in ("--hostile", "--slow") if mode not in modes}
    missed = [
        result for result in report["results"]
        if result["verdict"] != "pass" and not (result["verdict"] == "skip" and result["reason"] in skips)
    ]  # fmt: skip
    assert not missed, missed
    assert any(result["verdict"] == "pass" for result in report["results"])


devices = pytest.mark.parametrize("name", list(SKIPS))


#: The checks that play little or nothing. All others take minutes.
QUICK = ["uda", "rfc9110", "rfc9112", "rcs", "avt/2.2", "avt/2.3", "oh/product", "oh/volume", "oh/pins"]


@devices
@pytest.mark.timeout(330)
def test_swiftlet_passes_quick_checks(check, name):
    assert_passes(check, name, *(f"--only={pattern}" for pattern in QUICK), seconds=300)


#: Patterns of `--only` by device. Together they match all checks, which take longer than one test may. A device does not
#: run the parts of which it would skip everything.
COMMON = [["uda", "rfc9110", "rfc9112"], ["http"], ["share"], ["hostile"]]
PARTS = {
    "Kitchen": [*COMMON, ["avt/2.2*", "avt/2.3", "rcs", "cm", "cds"], ["avt/2.4"], ["avt/2.4.*"]],
    "Kitchen (OpenHome)": [
        *COMMON, ["oh/playlist"], ["oh/pins", "oh/radio", "oh/info", "oh/time"],
        ["oh/product", "oh/volume", "oh/transport"],
        ["oh/service", "oh/credentials", "oh/receiver", "oh/sender", "oh/hostile"],
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "part"),
    [pytest.param(name, part, id=f"{part[0]}-{name}") for name, parts in PARTS.items() for part in parts],
)
@pytest.mark.long
@pytest.mark.timeout(3630)
def test_swiftlet_passes_all_checks(check, name, part):
    assert_passes(check, name, "--hostile", "--slow", *(f"--only={pattern}" for pattern in part), seconds=3600)


def test_the_parts_have_all_checks(check):
    ids = [json.loads(line)["id"] for line in check.offline("list", "--json").splitlines()]
    patterns = {pattern for parts in PARTS.values() for part in parts for pattern in part}
    wanted = [pattern if "*" in pattern else f"{pattern}/*" for pattern in patterns]
    assert [one for one in ids if not any(fnmatch.fnmatchcase(one, pattern) for pattern in wanted)] == []


def test_failures_of_another_renderer_are_found_and_can_be_expected(check, tmp_path):
    found = results(check("Bedroom", "--read-only", "--json", expect=FAILED))
    # It accepts callbacks that are not HTTP.
    assert found["uda/4.1.1/callback-scheme"]["verdict"] == "fail"
    assert found["rcs/2.4/volume"] == found["rcs/2.4/volume"] | {
        "verdict": "skip",
        "reason": "it changes the device's volume",
    }
    known = tmp_path / "known.txt"
    failures = [name for name, result in found.items() if result["verdict"] == "fail"]
    known.write_text("# of gmediarender\n" + "\n".join(failures))
    report = check("Bedroom", "--read-only", "--expect", str(known))
    assert "known uda/4.1.1/callback-scheme" in report
    assert "FAIL" not in report


def test_only_runs_selected_checks(check):
    assert set(results(check("Kitchen", "--only", "uda/4.1.3", "--only", "*/icons-load", "--json"))) == {
        "uda/4.1.3/unsubscribe", "uda/4.1.3/unknown-sid", "uda/4.1.3/no-sid", "uda/4.1.3/sid-and-nt",
        "uda/2.3/icons-load",
    }  # fmt: skip


def test_a_name_selects_both_devices_of_a_speaker(check):
    only = [f"--only={pattern}" for pattern in ("avt/2.2/state", "oh/product/names", "uda/2.3/udn", "share/volume/from-av")]
    for name in ("Kitchen", "Kitchen (OpenHome)"):
        report = json.loads(check(name, *only, "--json"))
        assert (report["target"]["name"], report["companions"][0]["name"]) == ("Kitchen", "Kitchen (OpenHome)")
        assert [result["verdict"] for result in report["results"]] == ["pass"] * 4
    report = json.loads(check(check.udn("Kitchen"), *only, "--json"))
    assert "companions" not in report
    assert {result["id"] for result in report["results"] if result["verdict"] == "skip"} == {"oh/product/names"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["Nobody"],
        ["Kitchen", "--only", "nothing"],
        ["Kitchen", "--expect", "/dev/null/file"],
        # The only matching check changes the device, so it is skipped.
        ["Kitchen", "--read-only", "--only", "rcs/2.4/volume"],
        ["Kitchen", "--report", "/dev/null/page.html"],
    ],
)
def test_what_cannot_be_tested_has_an_exit_status_of_its_own(check, arguments):
    check(*arguments, expect=UNTESTED)


def test_a_dry_run_runs_nothing(check):
    text = check("Kitchen", "--dry-run", "--read-only")
    assert re.search(r"^uda/1.3.3/all +MUST +run$", text, re.MULTILINE)
    assert re.search(r"^rcs/2.4/volume +[A-Z]+ +skip: it changes the device's volume$", text, re.MULTILINE)


def test_a_repeated_run_has_all_verdicts(check):
    report = json.loads(check("Kitchen", "--only", "uda/4.1.3", "--repeat", "3", "--json"))
    assert {tuple(result["verdicts"]) for result in report["results"]} == {("pass", "pass", "pass")}
    assert report["summary"]["unstable"] == 0


def test_an_interrupted_run_reports_what_was_done(check, tmp_path):
    report = tmp_path / "report.json"
    status, text = check.interrupted(
        "Kitchen", "--only", "uda/4.1.3", "--repeat", "1000", "--report", str(report), after="run 2 of 1000"
    )
    assert status == UNTESTED
    assert "Interrupted" in text
    assert json.loads(report.read_text())["isInterrupted"]


def settings(check):
    """The values of the settings that the checks in CHANGING change."""
    speaker = "Kitchen (OpenHome)"
    return {
        "mute": check.call(speaker, "Volume", "Mute"),
        "volume": check.call(speaker, "Volume", "Volume"),
        "source": check.call(speaker, "Product", "SourceIndex"),
        "standby": check.call(speaker, "Product", "Standby"),
        "repeat": check.call(speaker, "Playlist", "Repeat"),
    }


@pytest.fixture
def chosen_settings(check):
    """Sets values that differ from those that the checks use; returns all settings."""
    speaker = "Kitchen (OpenHome)"
    before = settings(check)
    check.call(speaker, "Volume", "SetVolume", Value=23)
    check.call(speaker, "Volume", "SetMute", Value=1)
    check.call(speaker, "Product", "SetSourceIndex", Value=1)
    check.call(speaker, "Playlist", "SetRepeat", Value=1)
    check.call(speaker, "Product", "SetStandby", Value=1)
    yield settings(check)
    check.call(speaker, "Product", "SetStandby", Value=0)
    check.call(speaker, "Product", "SetSourceIndex", Value=before["source"]["Value"])
    check.call(speaker, "Volume", "SetMute", Value=0)
    check.call(speaker, "Volume", "SetVolume", **before["volume"])
    check.call(speaker, "Playlist", "SetRepeat", **before["repeat"])


#: Checks that change the volume, mute, the source, standby and the modes of the playlist.
CHANGING = ["share/volume", "share/mute", "share/standby-stops-av", "share/playlist-stops-av", "oh/playlist/repeat"]


def test_settings_are_restored(check, chosen_settings):
    only = [f"--only={pattern}" for pattern in CHANGING]
    report = json.loads(check("Kitchen (OpenHome)", *only, "--json", seconds=60))
    assert report["summary"]["passed"] == len(report["results"]) > 5
    assert not any("notRestored" in result for result in report["results"])
    assert settings(check) == chosen_settings


def test_settings_are_restored_after_an_interruption(check, chosen_settings):
    only = [f"--only={pattern}" for pattern in CHANGING]
    # Interrupted between two checks that play, while source and volume are changed.
    status, text = check.interrupted("Kitchen (OpenHome)", *only, after="share/playlist-stops-av")
    assert status == UNTESTED
    assert "Interrupted" in text
    assert settings(check) == chosen_settings


def test_a_run_ends_at_its_limit(check):
    report = json.loads(check("Kitchen", "--limit", "1s", "--json", expect=UNTESTED))
    assert report["isIncomplete"]
    assert any("limit of 1 s" in result.get("reason", "") for result in report["results"])


def test_a_list_is_filtered(check):
    lines = check.offline("list", "--area", "eventing", "--level", "must", "--json").splitlines()
    assert {(json.loads(line)["area"], json.loads(line)["level"]) for line in lines} == {("Eventing", "MUST")}


def test_an_explanation_has_everything_about_a_check(check):
    text = check.offline("explain", "cm/2.3/plain-events")
    for part in ("cm/2.3/plain-events (ConnectionManager)", "level", "requirement", "source", "test", "needs", "Kodi"):
        assert part in text
    check.offline("explain", "nothing", expect=UNTESTED)
