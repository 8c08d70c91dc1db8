"""swiftlet-control drives swiftlet, which has a queue of its own, and gmediarender, which has none."""

import json
import signal
import subprocess

import pytest

import device_network
import network
from network import NetworkedRenderer
from page_api import Page
from processes import PATIENCE, SWIFTLET_CONTROL, wait_until, wait_until_equal

pytestmark = [
    network.needs_namespaces,
    pytest.mark.xdist_group("devices"),
]

#: Exit statuses: wrong usage, no such file, no such device or object, not offered.
USAGE, NO_FILE, NO_OBJECT, NOT_OFFERED = 64, 66, 68, 69

ALBUM = ["One", "Two", "Three"]


@pytest.fixture(scope="module")
def devices(tmp_path_factory):
    folder = tmp_path_factory.mktemp("devices")
    make_album(folder / "Waves", seconds=60)
    with device_network.running(folder) as devices:
        yield devices


@pytest.fixture
def album(tmp_path):
    """A folder of two short files."""
    make_album(tmp_path / "Short", seconds=3, titles=ALBUM[:2])
    return str(tmp_path / "Short")


def make_album(folder, seconds, titles=ALBUM, artist="The Sines", album=None):
    folder.mkdir()
    for number, title in enumerate(titles, 1):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", f"sine=sample_rate=44100:duration={seconds}",
             "-metadata", f"title={title}", "-metadata", f"artist={artist}", "-metadata", f"album={album or folder.name}",
             "-metadata", f"track={number}", str(folder / f"{4 - number}.flac")], check=True,
        )  # fmt: skip


def titles(devices):
    return [entry["track"]["title"] for entry in devices.objects("queue", devices.url("Kitchen"))]


def now(devices):
    return devices.objects("now", devices.url("Kitchen"))[0]


def test_plays_an_album_of_a_server(devices):
    wait_until(lambda: len(devices.objects("browse", "Library", "/Music/All Music")) == len(ALBUM))
    devices.run("play", devices.url("Kitchen"), "waves", "--replace")
    assert titles(devices) == ALBUM
    wait_until_equal(lambda: now(devices)["state"], "playing")
    devices.run("next", devices.url("Kitchen"))
    devices.run("seek", devices.url("Kitchen"), "0:30")
    wait_until(lambda: now(devices)["position"] >= 30)
    playing = now(devices)
    assert (playing["number"], playing["count"], playing["source"]) == (2, 3, "Playlist")
    assert (playing["track"]["title"], playing["track"]["artist"]) == ("Two", "The Sines")
    devices.run("seek", devices.url("Kitchen"), "-20")
    wait_until(lambda: now(devices)["position"] < 25)
    devices.run("pause", devices.url("Kitchen"))
    wait_until_equal(lambda: now(devices)["state"], "paused")
    devices.run("remove", devices.url("Kitchen"), "1", "3-3")
    assert titles(devices) == ["Two"]
    devices.run("add", devices.url("Kitchen"), "Library:/Music/All Music/One")
    devices.run("add", devices.url("Kitchen"), "three", "--next")
    assert titles(devices) == ["Two", "Three", "One"]
    devices.run("stop", devices.url("Kitchen"))
    devices.run("clear", devices.url("Kitchen"))
    assert titles(devices) == []


def test_serves_a_folder_until_it_has_been_played(devices, album):
    lines = [json.loads(line) for line in devices.run("play", devices.url("Kitchen"), album, "--json")[0].splitlines()]
    assert [(line["event"], line["track"]["title"]) for line in lines] == [
        (event, title) for event in ("queued", "playing") for title in ALBUM[:2]
    ]
    assert lines[0]["track"]["uri"].startswith("http://192.0.2.2:")
    assert titles(devices) == []


def test_withdraws_its_files_when_it_is_interrupted(devices, tmp_path):
    make_album(tmp_path / "Long", seconds=60)
    playing = devices.start("play", devices.url("Kitchen"), str(tmp_path / "Long"))
    try:
        playing.wait_for('"playing"')
        assert playing.stop(signal.SIGINT)[0] == 0
    finally:
        playing.stop()
    assert titles(devices) == []
    assert now(devices)["state"] != "playing"


