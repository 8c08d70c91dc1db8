"""Passes, failures, crashes and retries, reported by fake test runners."""

import json
import os
import pathlib
import threading

import pytest

import outcome
import all_tests

RETRIES = outcome.Retries(
    """
    [[group]]
    reason = "it listens in real time"
    tests = ["Demo.Sound/*", "test_line.py::*"]
    """
)
#: Has characters that Python treats as line breaks, and JSON does not escape.
ARGUMENTS = '"\u2028\x85", 2'
SOUND, TABLE, OTHER = "Demo.Sound/heard()", "Demo.Sound/table(_:)", "Demo.Other/counted()"


def swift(tests=(), failed=(), skipped=(), crashes_in=None, signal=None, status=None):
    """One run of a fake `swift test`: event stream, output and exit status.

    The records have the fields of Swift 6.3 that are read. A crash truncates the last line."""
    records = [("test", {"kind": "suite", "id": "Demo.Sound"})]
    records += [("test", {"kind": "function", "id": f"{name}/T.swift:1:2"}) for name in tests]
    for name in tests:
        identifier = {"testID": f"{name}/T.swift:1:2"}
        if name in skipped:
            records.append(("event", {"kind": "testSkipped", "messages": [], **identifier}))
            continue
        records.append(("event", {"kind": "testStarted", "messages": [], **identifier}))
        if name == crashes_in:
            break
        if name in failed:
            arguments = {"_testCase": {"displayName": ARGUMENTS}} if "table" in name else {}
            records.append(("event", {"kind": "issueRecorded", "issue": {"isKnown": False}, **arguments, **identifier}))
        symbol = "fail" if name in failed else "passWithKnownIssue"
        records.append(("event", {"kind": "testEnded", "messages": [{"symbol": symbol}], **identifier}))
    stream = "".join(json.dumps({"kind": kind, "payload": payload}, ensure_ascii=False) + "\n" for kind, payload in records)
    if crashes_in:
        return stream + '{"kind":"ev', "", -4
    ended = json.dumps({"kind": "event", "payload": {"kind": "runEnded", "messages": []}})
    output = f"Test run with {len(tests)} tests in 1 suite\n"
    if signal:
        return stream + ended + "\n", output, -signal
    return stream + ended + "\n", output, (1 if failed else 0) if status is None else status


def pytest_run(tests=(), failed=(), skipped=(), crashed=(), status=None):
    """One run of a fake pytest."""
    text = "".join(
        f'<testcase classname="test_{name.split(".")[0]}" name="{name.split(".")[1]}">'
        + ('<failure message="AssertionError: no">assert 1</failure>' if name in failed else "")
        + ('<skipped type="pytest.skip" message="needs root"/>' if name in skipped else "")
        + ('<error message="failed on teardown">processes.Crashed: SIGSEGV</error>' if name in crashed else "")
        + "</testcase>"
        for name in tests
    )
    report = f"<testsuites><testsuite>{text}</testsuite></testsuites>"
    return report, f"=== {len(tests)} tests in 1.00s ===\n", (1 if failed or crashed else 0) if status is None else status


