"""The equalizer of the built program: its sound, its presets, and bad input."""

import array
import cmath
import math
import random
import signal
import struct

import pytest

import database
import sound
from page_api import Page
from processes import MediaServer, wait_until

BANDS = [
    {"kind": "high_pass", "frequency": 25, "q": 0.8},
    {"kind": "peak", "frequency": 50, "gain": -9.5, "q": 5},
    {"kind": "low_shelf", "frequency": 105, "gain": 5.5, "q": 0.7, "channel": "left"},
    {"kind": "peak", "frequency": 1200, "gain": 6, "q": 1.41},
    {"kind": "notch", "frequency": 3150, "q": 2, "channel": "right"},
    {"kind": "high_shelf", "frequency": 8000, "gain": -4, "q": 0.71},
    {"kind": "low_pass", "frequency": 19000, "q": 0.9},
]
#: A period of the tones, as a part of a second. All tones fit into it, so a transform of one period is exact.
PERIOD = 5


def response(band, frequency, rate):
    """The response of a band by the formulas of the Audio EQ Cookbook."""
    w = 2 * math.pi * band["frequency"] / rate
    a, alpha, cosine = 10 ** (band.get("gain", 0) / 40), math.sin(w) / (2 * band["q"]), math.cos(w)
    root = 2 * math.sqrt(a) * alpha
    above, below = {
        "peak": ((1 + alpha * a, -2 * cosine, 1 - alpha * a), (1 + alpha / a, -2 * cosine, 1 - alpha / a)),
        "low_shelf": (
            (a * (a + 1 - (a - 1) * cosine + root), 2 * a * (a - 1 - (a + 1) * cosine), a * (a + 1 - (a - 1) * cosine - root)),
            (a + 1 + (a - 1) * cosine + root, -2 * (a - 1 + (a + 1) * cosine), a + 1 + (a - 1) * cosine - root),
        ),
        "high_shelf": (
            (a * (a + 1 + (a - 1) * cosine + root), -2 * a * (a - 1 + (a + 1) * cosine), a * (a + 1 + (a - 1) * cosine - root)),
            (a + 1 - (a - 1) * cosine + root, 2 * (a - 1 - (a + 1) * cosine), a + 1 - (a - 1) * cosine - root),
        ),
        "low_pass": (((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2), (1 + alpha, -2 * cosine, 1 - alpha)),
        "high_pass": (((1 + cosine) / 2, -1 - cosine, (1 + cosine) / 2), (1 + alpha, -2 * cosine, 1 - alpha)),
        "notch": ((1, -2 * cosine, 1), (1 + alpha, -2 * cosine, 1 - alpha)),
    }[band["kind"]]
    z = cmath.exp(-2j * math.pi * frequency / rate)
    return abs((above[0] + above[1] * z + above[2] * z * z) / (below[0] + below[1] * z + below[2] * z * z))


def tones():
    """Six in an octave, from 20 Hz to 20 kHz."""
    steps = {PERIOD * round(20 * 2 ** (step / 6) / PERIOD) for step in range(60)}
    return sorted(steps | {20, 20000})


def level(samples, frequency, rate):
    """The amplitude of a tone in a period, by Goertzel's algorithm."""
    factor = 2 * math.cos(2 * math.pi * frequency / rate)
    first = second = 0.0
    for sample in samples:
        first, second = sample + factor * first - second, first
    return math.sqrt(max(0.0, first * first + second * second - factor * first * second)) * 2 / len(samples)


def write(path, samples, rate, channels=2):
    """A WAV file with 32 bits."""
    data = array.array("i", samples).tobytes()
    head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 1, channels, rate,
                       4 * channels * rate, 4 * channels, 32, b"data", len(data))
    path.write_bytes(head + data)
    return data


