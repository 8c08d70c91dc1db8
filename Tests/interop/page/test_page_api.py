"""The commands of the page's API: their effects, their errors, and their events for other controllers."""

import json
import signal
import time
import urllib.parse
import xml.etree.ElementTree as ET

import pytest

import soap
from page_api import Events, Page
from processes import wait_until, wait_until_equal
from test_radio import LIVE, LONG, Radio, presets

SHORT = "noise3-44100-16-2-0.2s.flac"


@pytest.fixture
def page(renderer):
    return Page(renderer)


@pytest.fixture
def filled(page, media):
    """A page with four tracks in the queue, titled A to D."""
    items = [{"uri": media.url(LONG), "title": title, "artist": f"{title}s", "duration": 30.0} for title in "ABCD"]
    assert page.do("queue/add", {"items": items, "where": "end"}) == {"ids": [1, 2, 3, 4]}
    return page


def queue(page):
    """The ids of the queue."""
    return [item["id"] for item in page.get("/api/queue").json["items"]]


def test_transport(filled):
    page = filled
    assert page.state["playing"]["state"] == "stopped"
    page.do("play")
    wait_until(lambda: page.state["playing"]["state"] == "playing")
    state = page.state
    assert (state["playing"].get("title"), state["playing"]["artist"], state["playing"]["queue_id"]) == ("A", "As", 1)
    assert (state["format"]["codec"], state["format"]["sample_rate"], state["format"]["bit_depth"]) == ("FLAC", 44100, 16)
    assert (state["position"]["duration"], state["position"]["advancing"]) == (30, True)
    assert (state["output"]["bit_perfect"], state["output"]["reasons"]) == (False, ["shared"])
    assert 0 < state["health"]["buffer"] < 30
    page.do("pause")
    assert page.state["playing"]["state"] == "paused"
    assert not page.state["position"]["advancing"]
    page.do("seek", {"seconds": 12.5})
    assert page.state["position"]["seconds"] == pytest.approx(12.5, abs=0.1)
    page.do("toggle")
    wait_until(lambda: page.state["playing"]["state"] == "playing")
    page.do("toggle")
    page.do("next")
    assert page.state["queue"]["current_id"] == 2
    page.do("previous")
    assert page.state["queue"]["current_id"] == 1
    page.do("stop")
    assert page.state["playing"]["state"] == "stopped"
    page.do("queue/play", {"id": 4})
    wait_until(lambda: page.state["playing"].get("title") == "D")
    assert not page.state["playing"]["can"]["next"]
    page.post("next", {}).problem(409, "nothing to skip to")
    page.post("seek", {"seconds": 31}).problem(400, "“seconds”")


def test_sound_and_source(page):
    page.do("volume", {"level": 40})
    page.do("volume", {"change": -5})
    page.do("mute", {"muted": True})
    page.do("balance", {"balance": -3})
    page.do("source", {"source": "radio"})
    page.do("modes", {"repeat": True})
    page.do("modes", {"shuffle": True})
    state = page.state
    assert state["volume"] == {
        "level": 35, "decibels": -39.0, "limit": 100, "muted": True, "fixed": False, "balance": -3,
    }  # fmt: skip
    assert state["source"]["current"] == "radio"
    assert state["modes"] == {"repeat": True, "shuffle": True}
    page.do("standby", {"standby": True})
    assert page.state["source"]["standby"]
    page.post("play", {}).problem(409, "nothing to play")
    page.post("play", {"source": "upnp"}).problem(409)
    assert page.state["source"]["current"] == "radio"


