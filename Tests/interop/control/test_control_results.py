"""swiftlet-control tells whether something is heard, acts only on the device that was named, and plays what was meant."""

import json
import re
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import device_network
import network
from processes import PATIENCE, SWIFTLET_CONTROL, wait_until, wait_until_equal
from test_control_speakers import make_album

pytestmark = [
    network.needs_namespaces,
    pytest.mark.xdist_group("devices"),
]

#: Exit statuses: refused or failed, wrong usage, no such device or object.
FAILED, USAGE, NO_OBJECT = 1, 64, 68


@pytest.fixture(scope="module")
def devices(tmp_path_factory):
    folder = tmp_path_factory.mktemp("devices")
    for disc in (1, 2):
        make_album(folder / f"CD{disc}", seconds=30, titles=[f"Part {disc}.{number}" for number in (1, 2, 3)],
                   album="Mass in B minor")  # fmt: skip
    for artist in ("Ann", "Ben", "Cat"):
        make_album(folder / artist, seconds=30, titles=["Prelude"], artist=artist)
    with device_network.running(folder) as devices:
        wait_until(lambda: len(devices.objects("browse", "Library", "/Music/All Music")) == 9)
        yield devices


@pytest.fixture
def broken(tmp_path):
    """A file with the name of a FLAC file."""
    path = tmp_path / "broken.flac"
    path.write_bytes(b"fLaC" + b"\x12junk" * 2000)
    return str(path)


def titles(devices):
    return [entry["track"].get("title") for entry in devices.objects("queue", devices.url("Kitchen"))]


@pytest.mark.parametrize("name", ["Kitchen", "Bedroom"])
def test_says_that_a_broken_file_is_not_heard(devices, broken, name):
    """Kitchen stops with an error. gmediarender says that it plays, but its position stands still."""
    out, messages = devices.run("play", devices.url(name), broken, "--json", expect=FAILED)
    assert [json.loads(line)["event"] for line in out.splitlines()] == ["queued", "failed"]
    if name == "Kitchen":
        assert titles(devices) == []


def test_says_which_of_several_files_is_not_heard(devices, broken, tmp_path):
    # Longer than a busy machine may look away.
    make_album(tmp_path / "Short", seconds=10, titles=["One"])
    good = str(tmp_path / "Short/3.flac")
    for files, reports in (((good, broken), "1 playing, 2 failed"), ((broken, good), "1 failed, 2 playing")):
        out, _ = devices.run("play", devices.url("Kitchen"), *files, "--json", expect=FAILED)
        lines = [json.loads(line) for line in out.splitlines()]
        assert ", ".join(f"{line['number']} {line['event']}" for line in lines[2:]) == reports
    _, messages = devices.run("play", devices.url("Kitchen"), broken, expect=FAILED)
    assert "The speaker cannot play broken: it reports an error." in messages


def test_takes_a_url_that_is_not_heard_out_of_the_queue(devices):
    url = "http://192.0.2.2:1/none.mp3"
    _, messages = devices.run("play", devices.url("Kitchen"), url, expect=FAILED)
    assert "cannot play none.mp3: it reports an error." in messages
    assert titles(devices) == []
    devices.run("play", devices.url("Kitchen"), url, "--no-wait")
    assert len(titles(devices)) == 1
    devices.run("clear", devices.url("Kitchen"))


def test_ends_when_a_track_is_heard(devices):
    lines = devices.objects("play", devices.url("Kitchen"), "Part 2.3", "--replace")
    assert [line["event"] for line in lines] == ["queued", "playing"]
    devices.run("clear", devices.url("Kitchen"))


def test_local_files_need_the_command(devices, broken):
    assert "--no-wait" in devices.run("play", devices.url("Kitchen"), broken, "--no-wait", expect=USAGE)[1]


