"""swiftlet-control plays albums from gerbera and rygel, which have the same folders and say nothing of discs."""

import signal
import subprocess

import pytest

import network
from media_servers import gerbera, rygel, server_and_neighbour
from processes import PATIENCE, SWIFTLET_CONTROL, wait_until

pytestmark = [network.needs_namespaces, pytest.mark.xdist_group("libraries")]

#: The tracks by disc.
MASS = {"CD1": ["Kyrie", "Gloria", "Laudamus"], "CD2": ["Credo", "Sanctus", "Agnus"]}


def make_album(folder):
    for disc, titles in MASS.items():
        (folder / disc).mkdir(parents=True)
        for number, title in enumerate(titles, 1):
            tags = {"title": title, "artist": "Bach", "album": "Mass in B Minor", "track": number}
            metadata = [part for name, value in tags.items() for part in ("-metadata", f"{name}={value}")]
            # Different lengths, so that files of one size are not taken for one file.
            sound = f"sine=sample_rate=44100:duration={number + 3 * int(disc[-1])}"
            file = folder / disc / f"{number}.flac"
            subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", sound, *metadata, file], check=True)


@pytest.fixture(scope="module")
def control(tmp_path_factory):
    """Runs a command beside a speaker and the two servers; returns its standard output."""
    folder = tmp_path_factory.mktemp("albums")
    make_album(folder / "music")
    here, there = server_and_neighbour()
    processes = [start(here, folder, folder / "music") for start in (gerbera, rygel)]
    processes.append(network.NetworkedRenderer(here, folder / "kitchen", interfaces=["eth0"]))

    def run(*arguments):
        return subprocess.run(
            there.command(SWIFTLET_CONTROL, *arguments, "--interface", "eth0"), capture_output=True, text=True,
            timeout=4 * PATIENCE, check=False,
        ).stdout  # fmt: skip

    for server in ("gerbera library", "rygel library"):
        wait_until(lambda server=server: run("search", server, "mass", "--json").count("\n") == 6, 4 * PATIENCE)
    yield run
    for process in processes:
        process.stop(signal.SIGKILL)
    for machine in (here, there):
        machine.remove()


@pytest.mark.parametrize("text", ["mass in b minor", "bach"])
def test_an_album_on_two_servers_is_played_once_disc_by_disc(control, text):
    control("clear", "Kitchen")
    lines = control("add", "Kitchen", *text.split()).splitlines()
    assert [line.split(" — ")[0] for line in lines] == MASS["CD1"] + MASS["CD2"]


def test_a_title_is_found_without_the_artist_before_it(control):
    control("clear", "Kitchen")
    lines = control("add", "Kitchen", "kyrie").splitlines()
    assert [line.split(" — ")[0] for line in lines] == ["Kyrie"]
