"""The life cycle of the packages on an emulated machine, in this order: install, play, restart, remove, purge.

The emulation cannot test sound cards, timing, and searches, for which qemu 7.2 lacks the socket option IP_MULTICAST_IF. The
machine is not booted, so the service and its sandbox are not tested here.
"""

import os

import pytest

from emulated import EmulatedMachine
from processes import wait_until
from soap import Service, get, udn

HERE = "192.0.2.1"
#: Values that later tests compare with.
seen = {}


@pytest.fixture(scope="module")
def speaker(here, neighbour):
    return EmulatedMachine(os.environ["SWIFTLET_ROOT"], here)


@pytest.fixture
def swiftlet(speaker):
    """Runs the program with the options of its service, but with a file as output."""
    speaker.run("mkdir", "--parents", "/var/lib/swiftlet", "/run/swiftlet")
    process = speaker.start(
        "swiftlet", "--interface", "eth0", "--name", "Kitchen", "--state-dir", "/var/lib/swiftlet",
        "--output", "filesink location=/root/recording buffer-mode=unbuffered sync=false",
    )  # fmt: skip
    yield process
    process.stop()
    # Shown if the test fails.
    print("\n".join(process.out + process.err))


@pytest.fixture
def url(swiftlet):
    """The URL of the AV device's description, as the program prints it."""
    return swiftlet.wait_for(rf"http://{HERE}:\d+/renderer/\S*").group()


@pytest.fixture
def ask(neighbour, url):
    """Calls an action of a service from the neighbour."""

    def ask(service, action, **arguments):
        return neighbour.do(lambda: Service(url, service)(action, InstanceID=0, **arguments))

    return ask


def installed(speaker):
    return set(speaker.run("dpkg-query", "--show", "--showformat", "${Package}\n").split())


def test_install(speaker):
    assert speaker.run("dpkg", "--print-architecture").strip() == "arm64"
    before = installed(speaker)
    speaker.apt("install", *(f"/root/{path.name}" for path in speaker.path("root").glob("*.deb")))
    assert installed(speaker) - before == {"swiftlet", "swiftlet-control"}
    for page in ("man1/swiftlet.1", "man1/swiftlet-control.1", "man5/swiftlet.toml.5"):
        assert speaker.path(f"usr/share/man/{page}.gz").exists()
    for program in ("swiftlet", "swiftlet-control"):
        assert program in speaker.path(f"usr/share/bash-completion/completions/{program}").read_text()
    # The unit, which would read the configuration file, is not started here.
    speaker.run("swiftlet", "config", "check")


def test_it_describes_itself(neighbour, url):
    _, description = neighbour.do(lambda: get(url))
    assert b"<friendlyName>Kitchen</friendlyName>" in description
    seen["udn"] = neighbour.do(lambda: udn(url))


def test_it_plays_every_sample(speaker, ask, track):
    uri, samples = track
    ask("AVTransport", "SetAVTransportURI", CurrentURI=uri, CurrentURIMetaData="")
    ask("AVTransport", "Play", Speed=1)
    recording = speaker.path("root/recording")
    wait_until(lambda: recording.exists() and recording.stat().st_size >= len(samples))
    wait_until(lambda: ask("AVTransport", "GetTransportInfo")["CurrentTransportState"] == "STOPPED")
    assert recording.read_bytes() == samples
    ask("RenderingControl", "SetVolume", Channel="Master", DesiredVolume=33)


def test_state_survives_a_restart(neighbour, ask, url):
    assert ask("RenderingControl", "GetVolume", Channel="Master") == {"CurrentVolume": "33"}
    assert neighbour.do(lambda: udn(url)) == seen["udn"]


def test_it_ends_when_asked(swiftlet, url):
    status, _ = swiftlet.stop()
    assert status == 0


def test_swiftlet_control_reads_the_device(speaker, url):
    assert "Kitchen" in speaker.run("swiftlet-control", "inspect", url)


def test_remove_keeps_state_and_settings(speaker):
    speaker.apt("remove", "swiftlet", "swiftlet-control")
    assert not speaker.path("usr/bin/swiftlet").exists()
    assert speaker.path("var/lib/swiftlet/state.db").exists()
    assert speaker.path("etc/swiftlet/swiftlet.toml").exists()


def test_purge_removes_every_file(speaker):
    # swiftlet-control has no configuration files, so it needs no purge.
    speaker.apt("purge", "swiftlet")
    found = speaker.run("find", "/", "-xdev", "-name", "*swiftlet*", "-not", "-path", "/root/*").split()
    assert [path for path in found if path != "/run/swiftlet"] == []
