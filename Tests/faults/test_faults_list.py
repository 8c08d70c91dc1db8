"""Every fault applies to the sources, and only caught faults count as caught."""

import pathlib

import pytest

import faults

FAULTS = faults.read((pathlib.Path(faults.__file__).parent / "faults.toml").read_text())
CAUGHT = faults.runner.outcomes.Outcome(frozenset({"a"}), frozenset({"a"}))
PASSED = faults.runner.outcomes.Outcome(frozenset({"a"}))
CRASHED = faults.runner.outcomes.Outcome(trouble="crashed during a")
NOTHING = faults.runner.outcomes.Outcome(trouble="no tests ran")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_applies(fault):
    assert fault.problem(faults.ROOT) == ""
    assert fault.before != fault.after and bool(fault.swift) != bool(fault.interop)


def test_there_are_forty_faults_with_unique_names():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 40


@pytest.fixture
def fault(tmp_path):
    (tmp_path / "a.swift").write_text("let a = 1\nlet b = 2\n")
    return faults.Fault("one", "An effect.", "a.swift", "a = 1", "a = 2", swift="A")


@pytest.mark.parametrize(
    ("outcome", "result"),
    [
        (CAUGHT, (True, "a")), (CRASHED, (True, "crashed during a")), (PASSED, (False, "its tests pass")),
        (NOTHING, (False, "no tests ran")),
    ],
)  # fmt: skip
def test_a_fault_is_caught_if_a_test_fails(tmp_path, fault, outcome, result):
    def run_tests(_, tree):
        assert (tree / "a.swift").read_text() == "let a = 2\nlet b = 2\n"
        return outcome

    assert faults.check([fault], tmp_path, run_tests, lambda _: 0) == {fault: result}
    assert (tmp_path / "a.swift").read_text() == "let a = 1\nlet b = 2\n"


def test_a_fault_that_does_not_apply_or_build_is_not_caught(tmp_path, fault):
    assert faults.check([fault], tmp_path, lambda *_: CAUGHT, lambda _: 1) == {fault: (False, "does not build")}
    (tmp_path / "a.swift").write_text("a = 1; a = 1")
    reason = "does not apply: a.swift contains its line 2 times"
    assert faults.check([fault], tmp_path, lambda *_: CAUGHT, lambda _: 0) == {fault: (False, reason)}
    (tmp_path / "a.swift").unlink()
    assert faults.check([fault], tmp_path, lambda *_: CAUGHT, lambda _: 0)[fault][1].endswith("a.swift is missing")


def test_a_copy_keeps_dates_and_build_products(tmp_path):
    source, target = tmp_path / "source", tmp_path / "target"
    for folder in (source, target / ".build", target / "old"):
        folder.mkdir(parents=True)
    faults.subprocess.run(["git", "init", "--quiet", source], check=True)
    (source / "a").write_text("new")
    (target / "a").write_text("old")
    (target / "old/b").write_text("gone")
    (target / ".build/c").write_text("built")
    faults.copy(source, target)
    date = (target / "a").stat().st_mtime_ns
    faults.copy(source, target)
    assert (target / "a").read_text() == "new" and (target / "a").stat().st_mtime_ns == date
    assert not (target / "old/b").exists() and (target / ".build/c").exists()
