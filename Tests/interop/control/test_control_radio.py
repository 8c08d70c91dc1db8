"""Stations of the directory by swiftlet-control."""

import contextlib
import json

import pytest

import device_network
import network
from processes import wait_until
from station_directory import DirectoryServer, station

pytestmark = network.needs_namespaces

#: Exit statuses: wrong usage, no such object, not reachable.
USAGE, NO_OBJECT, UNREACHABLE = 64, 68, 69

STATIONS = [
    station(1, "Radio Jazz", "http://192.0.2.2:1/jazz", tags="jazz", country="France", countrycode="FR"),
    station(2, "Radio Jazz Berlin", "http://192.0.2.2:1/berlin", votes=500, countrycode="DE", country="Germany"),
    station(3, "News \x1b[31m", "http://192.0.2.2:1/news", tags="news", favicon="http://192.0.2.2:1/news.png"),
]


@pytest.fixture(scope="module")
def devices(tmp_path_factory):
    with device_network.running(tmp_path_factory.mktemp("devices")) as devices:
        yield devices


@pytest.fixture
def server(devices):
    """A mirror of the directory beside swiftlet-control."""
    with contextlib.closing(DirectoryServer(STATIONS, do=devices.machine.do)) as server:
        yield server


@pytest.fixture
def run(devices, server):
    """Runs a command with the mirror."""
    return lambda *arguments, **more: devices.run(*arguments, "--directory", server.url, **more)


def test_stations_are_listed(run, server):
    assert run("radio", "search", "radio", "jazz")[0].splitlines() == [
        "Radio Jazz Berlin — Germany · MP3 128 kbit/s", "Radio Jazz — France · jazz · MP3 128 kbit/s"
    ]  # fmt: skip
    assert len(run("radio", "search", "jazz", "--count", "1")[0].splitlines()) == 1
    one = json.loads(run("radio", "search", "tag:news", "--json")[0])
    assert (one["uri"], one["artURI"], one["bitRate"]) == ("http://192.0.2.2:1/news", "http://192.0.2.2:1/news.png", 128000)
    assert "\x1b" not in run("radio", "search", "tag:news")[0]
    assert all("swiftlet-control/" in agent for agent in server.agents)
    assert not server.clicks


def test_failures_have_a_message_and_a_status(run, server):
    assert 'No station matches "polka".' in run("radio", "search", "polka", expect=NO_OBJECT)[1]
    assert "radio search" in run("play", "Kitchen", "station:polka", expect=NO_OBJECT)[1]
    run("radio", "search", "jazz", "--count", "0", expect=USAGE)
    server.behaviour = "status"
    message = run("radio", "search", "jazz", expect=UNREACHABLE)[1]
    assert message.strip() == (
        "swiftlet-control: The radio directory cannot be used. 127.0.0.1 answered with HTTP status 503."
    )


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_redirect_to_another_host_is_refused(devices, run, server, host):
    """A server must not be able to hand searches on. A redirect to the same host is followed."""
    with contextlib.closing(DirectoryServer(STATIONS, do=devices.machine.do)) as other:
        server.redirect = other.url.replace("127.0.0.1", host)
        if host == "127.0.0.1":
            assert run("radio", "search", "tag:jazz")[0].startswith("Radio Jazz")
            return
        message = run("radio", "search", "tag:jazz", expect=UNREACHABLE)[1]
        assert message.strip() == (
            "swiftlet-control: The radio directory cannot be used. 127.0.0.1 redirects to another host."
        )
        assert not other.requests


def test_a_mirror_needs_an_address(devices):
    assert "http" in devices.run("radio", "search", "jazz", "--directory", "off", expect=USAGE)[1]


@pytest.mark.parametrize(
    ("words", "uri"),
    [
        (["station:radio", "jazz"], "http://192.0.2.2:1/jazz"),
        (["station:jazz"], "http://192.0.2.2:1/berlin"),
        (["station:tag:news"], "http://192.0.2.2:1/news"),
    ],
)
def test_a_station_plays_and_is_reported(devices, run, server, words, uri):
    """The station with exactly this name plays, otherwise the one with the most votes."""
    kitchen = devices.url("Kitchen")
    run("play", "--no-wait", kitchen, *words)
    entry = next(one for one in STATIONS if one["url"] == uri)
    wait_until(lambda: uri in [one["track"]["uri"] for one in devices.objects("queue", kitchen)])
    assert server.clicks == [entry["stationuuid"]]
