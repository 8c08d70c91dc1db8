"""Limits for guests, requests of other sites, and the way back from a lock."""

import subprocess

import pytest

from page_api import Page
from processes import SWIFTLET

TRACK = {"uri": "http://127.0.0.1:9/a.flac", "title": "A"}


@pytest.fixture
def page(renderer):
    return Page(renderer)


def add(page, count, **headers):
    return page.post("queue/add", {"items": [TRACK] * count, "where": "end"}, **headers)


def test_guests_cannot_fill_the_queue(renderer, page):
    owner = {"Authorization": f"Bearer {page.do('lock', {'pin': '1234'})['token']}"}
    other = Page(renderer, "127.0.0.2")
    assert add(page, 201).problem(429, "200 tracks an hour")
    assert add(page, 150).status == 200
    add(page, 51).problem(429, "50 more")
    assert add(page, 50).status == 200
    refused = add(page, 1)
    refused.problem(429, "Try again in 60 minutes")
    assert 3500 < int(refused.headers["Retry-After"]) <= 3600
    # Others have a limit of their own, and the owner has none.
    assert add(other, 200).status == 200
    assert add(page, 2000, **owner).status == 200
    assert page.state["queue"]["count"] == 2400


def test_all_guests_together_are_limited(renderer, page):
    page.do("lock", {"pin": "1234"})
    for number in range(2, 7):
        assert add(Page(renderer, f"127.0.0.{number}"), 200).status == 200
    add(Page(renderer, "127.0.0.7"), 1).problem(429)


def test_without_a_lock_nobody_is_a_guest(page):
    assert add(page, 2000).status == 200


@pytest.mark.parametrize("headers", [{"Sec_Fetch_Site": "cross-site"}, {"Origin": "http://evil.example"}])
@pytest.mark.parametrize("path", ["servers", "library?server=uuid:x", "speakers", "events?show=library", "state"])
def test_other_sites_start_no_search(shared_renderer, path, headers):
    page = Page(shared_renderer)
    begin = len(shared_renderer.err)
    page.get(f"/api/{path}", **headers).problem(403, "another site")
    assert not [line for line in shared_renderer.err[begin:] if "Searching for servers" in line]


@pytest.mark.parametrize("headers", [{}, {"Sec_Fetch_Site": "same-origin"}, {"Sec_Fetch_Site": "none"}])
def test_scripts_and_the_page_itself_are_answered(shared_renderer, headers):
    page = Page(shared_renderer)
    assert page.get("/api/state", **headers).status == 200
    assert page.get("/api/state", Origin=f"http://{page.netloc}", **headers).status == 200
    # A link on another site may lead to the page.
    assert page.get("/", Sec_Fetch_Site="cross-site").status == 200


def unlock(path):
    return subprocess.run(
        [SWIFTLET, "page", "unlock", "--config", "/dev/null", "--status-socket", str(path)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_the_machine_itself_can_unlock_the_page(renderer, page, tmp_path):
    token = page.do("lock", {"pin": "1234"})["token"]
    renderer.wait_for_log(r"notice: 127\.0\.0\.1 has set the PIN of the page")
    page.post("stop", {}).problem(403)
    done = unlock(tmp_path / "state/status")
    assert (done.returncode, done.stdout) == (0, "The page is unlocked, and everybody may set a new PIN.\n"), done
    assert page.post("stop", {}).status == 200 and not page.state["access"]["lock"]
    assert page.get("/api/lock", Authorization=f"Bearer {token}").json == {"locked": False, "owner": False}
    assert unlock(tmp_path / "state/status").stdout == "The page was not locked.\n"


def test_the_unlocked_page_stays_unlocked_after_a_restart(start, tmp_path):
    renderer = start()
    Page(renderer).do("lock", {"pin": "1234"})
    assert unlock(tmp_path / "state/status").returncode == 0
    renderer.stop()
    assert not Page(start()).state["access"]["lock"]


def test_unlocking_needs_a_speaker_with_a_page(start, tmp_path):
    done = unlock(tmp_path / "state/status")
    assert done.returncode == 69 and "No swiftlet answers" in done.stderr
    start(more=("--page", "off")).wait_for("openhome")
    done = unlock(tmp_path / "state/status")
    assert done.returncode == 69 and "has no page" in done.stderr


def test_the_token_says_whether_it_is_valid(page):
    token = page.do("lock", {"pin": "1234"})["token"]
    assert page.get("/api/lock", Authorization=f"Bearer {token}").json == {"locked": True, "owner": True}
    assert page.get("/api/lock", Authorization="Bearer x").json == {"locked": True, "owner": False}
