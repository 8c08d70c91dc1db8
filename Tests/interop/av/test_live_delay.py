"""The delay of sound that a computer streams in real time."""

import contextlib
import json
import time

import pytest

import soap
from live_sender import RATE, LiveSender
from processes import wait_until
from songcast_sender import Pulses
from sound_card import Card
from test_status import status
from test_streams_without_end import play, state

#: Bytes of a frame of the card's recording.
FRAME = 8
#: How far the delay may be from the configured one, in seconds.
ALLOWED = 0.02


@pytest.fixture
def live(start, tmp_path):
    """Starts a sender with a clock of its own, and a renderer with a live buffer that plays it on a card."""
    with contextlib.ExitStack() as stack:

        def live(path, buffer, **sender):
            card = Card(tmp_path, formats="S32_LE")
            card.mark("timeline")
            served = LiveSender(**sender)
            stack.callback(served.stop)
            renderer = start(
                output=card.output, before=card.environment(),
                more=("--live-buffer", str(buffer), "--status-socket", str(tmp_path / "status")),
            )  # fmt: skip
            play(renderer, f"{served.url}/{path}")
            return served, card, renderer

        yield live


def delays(sender, card, buffer, since):
    """From the sending to the hearing of each pulse since a time, as far as it is near `buffer`."""
    heard = [card.heard_at(frame, RATE, FRAME) for frame in Pulses.middles(card.recording)]
    return [at - min(sender.sent, key=lambda sent: abs(at - sent - buffer)) for at in heard if at > since]


def outside(found, buffer):
    """The delays that differ too much."""
    return [delay for delay in found if abs(delay - buffer) > ALLOWED]


def wait_until_held(sender, card, buffer, since):
    """Waits until 9 of 10 among the last 40 pulses have the delay.

    A machine that stalls delays the sender, and the lost time is made up by a change of rate that nobody hears.
    """
    last = []

    def is_held():
        last[:] = delays(sender, card, buffer, since)[-40:]
        return len(last) == 40 and len(outside(last, buffer)) <= 4

    wait_until(is_held, seconds=90, explain=lambda: f"the last delays are {last}")


def pulses(card, count):
    wait_until(lambda: len(Pulses.middles(card.recording)) >= count)


@pytest.mark.keys("live_buffer")
@pytest.mark.parametrize(("path", "buffer", "drift"), [("live.wav", 1.0, 200), ("live.l16", 0.15, -200)])
def test_the_delay_is_that_of_the_configuration(live, tmp_path, path, buffer, drift):
    sender, card, renderer = live(path, buffer, drift=drift)
    begin = time.monotonic() + buffer + 1
    wait_until_held(sender, card, buffer, begin)
    report = json.loads(status(tmp_path / "status", "--json").stdout)
    assert abs(report["delay"] - buffer) < ALLOWED
    assert "resampled" in report["reasons"]
    assert sender.requests == 1
    transport = soap.Service(renderer.description_url, "AVTransport")
    assert transport.fault("Seek", InstanceID=0, Unit="REL_TIME", Target="0:00:01") == 710


def test_a_stream_that_begins_ahead_keeps_its_sound(live):
    sender, card, _ = live("live.wav", 1.0, burst=3.0)
    pulses(card, 40)
    middles = Pulses.middles(card.recording)
    apart = [later - former for former, later in zip(middles, middles[1:], strict=False)]
    # The sender's clock and the card's differ by less than 0.1 %.
    assert all(abs(distance - Pulses.PERIOD) < Pulses.PERIOD / 500 for distance in apart), apart
    assert sender.requests == 1


def check_pause(live, seconds):
    """A stream that declares no end is opened again after a pause: the server decides what it sends then."""
    sender, card, renderer = live("live.wav", 1.0, burst=10.0)
    transport = soap.Service(renderer.description_url, "AVTransport")
    pulses(card, 8)
    transport("Pause", InstanceID=0)
    wait_until(lambda: state(transport) == "PAUSED_PLAYBACK")
    time.sleep(seconds)
    heard = len(Pulses.middles(card.recording))
    transport("Play", InstanceID=0, Speed=1)
    pulses(card, heard + 20)
    assert state(transport) == "PLAYING"
    assert sender.requests == 2


def test_a_stream_without_an_end_goes_on_after_a_pause(live):
    check_pause(live, 1)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_stream_without_an_end_goes_on_after_a_pause_of_ten_minutes(live):
    check_pause(live, 600)


def test_after_a_silence_of_the_sender_the_delay_is_the_same(live):
    sender, card, _ = live("live.wav", 0.5)
    pulses(card, 20)
    sender.is_silent.set()
    time.sleep(3)
    sender.is_silent.clear()
    wait_until_held(sender, card, 0.5, time.monotonic() + 5)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("drift", [-200, 200])
def test_the_delay_is_held_for_ten_minutes(live, drift):
    sender, card, _ = live("live.wav", 1.0, drift=drift)
    begin = time.monotonic() + 15
    time.sleep(600)
    assert sender.requests == 1
    found = delays(sender, card, 1.0, begin)
    assert len(found) > 2000
    assert len(outside(found, 1.0)) <= len(found) / 1000, sorted(outside(found, 1.0))