def test_queue(filled):
    page = filled
    listing = page.get("/api/queue?offset=1&count=2").json
    assert (listing["count"], listing["current_id"], listing["offset"]) == (4, 1, 1)
    assert [(item["id"], item["title"], item["duration"]) for item in listing["items"]] == [(2, "B", 30), (3, "C", 30)]
    page.do("queue/move", {"ids": [4, 1], "after": 2})
    assert queue(page) == [2, 4, 1, 3]
    page.do("queue/move", {"ids": [3], "after": 0})
    assert queue(page) == [3, 2, 4, 1]
    token = page.do("queue/remove", {"ids": [2, 1, 99]})
    assert queue(page) == [3, 4]
    page.do("queue/undo", token)
    assert queue(page) == [3, 2, 4, 1]
    page.post("queue/undo", token).problem(404)
    tokens = [page.do("queue/clear")]
    assert page.get("/api/queue").json["items"] == []
    page.do("queue/undo", tokens[0])
    assert queue(page) == [3, 2, 4, 1]
    page.post("queue/remove", {"ids": [99]}).problem(404)
    page.post("queue/move", {"ids": [99], "after": 0}).problem(404)
    page.post("queue/move", {"ids": [3], "after": 3}).problem(400, "“ids”")
    page.post("queue/play", {"id": 99}).problem(404)


def test_tracks_are_added_next_or_now(filled, media):
    page = filled
    items = [{"uri": media.url(SHORT), "title": title} for title in "XY"]
    page.do("play")
    assert page.do("queue/add", {"items": items, "where": "next"}) == {"ids": [5, 6]}
    assert queue(page) == [1, 5, 6, 2, 3, 4]
    assert page.state["queue"]["current_id"] == 1
    metadata = '<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/"><item><title>M</title></item></DIDL-Lite>'
    page.do("queue/add", {"items": [{"uri": media.url(LONG), "metadata": metadata}], "where": "now"})
    wait_until(lambda: page.state["playing"].get("title") == "M")
    assert queue(page) == [1, 7, 5, 6, 2, 3, 4]


def test_a_move_does_not_interrupt(start, media, fixtures, capture):
    """The samples are exactly those of the two tracks in their new order."""
    page = Page(start(output=capture.output))
    page.do("volume", {"level": 100})
    names = ["noise3-44100-16-2-0.2s.flac", "noise12-44100-16-2-30s.flac"]
    one, other = (media.url(name) for name in names)
    page.do("queue/add", {"where": "end", "items": [{"uri": other}, {"uri": one}, {"uri": one}]})
    page.do("play")
    wait_until(lambda: capture.size > 0)
    page.do("queue/move", {"ids": [2], "after": 0})
    page.do("queue/move", {"ids": [1], "after": 3})
    page.do("seek", {"seconds": 29})
    assert page.state["playing"]["queue_id"] == 1
    wait_until(lambda: page.state["playing"]["state"] == "stopped")
    # The moved track is the last one, so nothing follows it.
    assert capture.read().endswith(fixtures["noise12-44100-16-2-30s.wav"].pcm()[-44100 * 3 :])


def test_openhome_sees_the_queue(filled, renderer):
    page = filled
    playlist = soap.Service(renderer.openhome_url, "Playlist")
    before = playlist("IdArray")
    page.do("queue/move", {"ids": [4], "after": 0})
    assert playlist("IdArrayChanged", Token=before["Token"])["Value"] == "1"
    entries = ET.fromstring(playlist("ReadList", IdList="4 1")["TrackList"])
    titles = [ET.fromstring(entry.findtext("Metadata")).findtext(".//{*}title") for entry in entries]
    assert titles == ["D", "A"]
    playlist("DeleteId", Value=2)
    assert queue(page) == [4, 1, 3]


def test_the_queue_survives_a_restart(start, media):
    renderer = start()
    page = Page(renderer)
    page.do("queue/add", {"where": "end", "items": [{"uri": media.url(LONG)} for _ in range(4)]})
    page.do("queue/move", {"ids": [3, 1], "after": 4})
    page.do("presets/add", {"title": "Mine", "uri": "http://192.0.2.1/mine"})
    renderer.stop()
    page = Page(start())
    assert queue(page) == [2, 4, 3, 1]
    assert [preset["title"] for preset in page.state["presets"]["items"]] == ["Mine"]


