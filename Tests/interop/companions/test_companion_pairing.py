"""Pairing from the page: only with the PIN. With BlueZ mocked, and without Bluetooth."""

import pytest

import bluetooth
import network
from browser import PHONE, Browser, SpeakerAtHome, go
from page_api import Page
from processes import EXIT_LIMIT, running_renderer, wait_until
from test_page_openapi import check_answer


@pytest.fixture(scope="module")
def module_renderer(tmp_path_factory):
    with running_renderer(tmp_path_factory.mktemp("pairing"), more=("--beacon", "true")) as renderer:
        yield renderer


@pytest.fixture
def page(shared_renderer):
    return Page(shared_renderer)


COMMANDS = (("open", {}), ("choose", {"number": 1}), ("answer", {"accept": True}), ("close", {}))


def test_without_a_companion_there_is_no_pairing(start):
    page = Page(start())
    assert page.get("/api/pairing").status == 404
    for path, body in COMMANDS:
        assert page.post(f"pairing/{path}", body).status == 404


def test_without_a_pin_the_page_says_how_to_set_one(page):
    for path, body in COMMANDS:
        answer = page.post(f"pairing/{path}", body)
        check_answer(f"/api/pairing/{path}", "post", answer)
        assert answer.problem(409, "party lock") == "/problems/no-pin"
    assert page.get("/api/pairing").problem(409) == "/problems/no-pin"


def test_guests_neither_see_nor_open_a_window(page):
    token = page.do("lock", {"pin": "1234"})["token"]
    try:
        for path, body in COMMANDS:
            assert page.post(f"pairing/{path}", body).problem(403) == "/problems/locked"
        assert page.get("/api/pairing").problem(403) == "/problems/locked"
        owner = {"Authorization": f"Bearer {token}"}
        assert page.get("/api/pairing", **owner).json["state"] == "closed"
        for path, body in COMMANDS[1:]:
            assert page.post(f"pairing/{path}", body, **owner).json == {}
        assert page.post("pairing/open", {}, **owner).json == {}
        wait_until(lambda: page.get("/api/pairing", **owner).json["state"] == "failed", seconds=40)
        answer = page.get("/api/pairing", **owner)
        check_answer("/api/pairing", "get", answer)
        assert answer.json["problem"]
        # Clients without the PIN see the state only.
        assert page.state["companion"]["pairing"] == {"state": "failed", "devices": []}
    finally:
        page.post("lock/remove", {}, Authorization=f"Bearer {token}")


KNOB = "00:00:5E:00:53:03"


@pytest.fixture
def bluez(tmp_path):
    with bluetooth.bluetooth(tmp_path) as blue:
        made = blue.start()
        made.do("add_adapter")
        made.environment = blue.environment
        yield made


def test_a_device_is_chosen_and_paired(start, bluez):
    page = Page(start(before=bluez.environment, more=("--beacon", "true")))
    owner = {"Authorization": f"Bearer {page.do('lock', {'pin': '1234'})['token']}"}
    bluez.do("add_device", KNOB, "Knob")
    assert page.post("pairing/open", {}, **owner).status == 200

    def report():
        answer = page.get("/api/pairing", **owner)
        check_answer("/api/pairing", "get", answer)
        return answer.json

    device = wait_until(lambda: next((one for one in report()["devices"] if report()["state"] == "open"), None))
    assert device["name"] == "Knob"
    # Clients without the PIN see that a window is open, but neither devices nor questions.
    assert page.state["companion"]["pairing"] == {"state": "open", "devices": []}
    assert KNOB not in str(page.state) + str(report())
    assert page.post("pairing/choose", {"number": device["number"]}, **owner).status == 200
    wait_until(lambda: report()["state"] == "paired")
    assert report()["paired"] == "Knob"
    assert bluez.find(event="call", method="Pair")


def test_the_end_of_the_speaker_closes_the_window(start, tmp_path):
    with bluetooth.bluetooth(tmp_path) as blue:
        bluez = blue.start()
        bluez.do("add_adapter", pairable=False)
        renderer = start(before=blue.environment, more=("--beacon", "true"))
        page = Page(renderer)
        owner = {"Authorization": f"Bearer {page.do('lock', {'pin': '1234'})['token']}"}
        assert page.post("pairing/open", {}, **owner).status == 200
        wait_until(lambda: page.get("/api/pairing", **owner).json["state"] == "open")
        status, seconds = renderer.stop()
        assert status == 0 and seconds < EXIT_LIMIT
        values = [event["values"] for event in bluez.find(event="set", path="/org/bluez/hci0")]
        assert values == [["org.bluez.Adapter1", "Pairable", pairable] for pairable in (True, False)]


@network.needs_namespaces
def test_the_page_asks_for_the_pin_and_for_the_number(tmp_path, bluez, monkeypatch):
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", bluez.environment[1].split("=", 1)[1])
    home = SpeakerAtHome(tmp_path, more=("--beacon", "true"))
    # Chromium must not use the mock; it uses Bluetooth, too.
    monkeypatch.delenv("DBUS_SYSTEM_BUS_ADDRESS")
    browser = Browser(home.there, tmp_path)
    try:
        home.post("/api/lock", pin="1234")
        bluez.do("add_device", KNOB, "<b>Ann’s phone</b>")
        path = bluez.find(event="device")[-1]["path"]
        page = browser.open(**PHONE)
        go(page, "health")
        page.get_by_role("button", name="Pair a device").click()
        page.get_by_label("PIN").fill("1234")
        page.get_by_role("button", name="Unlock").click()
        dialog = page.get_by_role("dialog", name="Pair a device")
        dialog.get_by_role("button", name="<b>Ann’s phone</b>").wait_for()
        bluez.do("agent", "RequestConfirmation", path, 1234)
        dialog.get_by_text("Does <b>Ann’s phone</b> show 001234?").wait_for()
        dialog.get_by_role("button", name="Yes").click()
        wait_until(lambda: bluez.find(event="agent"))
        bluez.do("change_device", path, Paired=True)
        dialog.get_by_text("Paired: <b>Ann’s phone</b>").wait_for()
        dialog.get_by_role("button", name="Close").last.click()
        dialog.wait_for(state="detached")
        assert not browser.close_pages()
    finally:
        browser.close()
        home.close()
