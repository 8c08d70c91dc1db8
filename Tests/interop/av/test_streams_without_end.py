"""Streams with a missing or wrong length, as controllers see them."""

import time

import pytest

from processes import wait_until
from soap import Service

#: Files whose headers declare about two seconds.
DECLARED = ["half1-lame-cbr.mp3", "half1-lame-vbr.mp3", "half1-lavc.mp3", "half1.wav", "noise1-44100-16-2-3s.flac"]
#: Makes a file an endless stream of its repetitions.
STATION = "endless=1&length=no&ranges=no&rate=60000&icy=4000&icy-name=Test"
#: Simulates a server that transcodes on the fly.
ON_THE_FLY = "chunked=1&ranges=no&silent-on-ranges=1"


def seconds(time_text):
    hours, minutes, rest = time_text.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(rest)


def play(renderer, uri):
    transport = Service(renderer.description_url, "AVTransport")
    transport("SetAVTransportURI", InstanceID=0, CurrentURI=uri, CurrentURIMetaData="")
    transport("Play", InstanceID=0, Speed=1)
    wait_until(lambda: state(transport) == "PLAYING")
    return transport


def state(transport):
    return transport("GetTransportInfo", InstanceID=0)["CurrentTransportState"]


def position(transport):
    return seconds(transport("GetPositionInfo", InstanceID=0)["RelTime"])


@pytest.mark.parametrize("name", DECLARED)
def test_an_endless_stream_ignores_the_declared_length(renderer, media, name):
    transport = play(renderer, media.url(name, STATION))
    clock = Service(renderer.openhome_url, "Time")
    stream = Service(renderer.openhome_url, "Transport")("StreamInfo")
    assert stream["CanSeek"] == "0"
    wait_until(lambda: position(transport) >= 5 and state(transport) == "PLAYING")
    assert transport("GetPositionInfo", InstanceID=0)["TrackDuration"] == "NOT_IMPLEMENTED"
    assert clock("Time")["Duration"] == "0"
    assert transport.fault("Seek", InstanceID=0, Unit="REL_TIME", Target="0:00:01") == 710
    assert state(transport) == "PLAYING"


@pytest.mark.parametrize("name", ["noise12-44100-16-2-30s.flac", "long.mp3"])
def test_a_seek_without_ranges_reads_to_the_position(renderer, media, name):
    transport = play(renderer, media.url(name, ON_THE_FLY))
    before = time.monotonic()
    transport("Seek", InstanceID=0, Unit="REL_TIME", Target="0:00:20")
    wait_until(lambda: state(transport) == "PLAYING")
    assert 20 <= position(transport) <= 21 + (time.monotonic() - before)
    # It ends after thirty seconds, like the file.
    wait_until(lambda: state(transport) == "STOPPED")
