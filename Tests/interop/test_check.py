"""swiftlet-control check against swiftlet and gmediarender."""

import json
import os
import subprocess

import pytest

import network
from network import NetworkedRenderer
from processes import PATIENCE, SWIFTLET_CONTROL, Process, wait_until

# CI leaves nothing out: what is missing there fails.
pytestmark = pytest.mark.skipif(
    not os.environ.get("CI") and not network.are_available(), reason="network namespaces need root"
)

PASSED, FAILED, UNTESTED = 0, 1, 2


@pytest.fixture(scope="module")
def check(tmp_path_factory):
    """Runs `swiftlet-control check` on a neighbour of two renderers."""
    here, there = network.Machine(), network.Machine()
    network.connect(here, "eth0", there, "eth0")
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    there.ip("address", "add", "192.0.2.2/24", "dev", "eth0")
    processes = [
        NetworkedRenderer(here, tmp_path_factory.mktemp("check") / "state", interfaces=["eth0"]),
        Process(*here.command("gmediarender", "-f", "Bedroom", "-I", "eth0", "--gstout-audiopipe=fakesink sync=true")),
    ]

    def run(*arguments, expect=PASSED):
        done = subprocess.run(
            there.command(SWIFTLET_CONTROL, *arguments, "--interface", "eth0"),
            capture_output=True, text=True, timeout=4 * PATIENCE, check=False,
        )  # fmt: skip
        assert expect is None or done.returncode == expect, (done.returncode, done.stdout, done.stderr)
        return done.stdout

    wait_until(lambda: all(name in run("devices", expect=None) for name in ("Kitchen (OpenHome)", "Bedroom")))
    yield lambda *arguments, **options: run("check", *arguments, **options)
    for process in processes:
        process.stop()
    for machine in (here, there):
        machine.remove()


def results(output):
    return {result["id"]: result for result in json.loads(output)["results"]}


@pytest.mark.parametrize("name", ["Kitchen", "Kitchen (OpenHome)"])
def test_swiftlet_passes_all_checks(check, name):
    report = json.loads(check(name, "--strict", "--json"))
    assert "Swiftlet" in report["target"]["model"]
    found = {result["id"]: result for result in report["results"]}
    verdicts = {result["verdict"] for result in found.values()}
    assert verdicts <= {"pass", "skip"}, found
    assert found["uda/1.3.3/own-targets"]["verdict"] == "pass"


def test_failures_of_another_renderer_are_found_and_can_be_expected(check, tmp_path):
    found = results(check("Bedroom", "--read-only", "--json", expect=FAILED))
    # It accepts callbacks on any network.
    assert found["uda/4.1.1/foreign-callback"]["verdict"] == "fail"
    assert found["rcs/2.4/volume"] == found["rcs/2.4/volume"] | {
        "verdict": "skip",
        "reason": "it changes the device's volume",
    }
    known = tmp_path / "known.txt"
    failures = [name for name, result in found.items() if result["verdict"] == "fail"]
    known.write_text("# of gmediarender\n" + "\n".join(failures))
    report = check("Bedroom", "--read-only", "--expect", str(known))
    assert "known  uda/4.1.1/foreign-callback" in report
    assert "FAIL" not in report


def test_only_runs_selected_checks(check):
    assert set(results(check("Kitchen", "--only", "uda/4.1.3", "--only", "*/icons-load", "--json"))) == {
        "uda/4.1.3/unsubscribe", "uda/4.1.3/unknown-sid", "uda/4.1.3/no-sid", "uda/4.1.3/sid-and-nt",
        "uda/2.3/icons-load",
    }  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [
        ["Nobody"],
        ["Kitchen", "--only", "nothing"],
        ["Kitchen", "--expect", "/nonexistent"],
        # All of them are skipped.
        ["Kitchen", "--read-only", "--only", "rcs/2.4/volume"],
    ],
)
def test_what_cannot_be_tested_has_an_exit_status_of_its_own(check, arguments):
    check(*arguments, expect=UNTESTED)
