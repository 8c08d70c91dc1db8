"""swiftlet-control check with devices whose answers and events are mutated."""

import contextlib
import json
import os
import subprocess

import pytest

from checker import FAILED, PASSED, UNTESTED
from mutating import MutatingProxy
from processes import PATIENCE, SWIFTLET_CONTROL

#: Set the variable to try more of them.
SEEDS = range(int(os.environ.get("SWIFTLET_MUTATED_RUNS", "4")))


@pytest.mark.parametrize("seed", SEEDS)
def test_every_run_ends_with_a_report_or_with_status_2(shared_renderer, tmp_path, seed):
    location = shared_renderer.description_url if seed % 2 else shared_renderer.openhome_url
    page = tmp_path / "page.html"
    with contextlib.closing(MutatingProxy(location, seed)) as proxy:
        done = subprocess.run(
            [SWIFTLET_CONTROL, "check", proxy.location, "--interface", "lo", "--json", "--hostile",
             f"--report={page}", "--limit=5s"],
            capture_output=True, text=True, timeout=4 * PATIENCE, check=False,
        )  # fmt: skip
    assert done.returncode in (PASSED, FAILED, UNTESTED), (done.returncode, done.stderr)
    if not done.stdout:
        assert done.returncode == UNTESTED, done.stderr
        assert done.stderr
        return
    summary = json.loads(done.stdout)["summary"]
    assert page.read_text().endswith("</html>\n")
    assert (done.returncode == PASSED) <= (summary["failed"] == 0 and summary["passed"] > 0)
