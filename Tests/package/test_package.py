"""The life cycle of the package, in this order: install, play, kill, reboot, upgrade, remove, purge."""

import json
import urllib.request
import wave

import pytest

from processes import wait_until
from soap import call, services, udn

HERE = "192.0.2.1"
#: Values that later tests compare with.
seen = {}


@pytest.fixture
def url(point):
    """The URL of the AV device's description, found by a search from the neighbour."""
    return point.find()[0].location


@pytest.fixture
def do(neighbour, url):
    """Calls actions of AVTransport and RenderingControl from the neighbour."""

    def do(service, action, *arguments):
        where = services(url)[service]
        status, _, body = call(where, action, [("InstanceID", 0), *arguments])
        assert status == 200, body
        return body.decode()

    return lambda *arguments: neighbour.do(lambda: do(*arguments))


def load(do, uri):
    do("AVTransport", "SetAVTransportURI", ("CurrentURI", uri), ("CurrentURIMetaData", ""))
    do("AVTransport", "Play", ("Speed", 1))


def name_of(neighbour, url):
    return neighbour.do(lambda: udn(url))


def test_install_starts_and_enables_the_service(speaker, package, unit, point, neighbour):
    speaker.apt("install", package)
    # The service runs once apt has returned.
    assert (unit.ActiveState, unit.SubState, unit.UnitFileState) == ("active", "running", "enabled")
    point.wait_for_alive(HERE)
    seen["udn"] = name_of(neighbour, point.find()[0].location)


def test_it_runs_without_a_sound_card(unit, do, track):
    assert "waiting for an audio device" in unit.StatusText
    assert f"eth0 ({HERE})" in unit.StatusText
    assert unit.status()["interfaces"][0]["address"] == HERE
    load(do, track[0])
    # Playback fails instead of playing to nowhere.
    unit.wait_for(lambda: unit.status().get("error") == "The audio device is missing or was unplugged.")


def test_the_log_has_no_library_warnings(speaker):
    """Libraries log warnings if the sandbox forbids something that they need."""
    log = speaker.run("journalctl", "--unit", "swiftlet", "--output", "cat").stdout
    for complaint in ("home directory", "dconf", "thread priority", "not permitted", "Read-only"):
        assert complaint not in log


def test_the_service_is_sandboxed(speaker, unit):
    assert unit.DynamicUser == "yes"
    score = speaker.run("systemd-analyze", "security", "swiftlet.service").stdout.splitlines()[-1]
    assert float(score.split(": ")[1].split()[0]) < 2.3
    status = speaker.run("cat", f"/proc/{unit.MainPID}/status").stdout
    assert "\nSeccomp:\t2\n" in status
    assert "\nCapEff:\t0000000000000000\n" in status
    assert "\nNoNewPrivs:\t1\n" in status


def test_it_plays_in_the_sandbox(speaker, unit, card, track, do):
    speaker.path("etc/swiftlet/swiftlet.toml").write_text('name = "Kitchen"\noutput = "alsa:card"\n')
    unit("restart")
    unit.wait_for(lambda: unit.status().get("output") == "alsa:card")
    uri, samples = track
    load(do, uri)
    # The fake card's clock may cut off the start. Sample accuracy is tested elsewhere.
    unit.wait_for(lambda: (card / "recording").exists() and samples[4096:] in (card / "recording").read_bytes())
    assert not [line for line in unit.status()["troubles"]]


def test_its_services_are_announced(speaker):
    """D-Bus accepts the service's user, and the sandbox D-Bus."""
    wait_until(lambda: "DNS-SD: services are announced" in speaker.run("journalctl", "--unit", "swiftlet").stdout)


def post(neighbour, url, path, **body):
    """Posts to the API of a speaker, and returns the answer."""
    base = url.partition("/renderer/")[0]
    data = json.dumps(body)
    answer = neighbour.do(
        lambda: urllib.request.urlopen(
            urllib.request.Request(base + path, data.encode(), {"Content-Type": "application/json"}), timeout=60
        ).read()
    )
    return json.loads(answer)


