"""Fixtures: the machine on which the package is installed, and its neighbour."""

import os
import pathlib
import platform
import random
import struct
import subprocess

import pytest

from container import Container, Unit
from network import ControlPoint, Machine, connect
from processes import ROOT, wait_until


@pytest.fixture(scope="session")
def here():
    machine = Machine()
    yield machine
    machine.remove()


@pytest.fixture(scope="session")
def neighbour(here):
    """A machine with the address 192.0.2.2 at the other end of the speaker's cable."""
    there = Machine()
    connect(here, "eth0", there, "eth0")
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    there.ip("address", "add", "192.0.2.2/24", "dev", "eth0")
    yield there
    there.remove()


@pytest.fixture(scope="session")
def point(neighbour):
    point = ControlPoint(neighbour)
    yield point
    point.close()


@pytest.fixture(scope="session")
def speaker(here, point):
    """The booted machine, initially without the package."""
    container = Container(os.environ["SWIFTLET_ROOT"], here)
    container.boot()
    yield container
    container.switch_off()


@pytest.fixture(scope="session")
def unit(speaker):
    return Unit(speaker)


@pytest.fixture(scope="session")
def package(speaker):
    """The path of the package file on the speaker."""
    (path,) = speaker.path("root").glob("swiftlet_*.deb")
    return f"/root/{path.name}"


@pytest.fixture(scope="session")
def control_package(speaker):
    """The path of swiftlet-control's package file on the speaker. Skips releases that the package was not built for."""
    paths = list(speaker.path("root").glob("swiftlet-control_*.deb"))
    if not paths:
        pytest.skip("not built for this release")
    return f"/root/{paths[0].name}"


@pytest.fixture(scope="session")
def card(speaker):
    """Installs a fake ALSA sound card (Tests/SoundCardStandIn); returns the folder that it records into."""
    library = "libasound_module_pcm_swiftlet_stand_in.so"
    folder = f"/usr/lib/{platform.machine()}-linux-gnu/alsa-lib"
    speaker.run("mkdir", "--parents", folder, "/var/lib/private/swiftlet/card")
    # The service runs as a dynamic user.
    speaker.run("chmod", "777", "/var/lib/private/swiftlet/card")
    source = ROOT / "Tests/SoundCardStandIn"
    # Built here, because the library in the Swift build depends on Swift's runtime.
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-DPIC", f"-I{source}/include", "-o", speaker.path(folder) / library,
         *source.glob("*.c"), "-lasound"],
        check=True,
    )  # fmt: skip
    speaker.path("etc/asound.conf").write_text(
        "".join(
            f'pcm.{name} {{ type swiftlet_stand_in folder "/var/lib/{state}/card" formats "S16_LE" rates "44100" channels "2" }}\n'
            for name, state in (("card", "swiftlet"), ("bath", "swiftlet-bath"))
        )
    )
    return speaker.path("var/lib/private/swiftlet/card")


@pytest.fixture(scope="session")
def track(neighbour, tmp_path_factory):
    """Three seconds of noise as FLAC on the neighbour: URL and samples."""
    folder = tmp_path_factory.mktemp("media")
    noise = random.Random(1)
    samples = struct.pack("<264600h", *(noise.randrange(-8000, 8000) for _ in range(264600)))
    subprocess.run(
        ["flac", "--silent", "--force-raw-format", "--endian=little", "--sign=signed", "--channels=2", "--bps=16",
         "--sample-rate=44100", "--output-name", folder / "noise.flac", "-"],
        input=samples, check=True,
    )  # fmt: skip
    server = subprocess.Popen(
        neighbour.command("python3", "-m", "http.server", "8000", "--directory", str(folder)),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    url = "http://192.0.2.2:8000/noise.flac"
    wait_until(lambda: neighbour.get(url))
    yield url, samples
    server.kill()
    server.wait()


@pytest.fixture
def bath(speaker, card):
    """A second speaker with a card of its own."""
    folder = speaker.path("var/lib/private/swiftlet-bath/card")
    speaker.run("mkdir", "--parents", "/var/lib/private/swiftlet-bath/card")
    speaker.run("chmod", "777", "/var/lib/private/swiftlet-bath/card")
    speaker.path("etc/swiftlet/bath.toml").write_text('name = "Bath"\noutput = "alsa:bath"\nmax_volume = 40\n')
    second = Unit(speaker, "swiftlet@bath")
    second("start")
    second.recording = folder / "recording"
    yield second
    second("stop")
    speaker.run("rm", "-r", "/etc/swiftlet/bath.toml", "/var/lib/private/swiftlet-bath")


@pytest.fixture(scope="session")
def drop_in(speaker):
    """Writes a drop-in for the unit, which lasts until the machine is switched off."""

    def write(text):
        path = pathlib.PurePath("/run/systemd/system/swiftlet.service.d/test.conf")
        # Written by a command on the machine, because /run is mounted there.
        speaker.run("mkdir", "--parents", str(path.parent))
        speaker.run("sh", "-c", f"printf '%s\\n' '{text}' >{path}")
        speaker.run("systemctl", "daemon-reload")

    return write
