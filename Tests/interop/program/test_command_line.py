"""Command line options, error messages, and standard streams."""

import fcntl
import os
import signal
import subprocess

import pytest

from processes import PATIENCE, SWIFTLET, wait_until
from sound_card import Card


def swiftlet(*arguments):
    return subprocess.run(
        [SWIFTLET, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "mentioned"),
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
def test_a_bad_option_prints_an_error_and_the_usage(arguments, mentioned, tmp_path):
    result = swiftlet("--state-dir", str(tmp_path), "--output", "null", *arguments)
    assert result.returncode == 64
    assert result.stdout == ""
    # The error message comes before the usage.
    sentence, *usage = result.stderr.splitlines()
    assert mentioned in sentence
    assert any(line.startswith("Usage: swiftlet") for line in usage)


@pytest.mark.parametrize(
    "output", ["alsa:nowhere", "nosuchelement", "filesink location=/dev/null/file", "fakesink !", "audioconvert"]
)
def test_an_output_that_cannot_be_opened_is_an_error(output, tmp_path):
    result = swiftlet("--state-dir", str(tmp_path), "--interface", "lo", "--output", output)
    assert result.returncode == 69
    assert result.stdout == ""
    (sentence,) = result.stderr.splitlines()
    assert sentence.startswith("swiftlet: ")
    assert sentence.endswith(".")
    assert output in sentence


def test_the_preferred_output_is_the_default(tmp_path):
    preferred = swiftlet("outputs", "--preferred")
    if preferred.returncode == 0:
        assert preferred.stdout.strip() in swiftlet("outputs").stdout
    else:
        # Without a device the program fails instead of playing to nowhere.
        assert preferred.returncode == 69
        result = swiftlet("--state-dir", str(tmp_path), "--interface", "lo")
        assert (result.returncode, result.stderr) == (69, preferred.stderr)


def test_a_port_in_use_is_an_error(start, tmp_path):
    port = start().port
    result = swiftlet(
        "--state-dir", str(tmp_path / "other"), "--interface", "lo", "--output", "null", "--port", str(port)
    )
    assert result.returncode == 69
    assert str(port) in result.stderr
    assert "--port" in result.stderr


def test_a_state_folder_in_use_is_an_error(start, tmp_path):
    # Two programs with one identity would be one device, and overwrite each other's state.
    first = start()
    assert first.port
    result = swiftlet(
        "--state-dir", str(tmp_path / "state"), "--interface", "lo", "--output", "null", "--config", "/dev/null"
    )
    assert result.returncode == 69
    (sentence,) = result.stderr.splitlines()
    assert f"{tmp_path}/state: process {first.process.pid}." in sentence
    assert "--state-dir" in sentence
    first.stop(signal.SIGKILL)
    assert start().port


def test_closed_standard_streams_become_dev_null(start, tmp_path):
    renderer = start(before=("sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"))
    socket = tmp_path / "state/status"
    wait_until(socket.exists)
    descriptors = [os.readlink(f"/proc/{renderer.process.pid}/fd/{number}") for number in range(3)]
    assert descriptors == ["/dev/null"] * 3


def test_a_missing_interface_does_not_stop_the_start(start):
    renderer = start(more=("--interface", "swiftlet0"))
    assert renderer.port > 0


def test_version_is_printed():
    result = swiftlet("--version")
    assert result.returncode == 0
    assert result.stdout.lower().startswith("swiftlet ")


def test_outputs_are_listed():
    result = swiftlet("outputs")
    assert result.returncode == 0
    assert any(line.split()[:1] == ["null"] for line in result.stdout.splitlines())


def test_start_prints_name_address_and_output(start):
    renderer = start(name="Bath room")
    renderer.wait_for(r"http://127\.0\.0\.1:\d+/")
    printed = "\n".join(renderer.out)
    assert "Bath room" in printed
    assert "null" in printed


def test_a_full_stdout_pipe_does_not_block_it(tmp_path):
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
            # The output was kept until the pipe had room.
            assert "“Kitchen”" in lines.readline()
            assert any("/openhome/" in line for line in lines)
            process.terminate()
            assert process.wait(timeout=PATIENCE) == 0
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_it_survives_a_closed_pipe(tmp_path, stream):
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
        # Makes it print a line on each stream.
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