def music(folder, rate, seconds):
    """Tones on both channels; returns the samples of the file."""
    chance = random.Random(rate)
    waves = [(frequency, chance.uniform(0, 2 * math.pi)) for frequency in tones()]
    scale = 0.4 / len(waves) * 2**31
    period = [
        round(scale * sum(math.sin(2 * math.pi * frequency * frame / rate + phase) for frequency, phase in waves))
        for frame in range(rate // PERIOD)
    ]
    stereo = [sample for sample in period for _ in range(2)]
    return write(folder / "tones.wav", stereo * (seconds * PERIOD), rate)


@pytest.fixture
def server(tmp_path):
    folder = tmp_path / "music"
    folder.mkdir()
    server = MediaServer(folder)
    server.folder = folder
    yield server
    server.stop()


@pytest.fixture
def player(start, tmp_path):
    """The page of a renderer that plays into `captured` as fast as it can."""
    capture = sound.Capture(tmp_path, realtime=False)
    page = Page(start(output=capture.output))
    page.captured = capture
    return page


def play(page, url):
    page.do("queue/add", {"items": [{"uri": url}], "where": "replace"})


def finish(page, size):
    wait_until(lambda: page.captured.size >= size and page.state["playing"]["state"] == "stopped")
    return page.captured.read()


@pytest.mark.parametrize("rate", [44100, 96000, 192000])
def test_the_response_is_that_of_the_formula(player, server, rate):
    source = music(server.folder, rate, seconds=2)
    player.do("equalizer", {"on": True, "bands": BANDS, "preamp": -4.5})
    play(player, server.url("tones.wav"))
    heard = array.array("i", finish(player, len(source)))
    given = array.array("i", source)
    assert len(heard) == len(given)
    count = 2 * rate // PERIOD
    wrong = {}
    for channel, side in enumerate(("left", "right")):
        before, after = given[channel:count:2], heard[len(heard) - count + channel :: 2]
        for frequency in tones():
            gain = level(after, frequency, rate) / level(before, frequency, rate)
            bands = [band for band in BANDS if band.get("channel", side) == side]
            expected = -4.5 + sum(20 * math.log10(response(band, frequency, rate)) for band in bands)
            if abs(20 * math.log10(gain) - expected) >= 0.05:
                wrong[side, frequency] = (20 * math.log10(gain), expected)
    assert not wrong


def test_the_curve_and_the_boost_are_those_of_the_formula(player):
    answer = player.do("equalizer", {"on": True, "bands": BANDS, "automatic_preamp": True})
    curve, rate = answer["curve"], answer["sample_rate"]
    for side in ("left", "right"):
        bands = [band for band in BANDS if band.get("channel", side) == side]
        for frequency, decibels in zip(curve["frequencies"], curve[side]):
            expected = 20 * math.log10(max(1e-10, math.prod(response(band, frequency, rate) for band in bands)))
            assert abs(decibels - expected) < 0.02 or expected < -60
    assert max(curve["left"] + curve["right"]) <= answer["boost"] + 0.01 == 0.01 - answer["preamp_in_force"]
    assert answer["boost"] > 5


@pytest.mark.parametrize("settings", [
    {"on": False, "bands": BANDS},
    {"on": True, "bands": [{"kind": "peak", "frequency": 100, "gain": 0}, {"kind": "low_shelf", "frequency": 100}]},
    {"on": True, "bands": [{**BANDS[0], "on": False}]},
])
def test_without_an_effect_samples_pass_bit_for_bit(player, server, settings):
    source = music(server.folder, 44100, seconds=1)
    player.do("equalizer", settings)
    play(player, server.url("tones.wav"))
    assert finish(player, len(source)) == source


def test_the_signal_path_names_the_equalizer(start, media):
    page = Page(start())
    play(page, media.url("noise12-44100-16-2-30s.wav"))
    wait_until(lambda: page.state["output"].get("bit_perfect") is not None)
    reasons = lambda: page.state["output"]["reasons"]
    assert "equalizer" not in reasons()
    page.do("equalizer", {"on": True, "bands": BANDS})
    wait_until(lambda: "equalizer" in reasons())
    # A preset is chosen and left while the music plays.
    page.do("equalizer/save", {"name": "Room"})
    page.do("equalizer", {"bands": []})
    wait_until(lambda: "equalizer" not in reasons())
    assert page.state["equalizer"]["changed"] is True
    page.do("equalizer/select", {"name": "Room"})
    wait_until(lambda: "equalizer" in reasons())
    page.do("equalizer", {"on": False})
    wait_until(lambda: "equalizer" not in reasons())
    assert page.state["playing"]["state"] == "playing"


def test_mono_with_bands_for_one_side_plays_on_two_channels(player, server):
    samples = [round(2**29 * math.sin(2 * math.pi * 1000 * frame / 44100)) for frame in range(44100)]
    write(server.folder / "mono.wav", samples, 44100, channels=1)
    player.do("equalizer", {"on": True, "bands": [{"kind": "peak", "frequency": 1000, "gain": -20, "q": 1, "channel": "left"}]})
    play(player, server.url("mono.wav"))
    heard = array.array("i", finish(player, 8 * 44100))
    assert max(heard[22050 * 2 :: 2]) == pytest.approx(2**29 / 10, rel=0.01)
    assert max(heard[22050 * 2 + 1 :: 2]) == pytest.approx(2**29, rel=0.001)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_the_equalizer_survives_a_restart(start, tmp_path, end):
    state = tmp_path / "state"
    first = start(state=state)
    page = Page(first)
    page.do("equalizer", {"on": True, "bands": BANDS})
    page.do("equalizer/save", {"name": "Späte Nacht"})
    kept = page.do("equalizer", {"preamp": -7.25})
    if end == signal.SIGKILL:
        wait_until(lambda: "-7.25" in database.settings(state, "equalizer").get("settings", ""))
    first.stop(end)
    restored = Page(start(state=state)).get("/api/equalizer").json
    assert restored == kept and restored["on"] and restored["changed"] and restored["presets"] == ["Späte Nacht"]


def test_bad_input_changes_nothing(player):
    before = player.do("equalizer", {"on": True, "bands": BANDS})
    peak = {"kind": "peak", "frequency": 100, "gain": 1}
    for body, detail in [
        ({"bands": [{**peak, "frequency": 5}]}, "Band 1: the frequency must be between 10 and 40000 Hz."),
        ({"bands": [peak, {**peak, "gain": 25}]}, "Band 2: the gain must be between −24 and 24 dB."),
        ({"bands": [{**peak, "q": 0}]}, "Band 1: Q must be between 0.1 and 100."),
        ({"bands": [peak] * 21}, "There are more than 20 bands."),
        ({"bands": [{**peak, "kind": "comb"}]}, "bands[0].kind"),
        ({"bands": [{"kind": "peak"}]}, "bands[0].frequency"),
        ({"preamp": 100}, "The preamp must be between −60 and 24 dB."),
    ]:
        player.post("equalizer", body).problem(400, detail)
    for number in ("NaN", "Infinity", "1e999", "-1e999"):
        player.post("equalizer", '{"preamp": %s}' % number).problem(400)
    for text, detail in [
        ("Filter 1: ON PK Fc 100 Hz Gain 3 dB Q 1\nFilter 2: ON PK Fc nan Hz Gain 3 dB Q 1", "Line 2:"),
        ("GraphicEQ: 20 -3.2; 21 -3", "Line 1: “GraphicEQ” is not supported"),
        ("", "The text has no filters."), ("#" * 65537, "The text is longer than 64 KiB."),
    ]:
        player.post("equalizer/import", {"text": text, "name": "New"}).problem(400, detail)
    assert player.post("equalizer/import", {"text": "#" * 10_000_000}).status == 413
    for name in ("", "on", "x" * 101, "a\u0007"):
        player.post("equalizer/save", {"name": name}).problem(400)
        player.post("equalizer/import", {"text": "Preamp: -3 dB", "name": name}).problem(400)
    for command in ("select", "remove", "rename"):
        player.post(f"equalizer/{command}", {"name": "None", "to": "New"}).problem(404)
    assert player.get("/api/equalizer/export", {"preset": "None"}).status == 404
    assert player.get("/api/equalizer").json == before
    for number in range(32):
        player.do("equalizer/save", {"name": f"Preset {number}"})
    player.post("equalizer/save", {"name": "One more"}).problem(409, "32 presets")


def test_a_file_is_imported_and_exported(player):
    text = "\ufeffPreamp: -6,1 dB\r\nFilter 1: ON LSC Fc 105 Hz Gain -3.2 dB Q 0,70\r\nFilter 2: OFF PK Fc 1000 Hz Gain 3 dB Q 1\r\n"
    answer = player.do("equalizer/import", {"text": text, "name": "From a file"})
    assert answer["preset"] == "From a file" and answer["preamp"] == -6.1 and not answer["automatic_preamp"]
    assert [band["kind"] for band in answer["bands"]] == ["low_shelf", "peak"]
    exported = player.get("/api/equalizer/export", {"preset": "From a file"})
    assert exported.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert exported.body.decode() == (
        "Preamp: -6.1 dB\nFilter 1: ON LSC Fc 105 Hz Gain -3.2 dB Q 0.7\nFilter 2: OFF PK Fc 1000 Hz Gain 3 dB Q 1\n")
    assert player.do("equalizer/import", {"text": exported.body.decode()})["bands"] == answer["bands"]


def test_guests_see_the_equalizer_but_do_not_change_it(player):
    player.do("equalizer", {"on": True, "bands": BANDS})
    player.do("equalizer/save", {"name": "Room"})
    player.do("lock", {"pin": "1234"})
    before = player.get("/api/equalizer").json
    assert before["presets"] == ["Room"]
    for command, body in [
        ("equalizer", {"on": False}), ("equalizer/select", {"name": "Room"}), ("equalizer/save", {"name": "Mine"}),
        ("equalizer/rename", {"name": "Room", "to": "Mine"}), ("equalizer/remove", {"name": "Room"}),
        ("equalizer/import", {"text": "Preamp: -3 dB"}),
    ]:
        assert player.post(command, body).problem(403) == "/problems/locked"
    assert player.get("/api/equalizer").json == before
