"""`swiftlet announce`: a file of the machine's user, which the service need not be able to read."""

import subprocess

import pytest

from page_api import Page
from processes import PATIENCE, SWIFTLET, wait_until
from test_announcements import LEVEL, RATE, heard, square, wav

#: Exit statuses: refused, wrong usage, no such file, nothing answers.
REFUSED, USAGE, NO_FILE, UNAVAILABLE = 1, 64, 66, 69


@pytest.fixture
def announce(start, capture, tmp_path):
    """Runs the command beside a speaker whose sound is written to `capture`; returns its status and its message."""
    renderer = start(output=capture.output)
    Page(renderer).do("volume", {"level": 100})
    socket = tmp_path / "state/status"
    wait_until(lambda: socket.with_name("status.announce").exists())

    def announce(*arguments, text=None):
        done = subprocess.run(
            [SWIFTLET, "announce", *map(str, arguments), "--config", "/dev/null", "--status-socket", str(socket)],
            input=text, capture_output=True, timeout=4 * PATIENCE, check=False,
        )  # fmt: skip
        return done.returncode, done.stderr.decode()

    announce.page = Page(renderer)
    return announce


def test_a_file_is_heard(announce, capture, tmp_path):
    path = tmp_path / "bell.wav"
    path.write_bytes(wav(square(1)))
    assert announce(path, "--until-heard") == (0, "")
    assert heard(capture) == RATE


def test_standard_input_with_options(announce, capture):
    assert announce("-", "--volume", "-10", "--mode", "pause", "--until-heard", text=wav(square(0.5))) == (0, "")
    peak = max(abs(sample) for sample in memoryview(capture.read()[: capture.size // 2 * 2]).cast("h"))
    assert abs(peak - LEVEL * 10 ** (-10 * 614 / 1024 / 20)) < 3


def test_what_cannot_be_heard_is_an_error(announce, tmp_path):
    text, large = tmp_path / "text", tmp_path / "large"
    text.write_text("Neither music nor speech.\n" * 100)
    large.write_bytes(bytes(33 << 20))
    assert announce(text) == (REFUSED, "swiftlet: The stream contains no audio.\n")
    assert announce(large) == (REFUSED, "swiftlet: The announcement is larger than 32 MiB.\n")
    status, message = announce(tmp_path / "missing")
    assert (status, "no such file" in message) == (NO_FILE, True)
    assert announce(text, "--mode", "loud") == (REFUSED, "swiftlet: “mode” must be “duck” or “pause”.\n")
    status, message = announce(text, "--volume", "loud")
    assert (status, "is not a volume" in message) == (USAGE, True)
    assert announce.page.state["announcement"] == {"playing": False, "waiting": 0}


def test_nothing_answers(tmp_path):
    path = tmp_path / "bell.wav"
    path.write_bytes(wav(square(0.1)))
    done = subprocess.run(
        [SWIFTLET, "announce", str(path), "--config", "/dev/null", "--status-socket", str(tmp_path / "none")],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, "No swiftlet answers" in done.stderr) == (UNAVAILABLE, True)
