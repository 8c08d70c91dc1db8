"""Programs that write sound, as sources of the speaker."""

import contextlib
import json
import re
import signal
import statistics
import xml.etree.ElementTree as ET

import pytest

import soap
from broker import PREFIX
from page_api import Page
from processes import wait_until, wait_until_equal
from program_source import Program
from songcast_sender import RATE, Pulses
from sound_card import Card
from test_status import status

#: Bytes of a frame of the card's recording.
FRAME = 8
#: The most that the speaker may add between the program and the device, in seconds.
ADDED = 0.15


@pytest.fixture
def speak(start, tmp_path):
    """Starts a renderer with these programs."""

    def speak(*programs, more="", **options):
        path = tmp_path / "sources.toml"
        path.write_text(more + "".join(program.table for program in programs))
        options["more"] = ("--config", str(path), *options.pop("more_options", ()))
        return start(**options)

    return speak


@pytest.fixture
def card(tmp_path):
    card = Card(tmp_path, formats="S32_LE")
    card.mark("timeline")
    return card


def playing(page):
    state = page.state
    return state["source"]["current"], state["playing"]["state"]


def delays(program, card):
    """From the writing to the hearing of each pulse."""
    heard = [card.heard_at(frame, RATE, FRAME) for frame in Pulses.middles(card.recording)]
    written = program.written
    return [at - max((moment for moment in written if moment < at), default=at) for at in heard]


def pulses(card, count):
    wait_until(lambda: len(Pulses.middles(card.recording)) >= count, seconds=90)


def test_a_program_is_a_source_everywhere(speak, tmp_path, mqtt_client, run_broker):
    program = Program(tmp_path)
    broker = run_broker()
    listener = mqtt_client(broker.port)
    renderer = speak(
        program, more=f'mqtt.broker = "mqtt://127.0.0.1:{broker.port}"\nmqtt.prefix = "{PREFIX}"\nmqtt.home_assistant = true\n'
    )
    page, product = Page(renderer), soap.Service(renderer.openhome_url, "Product")
    sources = [
        {field.tag: field.text for field in source} for source in ET.fromstring(product("SourceXml")["Value"])
    ]
    assert sources[-1] == {"Name": "Radio set", "Type": "NetAux", "Visible": "true", "SystemName": "Radio set"}
    assert {"id": "radio-set", "name": "Radio set"} in page.state["source"]["sources"]
    program.play()
    wait_until_equal(lambda: playing(page), ("radio-set", "playing"))
    assert product("SourceIndex")["Value"] == "4"
    listener.wait(f"{PREFIX}/source", "radio-set")
    listener.wait(f"{PREFIX}/state", "playing")
    discovery = wait_until(lambda: [m for m in list(listener.messages) if m.topic.endswith("/config")])
    assert "radio-set" in json.loads(discovery[-1].payload)["components"]["source"]["options"]
    assert page.state["playing"]["title"] == "Radio set"
    assert page.state["playing"]["live"] is True
    program.play(False)
    wait_until_equal(lambda: playing(page), ("radio-set", "stopped"))
    listener.publish(f"{PREFIX}/set/source", "playlist")
    listener.wait(f"{PREFIX}/source", "playlist")
    listener.publish(f"{PREFIX}/set/source", "radio-set")
    listener.wait(f"{PREFIX}/source", "radio-set")
    report = json.loads(status(f"{tmp_path}/state/status", "--json").stdout)
    assert report["source"] == "radio-set"


@pytest.mark.release
@pytest.mark.keys("source")
@pytest.mark.parametrize("drift", [200, -200])
def test_sound_is_heard_soon_and_the_programs_clock_is_followed(speak, tmp_path, card, drift):
    program = Program(tmp_path, drift=drift, lump=0.01)
    renderer = speak(program, output=card.output, before=card.environment())
    program.play()
    pulses(card, 60)
    found = delays(program, card)[20:]
    print(f"delays {min(found):.3f} … {statistics.median(found):.3f} … {max(found):.3f}, late {program.late:.3f}")
    # A program that is late gets a longer latency.
    assert statistics.median(found) < ADDED + program.late, (found, program.late)
    # Without following the clock, ten seconds would add 2 ms; a jump would be larger.
    last = found[-10:]
    assert statistics.median(abs(delay - statistics.median(last)) for delay in last) < 0.01, last
    assert "resampled" in Page(renderer).state["output"]["reasons"]