def test_feeds_a_speaker_without_a_queue(devices, album):
    lines = [json.loads(line) for line in devices.run("play", devices.url("Bedroom"), album, "--json")[0].splitlines()]
    assert [line["number"] for line in lines if line["event"] == "playing"] == [1, 2]
    assert lines[-1] == {"event": "ended", "reason": "played"}


def test_changes_the_volume(devices):
    for speaker in (devices.url("Kitchen"), devices.url("Bedroom")):
        devices.run("volume", speaker, "40")
        assert devices.objects("volume", speaker, "+5") == [{"volume": 45}]
        assert devices.objects("volume", speaker, "-5") == [{"volume": 40}]
        assert devices.objects("volume", speaker, "10-") == [{"volume": 30}]
        assert devices.objects("volume", speaker) == [{"volume": 30}]
        devices.run("mute", speaker)
        assert devices.objects("mute", speaker, "show") == [{"muted": True}]
        assert devices.objects("mute", speaker, "toggle") == [{"muted": False}]


def test_changes_the_switches_and_sources(devices):
    for command in ("repeat", "shuffle", "standby"):
        devices.run(command, devices.url("Kitchen"), "on")
        assert devices.objects(command, devices.url("Kitchen")) == [{command: True}]
        devices.run(command, devices.url("Kitchen"), "off")
        assert devices.objects(command, devices.url("Kitchen")) == [{command: False}]
    devices.run("source", devices.url("Kitchen"), "radio")
    assert [source["name"] for source in devices.objects("source", devices.url("Kitchen")) if source["current"]] == ["Radio"]
    devices.run("source", devices.url("Kitchen"), "1")
    assert [source["name"] for source in devices.objects("source", devices.url("Kitchen")) if source["current"]] == ["Playlist"]


def test_follows_what_plays(devices):
    devices.run("play", devices.url("Kitchen"), "waves", "--replace")
    following = devices.start("now", devices.url("Kitchen"), "--follow")
    try:
        following.wait_for('"title":"One"')
        devices.run("next", devices.url("Kitchen"))
        following.wait_for('"title":"Two"')
        assert following.stop(signal.SIGINT)[0] == 0
    finally:
        following.stop()
    devices.run("clear", devices.url("Kitchen"))


def test_stops_following_when_nobody_reads(devices):
    command = devices.machine.command(SWIFTLET_CONTROL, "now", devices.url("Kitchen"), "--follow")
    with subprocess.Popen(command, stdout=subprocess.PIPE) as following:
        following.stdout.readline()
        following.stdout.close()
        assert following.wait(PATIENCE) == 0


def test_follows_a_speaker_that_was_away(devices, tmp_path):
    def attic():
        return NetworkedRenderer(devices.neighbour, tmp_path / "state", name="Attic", interfaces=["eth0"])

    speaker = attic()
    wait_until(lambda: "Attic" in devices.listed())
    following = devices.start("now", devices.url("Attic"), "--follow")
    try:
        following.wait_for('"state":')
        speaker.stop()
        following.wait_for_log("cannot be reached")
        speaker = attic()
        wait_until(lambda: sum('"state":' in line for line in following.out) == 2)
    finally:
        following.stop()
        speaker.stop()


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["volume", "Kitchen", "101"], USAGE, "is not a volume"),
        (["seek", "Kitchen", "1:99"], USAGE, "is not a position"),
        (["remove", "Kitchen", "7-3"], USAGE, "is not a number in the queue"),
        (["remove", "Kitchen", "9"], NO_OBJECT, "The queue is empty."),
        (["remove", "Bedroom", "1"], NOT_OFFERED, "no OpenHome Playlist"),
        (["standby", "Bedroom"], NOT_OFFERED, "no OpenHome Product"),
        (["source", "Kitchen", "tuner"], NO_OBJECT, "The sources are Playlist, Radio"),
        (["play", "Kitchen", "./none.flac"], NO_FILE, "No such file"),
        (["play", "Kitchen", "no such song"], NO_OBJECT, "No track matches"),
        (["play", "Kitchen", "Library:/Musik"], NO_OBJECT, "Music"),
        (["pause", "Kitchn"], NO_OBJECT, 'Did you mean "Kitchen"?'),
        (["now", "192.0.2.1"], USAGE, "several speakers"),
        (["now", "Kitchen", "--interface", "eth7"], USAGE, 'There is no network interface "eth7".'),
        (["pause", "Library"], NO_OBJECT, "Library is not a speaker."),
        (["browse", "Kitchen"], NO_OBJECT, "Kitchen is not a media server."),
        (["play", "Kitchen", "no", "such", "song"], NO_OBJECT, 'No track matches "no such song"'),
        (["play", "Kitchen", " "], USAGE, "An item is empty."),
    ],
)
def test_reports_mistakes(devices, arguments, status, message):
    assert message in devices.run(*arguments, expect=status)[1]