def test_presets(start, media, tmp_path):
    live = media.url("cbr.mp3", LIVE)
    configuration = presets(tmp_path / "swiftlet.toml", ("Fixed", live))
    renderer = start(more=["--config", configuration])
    page, radio = Page(renderer), Radio(renderer)
    (fixed,) = page.state["presets"]["items"]
    assert (fixed["title"], fixed["read_only"]) == ("Fixed", True)
    one = page.do("presets/add", {"title": "One", "uri": "http://192.0.2.1/1"})["id"]
    two = page.do("presets/add", {"title": "Two", "uri": media.url(LONG), "art": "http://192.0.2.1/2.png"})["id"]
    assert radio.ids == [fixed["id"], one, two]
    page.do("presets/move", {"id": two, "after": fixed["id"]})
    assert radio.ids == [fixed["id"], two, one]
    other = page.do("presets/change", {"id": one, "title": "Other"})["id"]
    assert radio.ids == [fixed["id"], two, other]
    assert [item["title"] for item in page.state["presets"]["items"]] == ["Fixed", "Two", "Other"]
    page.do("presets/play", {"id": two})
    wait_until(lambda: page.state["playing"]["state"] == "playing")
    assert page.state["playing"]["preset_id"] == two
    page.do("presets/remove", {"id": other})
    assert radio.ids == [fixed["id"], two]
    for command in ("change", "remove"):
        page.post(f"presets/{command}", {"id": fixed["id"]}).problem(409, "configuration file")
        page.post(f"presets/{command}", {"id": 7}).problem(404)
    page.post("presets/add", {"title": "x", "uri": "file:///etc/passwd"}).problem(400, "“uri”")
    page.do("presets/try", {"uri": live, "title": "Live"})
    wait_until(lambda: page.state["playing"]["live"])
    page.do("pause")
    assert page.state["playing"]["state"] == "stopped"


def test_a_reload_keeps_the_pages_presets(start, tmp_path):
    path = tmp_path / "swiftlet.toml"
    renderer = start(more=["--config", presets(path, ("A", "http://192.0.2.1/a"))])
    page = Page(renderer)
    page.do("presets/add", {"title": "Mine", "uri": "http://192.0.2.1/mine"})
    presets(path, ("B", "http://192.0.2.1/b"), ("C", "http://192.0.2.1/c"))
    renderer.process.send_signal(signal.SIGHUP)
    wait_until_equal(lambda: [item["title"] for item in page.state["presets"]["items"]], ["B", "C", "Mine"])
    assert [item["read_only"] for item in page.state["presets"]["items"]] == [True, True, False]


def test_a_preset_comes_back_where_it_was(page):
    for name in "abc":
        page.do("presets/add", {"title": name, "uri": f"http://192.0.2.1/{name}", "art": f"http://192.0.2.1/{name}.png"})
    before = page.state["presets"]["items"]
    page.do("presets/remove", {"id": before[1]["id"]})
    body = {"title": before[1]["title"], "uri": before[1]["uri"], "art": before[1]["art_uri"], "after": before[0]["id"]}
    assert page.do("presets/add", body) == {"id": before[1]["id"]}
    assert page.state["presets"]["items"] == before
    page.post("presets/add", {"title": "x", "uri": "http://192.0.2.1/x", "after": 7}).problem(404)


