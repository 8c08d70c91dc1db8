"""Options, and how mistakes are told."""

import fcntl
import os
import signal
import subprocess

import pytest

from card import Card
from processes import PATIENCE, SWIFTLET, wait_until


def swiftlet(*arguments):
    return subprocess.run(
        [SWIFTLET, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--nonsense"], "--nonsense"),
        (["--port", "70000"], "70000"),
        (["--port", "http"], "http"),
        (["--uuid", "kitchen"], "kitchen"),
        (["--log-level", "loud"], "loud"),
        (["--name"], "--name"),
        (["--name", " "], "name"),
        (["stray"], "stray"),
        (["--output", "hw:0"], "alsa:hw:0"),
    ],
)
def test_a_bad_option(arguments, said, tmp_path):
    result = swiftlet("--state-dir", str(tmp_path), "--output", "null", *arguments)
    assert result.returncode == 64
    assert result.stdout == ""
    # The sentence comes first; how options are given, after it.
    sentence, *usage = result.stderr.splitlines()
    assert said in sentence
    assert any(line.startswith("Usage: swiftlet") for line in usage)


@pytest.mark.parametrize(
    "output", ["alsa:nowhere", "nosuchelement", "filesink location=/nonexistent/file", "fakesink !", "audioconvert"]
)
def test_an_output_that_cannot_be_opened(output, tmp_path):
    result = swiftlet("--state-dir", str(tmp_path), "--interface", "lo", "--output", output)
    assert result.returncode == 69
    assert result.stdout == ""
    (sentence,) = result.stderr.splitlines()
    assert sentence.startswith("swiftlet: ")
    assert sentence.endswith(".")
    assert output in sentence


def test_the_preferred_output_is_the_one_that_is_taken(tmp_path):
    preferred = swiftlet("outputs", "--preferred")
    if preferred.returncode == 0:
        assert preferred.stdout.strip() in swiftlet("outputs").stdout
    else:
        # Without a device there is no sound to nowhere that nobody asked for.
        assert preferred.returncode == 69
        result = swiftlet("--state-dir", str(tmp_path), "--interface", "lo")
        assert (result.returncode, result.stderr) == (69, preferred.stderr)


def test_a_port_that_is_taken(start, tmp_path):
    port = start().port
    result = swiftlet(
        "--state-dir", str(tmp_path / "other"), "--interface", "lo", "--output", "null", "--port", str(port)
    )
    assert result.returncode == 69
    assert str(port) in result.stderr
    assert "--port" in result.stderr


def test_two_do_not_share_a_state_folder(start, tmp_path):
    # They would be one device on the network, and undo what the other keeps.
    first = start()
    assert first.port
    result = swiftlet(
        "--state-dir", str(tmp_path / "state"), "--interface", "lo", "--output", "null", "--config", "/dev/null"
    )
    assert result.returncode == 69
    (sentence,) = result.stderr.splitlines()
    assert f"{tmp_path}/state, process {first.process.pid}." in sentence
    assert "--state-dir" in sentence
    first.stop(signal.SIGKILL)
    assert start().port


def test_what_it_says_goes_nowhere_else_when_its_streams_are_closed(start, tmp_path):
    renderer = start(before=("sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"))
    socket = tmp_path / "state/status"
    wait_until(socket.exists)
    descriptors = [os.readlink(f"/proc/{renderer.process.pid}/fd/{number}") for number in range(3)]
    assert descriptors == ["/dev/null"] * 3


def test_an_interface_that_does_not_exist_yet_is_waited_for(start):
    renderer = start(more=("--interface", "swiftlet0"))
    assert renderer.port > 0


def test_version():
    result = swiftlet("--version")
    assert result.returncode == 0
    assert result.stdout.lower().startswith("swiftlet ")


def test_outputs():
    result = swiftlet("outputs")
    assert result.returncode == 0
    assert any(line.split()[:1] == ["null"] for line in result.stdout.splitlines())


def test_it_says_who_and_where_it_is(start):
    renderer = start(name="Bath room")
    renderer.wait_for(r"http://127\.0\.0\.1:\d+/")
    said = "\n".join(renderer.out)
    assert "Bath room" in said
    assert "null" in said


def test_a_full_pipe_at_its_output_holds_nothing_up(tmp_path):
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writing, False)
    os.write(writing, b"x" * 4095 + b"\n")
    with pytest.raises(BlockingIOError):
        os.write(writing, b"x")
    os.set_blocking(writing, True)
    status = str(tmp_path / "status")
    process = subprocess.Popen(
        [SWIFTLET, "--config", "/dev/null", "--interface", "lo", "--output", "null", "--name", "Kitchen",
         "--state-dir", str(tmp_path), "--status-socket", status],
        stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    try:
        wait_until(lambda: "/renderer/" in swiftlet("status", "--status-socket", status).stdout)
        with open(reading) as lines:
            assert lines.readline() == "x" * 4095 + "\n"
            # What could not be printed then is printed now.
            assert "“Kitchen”" in lines.readline()
            assert any("/openhome/" in line for line in lines)
            process.terminate()
            assert process.wait(timeout=PATIENCE) == 0
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_it_goes_on_when_nobody_reads_what_it_prints_any_more(tmp_path, stream):
    card = Card(tmp_path)
    card.mark("gone")
    socket = str(tmp_path / "status")
    process = subprocess.Popen(
        [*card.environment(), SWIFTLET, "--config", "/dev/null", "--interface", "lo", "--output", card.output,
         "--wait-for-output", "--state-dir", str(tmp_path), "--status-socket", socket],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert any("/renderer/" in line for line in process.stdout)
        getattr(process, stream).close()
        # A line on either.
        process.send_signal(signal.SIGHUP)
        card.mark("gone", False)
        wait_until(lambda: card.output in swiftlet("status", "--status-socket", socket).stdout)
        process.terminate()
        assert process.wait(timeout=PATIENCE) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()