def test_changes_the_equalizer(devices, tmp_path):
    kitchen = devices.url("Kitchen")
    path = tmp_path / "ParametricEQ.txt"
    path.write_text("Preamp: -6.1 dB\nFilter 1: ON PK Fc 105 Hz Gain -3.2 dB Q 0.70\n")
    devices.run("equalizer", kitchen, "import", str(path), "--name", "Late night")
    devices.run("equalizer", kitchen, "on")
    (shown,) = devices.objects("equalizer", kitchen)
    assert shown["on"] and shown["preset"] == "Late night" and shown["preampInForce"] == -6.1
    assert shown["bands"] == [
        {"kind": "peak", "channel": "both", "on": True, "frequency": 105, "gain": -3.2, "q": 0.7}]
    assert devices.run("equalizer", kitchen)[0].splitlines()[0] == "on, Late night"
    assert devices.run("equalizer", kitchen, "toggle")[0] == "off\n"
    devices.run("equalizer", kitchen, "save", "show")
    # Words that are no action are the name of a preset.
    devices.run("equalizer", kitchen, "Late", "night")
    devices.run("equalizer", kitchen, "rename", "show", "Räume & mehr")
    assert devices.objects("equalizer", kitchen, "presets") == [
        {"preset": "Late night", "current": True}, {"preset": "Räume & mehr", "current": False}]
    assert devices.run("equalizer", kitchen, "export", "Räume & mehr")[0] == (
        "Preamp: -6.1 dB\nFilter 1: ON PK Fc 105 Hz Gain -3.2 dB Q 0.7\n")
    devices.run("equalizer", kitchen, "select", "Räume & mehr")
    devices.run("equalizer", kitchen, "remove", "Late night")
    assert [line["preset"] for line in devices.objects("equalizer", kitchen, "presets")] == ["Räume & mehr"]


def test_says_why_an_equalizer_is_not_changed(devices, tmp_path):
    kitchen = devices.url("Kitchen")
    path = tmp_path / "bad.txt"
    path.write_text("\nFilter 1: ON PK Fc nan Hz Gain 3 dB Q 1\n")
    assert "Line 2: “nan” is not a number for Fc." in devices.run("equalizer", kitchen, "import", str(path), expect=1)[1]
    path.write_text("#" * 10_000_000)
    assert "longer than 64 KiB" in devices.run("equalizer", kitchen, "import", str(path), expect=1)[1]
    assert "no such preset" in devices.run("equalizer", kitchen, "Nothing", expect=1)[1]
    devices.run("equalizer", kitchen, "import", str(tmp_path / "missing.txt"), expect=NO_FILE)
    for words in (["import"], ["save"], ["rename", "A"], ["on", "off"], ["off", "--name", "A"]):
        devices.run("equalizer", kitchen, *words, expect=USAGE)
    # Another program has no such page.
    devices.run("equalizer", devices.url("Bedroom"), expect=NOT_OFFERED)


def test_announces_a_file(devices, tmp_path):
    """The command serves the file until the speaker has read it."""
    kitchen = devices.url("Kitchen")
    page = Page(kitchen, machine=devices.machine)
    make_album(tmp_path / "Bell", seconds=5)
    path = str(tmp_path / "Bell/1.flac")
    devices.run("announce", kitchen, path, "--chime", "--volume", "+5")
    wait_until(lambda: page.state["announcement"]["playing"])
    assert "No such file" in devices.run("announce", kitchen, path + "x", expect=NO_FILE)[1]
    devices.run("announce", kitchen, "--chime")
    assert "Name a file" in devices.run("announce", kitchen, expect=USAGE)[1]
    _, message = devices.run("announce", kitchen, "http://192.0.2.77:1/a.mp3", expect=1)
    assert "server" in message
    assert "is not a volume" in devices.run("announce", kitchen, path, "--volume", "loud", expect=USAGE)[1]
