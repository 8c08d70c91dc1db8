"""The samples that the playlist plays."""

import pytest

from processes import wait_until
from test_playlist import Playlist

SHORT = [f"noise{number}-44100-16-2-0.2s.flac" for number in (3, 4, 5)]


@pytest.fixture
def player(start, capture):
    """The playlist of a renderer that plays into `capture`."""
    return Playlist(start(output=capture.output))


def test_tracks_of_different_formats_join_without_a_gap(player, capture, media, fixtures):
    """Different rates, widths and channel counts. An unplayable track leaves no gap."""
    names = [
        "noise1-44100-16-2-3s.flac", SHORT[0], "noise7-48000-16-2-3s.flac", "noise10-96000-24-2-3s.flac", "nothing.flac",
        "noise2-44100-16-2-3s.flac", SHORT[1], "noise8-44100-24-2-3s.flac", "noise6-44100-16-1-3s.flac",
    ]
    ids = player.append(*map(media.url, names))
    player("Play")
    expected = b"".join(fixtures[name].pcm() for name in names if name in fixtures)
    wait_until(lambda: player("TransportState")["Value"] == "Stopped" and len(capture.read()) >= len(expected))
    assert capture.read() == expected
    assert player.id == ids[0]


@pytest.mark.parametrize("shuffle", [0, 1])
def test_a_repeated_playlist_has_no_gaps(player, capture, media, fixtures, shuffle):
    """With shuffle, every round has each track once, and no track plays twice in a row."""
    pieces = {name: fixtures[name].pcm() for name in SHORT}
    length = len(pieces[SHORT[0]])
    player.append(*map(media.url, SHORT))
    player("SetRepeat", Value=1)
    player("SetShuffle", Value=shuffle)
    player("Play")
    wait_until(lambda: len(capture.read()) > 16 * length)
    player("Stop")
    captured = capture.read()
    order = []
    for place in range(0, 15 * length, length):
        piece = captured[place : place + length]
        order.append(next((name for name in SHORT if pieces[name] == piece), None))
    rounds = [order[place : place + 3] for place in range(0, 15, 3)]
    assert all(sorted(one) == SHORT for one in rounds), rounds
    assert all(one != other for one, other in zip(order, order[1:])), order
    if not shuffle:
        assert rounds == [SHORT] * 5


def test_the_next_track_can_change_after_it_was_prepared(player, capture, media, fixtures):
    """Inserting a track after the current one replaces the prepared track, even several times."""
    names = ["noise1-44100-16-2-3s.flac", *SHORT]
    first, *_ = player.append(media.url(names[0]), media.url(SHORT[0]))
    player("Play")
    wait_until(lambda: len(capture.read()) > fixtures[names[0]].bytes_per_second)
    player("Insert", AfterId=first, Uri=media.url(SHORT[1]), Metadata="")
    player("Insert", AfterId=first, Uri=media.url(SHORT[2]), Metadata="")
    player("DeleteId", Value=3)
    expected = b"".join(fixtures[name].pcm() for name in (names[0], SHORT[2], SHORT[0]))
    wait_until(lambda: player("TransportState")["Value"] == "Stopped" and len(capture.read()) >= len(expected))
    assert capture.read() == expected
