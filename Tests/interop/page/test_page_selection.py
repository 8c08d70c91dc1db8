"""Tracks and pins of media servers that lose objects, or do not answer."""

import threading

import pytest

import network
import soap
from hostile_server import Fault, item
from test_page_hostile import attacked

pytestmark = [network.needs_namespaces, pytest.mark.xdist_group("page-selection"), pytest.mark.release]


def track(identifier):
    return item(identifier, f"Track {identifier}", f"http://192.0.2.2:9/{identifier}.flac")


def tracks(identifier, flag, start, count):
    """A server of tracks that are called i and a number. It has deleted i250, and other objects do not exist."""
    if identifier == "start":
        return [], 0
    if flag == "BrowseMetadata" and identifier.startswith("i") and identifier != "i250":
        return [track(identifier)], 1
    raise Fault(701)


def play(attacked, server, ids, where="replace"):
    return attacked.api.post("library/play", {"server": server.udn, "items": ids, "where": where})


def added(answer):
    """How many tracks were added, and whether these are all."""
    return answer.json["added"], answer.json["complete"]


def titles(attacked):
    return [entry["title"] for entry in attacked.api.get("/api/queue", {"count": 500}).json["items"]]


def test_chosen_tracks_are_all_added_in_their_order(attacked):
    with attacked.serving(tracks) as server:
        for ids in (["i1", "i2", "i3"], ["i2"], [f"i{number}" for number in range(9, 0, -1)]):
            for _ in range(20):
                assert added(play(attacked, server, ids)) == (len(ids), True)
                assert titles(attacked) == [f"Track {identifier}" for identifier in ids]


def test_a_chosen_track_that_is_gone_is_left_out(attacked):
    with attacked.serving(tracks) as server:
        ids = [f"i{number}" for number in range(500)]
        assert added(play(attacked, server, ids)) == (499, False)
        assert titles(attacked) == [f"Track {identifier}" for identifier in ids if identifier != "i250"]
        answer = play(attacked, server, ["i250"])
        assert answer.status == 404, answer
        assert len(titles(attacked)) == 499, "the queue is only replaced by something"


class Pins:
    """The service of the OpenHome device, called from the neighbour's machine."""

    def __init__(self, attacked):
        self._machine = attacked.neighbour
        url = attacked.speaker.wait_for(r"http://192\.0\.2\.1:\d+/openhome/\S*").group()
        self._service = self._machine.do(lambda: soap.Service(url, "Pins"))

    def fault(self, server, kind, identifier):
        """The fault code after a pin of a media server is invoked; None if it plays."""
        name = "id" if kind == "container" else "trackId"
        uri = f"upnp.cd://{kind}?version=1&udn={server.udn.removeprefix('uuid:')}&{name}={identifier}"
        return self._machine.do(lambda: self._service.fault("InvokeUri", Mode="upnp.cd", Type=kind, Uri=uri, Shuffle=0))


def test_a_pinned_track_plays(attacked):
    pins = Pins(attacked)
    with attacked.serving(tracks) as server:
        for number in range(20):
            assert pins.fault(server, "track", f"i{number}") is None
            assert titles(attacked) == [f"Track i{number}"]
        assert pins.fault(server, "track", "i250") == 805
        assert titles(attacked) == ["Track i19"]


def test_a_pin_says_why_its_server_fails(attacked):
    release = threading.Event()

    def browse(identifier, flag, start, count):
        if identifier == "stuck":
            release.wait(60)
        if identifier == "broken":
            raise Fault(501)
        return tracks(identifier, flag, start, count)

    def play(server, identifier):
        pin = {"index": 0, "what": "container", "title": "Folder", "server": server.udn, "container": identifier}
        assert attacked.api.post("pins/set", pin).status == 200
        answer = attacked.api.post("pins/play", {"index": 0})
        return answer.status, answer.json["detail"]

    with attacked.serving(browse) as server:
        assert play(server, "stuck") == (502, "The media server did not answer in time.")
        release.set()
        status, reason = play(server, "broken")
        assert status == 502 and "501" in reason
        assert play(server, "nothing") == (409, "The pin has nothing to play.")
        assert Pins(attacked).fault(server, "container", "broken") == 805
