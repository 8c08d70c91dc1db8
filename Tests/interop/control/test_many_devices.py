"""swiftlet-control finds all of 500 devices, with little memory, and all devices beside others that do not answer."""

import contextlib
import subprocess
import sys
import time

from network import needs_namespaces
from processes import PATIENCE, ROOT, SWIFTLET_CONTROL

sys.path.insert(0, str(ROOT / "Benchmarks"))
import discovery  # noqa: E402
import renderers  # noqa: E402

pytestmark = needs_namespaces


def test_lists_every_device_of_a_large_network(monkeypatch):
    monkeypatch.setattr(discovery, "SWIFTLET_CONTROL", SWIFTLET_CONTROL)
    with contextlib.closing(renderers.Network()) as network:
        # On a busy machine the simulated devices answer late.
        found = discovery.figures(network, rounds=1, options=("--wait", "8"))
    assert found["devices listed of 500, fewest"] == 500
    assert found["greatest RSS, MB"] < 60


def test_devices_that_hang_do_not_hold_up_others():
    with contextlib.closing(renderers.Network()) as network:
        with contextlib.closing(discovery.Simulator(network, "--count", "80", "--hanging", "60")):
            start = time.monotonic()
            done = subprocess.run(
                network.asker.command(SWIFTLET_CONTROL, "devices", "--json", "--wait", "3"),
                capture_output=True, text=True, timeout=PATIENCE, check=True,
            )  # fmt: skip
            assert len(done.stdout.splitlines()) == 20
            assert done.stderr.count("did not answer in time") == 60
            # Hanging devices delay the end by about the time limit of one request.
            assert time.monotonic() - start < 10
