"""Announcements through the API: what is heard of them and of the music, and what controllers see."""

import array
import math
import struct
import time

import pytest

from page_api import Events, Page
from processes import MediaServer, wait_until, wait_until_equal
from sound_card import Card
from test_radio import LIVE

RATE = 44100
#: The music is lowered by 18 dB under an announcement.
DUCKED = 10 ** (-18 / 20)
#: The level of the tone that is announced.
LEVEL = 8192


def wav(samples, rate=RATE, channels=2):
    """A WAV file of interleaved 16-bit samples."""
    data = array.array("h", samples).tobytes()
    head = struct.pack("<IHHIIHH", 16, 1, channels, rate, rate * channels * 2, channels * 2, 16)
    return (
        b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + head + b"data" + struct.pack("<I", len(data)) + data
    )


def square(seconds, rate=RATE):
    """A square wave: its level is that of every sample."""
    frames = int(seconds * rate)
    return [LEVEL if frame // 50 % 2 else -LEVEL for frame in range(frames) for _ in range(2)]


def ramps(seconds):
    """Music in which every frame of a second is another one, quiet enough for a sum with the announcement."""
    return [value for frame in range(int(seconds * RATE)) for value in ((frame * 7919) % 16001 - 8000, frame % 16001 - 8000)]


@pytest.fixture
def files(tmp_path):
    """A media server with `bell.wav`, `other.wav`, `long.wav` and `music.wav`."""
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "bell.wav").write_bytes(wav(square(1)))
    (folder / "other.wav").write_bytes(wav(square(0.5)))
    (folder / "long.wav").write_bytes(wav(square(5)))
    (folder / "music.wav").write_bytes(wav(ramps(20)))
    (folder / "text.txt").write_text("Neither music nor speech.\n" * 100)
    server = MediaServer(folder)
    yield server
    server.stop()


@pytest.fixture
def sounding(start, capture):
    """A speaker whose sound is written to `capture`."""
    page = Page(start(output=capture.output))
    page.do("volume", {"level": 100})
    return page


def playing(page, files, seconds=1.0):
    """Plays the music for some seconds."""
    page.do("queue/add", {"items": [{"uri": files.url("music.wav"), "title": "Music"}], "where": "now"})
    wait_until(lambda: page.state["position"]["seconds"] >= seconds)


def shown(page):
    """What an announcement must not change."""
    state = page.state
    return state["source"]["current"], state["source"]["standby"], state["playing"]["state"], state["volume"]


