"""`swiftlet sources add`: what it writes works, and what is missing is named."""

import os
import subprocess

import pytest

from page_api import Page
from processes import PATIENCE, ROOT, SWIFTLET, wait_until, wait_until_equal
from program_source import pcm
from songcast_sender import RATE, Pulses
from sound_card import Card
from test_sources import playing


def swiftlet(*arguments, **environment):
    return subprocess.run(
        [SWIFTLET, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False,
        env={"PATH": "/usr/bin:/bin", "HOME": "/dev/null", **environment},
    )  # fmt: skip


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "swiftlet.toml"
    path.write_text('room = "Attic"')
    return path


def test_a_new_file(tmp_path):
    path = tmp_path / "new.toml"
    done = swiftlet("sources", "add", "line", "--device", "hw:9", "--config", str(path))
    assert f"Added to {path}" in done.stdout, done.stderr
    assert path.read_text().startswith("[[source]]")


def test_librespot(start, tmp_path, path):
    programs = tmp_path / "bin"
    programs.mkdir()
    missing = swiftlet("sources", "add", "spotify", "--config", str(path))
    assert missing.returncode == 78
    assert "source" in missing.stderr
    assert "“librespot” is not an executable file. Debian does not have it" in missing.stderr
    (programs / "librespot").symlink_to(ROOT / "Tests/interop/support/librespot_stand_in.py")
    (programs / "swiftlet").symlink_to(SWIFTLET)
    environment = f"{programs}:{os.environ['PATH']}"
    assert swiftlet("config", "check", "--config", str(path), PATH=environment).returncode == 0
    renderer = start(
        more=("--config", str(path)), before=("env", f"PATH={environment}", f"LIBRESPOT_FOLDER={programs}")
    )
    page = Page(renderer)
    (programs / "play").touch()
    wait_until_equal(lambda: playing(page), ("spotify", "playing"))
    wait_until(lambda: page.state["playing"].get("title") == "Rock & Roll")
    state = page.state
    assert (state["playing"]["artist"], state["playing"]["album"]) == ("One, Two", "First")
    assert state["playing"]["art"]
    assert state["position"]["duration"] == 200
    wait_until(lambda: page.state["position"]["seconds"] > 2)
    (programs / "play").unlink()
    wait_until_equal(lambda: playing(page), ("spotify", "stopped"))
    (programs / "play").touch()
    wait_until_equal(lambda: playing(page), ("spotify", "playing"))
    wait_until(lambda: page.state["position"].get("duration") == 200)
    assert page.state["playing"]["title"] == "Rock & Roll"


def test_a_line_input(start, tmp_path, path):
    card = Card(tmp_path, formats="S32_LE")
    (tmp_path / "line.raw").write_bytes(pcm(Pulses(), 0, 60 * RATE))
    configuration = tmp_path / "card/asoundrc"
    with configuration.open("a") as file:
        file.write(
            f'pcm.line {{ type file slave.pcm {{ type null }} file /dev/null infile "{tmp_path}/line.raw" format raw }}\n'
        )
    added = swiftlet("sources", "add", "line", "--device", "line", "--called", "Turntable", "--config", str(path))
    assert (added.returncode, added.stderr) == (0, "")
    assert 'name = "Turntable"' in added.stdout
    assert path.read_text().startswith('room = "Attic"\n\n[[source]]\n')
    renderer = start(more=("--config", str(path)), output=card.output, before=card.environment())
    page = Page(renderer)
    # It does not run before somebody wants to hear it.
    assert page.state["source"]["current"] == "playlist"
    assert page.get("/api/health").json["sources"][0]["state"] == "off"
    assert page.post("play", {"source": "turntable"}).status == 200
    wait_until_equal(lambda: playing(page), ("turntable", "playing"))
    wait_until(lambda: len(Pulses.middles(card.recording)) > 4)
    assert page.post("stop").status == 200
    wait_until(lambda: page.get("/api/health").json["sources"][0]["state"] == "off")


def test_what_cannot_work_is_refused(tmp_path, path):
    assert swiftlet("sources", "add", "airplay", "--called", "Küche", "--config", str(path)).returncode == 78
    assert path.read_text() == 'room = "Attic"'
    assert swiftlet("sources", "add", "tape", "--config", str(path)).returncode == 64
    (tmp_path / "two.toml").write_text('[[source]]\nname = "AirPlay"\ntype = "airplay"\n')
    twice = swiftlet("sources", "add", "airplay", "--config", str(tmp_path / "two.toml"))
    assert twice.returncode == 78
    assert "Another source is called “AirPlay” too." in twice.stderr
    assert "SWIFTLET_EVENTS" in swiftlet("sources", "event").stderr