@pytest.fixture
def pretend(tmp_path, monkeypatch):
    """Puts a program on the PATH that does one given run after the other; returns its command lines so far."""

    def pretend(name, runs):
        for number, (report, output, status) in enumerate(runs):
            (tmp_path / f"{number}.report").write_text(report, newline="")
            (tmp_path / f"{number}.output").write_text(output)
            (tmp_path / f"{number}.status").write_text(str(status))
        program = tmp_path / name
        program.write_text(
            f'#!/bin/sh\ncd "{tmp_path}"; number=$(cat calls 2>/dev/null | wc -l); echo "$*" >>calls\n'
            'for last; do :; done; cp "$number.report" "${last#--junitxml=}"\n'
            'cat "$number.output"; status=$(cat "$number.status")\n'
            '[ "$status" -ge 0 ] || kill "$status" $$; exit "$status"\n'
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        return lambda: (tmp_path / "calls").read_text().splitlines()

    return pretend


#: The runs, whether that passes, how often the runner is called, and lines of the summary.
SWIFT = {
    "pass": ([swift([SOUND, OTHER])], True, 1, ["Retries: 0"]),
    "failure in a listed test that passes on retry": (
        [swift([SOUND, OTHER], failed=[SOUND]), swift([SOUND])], True, 2,
        ["Retries: 1", f"Retried: {SOUND}: passed; it listens in real time"],
    ),
    "failure in a listed test, twice": (
        [swift([SOUND, OTHER], failed=[SOUND]), swift([SOUND], failed=[SOUND])], False, 2,
        ["Retries: 1", f"Retried: {SOUND}: failed again; it listens in real time", f"Failed: swift: {SOUND}"],
    ),
    "failure of one case of a listed test": (
        [swift([TABLE], failed=[TABLE]), swift([TABLE])], True, 2,
        ["Retries: 1", f'Retried: {TABLE} with {ARGUMENTS}: passed; it listens in real time'],
    ),
    "failure in an unlisted test": (
        [swift([SOUND, OTHER], failed=[OTHER])], False, 1, ["Retries: 0", f"Failed: swift: {OTHER}"],
    ),
    "failures in a listed and an unlisted test": (
        [swift([SOUND, OTHER], failed=[SOUND, OTHER])], False, 1,
        ["Retries: 0", f"Failed: swift: {OTHER}", f"Failed: swift: {SOUND}"],
    ),
    "crash": (
        [swift([OTHER, SOUND], crashes_in=SOUND), swift([OTHER, SOUND])], False, 1,
        ["Retries: 0", f"Failed: swift: crashed during {SOUND} (signal 4)"],
    ),
    "crash after a failure in a listed test": (
        [swift([SOUND, OTHER], failed=[SOUND], crashes_in=OTHER), swift([SOUND, OTHER])], False, 1,
        [f"Failed: swift: crashed during {OTHER} (signal 4)", f"Failed: swift: {SOUND}"],
    ),
    "crash of the retry": (
        [swift([SOUND], failed=[SOUND]), swift([SOUND], crashes_in=SOUND)], False, 2,
        ["Retries: 1", f"Failed: swift: retry: crashed during {SOUND} (signal 4)"],
    ),
    "crash after the last test": (
        [swift([SOUND], failed=[SOUND], signal=11), swift([SOUND])], False, 1,
        ["Failed: swift: crashed (signal 11)"],
    ),
    "failure outside of any test": ([swift([SOUND], status=1)], False, 1, ["exit status 1"]),
    "no tests": ([swift()], False, 1, ["Failed: swift: no tests ran"]),
    "a runner that does not start": ([("", "error: no tests are built\n", 1)], False, 1, ["did not finish (exit status 1)"]),
    "a retry that runs nothing": (
        [swift([SOUND], failed=[SOUND]), swift()], False, 2, ["Failed: swift: retry: no tests ran"],
    ),
    "a retry that runs another test": (
        [swift([SOUND], failed=[SOUND]), swift([TABLE])], False, 2, [f"Failed: swift: {SOUND}: did not run again"],
    ),
}  # fmt: skip

PYTEST = {
    "pass": ([pytest_run(["line.test_a", "other.test_b"])], True, 1, ["Retries: 0"]),
    "failure in a listed test that passes on retry": (
        [pytest_run(["line.test_a[x]", "other.test_b"], failed=["line.test_a[x]"]), pytest_run(["line.test_a[x]"])],
        True, 2, ["Retries: 1", "Retried: test_line.py::test_a[x]: passed; it listens in real time"],
    ),
    "failure in an unlisted test": (
        [pytest_run(["other.test_b"], failed=["other.test_b"])], False, 1, ["Failed: pytest: test_other.py::test_b"],
    ),
    "a program under test that crashed in a listed test": (
        [pytest_run(["line.test_a"], crashed=["line.test_a"]), pytest_run(["line.test_a"])], False, 1,
        ["Failed: pytest: the program under test crashed during test_line.py::test_a"],
    ),
    "a program under test that crashed in the retry": (
        [pytest_run(["line.test_a"], failed=["line.test_a"]), pytest_run(["line.test_a"], crashed=["line.test_a"])],
        False, 2, ["Failed: pytest: retry: the program under test crashed during test_line.py::test_a"],
    ),
    "no tests": ([pytest_run(status=5)], False, 1, ["Failed: pytest: no tests ran"]),
    "interrupted": ([pytest_run(["line.test_a"], status=2)], False, 1, ["did not finish (exit status 2)"]),
}  # fmt: skip


def check(part, name, case, calls, capfd):
    _, passes, count, lines = case
    assert all_tests.run([{name: part}], RETRIES, complete=False) == passes
    printed = capfd.readouterr().out
    for line in lines:
        assert line in printed
    assert len(calls()) == count
    # The output of the runner is printed.
    assert case[0][0][1] in printed
    return calls()


@pytest.mark.parametrize("case", SWIFT)
def test_the_outcome_of_a_swift_run(pretend, capfd, case):
    calls = check(all_tests.Swift("--filter", ".", command=("swift", "test")), "swift", SWIFT[case], pretend("swift", SWIFT[case][0]), capfd)
    if case == "failure of one case of a listed test":
        assert r"--filter ^Demo\.Sound/table\(_:\)/" in calls[1]


@pytest.mark.parametrize("case", PYTEST)
def test_the_outcome_of_a_pytest_run(pretend, capfd, case):
    calls = check(all_tests.Pytest("python", "Tests/x"), "pytest", PYTEST[case], pretend("python", PYTEST[case][0]), capfd)
    assert " Tests/x --junitxml=" in calls[0]
    if len(calls) > 1:
        assert " Tests/x/test_line.py::test_a" in calls[1]


@pytest.mark.parametrize("is_ci", [False, True])
@pytest.mark.parametrize(
    ("program", "part", "run", "name"),
    [
        ("python", all_tests.Pytest("python", "Tests/x"), pytest_run(["line.test_a"], skipped=["line.test_a"]), "test_line.py::test_a"),
        ("swift", all_tests.Swift(command=("swift", "test")), swift([SOUND, OTHER], skipped=[SOUND]), SOUND),
    ],
)  # fmt: skip
def test_a_skipped_test_fails_only_in_ci(pretend, monkeypatch, capfd, is_ci, program, part, run, name):
    monkeypatch.setenv("CI", "true" if is_ci else "")
    pretend(program, [run])
    assert all_tests.run([{program: part}], RETRIES, complete=False) == (not is_ci)
    assert (f"Failed: {program}: {name} was skipped" in capfd.readouterr().out) == is_ci


def test_a_part_builds_once_before_its_tests(pretend, tmp_path):
    case = PYTEST["failure in a listed test that passes on retry"]
    pretend("python", case[0])
    builds = tmp_path / "builds"
    part = all_tests.Pytest("python", "Tests/x", build=("sh", "-c", f"echo >>{builds}"))
    assert all_tests.run([{"pytest": part}], RETRIES, complete=False)
    assert builds.read_text() == "\n"


def test_a_failed_build_fails_the_run(pretend, capfd):
    pretend("python", [pytest_run(["other.test_b"])])
    part = all_tests.Pytest("python", "Tests/x", build=("sh", "-c", "echo error: no; exit 1"))
    assert not all_tests.run([{"pytest": part}], RETRIES, complete=False)
    printed = capfd.readouterr().out
    assert "error: no" in printed and "Failed: pytest: the build failed (exit status 1)" in printed


def test_a_part_that_hangs_is_ended(monkeypatch, capfd):
    monkeypatch.setattr(all_tests, "LIMIT", 0.1)
    test = json.dumps({"kind": "test", "payload": {"kind": "function", "id": f"{SOUND}/T.swift:1:2"}})
    start = json.dumps({"kind": "event", "payload": {"kind": "testStarted", "testID": f"{SOUND}/T.swift:1:2"}})
    hang = ("sh", "-c", f"for last; do :; done; printf '%s\\n' '{test}' '{start}' >\"$last\"; sleep 60", "hang")
    assert not all_tests.run([{"swift": all_tests.Swift(command=hang)}], RETRIES, complete=False)
    assert f"Failed: swift: did not finish during {SOUND} (exit status 124)" in capfd.readouterr().out


def test_a_failed_part_does_not_stop_the_others(pretend, capfd):
    part = all_tests.Swift("--filter", ".", command=("swift", "test"))
    calls = pretend("swift", [swift([OTHER], failed=[OTHER]), swift([SOUND], failed=[SOUND]), swift([SOUND])])
    assert not all_tests.run([{"one": part}, {"two": part}], RETRIES, complete=False)
    printed = capfd.readouterr().out
    assert len(calls()) == 3
    assert "Retries: 1" in printed and f"Failed: one: {OTHER}" in printed and "Failed: two" not in printed


def test_a_pattern_that_matches_no_test_fails_a_complete_run(pretend, capfd):
    pretend("swift", [swift([SOUND])])
    assert not all_tests.run([{"swift": all_tests.Swift("--filter", ".", command=("swift", "test"))}], RETRIES, complete=True)
    assert "Failed: retries.toml: no test matches test_line.py::*" in capfd.readouterr().out


def test_every_retry_has_a_reason():
    retries = outcome.Retries((pathlib.Path(all_tests.__file__).parent / "retries.toml").read_text())
    assert all(len(group["reason"]) > 20 and group["tests"] for group in retries.groups)
    # No pattern matches everything.
    assert retries.reason("DeviceStackTests.HTTPTests/anything()") is None
    assert retries.reason("test_control.py::test_anything") is None


class Waiting:
    """A part that ends only while another part runs."""

    def __init__(self, barrier):
        self._barrier = barrier

    def run(self, _report):
        self._barrier.wait()
        return outcome.Outcome(frozenset([OTHER]), output="waited")


def test_the_parts_of_a_stage_run_at_once(capfd):
    barrier = threading.Barrier(2, timeout=10)
    assert all_tests.run([{"one": Waiting(barrier), "two": Waiting(barrier)}], RETRIES, complete=False)
    assert capfd.readouterr().out.count("waited") == 2


def test_without_namespaces_the_parts_run_in_sequence():
    assert all(len(stage) == 1 for stage in all_tests.stages(alone=()))
    names = {name for stage in all_tests.stages(alone=()) for name in stage}
    assert names == {name for stage in all_tests.stages() for name in stage}
