"""The benchmark ends all processes that it starts, even after a failure."""

import contextlib
import os
import pathlib
import subprocess
import sys

import pytest

from network import needs_namespaces
from processes import ROOT, SWIFTLET, Process, wait_until

sys.path.insert(0, str(ROOT / "Benchmarks"))
import measure  # noqa: E402
import openhome  # noqa: E402
import renderers  # noqa: E402

pytestmark = needs_namespaces

#: Serves a folder from a child that outlives its parent, as under dbus-run-session.
ORPHANS_ITS_CHILD = 'setsid python3 -m http.server --directory "$1" 80 & echo "$!"; wait'


def is_running(pid):
    with contextlib.suppress(FileNotFoundError):
        return "Z" not in pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    return False


@pytest.fixture
def network():
    with contextlib.closing(renderers.Network()) as network:
        yield network


def test_removing_a_machine_ends_its_processes(machine):
    stubborn = "trap '' TERM; echo $$; while true; do sleep 0.1; done"
    one = machine()
    program = Process(*one.command("sh", "-c", f'setsid sh -c "$1" & setsid sleep 1000 & sleep 1000', "sh", stubborn))
    child = int(program.wait_for(r"^\d+$").group())
    wait_until(lambda: len(one.pids) >= 4)
    pids = one.pids
    assert {child, program.process.pid} <= pids and os.getpid() not in pids
    one.end_processes(seconds=0.5)
    assert not one.pids and not any(map(is_running, pids))
    program.stop()


def test_renderers_use_the_address_one_after_the_other(network, tmp_path):
    pids = []
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "name").write_text(name)
        renderer = renderers.Renderer(network, folder, ["sh", "-c", ORPHANS_ITS_CHILD, "sh", str(folder)])
        with contextlib.closing(renderer):
            pids.append(int(renderer.wait_for(r"^\d+$").group()))
            url = f"http://{renderers.PLAYER}/name"
            wait_until(lambda: (network.asker.get(url) or b"").decode() == name, explain=lambda: network.asker.get(url))
        assert not is_running(pids[-1])


def test_a_failed_measurement_ends_its_renderer(network, tmp_path, monkeypatch):
    started = []

    class Broken(measure.Device):
        def call(self, *arguments, **values):
            started.extend(network.machines[-1].pids)
            raise RuntimeError("no answer")

    monkeypatch.setattr(renderers, "SWIFTLET", SWIFTLET)
    monkeypatch.setattr(measure, "Device", Broken)
    with pytest.raises(RuntimeError, match="no answer"):
        openhome.figures(network, tmp_path / "playlist")
    assert started and not any(map(is_running, started))


def test_closing_the_network_ends_all_processes(tmp_path):
    network = renderers.Network()
    renderer = renderers.Renderer(network, tmp_path, ["sh", "-c", ORPHANS_ITS_CHILD, "sh", str(tmp_path)])
    child = int(renderer.wait_for(r"^\d+$").group())
    network.close()
    assert not is_running(child)
    renderer.points.close()
    renderer.stop()
    names = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True, check=True).stdout
    assert not any(machine.name in names for machine in network.machines)