def frames(capture):
    """The captured frames of 16 bits and two channels."""
    pcm = array.array("h", capture.read()[: capture.size // 4 * 4])
    return list(zip(pcm[::2], pcm[1::2]))


def heard(capture):
    """The number of frames that contain the announcement alone."""
    return sum(1 for left, right in frames(capture) if left == right and abs(left) == LEVEL)


def idle(page):
    return page.state["announcement"] == {"playing": False, "waiting": 0}


def test_from_stopped(sounding, files, capture):
    before = shown(sounding)
    sounding.do("announce", {"uri": files.url("bell.wav"), "wait": True})
    assert idle(sounding)
    assert shown(sounding) == before
    assert heard(capture) == RATE


@pytest.mark.parametrize("mode", ["duck", "pause"])
def test_over_music(sounding, files, capture, mode):
    playing(sounding, files)
    before, began, position = shown(sounding), time.monotonic(), sounding.state["position"]["seconds"]
    sounding.do("announce", {"uri": files.url("bell.wav"), "mode": mode, "wait": True})
    assert shown(sounding) == before
    passed = sounding.state["position"]["seconds"] - position
    # The position stands still while the music pauses.
    missing = time.monotonic() - began - passed
    assert (missing > 0.5) == (mode == "pause"), missing
    wait_until(lambda: sounding.state["position"]["seconds"] >= 6)
    sounding.do("stop")
    music = list(zip(*[iter(ramps(20))] * 2))
    sound = frames(capture)
    # Exact before, and exact afterwards.
    begin = next(i for i, frame in enumerate(sound) if frame == music[100]) - 100
    print(begin, len(sound))
    changes = [i for i in range(begin, len(sound)) if i - begin < len(music) and sound[i] != music[i - begin]]
    print("first", changes[0], "last", changes[-1], len(changes))
    if mode == "duck":
        assert changes[-1] < len(sound) - RATE
    else:
        inserted = RATE
        assert all(sound[changes[0] + inserted + i] == music[changes[0] - begin + i] for i in range(RATE))
        assert heard(capture) == RATE


def test_the_music_pauses_once_for_two(sounding, files, capture):
    playing(sounding, files)
    for name in ("bell.wav", "other.wav"):
        sounding.do("announce", {"uri": files.url(name), "mode": "pause"})
    wait_until(lambda: idle(sounding))
    sounding.do("stop")
    sound = frames(capture)
    alone = [at for at, (left, right) in enumerate(sound) if left == right and abs(left) == LEVEL]
    assert len(alone) == RATE * 3 // 2
    between = sound[alone[0] : alone[-1] + 1]
    assert all(left == right and abs(left) in (0, LEVEL) for left, right in between)
    # The second follows soon.
    assert len(between) < 2 * RATE


def test_louder_than_the_card_of_a_muted_speaker(start, files, tmp_path):
    # The channels differ, and the card is switched off.
    former = ["volume Master 0 120 60 56 -6000 50", "switch Master 0 0"]
    card = Card(tmp_path, formats="S32_LE", mixer=former)
    page = Page(start(output=card.output, before=card.environment(), more=("--mixer", "alsa:stand_in/Master")))
    wait_until(lambda: page.state["volume"]["muted"])
    before = shown(page)
    page.do("announce", {"uri": files.url("bell.wav"), "volume": 80})
    # -12 dB, which is 96 steps above the minimum.
    wait_until(lambda: card.controls() == ["volume Master 0 120 96 96 -6000 50", "switch Master 1 1"])
    assert shown(page) == before
    wait_until(lambda: idle(page))
    wait_until(lambda: card.controls() == former)
    assert shown(page) == before
    pcm = array.array("i", card.recording)
    # From its first sample on; the gain of the card's step may differ in the last bit of 16.
    assert len(pcm) == 2 * RATE
    assert all(abs(abs(value) - (LEVEL << 16)) <= 2 << 16 for value in pcm)


def test_a_volume_that_is_set_while_the_card_is_louder_stays(start, files, tmp_path):
    card = Card(tmp_path, mixer=["volume Master 0 120 60 60 -6000 50", "switch Master 1 1"])
    page = Page(start(output=card.output, before=card.environment(), more=("--mixer", "alsa:stand_in/Master")))
    wait_until(lambda: page.state["volume"]["level"] == 50)
    playing(page, files)
    page.do("announce", {"uri": files.url("bell.wav"), "volume": 100})
    wait_until(lambda: card.controls()[0] == "volume Master 0 120 120 120 -6000 50")
    page.do("volume", {"level": 25})
    wait_until(lambda: idle(page))
    wait_until(lambda: card.controls()[0] == "volume Master 0 120 30 30 -6000 50")
    assert page.state["volume"]["level"] == 25


def test_from_standby(sounding, files, capture):
    sounding.do("standby", {"standby": True})
    before = shown(sounding)
    sounding.do("announce", {"uri": files.url("bell.wav"), "wait": True})
    assert shown(sounding) == before
    assert heard(capture) == RATE
    wait_until(lambda: "sample_rate" not in sounding.state["output"])


def test_while_paused(sounding, files, capture):
    playing(sounding, files)
    sounding.do("pause")
    before, position = shown(sounding), sounding.state["position"]["seconds"]
    sounding.do("announce", {"uri": files.url("bell.wav"), "wait": True})
    assert shown(sounding) == before
    assert heard(capture) == RATE
    assert abs(sounding.state["position"]["seconds"] - position) < 0.01
    sounding.do("play")
    wait_until(lambda: sounding.state["position"]["seconds"] >= position + 1)
    sounding.do("stop")
    music, sound = list(zip(*[iter(ramps(20))] * 2)), frames(capture)
    # The music goes on at most 0.2 s from where it was heard.
    played = [music.index(frame) for frame in sound[-100:-90]]
    assert played == list(range(played[0], played[0] + 10))


@pytest.mark.parametrize("command", ["stop", "pause", "next", "seek"])
def test_a_command_meanwhile_wins_at_once(sounding, files, capture, command):
    playing(sounding, files)
    sounding.do("announce", {"uri": files.url("bell.wav")})
    wait_until(lambda: sounding.state["announcement"]["playing"])
    if command == "next":
        sounding.do("queue/add", {"items": [{"uri": files.url("other.wav"), "title": "Other"}], "where": "end"})
    sounding.do(command, {"seconds": 12} if command == "seek" else {})
    state = {"stop": "stopped", "pause": "paused"}.get(command, "playing")
    wait_until(lambda: sounding.state["playing"]["state"] == state)
    wait_until(lambda: idle(sounding))
    if command in ("stop", "pause"):
        assert sounding.state["playing"]["state"] == state


@pytest.mark.parametrize("mode", ["duck", "pause"])
def test_a_live_stream_continues_live(sounding, files, media, mode):
    station = sounding.do("presets/add", {"title": "Live", "uri": media.url("noise12-44100-16-2-30s.wav", LIVE)})
    sounding.do("presets/play", station)
    wait_until(lambda: sounding.state["position"]["seconds"] >= 1)
    before, position = shown(sounding), sounding.state["position"]["seconds"]
    sounding.do("announce", {"uri": files.url("bell.wav"), "mode": mode, "wait": True})
    assert shown(sounding) == before
    # The stream went on meanwhile.
    assert sounding.state["position"]["seconds"] >= position + 1


def test_it_is_heard_on_a_muted_speaker_at_its_own_volume(sounding, files, capture):
    sounding.do("mute", {"muted": True})
    sounding.do("volume", {"level": 20})
    sounding.do("announce", {"uri": files.url("bell.wav"), "volume": 100, "wait": True})
    assert heard(capture) == RATE
    assert sounding.state["volume"]["muted"]
    assert sounding.state["volume"]["level"] == 20


def test_the_volume_is_limited(start, files, capture):
    page = Page(start(output=capture.output, more=("--max-volume", "50")))
    page.do("announce", {"uri": files.url("bell.wav"), "volume": 100, "wait": True})
    wanted = LEVEL * 10 ** (-50 * 614 / 1024 / 20)
    peak = max(abs(left) for left, _ in frames(capture))
    assert math.isclose(peak, wanted, abs_tol=3)


def test_a_failed_one_changes_nothing_and_says_why(sounding, files, capture):
    playing(sounding, files)
    before = shown(sounding)
    sounding.post("announce", {"uri": files.url("missing.wav")}).problem(502, "no such file")
    sounding.post("announce", {"uri": files.url("text.txt")}).problem(502, "no audio")
    sounding.post("announce", {"uri": "http://no-such-host.invalid/a.mp3"}).problem(502, "cannot be resolved")
    sounding.post("announce", {"uri": "file:///etc/passwd"}).problem(400, "scheme")
    sounding.post("announce", {"uri": "bell"}).problem(400, "not valid")
    sounding.post("announce", {}).problem(400, "“uri”")
    for wrong in ({"volume": 101}, {"change": -101}, {"volume": 1, "change": 1}, {"mode": "loud"}, {"seconds": 0}, {"seconds": 301}):
        sounding.post("announce", {"uri": files.url("bell.wav"), **wrong}).problem(400)
    assert shown(sounding) == before
    wait_until(lambda: sounding.state["position"]["seconds"] >= 3)
    sounding.do("stop")
    music, sound = list(zip(*[iter(ramps(20))] * 2)), frames(capture)
    begin = next(i for i, frame in enumerate(sound) if frame == music[100]) - 100
    assert sound[begin:] == music[: len(sound) - begin]


def test_an_endless_one_is_cut_off(sounding, media):
    sounding.do("announce", {"uri": media.url("noise12-44100-16-2-30s.wav", "endless=1"), "seconds": 2, "wait": True})
    assert idle(sounding)


def test_the_queue(sounding, files, capture):
    """Eight wait, each address once, and they are heard one after the other."""
    sounding.do("announce", {"uri": files.url("long.wav")})
    wait_until(lambda: sounding.state["announcement"]["playing"])
    for number in range(8):
        sounding.do("announce", {"uri": files.url("other.wav", f"header=X-Number:{number}")})
    assert sounding.state["announcement"] == {"playing": True, "waiting": 8}
    kind = sounding.post("announce", {"uri": files.url("other.wav")}).problem(429)
    assert kind == "/problems/announcements-full"
    kind = sounding.post("announce", {"uri": files.url("other.wav", "header=X-Number:3")}).problem(409)
    assert kind == "/problems/announcement-waiting"
    wait_until(lambda: idle(sounding), seconds=60)
    assert heard(capture) == 5 * RATE + 8 * RATE // 2


def test_guests_may_not_announce(sounding, files):
    token = sounding.do("lock", {"pin": "1234"})["token"]
    sounding.post("announce", {"uri": files.url("bell.wav")}).problem(403)
    answer = sounding.post("announce", {"uri": files.url("bell.wav")}, Authorization=f"Bearer {token}")
    assert answer.status == 200


@pytest.mark.keys("announcement.chime")
def test_a_chime_alone_and_one_of_a_file(start, files, capture, tmp_path):
    chime = tmp_path / "chime.wav"
    chime.write_bytes(wav(square(0.5)))
    page = Page(start(output=capture.output, more=("--announcement-chime", str(chime))))
    page.do("volume", {"level": 100})
    page.do("announce", {"chime": True, "wait": True})
    assert heard(capture) == RATE // 2


def test_a_chime_that_cannot_be_played_is_logged(start, tmp_path):
    renderer = start(more=("--announcement-chime", f"{tmp_path}/absent.wav"))
    Page(renderer).do("announce", {"chime": True, "wait": True})
    renderer.wait_for_log(r"warning: The chime .*/absent\.wav cannot be played, so the built-in one is: There is no such file\.")


def test_controllers_see_nothing(sounding, files):
    """No event of the transport, and none of the volume."""
    playing(sounding, files)
    with Events(sounding) as events:
        events.wait_for_state(lambda state: state["playing"]["state"] == "playing")
        sounding.do("announce", {"uri": files.url("bell.wav"), "mode": "pause", "wait": True})
        events.wait_for_state(lambda state: not state["announcement"]["playing"])
        changes = [data for kind, data in events.events if kind == "change"]
    assert changes
    assert not [change for change in changes if "playing" in change or "volume" in change or "source" in change]
