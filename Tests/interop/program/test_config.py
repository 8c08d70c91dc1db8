"""The configuration file, the environment and the command line, through the built program."""

import os
import re
import signal
import subprocess
import urllib.error
import urllib.request

import pytest

from processes import PATIENCE, ROOT, SWIFTLET, wait_until


@pytest.fixture
def swiftlet(tmp_path):
    """Runs swiftlet with a private home folder, and waits for its end."""

    def run(*arguments, **environment):
        environment = {
            "PATH": os.environ["PATH"],
            "XDG_CONFIG_HOME": str(tmp_path / "config"),
            "HOME": str(tmp_path),
            **environment,
        }
        return subprocess.run(
            [SWIFTLET, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE,
            check=False, env=environment,
        )  # fmt: skip

    return run


@pytest.fixture
def file(tmp_path):
    """Writes the user's configuration file."""
    path = tmp_path / "config/swiftlet/swiftlet.toml"
    path.parent.mkdir(parents=True)

    def write(text):
        path.write_text(text)
        return path

    return write


INVALID = """\
nmae = "Kitchen"
port = "http"

name = Kitchen
[devices]
x = 1
"""


def test_check_reports_file_line_and_key_of_every_problem(swiftlet, file):
    path = file(INVALID)
    result = swiftlet("config", "check")
    assert result.returncode == 78
    assert result.stdout == ""
    first, second, third, fourth = result.stderr.splitlines()
    assert first == f"{path}:1: nmae: Unknown key; did you mean name?"
    assert second.startswith(f"{path}:2: port: ")
    assert third.startswith(f"{path}:4: name: ")
    assert fourth.startswith(f"{path}:5: devices: ")


@pytest.mark.parametrize("zone", ["Mars/Base", "../../etc/passwd", "/etc/localtime", "", "Europe"])
def test_a_time_zone_that_does_not_exist_is_an_error(swiftlet, file, zone):
    path = file(f'time_zone = "{zone}"\n')
    result = swiftlet("config", "check")
    assert result.returncode == 78
    assert result.stderr.startswith(f"{path}:1: time_zone: “{zone}” is not the name of a time zone in /usr/share/zoneinfo")
    path.write_text('time_zone = "Europe/Berlin"\n')
    assert swiftlet("config", "check").returncode == 0


def test_an_invalid_file_prevents_the_start(swiftlet, file, tmp_path):
    file(INVALID)
    check = swiftlet("config", "check")
    result = swiftlet("--output", "null", "--interface", "lo", "--state-dir", str(tmp_path / "state"))
    assert (result.returncode, result.stdout, result.stderr) == (78, "", check.stderr)
    assert not (tmp_path / "state").exists()


def test_check_accepts_a_valid_file(swiftlet, file):
    assert swiftlet("config", "check").returncode == 0
    path = file('name = "Kitchen"\n')
    result = swiftlet("config", "check")
    assert (result.returncode, result.stderr) == (0, "")
    assert str(path) in result.stdout


def test_check_reports_unknown_variables(swiftlet):
    result = swiftlet("config", "check", SWIFTLET_NAEM="Kitchen")
    assert result.returncode == 78
    assert result.stderr == "SWIFTLET_NAEM: Unknown variable; did you mean SWIFTLET_NAME?\n"


def test_check_reports_hooks_that_are_not_executable(swiftlet, file):
    path = file('hooks.play = ["/bin/true"]\nhooks.stop = ["/etc/passwd", "x"]\nhooks.pause = ["/nowhere"]\n')
    result = swiftlet("config", "check")
    assert result.returncode == 78
    assert sorted(result.stderr.splitlines()) == [
        f"{path}:2: hooks.stop: “/etc/passwd” is not an executable file.",
        f"{path}:3: hooks.pause: “/nowhere” is not an executable file.",
    ]


def test_check_reports_a_chime_that_cannot_be_read(swiftlet, file, tmp_path):
    path = file(f'announcement.chime = "{tmp_path}/absent.wav"\n')
    result = swiftlet("config", "check")
    assert result.returncode == 78
    assert result.stderr == (
        f"{path}:1: announcement.chime: “{tmp_path}/absent.wav” cannot be read: no such file or directory. "
        "The built-in chime is heard instead.\n"
    )
    file(f'announcement.chime = "{tmp_path}"\n')
    assert swiftlet("config", "check").stderr == f"{path}:1: announcement.chime: “{tmp_path}” is a folder.\n"


def test_check_reports_an_output_that_can_never_be_opened(swiftlet, file):
    path = file('output = "audioresample ! absentsink"\n')
    result = swiftlet("config", "check")
    assert result.returncode == 78
    assert result.stderr.startswith(f"{path}:1: output: Invalid output “audioresample ! absentsink”: ")
    assert "absentsink" in result.stderr.split(": ", 3)[-1]
    file('output = "alsa:hw:CARD=Absent"\n')
    assert swiftlet("config", "check").returncode == 0


@pytest.mark.parametrize(
    ("content", "mentioned"),
    [(None, "no such file"), (b'name = "\xff"\n', "UTF-8"), (b"# long\n" * 10_000, "larger"), (b"a\0b", "NUL")],
)
def test_an_unreadable_file_is_an_error(swiftlet, tmp_path, content, mentioned):
    path = tmp_path / "other.toml"
    if content is not None:
        path.write_bytes(content)
    result = swiftlet("--config", str(path), "config", "check")
    assert result.returncode == 78
    (sentence,) = result.stderr.splitlines()
    assert sentence.startswith(str(path))
    assert mentioned in sentence


def test_show_prints_each_value_with_its_origin(swiftlet, file):
    path = file('name = "File"\nport = 1\nbuffer = 3\n')
    result = swiftlet("config", "show", "--name", "Option", SWIFTLET_NAME="Environment", SWIFTLET_PORT="2")
    assert result.returncode == 0
    shown = dict(line.split("  # ") for line in result.stdout.splitlines())
    shown = {key.strip(): origin for key, origin in shown.items()}
    assert shown['name = "Option"'] == "--name"
    assert shown["port = 2"] == "SWIFTLET_PORT"
    assert shown["buffer = 3"] == f"{path}:3"
    assert shown['log_level = "info"'] == "default"


def test_show_prints_a_valid_file(swiftlet, tmp_path):
    shown = swiftlet("config", "show", "--name", 'The "Kitchen"', "--interface", "eth0", "--interface", "eth1").stdout
    path = tmp_path / "shown.toml"
    path.write_text(shown)
    again = swiftlet("config", "show", "--config", str(path))
    assert again.returncode == 0
    assert [line.split("  # ")[0] for line in again.stdout.splitlines()] == [
        line.split("  # ")[0] for line in shown.splitlines()
    ]


def test_a_named_file_replaces_the_users_file(swiftlet, file, tmp_path):
    file('name = "Own"\n')
    (tmp_path / "a.toml").write_text('name = "A"\n')
    (tmp_path / "b.toml").write_text('name = "B"\n')
    assert 'name = "Own"' in swiftlet("config", "show").stdout
    a, b = str(tmp_path / "a.toml"), str(tmp_path / "b.toml")
    assert 'name = "A"' in swiftlet("config", "show", SWIFTLET_CONFIG=a).stdout
    assert 'name = "B"' in swiftlet("config", "show", "--config", b, SWIFTLET_CONFIG=a).stdout


def test_the_example_is_valid_and_sets_nothing(swiftlet, tmp_path):
    path = tmp_path / "example.toml"
    path.write_text(swiftlet("config", "example").stdout)
    assert swiftlet("config", "check", "--config", str(path)).returncode == 0
    assert swiftlet("config", "show", "--config", str(path)).stdout == swiftlet("config", "show").stdout


def test_the_renderer_uses_the_file(start, tmp_path):
    path = tmp_path / "swiftlet.toml"
    path.write_text('name = "From the file"\n')
    renderer = start(name=None, more=("--config", str(path)))
    renderer.wait_for("From the file")


@pytest.mark.keys("hosts")
def test_sighup_reloads_the_file(start, tmp_path):
    path = tmp_path / "swiftlet.toml"
    path.write_text("")
    renderer = start(more=("--config", str(path)))

    def status(host):
        request = urllib.request.Request(renderer.description_url, headers={"Host": host})
        try:
            return urllib.request.urlopen(request, timeout=PATIENCE).status
        except urllib.error.HTTPError as error:
            return error.code

    def reload(text):
        path.write_text(text)
        renderer.process.send_signal(signal.SIGHUP)

    assert status("speaker.example.org") == 403
    # The name on the command line overrides the file.
    reload('hosts = ["speaker.example.org"]\nmetrics = true\nname = "Bath"\n')
    renderer.wait_for_log(r"Reloaded .*\. In force now: hosts\. Only after a restart: metrics\.")
    wait_until(lambda: status("speaker.example.org") == 200)
    # A file with an error changes nothing.
    reload("hosts = []\nbufer = 5\n")
    renderer.wait_for_log(re.escape(f"{path}:2: bufer: Unknown key; did you mean buffer?"))
    renderer.wait_for_log("the previous one stays in force")
    assert status("speaker.example.org") == 200
    path.unlink()
    renderer.process.send_signal(signal.SIGHUP)
    renderer.wait_for_log(re.escape(f"{path}: The file cannot be read: no such file"))
    assert status("speaker.example.org") == 200


def test_sighup_of_a_closed_terminal_ends_it(tmp_path):
    controller, terminal = os.openpty()
    process = subprocess.Popen(
        [SWIFTLET, "--config", "/dev/null", "--interface", "lo", "--output", "null", "--state-dir", str(tmp_path)],
        stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    try:
        os.close(terminal)
        assert any(b"http://" in line for line in process.stdout)
        # SIGHUP reloads while the terminal is open.
        process.send_signal(signal.SIGHUP)
        assert any(b"Reloaded " in line for line in process.stdout)
        os.close(controller)
        process.send_signal(signal.SIGHUP)
        assert process.wait(timeout=PATIENCE) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_check_names_a_missing_drop_in(swiftlet, tmp_path):
    """In a mount namespace with an installed service."""
    units = tmp_path / "units"
    dropins = units / "swiftlet.service.d"
    dropins.mkdir(parents=True)
    unit = (ROOT / "packaging/swiftlet.service.in").read_text().replace("@BINDIR@", "/usr/local/bin")
    unit = re.sub("@[A-Z]+@", "", unit)
    (units / "swiftlet.service").write_text(unit)
    path = tmp_path / "etc/swiftlet.toml"
    path.parent.mkdir()
    path.write_text('buttons = [{ device = "Wall Button", action = "toggle" }]\n')

    def check():
        script = (
            'mkdir -p /etc/swiftlet && mount --bind "$1" /etc/systemd/system && mount --bind "$2" /etc/swiftlet && '
            'exec "$3" config check'
        )
        return subprocess.run(
            ["unshare", "--mount", "sh", "-c", script, "sh", units, path.parent, SWIFTLET],
            capture_output=True, text=True, timeout=PATIENCE, check=False,
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        )  # fmt: skip

    done = check()
    assert done.returncode == 78
    assert done.stderr.startswith("/etc/swiftlet/swiftlet.toml:1: buttons: The service may not read input devices. ")
    assert " /usr/local/share/swiftlet/drop-ins/buttons.conf " in done.stderr
    (dropins / "buttons.conf").write_text((ROOT / "packaging/drop-ins/buttons.conf").read_text())
    assert (check().returncode, check().stderr) == (0, "")
