"""swiftlet-control finds all of 500 devices, with little memory, and all devices beside others that do not answer."""

import contextlib
import subprocess
import sys

from network import needs_namespaces
from processes import PATIENCE, ROOT, SWIFTLET_CONTROL

sys.path.insert(0, str(ROOT / "Benchmarks"))
import discovery  # noqa: E402
import renderers  # noqa: E402

pytestmark = needs_namespaces


def test_lists_every_device_of_a_large_network(monkeypatch):
    monkeypatch.setattr(discovery, "SWIFTLET_CONTROL", SWIFTLET_CONTROL)
    with contextlib.closing(renderers.Network()) as network:
        # On a busy machine the simulated devices answer late, and answers get lost.
        found = discovery.figures(network, rounds=1, options=("--wait", "15"))
    assert found["devices listed of 500, fewest"] == 500
    assert found["greatest RSS, MB"] < 60


def test_devices_that_hang_do_not_hold_up_others():
    with contextlib.closing(renderers.Network()) as network:
        with contextlib.closing(discovery.Simulator(network, "--count", "80", "--hanging", "60")):
            # The command ends soon after the search: together, the hanging devices would take ten minutes.
            done = listed(network, "--wait", "8")
            assert len(done.stdout.splitlines()) == 20
            assert done.stderr.count("did not answer in time") == 60


def test_the_search_goes_on_while_it_finds_more():
    with contextlib.closing(renderers.Network()) as network:
        with contextlib.closing(discovery.Simulator(network, "--count", "6", "--deaf")):
            assert len(listed(network, "--wait", "15").stdout.splitlines()) == 6


def listed(network, *options):
    return subprocess.run(
        network.asker.command(SWIFTLET_CONTROL, "devices", "--json", *options),
        capture_output=True, text=True, timeout=3 * PATIENCE, check=True,
    )  # fmt: skip