def test_an_announcement_and_an_alarm_are_heard_in_the_sandbox(speaker, unit, card, neighbour, url):
    recording = card / "recording"
    before = recording.stat().st_size
    # A file that only root can read.
    with wave.open(str(speaker.path("root/bell.wav")), "wb") as bell:
        bell.setparams((2, 2, 44100, 0, "NONE", ""))
        bell.writeframes(b"\x11\x22" * 2 * 44100)
    speaker.path("root/bell.wav").chmod(0o600)
    speaker.run("swiftlet", "announce", "/root/bell.wav")
    wait_until(lambda: b"\x11\x22" * 2 * 20000 in recording.read_bytes()[before:])
    soon = int(speaker.run("date", "+%s").stdout) + 70
    time = speaker.run("date", "--date", f"@{soon}", "+%H:%M").stdout.strip()
    alarm = post(neighbour, url, "/api/alarms/add", time=time, what="tone", ramp=0)
    assert unit.status()["alarms"][0]["next"]
    before = recording.stat().st_size
    wait_until(lambda: unit.status()["alarm"] == "ringing", seconds=120)
    wait_until(lambda: recording.stat().st_size > before)
    post(neighbour, url, "/api/alarms/dismiss")
    post(neighbour, url, "/api/alarms/remove", id=alarm["id"])
    assert unit.status()["alarm"] == "off"


def test_a_library_and_a_program_work_in_the_sandbox(speaker, unit, card, neighbour, url):
    music = speaker.path("srv/music")
    music.mkdir()
    with wave.open(str(music / "Rain.wav"), "wb") as file:
        file.setparams((2, 2, 44100, 0, "NONE", ""))
        file.writeframes(bytes(4 * 44100))
    configuration = speaker.path("etc/swiftlet/swiftlet.toml")
    former = configuration.read_text()
    # What the program writes is text, and loud.
    program = '[[source]]\nname = "Text"\ncommand = ["yes", "01234567"]\n'
    configuration.write_text(f'{former}library.folders = ["/srv/music"]\n{program}')
    before = (card / "recording").stat().st_size
    unit("restart")
    unit.wait_for(lambda: unit.status()["source"] == "text" and unit.status()["state"] == "playing")
    wait_until(lambda: (card / "recording").stat().st_size > before + 400_000)
    directory = url.replace("/renderer/", "/library/")

    def found():
        where = services(directory)["ContentDirectory"]
        arguments = [("ContainerID", 0), ("SearchCriteria", "dc:title = &quot;Rain&quot;"), ("Filter", "*")]
        arguments += [("StartingIndex", 0), ("RequestedCount", 0), ("SortCriteria", "")]
        return call(where, "Search", arguments)[2].decode()

    wait_until(lambda: "<TotalMatches>1<" in neighbour.do(found))
    configuration.write_text(former)
    unit("restart")


def test_two_speakers_live_together(speaker, unit, bath, point, track, neighbour):
    bath.wait_for(lambda: bath.status().get("output") == "alsa:bath")
    assert (bath.status()["name"], bath.status()["volume"], unit.status()["name"]) == ("Bath", 40, "Kitchen")
    assert bath.DynamicUser == "yes"
    memory = bath.private_memory()
    print(f"private memory of a second speaker: {memory:.1f} MB")
    assert memory < 10
    uri, samples = track
    places = [found["page"] for one in (unit, bath) for found in one.status()["interfaces"]]
    assert len(set(places)) == 2
    found = point.find(until=lambda answers: len({answer.usn for answer in answers}) == 2)
    locations = {answer.location for answer in found}
    assert len(locations) == 2
    for location in locations:
        post(neighbour, location, "/api/volume", level=20 if location.startswith(places[1]) else 100)
        post(neighbour, location, "/api/queue/add", items=[{"uri": uri, "title": "Noise"}], where="now")
    bath.wait_for(lambda: bath.recording.exists() and bath.recording.stat().st_size > 400_000)
    assert (bath.status()["volume"], unit.status()["volume"]) == (20, 100)
    print(f"private memory while they play: {unit.private_memory():.1f} and {bath.private_memory():.1f} MB")


def test_it_restarts_when_killed(speaker, unit, point):
    killed = unit.MainPID
    point.forget()
    speaker.run("sh", "-c", f"kill -KILL {killed}")
    unit.wait_for(lambda: unit.is_active() and unit.MainPID not in ("0", killed))
    assert unit.NRestarts == "1"
    point.wait_for_alive(HERE)


