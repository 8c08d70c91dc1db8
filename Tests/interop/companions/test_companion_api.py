"""The API of the companion page, with the built program."""

import contextlib
import http.client
import json
import re
import subprocess

import pytest

from page_api import Events, Page
from processes import PATIENCE, wait_until
from test_page_openapi import check_answer
from test_radio import LONG

BEACON = ("--beacon", "true")


@pytest.fixture
def page(start):
    page = Page(start(more=BEACON))
    wait_until(lambda: page.get("/api/companion").json.get("beacon"))
    return page


def register(page, name="Ada’s phone"):
    return page.do("companion/register", {"name": name})


def stream(page, token):
    return Events(page, "/api/companion/events", Authorization=f"Bearer {token}")


def phones(page):
    """The names of the phones in reach."""
    answer = page.get("/api/companion")
    check_answer("/api/companion", "get", answer)
    return [phone["name"] for phone in answer.json["phones"] if phone["in_reach"]]


def of(events, kind):
    return [data for name, data in list(events.events) if name == kind]


@pytest.mark.keys("beacon")
def test_without_a_beacon_there_is_no_companion_page(start):
    page = Page(start())
    for path in ("/companion", "/companion/qr.svg", "/api/companion", "/api/companion/events"):
        assert page.get(path).status == 404
    for path in ("register", "enter", "leave", "forget", "launch"):
        assert page.post(f"companion/{path}", {}).status == 404
    assert "companion" not in page.state


def test_a_phone_enters_and_leaves(page):
    phone = register(page)
    assert re.fullmatch("[0-9a-f]{32}", phone["token"])
    assert phones(page) == []
    page.do("companion/enter", {"token": phone["token"]})
    assert phones(page) == ["Ada’s phone"]
    assert page.state["companion"]["phones"] == {"registered": 1, "in_reach": 1}
    page.do("companion/leave", {"token": phone["token"]})
    assert phones(page) == []
    page.do("companion/forget", {"token": phone["token"]})
    assert page.state["companion"]["phones"] == {"registered": 0, "in_reach": 0}
    assert page.post("companion/enter", {"token": phone["token"]}).problem(403) == "/problems/unknown-companion"


def test_a_launch_reaches_two_phones_in_reach_and_no_other(page):
    tokens = [register(page, name)["token"] for name in ("Ada", "Bea", "Cleo")]
    with stream(page, tokens[0]) as ada, stream(page, tokens[1]) as bea, stream(page, tokens[2]) as cleo:
        for events in (ada, bea, cleo):
            events.wait(lambda events: of(events, "companion"))
        for token in tokens[:2]:
            page.do("companion/enter", {"token": token})
        url = "https://example.org/quiz?x=1"
        answer = page.post("companion/launch", {"url": url, "session": "quiz-1"})
        check_answer("/api/companion/launch", "post", answer)
        assert answer.json == {"delivered": [1, 2], "waiting": []}
        for events in (ada, bea):
            events.wait(lambda events: of(events, "launch"))
            assert of(events, "launch") == [{"url": url, "session": "quiz-1"}]
        # A launch for selected phones. Phone 3 is out of reach. The default session is the beacon's major.
        assert page.do("companion/launch", {"url": "/companion", "to": [2, 3]})["delivered"] == [2]
        bea.wait(lambda events: len(of(events, "launch")) == 2)
        major = page.get("/api/companion").json["beacon"]["major"]
        assert of(bea, "launch")[1] == {"url": "/companion", "session": str(major)}
        page.post("companion/launch", {"url": "/", "to": [2, 99]}).problem(404, "no phone 99")
        # Events arrive in order, so an earlier launch would precede this change.
        page.do("volume", {"level": 30})
        cleo.wait_for_state(lambda state: state["volume"]["level"] == 30)
        assert not of(cleo, "launch")
        assert of(cleo, "companion")[-1] == {"id": 3, "name": "Cleo", "in_reach": False}


def test_a_phone_that_wakes_up_gets_the_launch_once(page):
    token = register(page)["token"]
    page.do("companion/enter", {"token": token})
    assert page.do("companion/launch", {"url": "/companion"}) == {"delivered": [], "waiting": [1]}
    with stream(page, token) as events:
        events.wait(lambda events: of(events, "launch"))
    wait_until(lambda: not page.get("/api/companion").json["phones"][0]["connected"])
    with stream(page, token) as events:
        events.wait(lambda events: of(events, "companion"))
        page.do("volume", {"level": 31})
        events.wait_for_state(lambda state: state["volume"]["level"] == 31)
        assert not of(events, "launch")


