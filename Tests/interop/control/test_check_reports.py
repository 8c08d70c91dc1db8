"""The reports of swiftlet-control check, read by other programs."""

import json
import pathlib
import re
import xml.etree.ElementTree

import jsonschema
import junitparser
import pytest

import network
from checker import FAILED, UNTESTED

pytestmark = network.needs_namespaces

SCHEMA = pathlib.Path(__file__).parents[3] / "docs/conformance-schema.json"
FILES = ("page.html", "report.json", "report.xml", "report.txt")


@pytest.fixture(scope="module")
def reports(check, tmp_path_factory):
    """All reports of one run with failures, by extension, and the text of standard output."""
    folder = tmp_path_factory.mktemp("reports")
    text = check("Bedroom", "--read-only", *arguments(folder), expect=FAILED)
    return read(folder) | {"stdout": text}


def arguments(folder):
    return [part for name in FILES for part in ("--report", str(folder / name))]


def read(folder):
    return {name.rpartition(".")[2]: (folder / name).read_text(encoding="utf-8") for name in FILES}


def failures(report):
    return {result["id"] for result in json.loads(report)["results"] if result["verdict"] == "fail"}


def test_json_follows_its_schema(reports):
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    report = json.loads(reports["json"])
    jsonschema.validate(report, schema, cls=jsonschema.Draft202012Validator)
    failure = next(result for result in report["results"] if result["id"] == "uda/4.1.1/callback-scheme")
    messages = failure["exchange"]["first"]
    assert messages[0]["direction"] == "sent"
    assert messages[0]["text"].startswith("SUBSCRIBE ")
    assert messages[1]["direction"] == "received"
    assert messages[0]["start"] <= messages[1]["start"]


def test_junit_has_the_failures_that_count(reports):
    failed = failures(reports["json"])
    total = len(json.loads(reports["json"])["results"])
    junit = junitparser.JUnitXml.fromstring(reports["xml"].encode())
    cases = [case for suite in junit for case in suite]
    assert len(cases) == junit.tests == total
    counted = {case.name for case in cases if any(isinstance(item, junitparser.Failure) for item in case.result)}
    assert len(counted) == junit.failures
    known = {result["id"] for result in json.loads(reports["json"])["results"] if result.get("known")}
    should = {result["id"] for result in json.loads(reports["json"])["results"] if result["level"] == "SHOULD"}
    assert counted == failed - known - should


def test_the_page_stands_alone_and_has_every_failure(reports):
    page = reports["html"]
    for failed in failures(reports["json"]):
        assert f"<code>{failed}</code>" in page
    assert not re.search(r"<(script|link|img|iframe|object)|\ssrc=|https?://[^<]*\.(css|js)|@import|url\(", page)
    body = page[page.index("<body>") : page.index("</body>") + len("</body>")]
    # <br> is the only void element. It has no end tag, so the XML parser would reject it.
    xml.etree.ElementTree.fromstring(body.replace("<br>", ""))
    assert "SUBSCRIBE /" in page


def test_the_text_file_has_whole_messages(reports):
    assert "Content-Type: text/xml" in reports["txt"] or "CONTENT-TYPE: text/xml" in reports["txt"]
    assert "FAIL  uda/4.1.1/callback-scheme" in reports["stdout"]


def test_anonymous_reports_name_nobody(check, tmp_path):
    text = check("Bedroom", "--read-only", "--anonymous", *arguments(tmp_path), expect=FAILED)
    for kind, report in (read(tmp_path) | {"stdout": text}).items():
        assert not re.search(r"bedroom|192\.0\.2\.|[0-9a-f]{8}-[0-9a-f]{4}-", report, re.IGNORECASE), kind
        assert "gmediarender" in report, kind


def test_one_report_goes_to_standard_output(check):
    only = ["Kitchen", "--only", "uda/4.1.3/unsubscribe"]
    assert check(*only, "--report", "junit").startswith("<?xml")
    assert json.loads(check(*only, "--report", "json=-"))["summary"]["passed"] == 1
    assert check(*only, "--report", "html").startswith("<!DOCTYPE html>")


def test_reports_are_compared(check, tmp_path):
    before, after = str(tmp_path / "before.json"), str(tmp_path / "after.json")
    check("Kitchen", "--read-only", "--report", before)
    report = json.loads(pathlib.Path(before).read_text())
    broken = next(result for result in report["results"] if result["verdict"] == "pass")
    broken.update(verdict="fail", expected="a pass", got="a failure", known=False)
    pathlib.Path(after).write_text(json.dumps(report))
    assert check.offline("diff", before, before).splitlines()[-1] == "No differences"
    assert f"New failures: 1\n  {broken['id']}: pass → fail" in check.offline("diff", before, after, expect=FAILED)
    assert f"Fixed: 1\n  {broken['id']}: fail → pass" in check.offline("diff", after, before)
    assert json.loads(check.offline("diff", before, after, "--json", expect=FAILED))["newFailures"][0]["id"] == broken["id"]
    pathlib.Path(after).write_text("[]")
    check.offline("diff", before, after, expect=UNTESTED)


def test_a_report_that_cannot_be_written_is_no_success(check):
    only = ["Kitchen", "--only", "uda/4.1.3/unsubscribe"]
    assert check.unwritable(*only) == UNTESTED
    assert check.unwritable(*only, "--json") == UNTESTED
    check(*only, "--report", "json=/dev/full", expect=UNTESTED)


def test_controllers_notice_failures(check):
    only = ["Bedroom", "--only", "cm/2.3/plain-events"]
    assert "Kodi: Nothing can be played" in check(*only, "--profile", "kodi", expect=FAILED)
    assert "Nothing can be played" not in check(*only, "--profile", "kazoo", expect=FAILED)
