"""Runs all tests: Swift's, those on a sound card, and the built program against other people's clients.

Prints every retry and every failed test again at the end. Called by scripts/test.sh.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import time

import outcome as outcomes

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Swift:
    """Tests of Swift Testing, one after the other: some listen in real time, which others would disturb."""

    def __init__(self, *selection, tree=ROOT, before=()):
        """`before` is a command that runs the command which follows it, such as timeout(1)."""
        self._selection, self._tree, self._before = selection, tree, before

    def run(self, report, names=()):
        selection = ("--filter", "|".join(f"^{re.escape(name)}/" for name in names)) if names else self._selection
        status, output = _call(
            self._tree, *self._before, "swift", "test", "--skip-build", "--no-parallel", *selection,
            "--event-stream-version", "0", "--event-stream-output-path", str(report),
        )  # fmt: skip
        return outcomes.of_swift(status, output, _read(report))


class Pytest:
    """Tests of the built program."""

    def __init__(self, python, folder, tree=ROOT, before=()):
        self._command = (*before, python, "-m", "pytest")
        self._folder, self._tree = folder, tree

    def run(self, report, names=()):
        paths = [f"{self._folder}/{name}" for name in names] or [self._folder]
        status, _ = _call(self._tree, *self._command, *paths, f"--junitxml={report}")
        return outcomes.of_pytest(status, _read(report))


#: The parts in their order.
PARTS = {
    "Swift tests": Swift("--skip", "OnASoundCard", "--filter", "."),
    "sound card tests": Swift("--filter", "OnASoundCard"),
    "interop tests": Pytest(".venv/bin/python", "Tests/interop"),
}


def _call(folder, *command):
    """Runs a command and prints its output as it comes; returns its exit status (minus the signal, if one ended it) and
    the output."""
    output = []
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace",
    ) as process:  # fmt: skip
        for line in process.stdout:
            output.append(line)
            print(line, end="", flush=True)
    return process.returncode, "".join(output)


def _read(path):
    return path.read_text(errors="replace") if path.exists() else ""


def run(parts, retries, complete=True):
    """Runs the parts and prints a summary; returns whether everything passed.

    A `complete` run has all tests, so that a pattern of the list that matches none of them is out of date.
    """
    ran, retried, failed, seconds = set(), [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, part) in enumerate(parts.items()):
            start = time.monotonic()
            first = part.run(pathlib.Path(folder) / f"{number}")
            ran |= first.ran
            problems = outcomes.failures(first, retries)
            if not problems and first.failed:
                again = sorted(first.failed)
                print(f"Retrying {len(again)} of the {name}:", *map(first.describe, again), sep="\n  ", flush=True)
                second = part.run(pathlib.Path(folder) / f"{number}-again", again)
                problems = _after_retry(first, second)
                for test in again:
                    ending = "failed again" if problems else "passed"
                    retried.append(f"{first.describe(test)}: {ending}; {retries.reason(test)}")
            failed += [f"{name}: {problem}" for problem in problems]
            seconds.append(f"{name} {time.monotonic() - start:.0f} s")
    if complete and not failed:
        failed += [f"retries.toml: no test matches {pattern}" for pattern in retries.unused(ran)]
    print(f"Time: {', '.join(seconds)}")
    print(f"Retries: {len(retried)}")
    for line in retried:
        print(f"Retried: {line}")
    for line in failed:
        print(f"Failed: {line}")
    return not failed


def _after_retry(first, second):
    """What a retry leaves wrong."""
    if second.trouble:
        return [f"retry: {second.trouble}", *sorted(map(second.describe, second.failed))]
    missing = first.failed - second.ran
    return sorted([*map(second.describe, second.failed), *(f"{name}: did not run again" for name in missing)])


if __name__ == "__main__":
    retries = outcomes.Retries((pathlib.Path(__file__).parent / "retries.toml").read_text())
    sys.exit(0 if run(PARTS, retries) else 1)
