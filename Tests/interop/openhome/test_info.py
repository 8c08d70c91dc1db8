"""The Info service: codec, bit depth, sample rate and bit rate."""

import pytest

import soap
import sound
from processes import wait_until


@pytest.mark.parametrize(
    "name, codec, depth, rate",
    [
        ("noise12-44100-16-2-30s.wav", "WAV", 16, 44100), ("noise1-44100-16-2-3s.aiff", "AIFF", 16, 44100),
        ("noise13-96000-24-2-30s.flac", "FLAC", 24, 96000), ("noise1-44100-16-2-3s.m4a", "ALAC", 16, 44100),
        ("noise10-96000-24-2-3s.m4a", "ALAC", 24, 96000),
        ("aac.m4a", "AAC", 16, 44100), ("long.aac", "AAC", 16, 44100), ("long.mp3", "MP3", 24, 44100),
        ("vbr.mp3", "MP3", 24, 44100), ("long.ogg", "VORBIS", 16, 44100), ("opus.opus", "Opus", 16, 48000),
    ],
)  # fmt: skip
def test_details_have_openhomes_codec_names_and_figures(renderer, media, fixtures, name, codec, depth, rate):
    info, playlist = (soap.Service(renderer.openhome_url, name) for name in ("Info", "Playlist"))
    playlist("Insert", AfterId=0, Uri=media.url(name), Metadata="")
    # Repeat, so that a short track does not end before it is read.
    playlist("SetRepeat", Value=1)
    playlist("Play")

    def details():
        values = info("Details")
        return values if int(values["BitRate"]) > 0 and values["CodecName"] else None

    values = wait_until(details)
    assert (values["CodecName"], int(values["BitDepth"]), int(values["SampleRate"])) == (codec, depth, rate)
    if codec in ("FLAC", "ALAC", "Opus"):
        average = (sound.FOLDER / name).stat().st_size * 8 / fixtures[name].seconds
        assert 0.8 * average < int(values["BitRate"]) < 1.2 * average, average


def test_shows_a_track_that_was_opened_ahead_and_skipped_to(renderer, media):
    """The stream's properties are known before the track becomes current."""
    info, playlist, time = (soap.Service(renderer.openhome_url, name) for name in ("Info", "Playlist", "Time"))
    first = playlist("Insert", AfterId=0, Uri=media.url("noise1-44100-16-2-3s.aiff"), Metadata="")["NewId"]
    playlist("Insert", AfterId=first, Uri=media.url("noise1-44100-16-2-3s.wav"), Metadata="")
    playlist("SeekId", Value=first)
    wait_until(lambda: info("Details")["CodecName"] == "AIFF")
    # The next track is opened as soon as all of this one has been read.
    wait_until(lambda: int(time("Time")["Seconds"]) > 0)
    playlist("Next")
    wait_until(lambda: info("Details")["CodecName"] == "WAV")
