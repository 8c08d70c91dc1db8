"""Runs all tests: Swift tests, sound card tests, and interop tests of the debug and the release build. Called by scripts/test.sh.

Tests mostly wait, so several parts run at once, each in its own network namespace. All retries and failures are printed
again at the end.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import outcome as outcomes

ROOT = pathlib.Path(__file__).resolve().parents[2]

#: Command prefix: runs a command in a new network namespace with only a loopback interface.
ALONE = ("unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "alone")

#: Seconds after which a part counts as hanging, and is ended.
LIMIT = 2400
#: Ends pytest, or one of its workers, with the stacks of all threads if a test does not even react to its own time limit.
WATCHDOG = ("-o", "faulthandler_timeout=1200", "-o", "faulthandler_exit_on_timeout=true")


class Swift:
    """Swift tests, run one after the other, because some play in real time and parallel tests would disturb them."""

    #: The product of `swift build --build-tests`. `swift test` runs the same, but holds a lock.
    TESTS = (".build/debug/swiftletPackageTests.xctest", "--testing-library", "swift-testing")

    def __init__(self, *selection, tree=ROOT, command=TESTS, before=()):
        """`before` is a command prefix such as timeout(1)."""
        self._selection, self._tree, self._command = selection, tree, (*before, *command)

    def run(self, report, names=()):
        selection = ("--filter", "|".join(f"^{re.escape(name)}/" for name in names)) if names else self._selection
        status, output = _call(
            self._tree, *self._command, "--no-parallel", *selection,
            "--event-stream-version", "0", "--event-stream-output-path", str(report),
        )  # fmt: skip
        return outcomes.of_swift(status, output, _read(report))


class Pytest:
    """Python tests of the built program."""

    def __init__(self, python, folder, *options, tree=ROOT, before=(), build=()):
        """`build` is a command that runs once, before the tests."""
        self._command = (*before, python, "-m", "pytest", *WATCHDOG, *options)
        self._folder, self._tree, self._build = folder, tree, build

    def run(self, report, names=()):
        if self._build:
            status, output = _call(self._tree, *self._build)
            if status:
                return outcomes.Outcome(trouble=f"the build failed (exit status {status})", output=output)
            self._build = ()
        paths = [f"{self._folder}/{name}" for name in names] or [self._folder]
        status, output = _call(self._tree, *self._command, *paths, f"--junitxml={report}")
        return outcomes.of_pytest(status, output, _read(report))


def stages(alone=ALONE):
    """The parts by name, in stages. The parts of a stage run at once; the stages run in sequence.

    `alone` is empty where network namespaces cannot be created; then all parts run one after the other.
    """
    # Playback takes real time, so the suites that play are spread over several parts.
    engine = r"^PlaybackEngineTests\."
    network = "NetworkTroubleTests|StationTests"
    formats = "BlockFormatsTests|SeekWithoutLengthTests|HLSTests"
    conformance = r"^ConformanceTests\."
    # The build only takes time that the other parts leave over, since some of them play in real time.
    build = ("nice", "-n", "19", "scripts/build.sh", "swiftlet")
    release = ("env", f"SWIFTLET={ROOT / '.build-release/swiftlet'}", *alone)
    workers = ("-n", "4", "--dist", "loadgroup") if alone else ()
    parts = [
        {
            "network trouble tests": Swift("--filter", network, before=alone),
            "format tests": Swift("--filter", formats, before=alone),
            "engine tests": Swift(
                "--skip", f"OnASoundCard|{network}|{formats}", "--filter", engine, before=alone
            ),
            "conformance tests": Swift("--filter", conformance, before=alone),
            "other Swift tests": Swift("--skip", f"{engine}|{conformance}", "--filter", ".", before=alone),
            # Each worker enters its own network namespace.
            "interop tests": Pytest(".venv/bin/python", "Tests/interop", *workers),
            "tests of the release build": Pytest(
                ".venv/bin/python", "Tests/interop", "-m", "release", before=release, build=build
            ),
        },
        {"sound card tests": Swift("--filter", "OnASoundCard")},
    ]
    return parts if alone else [{name: part} for stage in parts for name, part in stage.items()]


def can_isolate():
    """Whether this process may create network namespaces."""
    return subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode == 0


def _call(folder, *command):
    """Runs a command; returns its exit status (minus the signal, if one ended it) and its output."""
    done = subprocess.run(
        ("timeout", "--kill-after=30", str(LIMIT), *command), cwd=folder, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def _read(path):
    return path.read_text(errors="replace") if path.exists() else ""


class Part:
    """The result of one part, including its retry."""

    def __init__(self, name, runner, retries, folder):
        start = time.monotonic()
        self.output, self.retried = [], []
        first = runner.run(folder / "first")
        self.output.append(first.output)
        self.ran = first.ran
        # In CI, nothing may be missing.
        problems = outcomes.failures(first, retries, may_skip=not os.environ.get("CI"))
        if not problems and first.failed:
            again = sorted(first.failed)
            self.output.append("\n  ".join([f"Retrying {len(again)} of the {name}:", *map(first.describe, again)]))
            second = runner.run(folder / "second", again)
            self.output.append(second.output)
            problems = _after_retry(first, second)
            for test in again:
                ending = "failed again" if problems else "passed"
                self.retried.append(f"{first.describe(test)}: {ending}; {retries.reason(test)}")
        self.failed = [f"{name}: {problem}" for problem in problems]
        self.time = f"{name} {time.monotonic() - start:.0f} s"


def run(stages, retries, complete=True):
    """Runs the stages and prints a summary; returns whether everything passed.

    A `complete` run has all tests, so it fails if a pattern of retries.toml matches none of them.
    """
    parts = []
    for stage in stages:
        print(f"Running {', '.join(stage)}", flush=True)
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as pool:
            futures = []
            for number, (name, runner) in enumerate(stage.items()):
                (own := pathlib.Path(folder) / f"{number}").mkdir()
                futures.append(pool.submit(Part, name, runner, retries, own))
            for future in concurrent.futures.as_completed(futures):
                parts.append(future.result())
                print(*parts[-1].output, sep="\n", flush=True)
    failed = [line for part in parts for line in part.failed]
    if complete and not failed:
        ran = set().union(*(part.ran for part in parts))
        failed += [f"retries.toml: no test matches {pattern}" for pattern in retries.unused(ran)]
    retried = [line for part in parts for line in part.retried]
    print(f"Time: {', '.join(part.time for part in parts)}")
    print(f"Retries: {len(retried)}")
    for line in retried:
        print(f"Retried: {line}")
    for line in failed:
        print(f"Failed: {line}")
    return not failed


def _after_retry(first, second):
    """The problems that remain after a retry."""
    if second.trouble:
        return [f"retry: {second.trouble}", *sorted(map(second.describe, second.failed))]
    missing = first.failed - second.ran
    return sorted([*map(second.describe, second.failed), *(f"{name}: did not run again" for name in missing)])


if __name__ == "__main__":
    retries = outcomes.Retries((pathlib.Path(__file__).parent / "retries.toml").read_text())
    sys.exit(0 if run(stages(ALONE if can_isolate() else ()), retries) else 1)