class DeafRenderer:
    """A renderer that accepts every action and stays stopped."""

    ARGUMENTS = "".join(
        f"<argument><name>{name}</name><direction>in</direction></argument>" for name in ("CurrentURI", "CurrentURIMetaData")
    )
    SCPD = f"<action><name>SetAVTransportURI</name><argumentList>{ARGUMENTS}</argumentList></action>" + "".join(
        f"<action><name>{name}</name></action>"
        for name in ("Play", "Stop", "GetTransportInfo", "GetPositionInfo", "GetMediaInfo")
    )

    def __init__(self, machine):
        renderer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                body = renderer.description if self.path == "/d.xml" else renderer.scpd
                self._answer(body)

            def do_POST(self):
                asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
                action = self.headers["SOAPACTION"].strip('"').split("#")[1]
                if action == "SetAVTransportURI":
                    renderer.uri = re.search("<CurrentURI>(.*?)</CurrentURI>", asked).group(1)
                results = {
                    "GetTransportInfo": {"CurrentTransportState": "STOPPED", "CurrentTransportStatus": "OK", "CurrentSpeed": 1},
                    "GetPositionInfo": {"Track": 1, "TrackDuration": "0:00:00", "TrackMetaData": "", "TrackURI": renderer.uri,
                                        "RelTime": "0:00:00", "AbsTime": "0:00:00", "RelCount": 0, "AbsCount": 0},
                    "GetMediaInfo": {"NrTracks": 1, "MediaDuration": "0:00:00", "CurrentURI": renderer.uri,
                                     "CurrentURIMetaData": "", "NextURI": "", "NextURIMetaData": "", "PlayMedium": "NETWORK",
                                     "RecordMedium": "NOT_IMPLEMENTED", "WriteStatus": "NOT_IMPLEMENTED"},
                }.get(action, {})  # fmt: skip
                values = "".join(f"<{name}>{value}</{name}>" for name, value in results.items())
                self._answer(
                    '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>'
                    f'<u:{action}Response xmlns:u="urn:schemas-upnp-org:service:AVTransport:1">{values}</u:{action}Response>'
                    "</s:Body></s:Envelope>"
                )

            def _answer(self, text):
                self.send_response(200)
                self.send_header("Content-Type", 'text/xml; charset="utf-8"')
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *arguments):
                pass

        self.uri = ""
        self.server = machine.do(lambda: ThreadingHTTPServer(("192.0.2.1", 0), Handler))
        self.url = f"http://192.0.2.1:{self.server.server_port}/d.xml"
        self.scpd = f'<scpd xmlns="urn:schemas-upnp-org:service-1-0"><actionList>{self.SCPD}</actionList></scpd>'
        self.description = (
            '<root xmlns="urn:schemas-upnp-org:device-1-0"><device><deviceType>urn:schemas-upnp-org:device:MediaRenderer:1'
            "</deviceType><friendlyName>Deaf</friendlyName><UDN>uuid:deaf</UDN><serviceList><service><serviceType>"
            "urn:schemas-upnp-org:service:AVTransport:1</serviceType><serviceId>urn:upnp-org:serviceId:AVTransport</serviceId>"
            "<SCPDURL>/s.xml</SCPDURL><controlURL>/c</controlURL><eventSubURL>/e</eventSubURL></service></serviceList>"
            "</device></root>"
        )
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def test_says_that_a_renderer_stays_stopped(devices):
    deaf = DeafRenderer(devices.neighbour)
    try:
        _, messages = devices.run("play", deaf.url, "http://192.0.2.1:1/a.mp3", expect=FAILED)
    finally:
        deaf.server.shutdown()
    assert "cannot play a.mp3: it stays stopped." in messages


# Names


def test_part_of_a_name_selects_nothing(devices):
    for command in (["volume", "Bed", "40"], ["browse", "Librar"]):
        # Every word of the name is abbreviated.
        assert f'"{command[1]}" is ' in devices.run(*command)[1]
    _, message = devices.run("volume", "room", "80", expect=NO_OBJECT)
    assert 'Did you mean "Bedroom"?' in message


def test_a_name_reaches_both_devices_of_a_speaker(devices):
    for service, action, result in (("Playlist", "idarraymax", None), ("avtransport", "GETMEDIAINFO", "NrTracks")):
        if result:
            assert result in devices.objects("call", "Kitchen", service, action)[0]
    assert devices.objects("call", "Kitchen", "volume", "volume")[0].keys() == {"Value"}
    assert "TracksMax" in devices.run("inspect", "Kitchen", "playlist")[0]


# Search


def test_plays_all_discs_of_an_album(devices):
    devices.run("play", devices.url("Kitchen"), "mass in b minor", "--replace")
    assert titles(devices) == [f"Part {disc}.{number}" for disc in (1, 2) for number in (1, 2, 3)]
    devices.run("clear", devices.url("Kitchen"))


def test_shows_that_several_tracks_have_the_title(devices):
    _, message = devices.run("play", devices.url("Kitchen"), "prelude", "--replace")
    assert "3 tracks have this title." in message
    assert all(f"Prelude — {artist} — {artist}" in message for artist in ("Ann", "Ben", "Cat"))
    devices.run("play", devices.url("Kitchen"), "prelude ben", "--replace")
    assert [entry["track"]["artist"] for entry in devices.objects("queue", devices.url("Kitchen"))] == ["Ben"]
    devices.run("clear", devices.url("Kitchen"))