def test_addresses_become_pins(page, tmp_path):
    page.do("pins/set", {"index": 1, "what": "playlist", "title": "List", "uri": "http://192.0.2.1/a.m3u", "shuffle": True})
    page.do("pins/set", {"index": 2, "what": "station", "title": "Radio", "uri": "https://radio.example/",
                         "art": "https://radio.example/a.png", "description": "News"})  # fmt: skip
    one, two = page.state["pins"]["items"]
    assert (one["index"], one["mode"], one["title"], "art" in one) == (1, "playlist", "List", False)
    assert (two["mode"], two["description"], two["art"][:9]) == ("url", "News", "/api/art/")
    # A command accepts the path of a picture in the API instead of its address.
    page.do("pins/set", {"index": 3, "what": "container", "title": "A", "server": "uuid:1", "container": "64", "art": two["art"]})
    assert page.state["pins"]["items"][2]["art"] == two["art"]
    for fields, field in (
        ({"what": "station", "title": "A"}, "uri"), ({"what": "station", "uri": "ftp://a/", "title": "A"}, "uri"),
        ({"what": "playlist", "uri": "http://a/"}, "title"), ({"what": "container", "title": "A"}, "server"),
        ({"what": "container", "title": "A", "server": "uuid:1"}, "container"),
        ({"what": "container", "title": "A", "server": "uuid:1", "container": "x" * 4096}, "container"),
        ({"what": "station", "uri": "http://a/", "title": "A", "art": "file:///etc/passwd"}, "art"),
        ({"what": "nothing"}, "what"), ({"what": "station", "uri": "http://a/", "title": "A", "index": 6}, "index"),
    ):  # fmt: skip
        page.post("pins/set", {"index": 0} | fields).problem(400, f"“{field}”")


def test_pins(page, media):
    page.post("pins/set", {"index": 0, "what": "current"}).problem(409, "radio channel")
    page.do("presets/try", {"uri": media.url("cbr.mp3", LIVE), "title": "Live"})
    page.do("pins/set", {"index": 0, "what": "current"})
    page.do("pins/swap", {"a": 0, "b": 5})
    (pin,) = page.state["pins"]["items"]
    assert (pin["index"], pin["title"], pin["mode"], pin["type"]) == (5, "Live", "url", "stream")
    page.do("stop")
    page.do("pins/play", {"index": 5})
    wait_until(lambda: page.state["playing"]["state"] == "playing")
    page.post("pins/play", {"index": 0}).problem(404)
    page.post("pins/play", {"index": 6}).problem(400, "“index”")
    page.post("pins/swap", {"a": 0, "b": 6}).problem(400)
    page.do("pins/clear", {"index": 5})
    page.do("pins/clear", {"index": 5})
    assert page.state["pins"]["items"] == []


# Refused commands


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ("", "not valid JSON"), ("[]", "must be an object"), ("{}", "“level”"), ('{"level": "x"}', "“level” must be a whole"),
        ('{"level": 101}', "“level”"), ('{"level": 1, "change": 1}', "“level”"), ('{"change": -101}', "“change”"),
        ("[" * 100_000, "not valid JSON"), ('{"level": 1e99}', "out of range"),
    ],
)  # fmt: skip
def test_wrong_bodies_name_the_field(shared_renderer, body, detail):
    page = Page(shared_renderer)
    assert page.post("volume", body).problem(400, detail) in ("/problems/wrong-value", "/problems/unreadable-body")
    assert page.state["volume"]["level"] == 100


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"])
def test_commands_need_json(shared_renderer, kind):
    Page(shared_renderer).post("stop", "{}", **{"Content-Type": kind}).problem(415)


def test_foreign_sites_are_refused(shared_renderer):
    page = Page(shared_renderer)
    page.post("stop", {}, Origin="http://evil.example").problem(403)
    page.post("stop", {}, Origin="null").problem(403)
    page.get("/api/state", Host="evil.example").problem(403)
    page.get("/api/events", Host="evil.example").problem(403)
    assert page.post("stop", {}, Origin=f"http://{page.netloc}").status == 200


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("GET", "/api/play", "POST"), ("POST", "/api/state", "GET, HEAD"), ("DELETE", "/api/queue", "GET, HEAD")],
)
def test_wrong_methods_are_named(shared_renderer, method, path, allowed):
    answer = Page(shared_renderer).request(method, path, "{}", **{"Content-Type": "application/json"})
    answer.problem(405)
    assert answer.headers["Allow"] == allowed


