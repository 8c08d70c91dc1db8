"""Parses the outcome of a test run, and decides which failures may be retried.

A failure is retried once if retries.toml lists the test. Crashes and unfinished runs are never retried.
"""

import dataclasses
import fnmatch
import json
import tomllib
import xml.etree.ElementTree as ET

#: The exception that Tests/interop/support/processes.py raises when a program under test crashed.
CRASHED = "processes.Crashed"


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The outcome of one run."""

    #: Names of the tests that ran, and of those that failed.
    ran: frozenset = frozenset()
    failed: frozenset = frozenset()
    #: Tests that did not run because something is missing.
    skipped: frozenset = frozenset()
    #: A problem other than a failed test, such as a crash.
    trouble: str = ""
    #: The output of the run.
    output: str = ""
    #: The arguments with which a test failed, by its name.
    details: dict = dataclasses.field(default_factory=dict)

    def describe(self, name):
        return f"{name} with {', '.join(self.details[name])}" if self.details.get(name) else name


def of_swift(status, output, events):
    """The outcome of a Swift test run. `status` is the exit status or minus the signal; `events` is the event stream, one
    JSON record per line."""
    functions, running, failed, skipped, details = set(), set(), set(), set(), {}
    is_over = False
    # Not splitlines(), which also splits at U+2028 and others that JSON strings may contain.
    for line in filter(None, events.split("\n")):
        try:
            record = json.loads(line)["payload"]
        except json.JSONDecodeError:
            break  # The process ended while it wrote this line.
        identifier = record.get("testID") or record.get("id", "")
        name = _name(identifier)
        match record["kind"]:
            case "function":
                functions.add(identifier)
            case "testStarted" if identifier in functions:
                running.add(name)
            case "issueRecorded" if not record["issue"].get("isKnown"):
                arguments = record.get("_testCase", {}).get("displayName")
                if arguments and arguments not in details.setdefault(name, []):
                    details[name].append(arguments)
            case "testSkipped" if identifier in functions:
                skipped.add(name)
            case "testEnded" if identifier in functions:
                running.discard(name)
                if any(message["symbol"] == "fail" for message in record["messages"]):
                    failed.add(name)
            case "runEnded":
                is_over = True
    outcome = Outcome(
        frozenset(map(_name, functions)), frozenset(failed), frozenset(skipped), output=output, details=details
    )
    during = f" during {', '.join(sorted(running))}" if running else ""
    if status < 0:
        return dataclasses.replace(outcome, trouble=f"crashed{during} ({_ending(status)})")
    if not is_over:
        return dataclasses.replace(outcome, trouble=f"did not finish{during} ({_ending(status)})")
    return _checked(outcome, status)


def _name(identifier):
    """Strips the source location: Module.Suite/test()/File.swift:1:2 becomes Module.Suite/test()."""
    return identifier.rpartition("/")[0]


def of_pytest(status, output, report):
    """The outcome of a pytest run by exit status, output and JUnit report."""
    if status not in (0, 1) or not report:
        trouble = "no tests ran" if status == 5 else f"did not finish ({_ending(status)})"
        return Outcome(trouble=trouble, output=output)
    ran, failed, skipped, crashed = set(), set(), set(), set()
    for case in ET.fromstring(report).iter("testcase"):
        name = f"{case.get('classname').replace('.', '/')}.py::{case.get('name')}"
        ran.add(name)
        problems = [*case.iter("failure"), *case.iter("error")]
        if problems:
            failed.add(name)
        if any(True for _ in case.iter("skipped")):
            skipped.add(name)
        if any(CRASHED in problem.get("message", "") + (problem.text or "") for problem in problems):
            crashed.add(name)
    trouble = f"the program under test crashed during {', '.join(sorted(crashed))}" if crashed else ""
    return _checked(Outcome(frozenset(ran), frozenset(failed), frozenset(skipped), trouble, output), status)


def _checked(outcome, status):
    """Adds problems that the list of tests does not show."""
    if outcome.trouble:
        return outcome
    if not outcome.ran:
        return dataclasses.replace(outcome, trouble="no tests ran")
    if status != 0 and not outcome.failed:
        return dataclasses.replace(outcome, trouble=f"failed outside of any test ({_ending(status)})")
    return outcome


def _ending(status):
    return f"signal {-status}" if status < 0 else f"exit status {status}"


class Retries:
    """The contents of retries.toml: groups of name patterns, each with a reason."""

    def __init__(self, text):
        self.groups = tomllib.loads(text).get("group", [])

    def reason(self, name):
        """Why a test may be retried; None if it may not."""
        for group in self.groups:
            if any(fnmatch.fnmatchcase(name, pattern) for pattern in group["tests"]):
                return group["reason"]
        return None

    def unused(self, ran):
        """The patterns that match none of the tests that ran."""
        patterns = [pattern for group in self.groups for pattern in group["tests"]]
        return [pattern for pattern in patterns if not fnmatch.filter(ran, pattern)]


def failures(outcome, retries, may_skip=True):
    """The problems that cannot be retried, one per line; empty if there are none.

    Unless tests `may_skip`, a skipped one is a problem: something that it needs is missing."""
    failed = sorted(map(outcome.describe, outcome.failed))
    skipped = [] if may_skip else sorted(f"{name} was skipped" for name in outcome.skipped)
    if outcome.trouble:
        return [outcome.trouble, *failed, *skipped]
    if not skipped and all(retries.reason(name) for name in outcome.failed):
        return []
    return [*failed, *skipped]