def test_it_restarts_when_it_hangs(speaker, unit, drop_in):
    drop_in("[Service]\nWatchdogSec=4\nTimeoutAbortSec=1")
    unit("restart")
    hanging = unit.MainPID
    speaker.run("sh", "-c", f"kill -STOP {hanging}")
    unit.wait_for(lambda: unit.is_active() and unit.MainPID not in ("0", hanging))
    assert "watchdog" in speaker.run("journalctl", "--unit", "swiftlet").stdout.lower()


def test_an_invalid_configuration_fails_the_start(speaker, unit):
    file = speaker.path("etc/swiftlet/swiftlet.toml")
    right = file.read_text()
    file.write_text(right + 'nmae = "Bath"\n')
    unit("restart", check=False)
    unit.wait_for(lambda: unit.ActiveState == "failed")
    assert unit.ExecMainStatus == "78"
    assert "did you mean name" in speaker.run("journalctl", "--unit", "swiftlet").stdout
    file.write_text(right + "max_volume = 90\n")
    unit("restart")
    file.write_text(right + "max_volume = 80\n")
    unit("reload")
    wait_until(lambda: unit.status()["volume"] == 80)


def test_state_survives_a_reboot(speaker, unit, do, point, neighbour):
    do("RenderingControl", "SetVolume", ("Channel", "Master"), ("DesiredVolume", 33))
    point.forget()
    speaker.switch_off()
    # The renderer has sent byebye.
    assert point.notifications("byebye", HERE)
    point.forget()
    speaker.boot()
    unit.wait_for(unit.is_active)
    point.wait_for_alive(HERE)
    assert name_of(neighbour, point.find()[0].location) == seen["udn"]
    assert (unit.status()["volume"], unit.status()["name"]) == (33, "Kitchen")


def test_an_upgrade_keeps_state_and_settings(speaker, package, unit, point, neighbour):
    before = unit.MainPID
    speaker.apt("install", "--reinstall", package)
    unit.wait_for(lambda: unit.is_active() and unit.MainPID != before)
    unit("disable")
    speaker.apt("install", "--reinstall", package)
    # An upgrade does not enable a disabled service.
    assert unit.UnitFileState == "disabled"
    unit("enable")
    assert name_of(neighbour, point.find()[0].location) == seen["udn"]
    assert unit.status()["name"] == "Kitchen"


def test_state_survives_remove_and_install(speaker, package, unit, point, neighbour):
    point.forget()
    speaker.apt("remove", "swiftlet")
    point.wait(lambda point: point.notifications("byebye", HERE))
    assert unit.LoadState == "not-found"
    assert not speaker.path("usr/bin/swiftlet").exists()
    speaker.apt("install", package)
    unit.wait_for(unit.is_active)
    assert name_of(neighbour, point.find()[0].location) == seen["udn"]
    assert (unit.status()["volume"], unit.status()["name"]) == (33, "Kitchen")


def test_swiftlet_control_finds_the_speaker(speaker, control_package, unit):
    before = set(speaker.run("dpkg-query", "--show", "--showformat", "${Package}\n").stdout.split())
    speaker.apt("install", control_package)
    installed = set(speaker.run("dpkg-query", "--show", "--showformat", "${Package}\n").stdout.split())
    # Only this package is new, because the speaker has already installed its libraries.
    assert installed - before == {"swiftlet-control"}
    rows = speaker.run("swiftlet-control", "devices", "--json").stdout.splitlines()
    assert "Kitchen" in {json.loads(row)["name"] for row in rows}
    depends = speaker.run("dpkg-query", "--show", "--showformat", "${Depends}", "swiftlet-control").stdout
    assert "libxml2" in depends
    # GLib is for TLS to the directory of radio stations.
    for library in ("gstreamer", "asound", "avahi", "sqlite"):
        assert library not in depends
    pid = unit.MainPID
    speaker.apt("purge", "swiftlet-control")
    # The service keeps running.
    assert unit.MainPID == pid
    assert not speaker.path("usr/bin/swiftlet-control").exists()


def test_purge_removes_every_file(speaker):
    speaker.apt("purge", "swiftlet")
    found = speaker.run(
        "find", "/", "-xdev", "-name", "*swiftlet*", "-not", "-path", "/root/*", "-not", "-path", "*stand_in*"
    ).stdout.split()
    assert found == []
    assert "swiftlet" not in speaker.run("systemctl", "--all", "--plain").stdout