def test_unknown_routes_and_large_bodies(shared_renderer):
    page = Page(shared_renderer)
    page.get("/api/nothing").problem(404)
    page.get("/api/queue?offset=x").problem(400, "“offset”")
    page.get("/api/queue?count=501").problem(400, "“count”")
    assert page.post("queue/add", {"items": ["x" * (1 << 20)], "where": "end"}).status == 413


def test_every_answer_is_guarded(shared_renderer):
    page = Page(shared_renderer)
    for answer in (page.get("/api/state"), page.post("stop", {}), page.post("stop", ""), page.get("/api/nothing")):
        policy = answer.headers["Content-Security-Policy"]
        assert policy == "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"


def test_unchanged_documents_are_not_sent_again(filled):
    page = filled
    for path in ("/api/state", "/api/queue?count=2"):
        first = page.get(path)
        assert first.headers["Cache-Control"] == "no-cache"
        again = page.get(path, If_None_Match=first.headers["ETag"])
        assert (again.status, again.body, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
        page.do("queue/remove", {"ids": queue(page)[-1:]})
        assert page.get(path, If_None_Match=first.headers["ETag"]).status == 200
        head = page.request("HEAD", path)
        assert (head.status, head.body) == (200, b"")


@pytest.mark.keys("page")
def test_a_read_only_page_changes_nothing(start):
    renderer = start(more=["--page", "read-only"])
    page = Page(renderer)
    assert page.state["access"] == {"read_only": True, "lock": False}
    for command in ("volume", "play", "queue/clear"):
        assert page.post(command, {"level": 1}).problem(403) == "/problems/read-only"
    assert page.state["volume"]["level"] == 100
    with Events(page) as events:
        events.wait_for_state(lambda state: state["access"]["read_only"])


@pytest.mark.keys("page")
def test_without_a_page_nothing_of_it_exists(start):
    renderer = start(more=["--page", "off"])
    page = Page(renderer)
    for path in ("/", "/api/state", "/api/events", "/api/queue"):
        assert page.get(path).status == 404
    for url in (renderer.description_url, renderer.openhome_url):
        assert b"presentationURL" not in soap.get(url)[1]


def test_both_devices_present_the_page(shared_renderer):
    for url in (shared_renderer.description_url, shared_renderer.openhome_url):
        assert ET.fromstring(soap.get(url)[1]).findtext(f".//{soap.DEVICE}presentationURL") == urllib.parse.urljoin(url, "/")


async def test_changes_by_others_are_visible_at_once(controller, renderer, media):
    """A change by AV, OpenHome or the page is seen by the two others within 0.3 s."""
    page = Page(renderer)
    volume = soap.Service(renderer.openhome_url, "Volume")
    with Events(page) as events:
        events.wait_for_state(lambda state: state["volume"]["level"] == 100)
        times = []
        for level in (10, 20, 30):
            begin = time.monotonic()
            await controller.dmr.async_set_volume_level(level / 100)
            events.wait_for_state(lambda state, level=level: state["volume"]["level"] == level)
            assert volume("Volume")["Value"] == str(level)
            times.append(time.monotonic() - begin)
        # Events come every 0.2 s. A busy machine may delay some of them.
        assert min(times) < 1, times
        volume("SetVolume", Value=55)
        events.wait_for_state(lambda state: state["volume"]["level"] == 55)
        page.do("volume", {"level": 66})
        await controller.wait(lambda: controller.values("Volume")[-1:] == [66])
        assert volume("Volume")["Value"] == "66"
        await controller.play(media.url(LONG), "By AV")
        events.wait_for_state(lambda state: state["playing"].get("title") == "By AV")
        events.wait_for_state(lambda state: state["source"]["current"] == "upnp")
        page.do("stop")
        events.wait_for_state(lambda state: state["playing"]["state"] == "stopped")
        # When no change is pending, the events applied in order give the state.
        state = page.state
        events.wait(lambda stream: stream.ids[-1] == state["id"])
        folded = events.state
        for name in ("health", "position"):
            del state[name], folded[name]
        assert json.dumps(folded, sort_keys=True) == json.dumps(state, sort_keys=True)
