"""The helpers of these tests: waits report their condition, and crashes fail the test."""

import pathlib
import signal
import sys

import pytest

from processes import Crashed, Process, wait_until, wait_until_equal


def test_a_wait_that_times_out_shows_its_condition():
    values = iter([0, None, 0])
    with pytest.raises(AssertionError, match=r"not within 0 s: .*next\(values\).*last value: 0; it said no"):
        wait_until(lambda: next(values), 0, explain=lambda: "it said no")
    with pytest.raises(AssertionError, match=r"expected \('STOPPED', 'OK'\) but .* is \('PLAYING', 'OK'\)"):
        wait_until_equal(lambda: ("PLAYING", "OK"), ("STOPPED", "OK"), 0)


def test_a_wait_returns_the_value_of_the_condition():
    values = iter([None, 0, "found"])
    assert wait_until(lambda: next(values)) == "found"
    values = iter([3, 2, 1, 0])
    wait_until_equal(lambda: next(values), 0)
    assert list(values) == []


@pytest.mark.parametrize("crash", [signal.SIGSEGV, signal.SIGILL, signal.SIGABRT])
def test_stop_raises_when_the_program_crashed(crash):
    text = f"import os; print('last words', flush=True); os.kill(os.getpid(), {int(crash)})"
    program = Process(sys.executable, "-c", text)
    program.process.wait()
    with pytest.raises(Crashed, match=rf"crashed: {crash.name}; it printed:\nlast words"):
        program.stop()


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_ending_a_program_is_not_a_crash(end):
    program = Process("sleep", "1000")
    assert program.stop(end)[0] == -end
    assert program.stop()[0] == -end


def test_a_failed_assertion_in_a_thread_fails_the_test(pytester):
    pytester.makefile(".ini", pytest=(pathlib.Path(__file__).parents[1] / "pytest.ini").read_text())
    pytester.makepyfile(
        "import threading\n"
        "def check():\n    assert False, 'unheard'\n"
        "def test_it():\n    thread = threading.Thread(target=check)\n    thread.start()\n    thread.join()\n"
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
