"""swiftlet-control finds all of 500 devices, with little memory."""

import contextlib
import sys

import pytest

from network import are_available
from processes import ROOT, SWIFTLET_CONTROL

sys.path.insert(0, str(ROOT / "Benchmarks"))
import discovery  # noqa: E402
import renderers  # noqa: E402

pytestmark = pytest.mark.skipif(not are_available(), reason="needs network namespaces")


def test_lists_every_device_of_a_large_network(monkeypatch):
    monkeypatch.setattr(discovery, "SWIFTLET_CONTROL", SWIFTLET_CONTROL)
    with contextlib.closing(renderers.Network()) as network:
        found = discovery.figures(network, rounds=1)
    assert found["devices listed of 500, fewest"] == 500
    assert found["greatest RSS, MB"] < 60
