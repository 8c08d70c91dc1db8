"""The settings of the page: where they come from, what they change at once, and what refuses them."""

import pathlib
import re
import subprocess

import pytest

from processes import PATIENCE, SWIFTLET, wait_until
from soap import Service


def shown(*arguments, **environment):
    """The output of `config show` for these arguments."""
    return subprocess.run(
        [SWIFTLET, "config", "show", *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False,
        env={"HOME": "/nowhere", **environment},
    )  # fmt: skip


@pytest.mark.keys("page")
@pytest.mark.parametrize("mode", ["on", "read-only", "off"])
def test_the_page_has_three_modes(mode):
    assert f'page = "{mode}"' in shown("--page", mode).stdout
    assert shown("--page", "open").returncode == 64


@pytest.fixture
def layers(tmp_path):
    """Runs `config show` with `max_volume` in some layers; returns the value in force and its origin."""

    def layers(file=None, page=None, environment=None, option=None):
        state = tmp_path / "state"
        state.mkdir(exist_ok=True)
        (tmp_path / "swiftlet.toml").write_text(f"max_volume = {file}\n" if file else "")
        (state / "page.toml").write_text(f"max_volume = {page}\n" if page else "")
        arguments = ["--config", str(tmp_path / "swiftlet.toml"), "--state-dir", str(state)]
        result = shown(
            *arguments, *(["--max-volume", str(option)] if option else []),
            **({"SWIFTLET_MAX_VOLUME": str(environment)} if environment else {}),
        )  # fmt: skip
        assert result.returncode == 0, result.stderr
        value, origin = re.search(r"^max_volume = (\d+) +# (.*)$", result.stdout, re.MULTILINE).groups()
        return int(value), origin.replace(str(tmp_path), "")

    return layers


@pytest.mark.parametrize(
    ("given", "value", "origin"),
    [
        ({}, 100, "default"),
        ({"file": 10}, 10, "/swiftlet.toml:1"),
        ({"page": 20}, 20, "/state/page.toml"),
        ({"file": 10, "page": 20}, 20, "/state/page.toml"),
        ({"file": 10, "page": 20, "environment": 30}, 30, "SWIFTLET_MAX_VOLUME"),
        ({"file": 10, "page": 20, "option": 40}, 40, "--max-volume"),
        ({"page": 20, "environment": 30, "option": 40}, 40, "--max-volume"),
    ],
)
def test_show_names_the_origin_of_each_layer(layers, given, value, origin):
    assert layers(**given) == (value, origin)


def test_a_damaged_file_is_set_aside_and_its_valid_settings_stay(start, tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    (state / "page.toml").write_text('room = "Attic"\nport = 1\nname = \n')
    renderer = start(state=state)
    renderer.wait_for_log(r"page\.toml:2: port: The page has no such setting")
    renderer.wait_for_log(r"page\.toml:3: name: ")
    aside = renderer.wait_for_log(r"is kept as (\S+page\.toml\.unreadable-\d+)\.").group(1)
    assert "port = 1" in pathlib.Path(aside).read_text()
    assert Service(renderer.openhome_url, "Product")("Product")["Room"] == "Attic"
    wait_until(lambda: (state / "page.toml").exists())
    text = (state / "page.toml").read_text()
    assert 'room = "Attic"' in text
    assert "port" not in text
    assert (state / "page.toml").stat().st_mode & 0o777 == 0o600
