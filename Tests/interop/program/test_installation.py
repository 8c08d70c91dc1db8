"""`make install` and `make uninstall`: files, unit, manual pages and completions."""

import os
import re
import subprocess

import pytest

import completion
from processes import PATIENCE, ROOT, SWIFTLET, SWIFTLET_CONTROL


def script(command, destdir, *programs, **environment):
    programs_under_test = {"SWIFTLET": SWIFTLET, "SWIFTLET_CONTROL": SWIFTLET_CONTROL}
    return subprocess.run(
        [ROOT / "scripts/install.sh", command, *programs],
        env={"PATH": os.environ["PATH"], "DESTDIR": str(destdir), **programs_under_test, **environment},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip


def run_silently(*command, **options):
    """Runs a command that must succeed without output."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False, **options
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The root folder of an installation with PREFIX=/usr/local."""
    root = tmp_path_factory.mktemp("root")
    script("install", root)
    return root


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


SPEAKER_FILES = {
    "etc/dbus-1/system.d/org.mpris.MediaPlayer2.swiftlet.conf",
    "etc/swiftlet/swiftlet.toml",
    "usr/local/bin/swiftlet",
    "usr/local/lib/systemd/system/swiftlet.service",
    "usr/local/lib/systemd/system/swiftlet@.service",
    "usr/local/lib/sysusers.d/swiftlet.conf",
    "usr/local/share/bash-completion/completions/swiftlet",
    "usr/local/share/fish/vendor_completions.d/swiftlet.fish",
    "usr/local/share/man/man1/swiftlet.1",
    "usr/local/share/man/man5/swiftlet.toml.5",
    "usr/local/share/swiftlet/drop-ins/bluetooth.conf",
    "usr/local/share/swiftlet/drop-ins/buttons.conf",
    "usr/local/share/swiftlet/snapcast/snapcast-control.py",
    "usr/local/share/swiftlet/snapcast/snapclient.conf",
    "usr/local/share/swiftlet/snapcast/snapserver.conf",
    "usr/local/share/zsh/site-functions/_swiftlet",
}
CONTROL_FILES = {
    "usr/local/bin/swiftlet-control",
    "usr/local/share/bash-completion/completions/swiftlet-control",
    "usr/local/share/fish/vendor_completions.d/swiftlet-control.fish",
    "usr/local/share/man/man1/swiftlet-control.1",
    "usr/local/share/zsh/site-functions/_swiftlet-control",
}


def test_install_puts_every_file_in_place(installed):
    assert files(installed) == SPEAKER_FILES | CONTROL_FILES


def test_both_programs_have_the_same_version():
    shown = [subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
             for program in (SWIFTLET, SWIFTLET_CONTROL)]  # fmt: skip
    assert shown[0] == shown[1]


def test_one_program_is_installed_and_removed_alone(tmp_path):
    script("install", tmp_path, "swiftlet-control")
    assert files(tmp_path) == CONTROL_FILES
    script("install", tmp_path)
    script("uninstall", tmp_path, "swiftlet-control")
    assert files(tmp_path) == SPEAKER_FILES


@pytest.mark.parametrize("prefix", ["/usr/local", "/opt/music & more"])
def test_uninstall_removes_every_file(tmp_path, prefix):
    for _ in range(2):
        script("install", tmp_path, PREFIX=prefix)
    assert (tmp_path / prefix[1:] / "bin/swiftlet").exists()
    script("uninstall", tmp_path, PREFIX=prefix)
    assert list(tmp_path.iterdir()) == []


def test_install_and_uninstall_keep_foreign_and_edited_files(tmp_path):
    script("install", tmp_path)
    written = tmp_path / "etc/swiftlet/swiftlet.toml"
    written.write_text('name = "Kitchen"\n')
    other = tmp_path / "usr/local/share/man/man1/other.1"
    other.touch()
    # An update keeps the edited file.
    script("install", tmp_path)
    assert str(written) in script("uninstall", tmp_path).stderr
    assert files(tmp_path) == {str(path.relative_to(tmp_path)) for path in (written, other)}
    assert written.read_text() == 'name = "Kitchen"\n'


def test_the_installed_configuration_is_a_valid_template(installed, tmp_path):
    text = (installed / "etc/swiftlet/swiftlet.toml").read_text()
    assert all(line == "" or line.startswith("#") for line in text.splitlines())
    # Prose comments have a space after #, keys do not.
    path = tmp_path / "swiftlet.toml"
    path.write_text("\n".join(line[1:] for line in text.splitlines() if re.match(r"#(\S|  \{)", line)))
    assert "name = " in path.read_text()
    done = subprocess.run(
        [SWIFTLET, "config", "check", "--config", path], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(params=["swiftlet.service", "swiftlet@.service"])
def unit(request, installed, tmp_path):
    """A unit with the path of the program under test."""
    path = tmp_path / request.param.replace("@", "@bath")
    text = (installed / "usr/local/lib/systemd/system" / request.param).read_text()
    assert "ExecStart=/usr/local/bin/swiftlet " in text
    path.write_text(text.replace("/usr/local/bin/swiftlet", SWIFTLET))
    return path


def test_systemd_accepts_the_unit(unit):
    run_silently("systemd-analyze", "verify", "--man=no", unit)


def test_systemd_accepts_the_drop_ins(installed, unit):
    folder = unit.parent / f"{unit.name}.d"
    folder.mkdir()
    for path in (installed / "usr/local/share/swiftlet/drop-ins").iterdir():
        (folder / path.name).symlink_to(path)
    run_silently("systemd-analyze", "verify", "--man=no", unit)


def test_the_unit_is_sandboxed(unit):
    # The threshold is in tenths. The rest is access to the sound card and the network.
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", unit],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def keys():
    shown = subprocess.run(
        [SWIFTLET, "config", "example"], capture_output=True, text=True, timeout=PATIENCE, check=True
    ).stdout
    return re.findall(r"^#([a-z_.]+) = ", shown, re.MULTILINE)


def control_commands():
    """The commands that the help of swiftlet-control lists."""
    shown = subprocess.run(
        [SWIFTLET_CONTROL, "--help"], capture_output=True, text=True, timeout=PATIENCE, check=True
    ).stdout
    return re.findall(r"^  ([a-z]+) ", shown.partition("SUBCOMMANDS:")[2], re.MULTILINE)


@pytest.mark.parametrize("page", ["man1/swiftlet.1", "man5/swiftlet.toml.5", "man1/swiftlet-control.1"])
def test_manual_pages_render_without_warnings(installed, page):
    path = installed / "usr/local/share/man" / page
    run_silently("mandoc", "-T", "lint", "-W", "warning", path)
    run_silently(
        "sh", "-c", 'man --warnings --local-file --encoding=UTF-8 --troff-device=utf8 --ditroff "$1" >/dev/null', "sh",
        path, env={**os.environ, "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "100"},
    )  # fmt: skip
    text = subprocess.run(["mandoc", "-T", "ascii", path], capture_output=True, text=True, check=True).stdout
    text = re.sub(".\x08", "", text)
    assert not re.search("@[A-Z]+@", text)
    if page.startswith("man5"):
        assert all(re.search(rf"^ +{re.escape(key)}( |$)", text, re.MULTILINE) for key in keys())
    if page.endswith("control.1"):
        assert {"devices", "inspect"} <= set(control_commands())
        assert all(re.search(rf"^ +{command}( |$)", text, re.MULTILINE) for command in control_commands())
        assert all(re.search(rf"^ +{option}( |$)", text, re.MULTILINE) for option in ("--json", "--interface", "--wait"))


@pytest.mark.parametrize("program", ["swiftlet", "swiftlet-control"])
@pytest.mark.parametrize("shell", list(completion.SCRIPTS))
def test_completion_scripts_have_valid_syntax(installed, shell, program):
    run_silently(shell, "-n", completion.script(installed, shell, program))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("swiftlet ", {"buttons", "config", "outputs", "status"}),
        ("swiftlet --max", {"--max-volume"}),
        ("swiftlet config c", {"check"}),
        ("swiftlet status --j", {"--json"}),
    ],
)
def test_bash_completes(installed, line, expected):
    assert expected <= set(completion.in_bash(installed, "swiftlet", line))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("swiftlet-control ", {"devices", "call"}),
        ("swiftlet-control devices --j", {"--json"}),
    ],
)
def test_bash_completes_commands_of_swiftlet_control(installed, line, expected):
    assert expected <= set(completion.in_bash(installed, "swiftlet-control", line))