def test_the_stream_of_a_phone_has_the_state_and_ends_when_it_is_forgotten(page, media):
    token = register(page)["token"]
    with stream(page, token) as events:
        events.wait_for_state(lambda state: state["companion"]["beacon"])
        before = events.state["companion"]["beacon"]["major"]
        page.do("queue/add", {"items": [{"uri": media.url(LONG)}], "where": "now"})
        events.wait_for_state(lambda state: state["companion"]["beacon"]["major"] != before)
        page.do("companion/forget", {"id": 1})
        wait_until(lambda: events.has_ended)
    answer = page.get("/api/companion/events", Authorization=f"Bearer {token}")
    assert answer.problem(403) == "/problems/unknown-companion"


def test_the_steps_of_the_beacon_make_no_events(page, media):
    page.do("queue/add", {"items": [{"uri": media.url(LONG)}], "where": "now"})
    with Events(page) as events:
        wait_until(lambda: page.get("/api/companion").json["beacon"]["minor"] >= 3)
        sections = [name for kind, data in events.events if kind == "change" for name in data if name == "companion"]
        # At most one: the session may begin after the first event.
        assert len(sections) <= 1
        assert page.state["companion"]["beacon"]["minor"] >= 3


def test_a_phone_has_two_streams_at_most(page):
    token = register(page)["token"]
    streams = [stream(page, token) for _ in range(3)]
    wait_until(lambda: streams[0].has_ended)
    assert not streams[1].has_ended
    assert not streams[2].has_ended
    for events in streams:
        events.close()
    wait_until(lambda: not page.get("/api/companion").json["phones"][0]["connected"])


def test_tokens_are_nowhere_to_be_seen(start, tmp_path):
    renderer = start(more=BEACON)
    page = Page(renderer)
    token = register(page)["token"]
    with stream(page, token) as events, Events(page) as others:
        page.do("companion/enter", {"token": token})
        events.wait(lambda events: any(data["in_reach"] for data in of(events, "companion")))
        others.wait_for_state(lambda state: state["companion"]["phones"]["in_reach"] == 1)
        seen = json.dumps(events.events + others.events)
    seen += json.dumps([page.state, page.get("/api/companion").json, page.get("/api/health").json])
    renderer.stop()
    seen += "\n".join(renderer.out + renderer.err)
    files = [path for path in (tmp_path / "state").rglob("*") if path.is_file()]
    assert any("Ada".encode() in path.read_bytes() for path in files)
    assert token not in seen
    assert not any(token.encode() in path.read_bytes() for path in files)


def test_phones_survive_a_restart_and_nobody_is_in_reach_then(start):
    renderer = start(more=BEACON)
    page = Page(renderer)
    kept, gone = register(page, "<b>Ada</b>"), register(page, "Bea")
    page.do("companion/enter", {"token": kept["token"]})
    page.do("companion/forget", {"token": gone["token"]})
    renderer.stop()
    page = Page(start(more=BEACON))
    assert phones(page) == []
    page.do("companion/enter", {"token": kept["token"]})
    assert phones(page) == ["<b>Ada</b>"]
    assert page.post("companion/enter", {"token": gone["token"]}).status == 403


@pytest.mark.parametrize(
    ("path", "body", "detail"),
    [
        ("register", {}, "“name” is missing"),
        ("register", {"name": 1}, "“name” must be text"),
        ("register", {"name": "  "}, "must not be empty"),
        ("register", {"name": "x" * 10_000}, "100 characters"),
        ("register", {"name": "a\u202eb"}, "control characters"),
        ("register", {"name": "a\u0000b"}, "control characters"),
        ("enter", {}, "“token” is missing"),
        ("enter", {"token": "x", "seconds": 59}, "between 60 and 43200"),
        ("enter", {"token": "x", "seconds": 43201}, "between 60 and 43200"),
        ("forget", {}, "“token” or “id” is missing"),
        ("launch", {"url": "javascript:alert(1)"}, "http or https"),
        ("launch", {"url": "//example.org/"}, "http or https"),
        ("launch", {"url": "http://example.org/" + "x" * 2048}, "2048 bytes"),
        ("launch", {"url": "/", "session": "a b"}, "“session”"),
        ("launch", {"url": "/", "to": "1"}, "“to” must be a list"),
    ],
)
def test_wrong_fields_are_explained(shared_renderer, path, body, detail):
    Page(shared_renderer).post(f"companion/{path}", body).problem(400, detail)


@pytest.fixture(scope="module")
def module_renderer(tmp_path_factory):
    from processes import running_renderer

    with running_renderer(tmp_path_factory.mktemp("companion"), more=BEACON) as renderer:
        yield renderer


