"""Shells complete the names of running devices in commands of swiftlet-control."""

import os
import subprocess
import sys

import pytest

import completion
import network
from processes import PATIENCE, ROOT, SWIFTLET, SWIFTLET_CONTROL, Process, wait_until, wait_until_equal

pytestmark = network.needs_namespaces

#: The last name would create a file if a shell expanded it.
NAMES = ["Kitchen", "Living room", "TV: Den", "Tom's $(touch expanded) `x`"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with swiftlet-control installed below usr/local."""
    root = tmp_path_factory.mktemp("root")
    subprocess.run(
        [ROOT / "scripts/install.sh", "install", "swiftlet-control"],
        env={"PATH": os.environ["PATH"], "DESTDIR": str(root), "SWIFTLET": SWIFTLET, "SWIFTLET_CONTROL": SWIFTLET_CONTROL},
        stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    return root


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    """The command prefix that runs a program on a neighbour of the simulated devices."""
    here, there = network.Machine(), network.Machine()
    network.connect(here, "eth0", there, "eth0")
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    there.ip("address", "add", "192.0.2.2/24", "dev", "eth0")
    simulator = Process(
        *here.command(sys.executable, str(ROOT / "Benchmarks/simulator.py"), "192.0.2.1", "--count", str(len(NAMES))),
        *(argument for name in NAMES for argument in ("--name", name)),
    )
    simulator.wait_for(r"http://\S+")
    search = there.command(SWIFTLET_CONTROL, "devices", "--json", "--wait", "1")
    wait_until(lambda: subprocess.run(search, capture_output=True, check=False).stdout.count(b"\n") == len(NAMES))
    yield there.command()
    simulator.stop()
    for machine in (here, there):
        machine.remove()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_bash_offers_the_names_of_devices(installed, before, folder):
    # Devices may answer later than a completion waits, so it is repeated.
    for line, names in (("inspect ", NAMES), ("call Li", ["Living room"]), ("check Li", ["Living room"])):
        words = ("swiftlet-control", f"swiftlet-control {line}", before)
        wait_until_equal(lambda words=words: sorted(completion.in_bash(installed, *words)), sorted(names))
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("shell", [completion.in_fish, completion.in_zsh])
@pytest.mark.parametrize(
    ("typed", "expected"), [("Li", r"Living\ room"), ("TV", r"TV:\ Den"), ("To", r"Tom\'s\ \$\(touch\ expanded\)\ `x`")]
)
def test_shells_insert_names_that_they_read_back(installed, before, folder, shell, typed, expected):
    def inserted():
        line = shell(installed, "swiftlet-control", f"swiftlet-control call {typed}", before)
        # Only zsh has to escape a backquote.
        return line.strip().replace("\\`", "`")

    wait_until_equal(inserted, f"swiftlet-control call {expected}")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("shell", [completion.in_fish, completion.in_zsh])
@pytest.mark.parametrize(
    ("typed", "expected"),
    [("Ki", "Kitchen"), ("expl", "explain"), ("run Ki", "run Kitchen"), ("Kitchen --read", "Kitchen --read-only")],
)
def test_shells_offer_devices_beside_the_subcommands_of_check(installed, before, shell, typed, expected):
    def inserted():
        return shell(installed, "swiftlet-control", f"swiftlet-control check {typed}", before).strip()

    wait_until_equal(inserted, f"swiftlet-control check {expected}")


def test_offers_only_servers_where_a_server_is_needed(installed, before, folder):
    assert completion.in_bash(installed, "swiftlet-control", "swiftlet-control browse ", before) == [""]


def test_offers_nothing_and_prints_nothing_without_a_network(installed):
    done = subprocess.run(
        [installed / "usr/local/bin/swiftlet-control", "---completion", "call", "--", "positional@0", "2", "0",
         "swiftlet-control", "call", "--interface", "nowhere"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")
