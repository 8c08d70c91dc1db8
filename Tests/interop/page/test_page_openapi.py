"""The document of the API, compared with the routes of the program and with real answers."""

import re

import jsonschema
import openapi_spec_validator
import pytest
import yaml

from page_api import Events, Page
from processes import ROOT, running_renderer, wait_until
from test_radio import LIVE, LONG

DOCUMENT = yaml.safe_load((ROOT / "docs/openapi.yaml").read_text())
ROUTES = sorted((path, method) for path, methods in DOCUMENT["paths"].items() for method in methods)


@pytest.fixture(scope="module")
def module_renderer(tmp_path_factory):
    """A renderer with all features that add routes."""
    with running_renderer(tmp_path_factory.mktemp("openapi"), more=("--beacon", "true")) as renderer:
        yield renderer


def check(name, value):
    """Checks a value against a schema of the document."""
    schema = {**DOCUMENT, "$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": f"#/components/schemas/{name}"}
    jsonschema.Draft202012Validator(schema).validate(value)


def check_answer(path, method, answer):
    """Checks an answer against the document."""
    responses = DOCUMENT["paths"][path][method]["responses"]
    response = responses.get(str(answer.status), responses.get("default"))
    assert response is not None, (path, answer.status)
    while "$ref" in response:
        response = DOCUMENT["components"]["responses"][response["$ref"].rsplit("/", 1)[1]]
    if "content" not in response:
        assert answer.body == b""
        return
    kind = answer.headers["Content-Type"]
    schema = {**DOCUMENT, **response["content"][kind]["schema"]}
    jsonschema.Draft202012Validator(schema).validate(answer.json)


def test_the_document_is_valid():
    openapi_spec_validator.validate(DOCUMENT)


def test_every_route_of_the_source_is_documented():
    source = "\n".join(path.read_text() for path in (ROOT / "Sources/Page").rglob("*.swift"))
    source = source.replace('ArtLinks.folder + "', '"/api/art/')
    found = re.findall(r'routes\.(get|post)\(\s*"(/api/[^"]*)"', source)
    assert sorted((path, method) for method, path in found) == ROUTES


@pytest.mark.parametrize(("path", "method"), ROUTES)
def test_every_documented_route_exists(shared_renderer, path, method):
    """The answer to an unsupported method lists the documented methods in Allow."""
    answer = Page(shared_renderer).request("DELETE", re.sub(r"{\w+}", "x", path))
    answer.problem(405)
    allowed = {name.lower() for name in answer.headers["Allow"].split(", ")} - {"head"}
    assert allowed == set(DOCUMENT["paths"][path])
    assert method in allowed


def test_real_answers_have_the_documented_shape(start, media):
    page = Page(start())
    check("State", page.state)
    with Events(page) as events:

        def do(command, body=None, status=200):
            answer = page.post(command, body or {})
            assert answer.status == status, answer.body
            check_answer(f"/api/{command}", "post", answer)
            return answer.json

        track = {"uri": media.url(LONG), "title": "A", "artist": "B", "album": "C", "duration": 30.0}
        track["art"] = "http://192.0.2.1/a.jpg"
        ids = do("queue/add", {"items": [track, {"uri": media.url(LONG)}], "where": "end"})["ids"]
        do("play")
        wait_until(lambda: page.state["output"].get("bit_perfect") is not None)
        check("State", page.state)
        check_answer("/api/queue", "get", page.get("/api/queue"))
        check_answer("/api/queue", "get", page.get("/api/queue", If_None_Match=page.get("/api/queue").headers["ETag"]))
        check_answer("/api/queue", "get", page.get("/api/queue?count=x"))
        for path in ("/api/servers", "/api/speakers", "/api/library", "/api/settings", "/api/health", "/api/lock"):
            check_answer(path, "get", page.get(path))
        do("queue/undo", do("queue/remove", {"ids": ids[1:]}))
        do("queue/undo", {"undo": "x"}, status=404)
        do("queue/clear")
        do("settings", {"key": "room", "value": "Attic"})
        do("settings", {"key": "port", "value": 1}, status=404)
        do("lock", {"pin": "1234"})
        do("unlock", {"pin": "0000"}, status=403)
        token = do("unlock", {"pin": "1234"})["token"]
        answer = page.post("lock/remove", {}, Authorization=f"Bearer {token}")
        check_answer("/api/lock/remove", "post", answer)
        do("volume", {"level": 0})
        do("volume", {"level": -1}, status=400)
        preset = do("presets/add", {"title": "R", "uri": media.url("cbr.mp3", LIVE), "art": "http://192.0.2.1/r.png"})
        do("presets/play", preset)
        wait_until(lambda: page.state["playing"]["live"])
        do("pins/set", {"index": 1, "what": "current"})
        do("pins/play", {"index": 1})
        check("State", page.state)
        do("equalizer", {"on": True, "bands": [{"kind": "low_shelf", "frequency": 100, "gain": 3, "channel": "left"}]})
        do("equalizer/save", {"name": "Bass"})
        do("equalizer/rename", {"name": "Bass", "to": "More bass"})
        do("equalizer/import", {"text": "Filter 1: ON NO Fc 50 Hz", "name": "Hum"})
        do("equalizer/import", {"text": "Filter 1: ON XX Fc 50 Hz"}, status=400)
        do("equalizer/select", {"name": "More bass"})
        check("State", page.state)
        check_answer("/api/equalizer", "get", page.get("/api/equalizer"))
        do("equalizer/remove", {"name": "Hum"})
        do("equalizer/remove", {"name": "Hum"}, status=404)
        do("presets/play", {"id": 5}, status=404)
        do("queue/play", {"id": 5}, status=404)
        events.wait_for_state(lambda state: state["pins"]["items"])
        for kind, data in events.events:
            check({"state": "State", "change": "Change"}[kind], data)
