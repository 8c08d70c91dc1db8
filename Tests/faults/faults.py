"""Applies known faults one at a time, and runs the tests that must catch them. Called by scripts/faults.sh.

A fault is caught if one of its tests fails or crashes. The run fails if the tests pass or do not run, or if the fault does
not apply or build.
"""

import argparse
import dataclasses
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/runner"))

import all_tests as runner  # noqa: E402

#: Timeout in seconds, because a fault may make a test hang.
LONGEST_TEST = 600


@dataclasses.dataclass(frozen=True)
class Fault:
    name: str
    effect: str
    file: str
    before: str
    after: str
    #: The tests that must catch it: Swift tests or tests in Tests/interop.
    swift: str = ""
    interop: tuple = ()

    def problem(self, tree):
        """The reason why the fault does not apply to a source tree; empty if it does."""
        path = tree / self.file
        if not path.exists():
            return f"{self.file} is missing"
        count = path.read_text().count(self.before)
        return "" if count == 1 else f"{self.file} contains its line {count} times"

    def apply(self, tree):
        path = tree / self.file
        path.write_text(path.read_text().replace(self.before, self.after))


def read(text):
    return [Fault(**{**fault, "interop": tuple(fault.get("interop", ()))}) for fault in tomllib.loads(text)["fault"]]


def copy(source, target):
    """Updates a copy of the sources. Unchanged files keep their dates, so that they are not rebuilt."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=source, capture_output=True, text=True, check=True).stdout
    # Git ignores Package.resolved, but the copy needs the same versions.
    names = {name for name in [*listed.split("\0"), "Package.resolved"] if name and (source / name).is_file()}
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        if not (target / name).exists() or (target / name).read_bytes() != (source / name).read_bytes():
            shutil.copy(source / name, target / name)
    for path in target.rglob("*"):
        name = str(path.relative_to(target))
        if path.is_file() and name not in names and not name.startswith((".build", ".venv", ".pytest_cache")):
            path.unlink()


def build(tree):
    command = ["swift", "build", "--build-tests"]
    return subprocess.run(command, cwd=tree, stdin=subprocess.DEVNULL, check=False).returncode


def run_tests(fault, tree):
    """Runs the tests that must catch the fault; returns their outcome."""
    limit = ("timeout", "--signal=KILL", f"{LONGEST_TEST}")
    if fault.swift:
        part = runner.Swift("--filter", fault.swift, tree=tree, before=limit)
    else:
        part = runner.Pytest(str(ROOT / ".venv/bin/python"), "Tests/interop", tree=tree, before=limit)
    with tempfile.TemporaryDirectory() as folder:
        return part.run(pathlib.Path(folder) / "report", fault.interop)


def verdict(outcome):
    """Returns whether the fault was caught, and the tests that caught it or the reason why not."""
    is_crash = "crashed" in outcome.trouble
    if outcome.failed or is_crash:
        return True, ", ".join([*([outcome.trouble] if is_crash else []), *sorted(outcome.failed)])
    return False, outcome.trouble or "its tests pass"


def check(faults, tree, run_tests=run_tests, build=build):
    """Applies the faults together, builds once, and runs the tests of each. Restores the tree.

    Returns for each fault whether it was caught, and details.
    """
    results = {fault: (False, f"does not apply: {fault.problem(tree)}") for fault in faults if fault.problem(tree)}
    faults = [fault for fault in faults if fault not in results]
    originals = {tree / fault.file: (tree / fault.file).read_text() for fault in faults}
    try:
        for fault in faults:
            fault.apply(tree)
        if not faults:
            return results
        if build(tree) != 0:
            return results | {fault: (False, "does not build") for fault in faults}
        return results | {fault: verdict(run_tests(fault, tree)) for fault in faults}
    finally:
        for path, text in originals.items():
            path.write_text(text)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("names", nargs="*", help="faults of faults.toml; default: all")
    arguments.add_argument(
        "--together", action="store_true", help="apply all at once and build once: faster, but one fault may hide "
        "another")
    arguments.add_argument(
        "--in-place", action="store_true", help="change this source tree instead of a copy, to reuse its build")
    options = arguments.parse_args()
    # Exit on SIGTERM by an exception, so that the tree is restored.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    faults = read((pathlib.Path(__file__).parent / "faults.toml").read_text())
    if unknown := set(options.names) - {fault.name for fault in faults}:
        sys.exit(f"faults.py: unknown fault {', '.join(sorted(unknown))}.")
    faults = [fault for fault in faults if not options.names or fault.name in options.names]
    tree = ROOT if options.in_place else ROOT / ".build-faults"
    if not options.in_place:
        tree.mkdir(exist_ok=True)
        copy(ROOT, tree)
    lines, caught = [], 0
    for group in [faults] if options.together else [[fault] for fault in faults]:
        start = time.monotonic()
        for fault, (is_caught, details) in check(group, tree).items():
            caught += is_caught
            seconds = time.monotonic() - start
            lines.append(f"{'Caught' if is_caught else 'MISSED'}: {fault.name} ({seconds:.0f} s): {details}")
            print(lines[-1], flush=True)
    print("\n" + "\n".join(lines))
    print(f"Faults: {caught} of {len(faults)} caught")
    sys.exit(0 if caught == len(faults) else 1)


if __name__ == "__main__":
    main()