def test_a_program_without_a_clock_is_slowed_down(speak, tmp_path, card):
    program = Program(tmp_path, is_free=True)
    speak(program, output=card.output, before=card.environment())
    program.play()
    pulses(card, 40)
    heard = [card.heard_at(frame, RATE, FRAME) for frame in Pulses.middles(card.recording)][8:]
    gaps = [after - before for before, after in zip(heard, heard[1:], strict=False)]
    assert sum(abs(gap - 0.25) > 0.005 for gap in gaps) <= len(gaps) / 10, gaps
    found = [at - max(moment for moment in program.written if moment < at) for at in heard]
    # The program waits with a pulse until the pipe takes it: for the rest of the pipe, and for its own piece.
    assert min(found) < ADDED + 0.05, found


def test_sources_take_turns(speak, tmp_path, media, card):
    program = Program(tmp_path)
    renderer = speak(program)
    page = Page(renderer)
    transport = soap.Service(renderer.description_url, "AVTransport")
    transport(
        "SetAVTransportURI", InstanceID=0, CurrentURI=media.url("noise12-44100-16-2-30s.flac"), CurrentURIMetaData=""
    )
    transport("Play", InstanceID=0, Speed=1)
    wait_until_equal(lambda: playing(page), ("upnp", "playing"))
    # A program that begins to sound stops the others.
    program.play()
    wait_until_equal(lambda: playing(page), ("radio-set", "playing"))
    # Another source stops the program, which is told to pause. It does not come back, though it goes on.
    assert page.post("play", {"source": "upnp"}).status == 200
    wait_until_equal(lambda: playing(page), ("upnp", "playing"))
    wait_until(lambda: "pause" in program.told)
    written = len(program.written)
    wait_until(lambda: len(program.written) > written + 8)
    assert playing(page) == ("upnp", "playing")
    # Somebody wants to hear it again.
    assert page.post("play", {"source": "radio-set"}).status == 200
    wait_until_equal(lambda: playing(page), ("radio-set", "playing"))
    assert page.post("stop").status == 200
    wait_until_equal(lambda: playing(page), ("radio-set", "stopped"))
    wait_until(lambda: program.told.count("pause") == 2)
    # Playing it again tells it to play, and waits for it.
    program.play(False)
    assert page.post("play", {"source": "radio-set"}).status == 200
    wait_until(lambda: program.told[-1] == "play")
    wait_until(lambda: page.state["playing"]["waiting"] is True)
    program.play()
    wait_until_equal(lambda: playing(page), ("radio-set", "playing"))


def test_titles_and_commands(speak, tmp_path):
    program = Program(tmp_path)
    renderer = speak(program)
    page = Page(renderer)
    program.play()
    wait_until_equal(lambda: playing(page), ("radio-set", "playing"))
    program.say(
        "title=Rock & Roll", "artist=The Author", "album=First", "art=http://192.0.2.1/cover.jpg", "duration=200",
        "position=50", "state=playing",
    )  # fmt: skip
    wait_until(lambda: page.state["playing"].get("title") == "Rock & Roll")
    state = page.state
    assert (state["playing"]["artist"], state["playing"]["album"]) == ("The Author", "First")
    assert state["playing"]["art"].startswith("/api/art/")
    assert 50 <= state["position"]["seconds"] < 100
    assert state["position"]["duration"] == 200
    info = soap.Service(renderer.openhome_url, "Info")
    assert "Rock &amp; Roll" in info("Track")["Metadata"]
    assert state["playing"]["can"] == {"play": True, "pause": False, "seek": False, "next": True, "previous": True}
    assert page.post("next").status == 200
    wait_until(lambda: program.told[-1:] == ["next"])
    # The speaker's volume and the device's follow each other.
    assert page.post("volume", {"level": 34}).status == 200
    wait_until(lambda: program.told[-1:] == ["volume 34"])
    told = len(program.told)
    wait_until(lambda: page.state["position"]["seconds"] > 54)
    program.say("volume=55")
    wait_until(lambda: page.state["volume"]["level"] == 55)
    program.say("state=paused")
    program.play(False)
    wait_until_equal(lambda: playing(page), ("radio-set", "stopped"))
    assert "volume 55" not in program.told[told:]


