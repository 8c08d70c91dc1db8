"""AirPlay: shairport-sync as a source of the speaker, and PulseAudio and pyatv as senders on another machine."""

import array
import contextlib
import pathlib
import re
import subprocess
import sys
import wave

import pytest

import network
from avahi import Avahi
from network import NetworkedRenderer
from page_api import Page
from processes import Process, wait_until, wait_until_equal
from songcast_sender import RATE, Pulses
from program_source import pcm
from sound_card import Card

pytestmark = network.needs_namespaces

SENDER = pathlib.Path(__file__).parents[1] / "support/airplay_sender.py"
CONFIGURATION = '[[source]]\nname = "AirPlay"\ntype = "airplay"\n'


def make_pulses(path, seconds):
    with wave.open(str(path), "wb") as file:
        file.setparams((2, 2, RATE, 0, "NONE", ""))
        file.writeframes(pcm(Pulses(), 0, seconds * RATE))


class Phone:
    """A sender: PulseAudio with its RAOP sink."""

    def __init__(self, machine, folder):
        folder.mkdir()
        self._folder = folder
        make_pulses(folder / "pulses.wav", 120)
        self._prefix = machine.command("env", f"HOME={folder}", f"PULSE_SERVER=unix:{folder}/socket", f"XDG_RUNTIME_DIR={folder}")
        sink = "module-raop-sink server=192.0.2.1:5000 protocol=UDP encryption=RSA codec=ALAC sink_name=speaker"
        self._daemon = Process(
            *self._prefix, "pulseaudio", "-n", "--log-level=debug", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
            f"--load=module-native-protocol-unix socket={folder}/socket auth-anonymous=1", f"--load={sink}",
        )
        wait_until((folder / "socket").exists)
        # A sound that starts while it is still connecting is never sent.
        self._daemon.wait_for_log(r"RAOP: OPTIONS \(auth cb\)")
        self._player = None

    def play(self):
        self._player = Process(*self._prefix, "paplay", "--device=speaker", str(self._folder / "pulses.wav"))

    def pause(self):
        self._player.stop()

    def set_volume(self, percent):
        Process(*self._prefix, "pactl", "set-sink-volume", "speaker", f"{percent}%").process.wait()

    def stop(self):
        for process in (self._player, self._daemon):
            if process:
                process.stop()
                print("\n".join(process.out + process.err))


@pytest.fixture
def home(here, there, tmp_path):
    """A speaker at 192.0.2.1 with a card, and a phone at 192.0.2.2."""
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    card = Card(tmp_path, formats="S32_LE")
    card.mark("timeline")
    (tmp_path / "swiftlet.toml").write_text(CONFIGURATION)
    with contextlib.ExitStack() as stack:
        daemon = Avahi(here, tmp_path / "avahi")
        stack.callback(daemon.stop)
        renderer = NetworkedRenderer(
            here, tmp_path / "state", before=[*daemon.before, *card.environment()[1:]],
            more=("--output", card.output, "--config", str(tmp_path / "swiftlet.toml"), "--port", "49494"),
        )  # fmt: skip
        stack.callback(lambda: print("\n".join(renderer.out + renderer.err)))
        stack.callback(renderer.stop)
        renderer.wait_for("On eth0")
        neighbour = Avahi(there, tmp_path / "neighbour")
        stack.callback(neighbour.stop)
        wait_until(lambda: [name for name in neighbour.names("_raop._tcp") if name.endswith("@Kitchen")])
        phone = Phone(there, tmp_path / "phone")
        stack.callback(phone.stop)
        yield renderer, card, phone, Page("http://192.0.2.1:49494", machine=there)


def pulses(card):
    """The windows of 10 ms in which pulses begin. shairport-sync adds noise to the samples, so that none is silent."""
    samples = array.array("i", card.recording[: len(card.recording) // 8 * 8])[::2]
    loud = [number for number in range(len(samples) // 441) if max(samples[number * 441 : (number + 1) * 441]) > 1 << 28]
    return [number for before, number in zip([-9, *loud], loud, strict=False) if number - before > 5]


def playing(page):
    state = page.state
    return state["source"]["current"], state["playing"]["state"]


def test_a_phone_plays_to_the_speaker(home):
    renderer, card, phone, page = home
    assert {"id": "airplay", "name": "AirPlay"} in page.state["source"]["sources"]
    phone.play()
    wait_until_equal(lambda: playing(page), ("airplay", "playing"))
    wait_until(lambda: len(pulses(card)) >= 24, seconds=90)
    found = pulses(card)
    gaps = [after - before for before, after in zip(found, found[1:], strict=False)]
    # A pulse every quarter of a second: shairport-sync and the resampler keep the pace.
    assert sum(abs(gap - 25) > 1 for gap in gaps) <= len(gaps) / 4, gaps
    # The phone's volume is the speaker's.
    phone.set_volume(40)
    wait_until(lambda: page.state["volume"]["level"] < 90)
    phone.pause()
    wait_until_equal(lambda: playing(page), ("airplay", "stopped"))
    # It is found by its name only while the speaker runs.
    assert renderer.stop()[0] == 0


def test_the_phones_sound_makes_room_for_other_sources(home):
    _, card, phone, page = home
    phone.play()
    wait_until_equal(lambda: playing(page), ("airplay", "playing"))
    assert page.post("source", {"source": "radio"}).status == 200
    wait_until_equal(lambda: playing(page), ("radio", "empty"))
    count = len(pulses(card))
    assert page.post("play", {"source": "airplay"}).status == 200
    wait_until_equal(lambda: playing(page), ("airplay", "playing"))
    wait_until(lambda: len(pulses(card)) > count + 4)


def test_titles_pictures_and_progress(home, there, tmp_path):
    *_, page = home
    make_pulses(tmp_path / "track.wav", 100)
    picture = tmp_path / "cover.jpg"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=c=teal:s=160x160", "-frames:v", "1", picture], check=True
    )
    files = (str(tmp_path / "track.wav"), str(picture))
    sender = Process(*there.command(sys.executable, str(SENDER), "192.0.2.1", "5000", *files, "Söng", "Björk", "Début"))
    try:
        wait_until_equal(lambda: playing(page), ("airplay", "playing"))
        wait_until_equal(lambda: page.state["playing"].get("title"), "Söng")
        track = page.state["playing"]
        assert (track["artist"], track["album"]) == ("Björk", "Début")
        wait_until(lambda: (art := page.state["playing"].get("art")) and page.get(art).body == picture.read_bytes())
        wait_until(lambda: page.state["position"]["seconds"] > 2)
        assert page.state["position"]["duration"] == 100
    finally:
        sender.stop()
        print("\n".join(sender.out + sender.err))
    wait_until_equal(lambda: playing(page), ("airplay", "stopped"))
    assert page.state["playing"]["title"] == "AirPlay"


def test_the_health_view_shows_its_output(home):
    *_, page = home
    reports = wait_until(lambda: page.get("/api/health").json["sources"])
    assert [report["state"] for report in reports] == ["running"]
    assert reports[0]["source"] == "airplay"
    assert not re.search("fatal", " ".join(reports[0]["lines"]))