# Commands


def test_jumps_moves_and_toggles(devices):
    kitchen = devices.url("Kitchen")
    devices.run("play", kitchen, "mass in b minor", "--replace")
    devices.run("jump", kitchen, "4")
    wait_until_equal(lambda: devices.objects("now", kitchen)[0].get("number"), 4)
    devices.run("reorder", kitchen, "6", "1")
    assert titles(devices)[:3] == ["Part 2.3", "Part 1.1", "Part 1.2"]
    assert "cannot be moved" in devices.run("reorder", kitchen, "5", "1", expect=FAILED)[1]
    assert "There is no track 7" in devices.run("jump", kitchen, "7", expect=NO_OBJECT)[1]
    wait_until_equal(lambda: devices.objects("now", kitchen)[0]["state"], "playing")
    assert devices.objects("toggle", kitchen) == [{"done": "pause"}]
    wait_until_equal(lambda: devices.objects("now", kitchen)[0]["state"], "paused")
    assert devices.objects("toggle", kitchen) == [{"done": "play"}]
    waiting = devices.start("wait", kitchen)
    try:
        wait_until_equal(lambda: devices.objects("now", kitchen)[0]["state"], "playing")
        assert waiting.process.poll() is None
        devices.run("clear", kitchen)
        waiting.wait_for('"done":"wait"')
    finally:
        waiting.stop()
    assert devices.run("now", kitchen)[0].startswith("nothing loaded")


def test_plays_presets_and_pins(devices):
    kitchen = devices.url("Kitchen")
    assert devices.objects("preset", kitchen) == []
    devices.run("call", kitchen, "Pins", "SetDevice", "Index=1", "Mode=transport", "Type=source",
                "Uri=transport://source?version=1&id=Radio", "Title=The radio", "Description=", "ArtworkUri=",
                "Shuffle=0")  # fmt: skip
    (pin,) = devices.objects("pin", kitchen)
    assert (pin["number"], pin["title"]) == (2, "The radio")
    assert "Nothing to play" in devices.run("pin", kitchen, "the radio", expect=1)[1]
    assert 'There is no pin "9"' in devices.run("pin", kitchen, "9", expect=NO_OBJECT)[1]
    devices.run("source", kitchen, "Playlist")
    assert "no OpenHome Radio" in devices.run("preset", devices.url("Bedroom"), expect=69)[1]


def test_remembers_devices(devices, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert "none is the default" in devices.run("pause", expect=USAGE)[1]

    def use(*arguments):
        # This command needs no network, and takes no options for it.
        subprocess.run(devices.machine.command(SWIFTLET_CONTROL, "use", *arguments), timeout=PATIENCE, check=True)

    use("Kitchen")
    use("Kitchen,Bedroom", "--as", "both")
    devices.run("volume", "@", "33")
    assert devices.objects("volume", devices.url("Kitchen")) == [{"volume": 33}]
    devices.run("volume", "both", "44")
    assert devices.objects("volume", "@all") == [{"device": "Bedroom", "volume": 44}, {"device": "Kitchen", "volume": 44}]
    assert devices.run("volume", "Bedroom,@")[0] == "Bedroom  44\nKitchen  44\n"
    assert "takes one device" in devices.run("queue", "both", expect=USAGE)[1]
    assert devices.objects("toggle")[0].keys() == {"done"}
    use("--forget", "@")
    assert "none is the default" in devices.run("pause", expect=USAGE)[1]


def test_suggests_a_command(devices):
    assert 'There is no command "plya". Did you mean "play"?' in devices.run("plya", "Kitchen", expect=USAGE)[1]


def test_keeps_the_lines_of_a_document(devices):
    shown, _ = devices.run("call", "library", "contentdirectory", "browse", "objectid=0", "BrowseFlag=BrowseDirectChildren",
                           "Filter=*", "StartingIndex=0", "RequestedCount=2", "SortCriteria=")  # fmt: skip
    assert "\ufffd" not in shown and shown.count("<container") == 2


def test_plays_an_xspf_playlist(devices, tmp_path):
    make_album(tmp_path / "Two words", seconds=3, titles=["One"])
    (tmp_path / "list.xspf").write_text(
        '<playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><location>Two%20words/3.flac</location>'
        "</track></trackList></playlist>")
    lines = devices.objects("play", devices.url("Kitchen"), str(tmp_path / "list.xspf"))
    assert [(line["event"], line["track"]["title"]) for line in lines] == [("queued", "One"), ("playing", "One")]