def test_a_program_that_ends_is_started_again(speak, tmp_path):
    program, other = Program(tmp_path), Program(tmp_path, name="Other", more="")
    other.table = '[[source]]\nname = "Other"\ncommand = ["/nonexistent/program"]\n'
    renderer = speak(program, other)
    page = Page(renderer)
    program.play()
    wait_until_equal(lambda: playing(page), ("radio-set", "playing"))
    program.crash()
    wait_until(lambda: program.starts == 2)
    wait_until_equal(lambda: playing(page), ("radio-set", "playing"))
    renderer.wait_for_log(r"Radio set: the program ended with status 3; it starts again in 1 s")
    reports = {report["source"]: report for report in page.get("/api/health").json["sources"]}
    assert "Something is wrong." in reports["radio-set"]["lines"]
    assert (reports["radio-set"]["state"], reports["radio-set"]["ends"]) == ("running", 1)
    renderer.wait_for_log(r"Other: the program cannot be started: no such file")
    assert reports["other"]["state"] in ("waiting", "failed")
    assert re.search(r"Source +Other, (waiting|failed): the program cannot", status(f"{tmp_path}/state/status").stdout)


def test_a_program_that_keeps_ending_interrupts_no_other(speak, tmp_path):
    """Regression: each start took the speaker from the other program, which was then ignored."""
    program, other = Program(tmp_path), Program(tmp_path, name="Other")
    page = Page(speak(program, other))
    program.play()
    wait_until_equal(lambda: playing(page), ("radio-set", "playing"))
    program.crash()
    other.play()
    wait_until_equal(lambda: playing(page), ("other", "playing"))
    wait_until(lambda: program.starts == 2)
    count = len(program.written)
    wait_until(lambda: len(program.written) > count + 8)
    assert playing(page) == ("other", "playing")
    assert not other.told or "pause" not in other.told


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_programs_end_with_the_speaker(speak, tmp_path, end):
    program = Program(tmp_path)
    renderer = speak(program)
    wait_until(lambda: program.starts == 1)
    assert renderer.stop(end)[0] == 0
    pid = int((program.folder / "starts").read_text())
    with contextlib.suppress(FileNotFoundError):
        state = re.search(r"State:\s+(\w)", open(f"/proc/{pid}/status", encoding="ascii").read())[1]
        assert state == "Z"


def test_a_named_pipe_is_a_source(speak, tmp_path, card):
    program = Program(tmp_path)
    pipe = tmp_path / "pcm"
    renderer = speak(
        type("Table", (), {"table": f'[[source]]\nname = "Pipe"\nfifo = "{pipe}"\nformat = "48000:24:1"\n'}),
        output=card.output, before=card.environment(),
    )  # fmt: skip
    page = Page(renderer)
    wait_until(pipe.exists)
    with open(pipe, "wb", buffering=0) as writer:
        data = bytes(range(1, 4)) * 48000 * 3
        while data:
            data = data[writer.write(data) :]
    wait_until_equal(lambda: playing(page), ("pipe", "playing"))
    wait_until(card.has_sounded)
    assert program.starts == 0


def test_unknown_programs_are_refused(renderer):
    page = Page(renderer)
    assert page.post("source", {"source": "no-program"}).problem(404, "no such source") == "/problems/unknown-source"
    assert page.post("play", {"source": "no-program"}).problem(404, "no such source") == "/problems/unknown-source"
    transport = soap.Service(renderer.description_url, "AVTransport")
    transport("SetAVTransportURI", InstanceID=0, CurrentURI="program:airplay", CurrentURIMetaData="")
    transport("Play", InstanceID=0, Speed=1)
    wait_until(lambda: page.state["playing"].get("error"))
