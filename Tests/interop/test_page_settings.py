"""The settings of the page: where they come from, what they change at once, and what refuses them."""

import subprocess

import pytest

from processes import PATIENCE, SWIFTLET


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