@pytest.mark.parametrize("path", ["enter", "leave", "forget"])
def test_unknown_tokens_are_refused(shared_renderer, path):
    answer = Page(shared_renderer).post(f"companion/{path}", {"token": "0" * 32})
    check_answer(f"/api/companion/{path}", "post", answer)
    assert answer.problem(403) == "/problems/unknown-companion"


def test_commands_of_other_sites_are_refused(shared_renderer):
    page = Page(shared_renderer)
    page.post("companion/register", {"name": "x"}, Origin="http://evil.example").problem(403)
    page.request("POST", "/api/companion/register", '{"name": "x"}', Content_Type="text/plain").problem(415)
    page.get("/api/companion", Host="evil.example").problem(403)
    page.get("/companion", Host="evil.example")
    assert page.state["companion"]["phones"]["registered"] == 0


def test_registrations_are_limited(page):
    tokens = [register(page, f"Phone {number}")["token"] for number in range(10)]
    answer = page.post("companion/register", {"name": "x"})
    answer.problem(429, "Too many registrations")
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert len(set(tokens)) == 10
    # Another client is not locked out.
    connection = http.client.HTTPConnection(page.netloc, timeout=PATIENCE, source_address=("127.0.0.2", 0))
    with contextlib.closing(connection):
        body = json.dumps({"name": "Ada"})
        connection.request("POST", "/api/companion/register", body, {"Content-Type": "application/json"})
        assert connection.getresponse().status == 200


def test_launches_are_limited(page):
    for _ in range(20):
        page.do("companion/launch", {"url": "/"})
    page.post("companion/launch", {"url": "/"}).problem(429, "Too many launch requests")


def test_guests_may_register_but_not_launch(page):
    owner = page.do("lock", {"pin": "1234"})["token"]
    token = register(page)["token"]
    for path in ("enter", "leave", "enter"):
        page.do(f"companion/{path}", {"token": token})
    assert page.post("companion/launch", {"url": "/"}).problem(403) == "/problems/locked"
    assert page.post("companion/forget", {"id": 1}).problem(403) == "/problems/locked"
    assert page.post("companion/launch", {"url": "/"}, Authorization=f"Bearer {owner}").json["waiting"] == [1]
    page.do("companion/forget", {"token": token})


def test_a_page_that_only_shows_registers_nobody(start):
    page = Page(start(more=(*BEACON, "--page", "read-only")))
    assert page.get("/companion").status == 200
    assert page.get("/api/companion").json["phones"] == []
    assert page.post("companion/register", {"name": "x"}).problem(403) == "/problems/read-only"


def test_without_a_page_there_is_no_companion_page(start):
    page = Page(start(more=(*BEACON, "--page", "off")))
    for path in ("/companion", "/api/companion", "/companion/qr.svg"):
        assert page.get(path).status == 404


def test_answers_have_the_documented_shape(page):
    answer = page.post("companion/register", {"name": "x"})
    check_answer("/api/companion/register", "post", answer)
    token = answer.json["token"]
    for path in ("enter", "leave", "forget"):
        check_answer(f"/api/companion/{path}", "post", page.post(f"companion/{path}", {"token": token}))
    answer = page.get("/companion/qr.svg")
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


def test_status_and_metrics_count_phones(start, tmp_path):
    from processes import SWIFTLET

    renderer = start(more=(*BEACON, "--metrics", "true"))
    page = Page(renderer)
    wait_until(lambda: page.get("/api/companion").json.get("beacon"))
    token = register(page)["token"]
    register(page, "Bea")
    page.do("companion/enter", {"token": token})
    text = page.get("/metrics").body.decode()
    assert "\nswiftlet_phones 2\n" in text
    assert "\nswiftlet_phones_in_reach 1\n" in text
    assert "\nswiftlet_beacon_advertised 0\n" in text
    assert "Ada" not in text

    def status(*arguments):
        command = [SWIFTLET, "status", "--status-socket", f"{tmp_path}/state/status", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert "\nPhones    1 of 2 in reach\n" in status()
    uuid = page.get("/api/companion").json["beacon"]["uuid"]
    assert f"\nBeacon    {uuid}, session " in status()
    assert json.loads(status("--json"))["companions"]["phones"] == {"registered": 2, "in_reach": 1}


def test_the_address_names_what_the_client_reached(page):
    """The address has the host name of the request."""
    uuid = page.get("/api/companion").json["beacon"]["uuid"]
    answer = page.get("/api/companion", Host="kitchen.local:49494")
    assert answer.json["address"] == f"http://kitchen.local:49494/companion?uuid={uuid}"
