"""Rooms on the page: speakers play together by taps, everywhere, at one volume, and apart again; playback moves."""

import contextlib

import pytest

import network
import sound
from browser import DESKTOP, NEIGHBOUR, PHONE, SpeakerAtHome, eventually, go
from network import NetworkedRenderer
from page_api import Events, Page
from processes import wait_until, wait_until_equal
from test_page import LONG, named
from test_page_look import CONTRAST, CONTROLS

pytestmark = network.needs_namespaces

OTHERS = {"Kitchen": 49500, "Study": 49501}


class Rooms(SpeakerAtHome):
    """The living room on one machine; kitchen, study and browser on the other."""

    def __init__(self, folder):
        super().__init__(folder)
        self.others = {}
        self._running = []
        for name, port in OTHERS.items():
            options = ("--config", "/dev/null", "--status-socket", str(folder / f"{name}.status"), "--port", str(port))
            renderer = NetworkedRenderer(self.there, folder / name, name=name, more=options, interfaces=["eth0"])
            renderer.wait_for("On eth0")
            self._running.append(renderer)
            self.others[name] = Page(f"http://{NEIGHBOUR}:{port}/", machine=self.there)

    @property
    def all(self):
        return [self._api, *self.others.values()]

    @property
    def api(self):
        return self._api

    def listed(self, name=None):
        """What the living room says about another speaker, or itself."""
        answer = self.get("/api/speakers")
        return answer.get("own") if name is None else next((one for one in answer["speakers"] if one["name"] == name), None)

    def receives(self, name, sender="Living room"):
        return self.others[name].state["source"].get("sender") == sender

    def close(self):
        with contextlib.ExitStack() as stack:
            stack.callback(super().close)
            for renderer in self._running:
                stack.callback(renderer.stop)


@pytest.fixture(scope="module")
def home(tmp_path_factory, fixtures):
    assert LONG in fixtures
    rooms = Rooms(tmp_path_factory.mktemp("rooms"))
    rooms.music = f"{rooms.serve(sound.FOLDER)}/{LONG}"
    yield rooms
    rooms.close()


@pytest.fixture
def alone(home):
    """All speakers play alone, at the same volume; the living room has three tracks."""
    for speaker in home.all:
        speaker.do("stop")
        speaker.do("source", {"source": "playlist"})
        speaker.do("stop")
        speaker.do("queue/clear")
        speaker.do("volume", {"level": 50})
        # The tracks are short, and a test may take longer.
        speaker.do("modes", {"repeat": True})
    home.fill([{"uri": home.music, "title": f"Track {number}", "artist": "Artist"} for number in (1, 2, 3)])
    wait_until(lambda: all((room := home.listed(name)) and room["can_join"] and "leader" not in room for name in (*OTHERS, None)))


@pytest.fixture
def browser(browser, alone):
    return browser


def card(page, name):
    return page.locator("sw-speakers li.speaker").filter(has=page.get_by_role("heading", name=name, exact=True))


def same(one, other):
    """Whether two speakers play the same track."""
    return playing(one) and playing(one) == playing(other)


def playing(speaker):
    state = speaker.state["playing"]
    return state.get("title") if state["state"] == "playing" else None


@pytest.mark.parametrize("device", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_two_rooms_are_grouped_by_taps(home, browser, device):
    home.post("/api/play")
    page = browser.open("/", **device)
    taps = 0

    def tap(locator):
        nonlocal taps
        locator.click()
        taps += 1

    if device is PHONE:
        tap(named(page, "More"))
        tap(page.get_by_role("menuitem", name="Speakers"))
    else:
        tap(page.get_by_role("link", name="Speakers"))
    tap(named(page, "Add to the group: Kitchen"))
    assert taps <= 4
    group = page.locator("sw-group")
    group.get_by_text("Plays with Kitchen", exact=True).wait_for()
    named(page, "Remove from the group: Kitchen").wait_for()
    eventually(lambda: home.receives("Kitchen") and same(home.api, home.others["Kitchen"]))
    assert "sender" not in home.others["Study"].state["source"]
    assert page.evaluate(CONTRAST) == [] and page.evaluate(CONTROLS, device is PHONE) == []

    go(page, "now")
    page.locator("sw-now").get_by_text("Living room + 1", exact=True).wait_for()
    assert page.evaluate(CONTRAST) == [] and page.evaluate(CONTROLS, device is PHONE) == []
    page.locator("sw-now").get_by_text("Living room + 1", exact=True).click()
    volumes = [home.api, home.others["Kitchen"], home.others["Study"]]
    before = [speaker.state["volume"]["decibels"] for speaker in volumes]
    named(page, "All quieter").click()
    eventually(lambda: volumes[1].state["volume"]["decibels"] < before[1])
    eventually(lambda: volumes[0].state["volume"]["decibels"] == volumes[1].state["volume"]["decibels"])
    assert volumes[2].state["volume"]["decibels"] == before[2]
    # The single volumes differ from now on, and keep their distance.
    home.others["Kitchen"].do("volume", {"level": 30})
    eventually(lambda: card(page, "Kitchen").get_by_role("slider").input_value() == "30")
    levels = [speaker.state["volume"]["level"] for speaker in volumes]
    named(page, "All louder").click()
    eventually(lambda: volumes[1].state["volume"]["level"] > 30)
    eventually(lambda: volumes[0].state["volume"]["level"] - levels[0] == volumes[1].state["volume"]["level"] - 30)

    # The kitchen's page says from whom it receives, and leaves.
    other = browser.open("/", base=f"http://{NEIGHBOUR}:{OTHERS['Kitchen']}", **device)
    other.locator("sw-now").get_by_text("From Living room", exact=True).wait_for()
    named(other, "Leave the group").click()
    eventually(lambda: "sender" not in home.others["Kitchen"].state["source"])
    other.locator("sw-now .together").wait_for(state="hidden")
    named(page, "Add to the group: Kitchen").wait_for()
    eventually(lambda: not home.state["source"]["sending"])
    assert playing(home.api)


def test_everywhere_and_apart(home, browser):
    home.post("/api/play")
    page = browser.open("/#/speakers", **PHONE)
    named(page, "Everywhere").click()
    eventually(lambda: all(home.receives(name) for name in OTHERS))
    page.locator("sw-group").get_by_text("Plays with Kitchen and Study", exact=True).wait_for()
    assert named(page, "Everywhere").count() == 0
    named(page, "Ungroup").click()
    eventually(lambda: not any("sender" in speaker.state["source"] for speaker in home.others.values()))
    named(page, "Everywhere").wait_for()


def test_the_speaker_joins_another_one(home, browser):
    kitchen = home.others["Kitchen"]
    kitchen.do("queue/add", {"items": [{"uri": home.music, "title": "Kitchen's"}], "where": "now"})
    page = browser.open("/#/speakers")
    named(page, "Options for Kitchen").click()
    page.get_by_role("menuitem", name="Join", exact=True).click()
    page.locator("sw-group").get_by_text("Plays along with Kitchen", exact=True).wait_for()
    eventually(lambda: playing(home.api) == "Kitchen's")
    # A third one joins the leader of this one.
    named(page, "Add to the group: Study").click()
    eventually(lambda: home.receives("Study", "Kitchen"))
    go(page, "now")
    page.locator("sw-now").get_by_text("From Kitchen · 3 rooms", exact=True).wait_for()
    go(page, "speakers")
    named(page, "Leave the group").click()
    eventually(lambda: "sender" not in home.state["source"])
    assert home.receives("Study", "Kitchen")


def test_playback_moves_there_and_back(home, browser):
    kitchen = home.others["Kitchen"]
    home.post("/api/play")
    page = browser.open("/#/speakers", **PHONE)
    named(page, "Options for Kitchen").click()
    page.get_by_role("menuitem", name="Move playback there", exact=True).click()
    page.get_by_text("Playback moved to Kitchen.", exact=True).wait_for()
    eventually(lambda: playing(kitchen) and not playing(home.api))
    assert kitchen.state["queue"]["count"] == 3 and kitchen.state["modes"]["repeat"]
    named(page, "Options for Kitchen").click()
    page.get_by_role("menuitem", name="Move playback here", exact=True).click()
    page.get_by_text("Playback moved to Living room.", exact=True).wait_for()
    eventually(lambda: playing(home.api) and not playing(kitchen))


def test_a_move_by_the_api_keeps_the_position(home, alone):
    home.post("/api/queue/play", id=home.get("/api/queue")["items"][1]["id"])
    home.post("/api/pause")
    wait_until(lambda: home.state["playing"]["can"]["seek"])
    home.post("/api/seek", seconds=10)
    position = wait_until(lambda: (state := home.state)["playing"]["state"] == "paused" and state["position"]["seconds"] > 9 and state["position"]["seconds"])
    study = home.listed("Study")["id"]
    assert home.api.do("speakers/move", {"to": study}) == {"losses": [], "failed": []}
    state = wait_until(lambda: (state := home.others["Study"].state)["playing"]["state"] == "paused" and state)
    # Positions move by whole seconds.
    assert state["playing"]["title"] == "Track 2" and state["position"]["seconds"] >= int(position)
    assert home.api.post("speakers/move", {"from": study, "to": study}).problem(400) == "/problems/wrong-value"


def test_the_rooms_of_the_group_move_along(home, alone):
    home.post("/api/play")
    wait_until(lambda: playing(home.api))
    home.api.do("speakers/everywhere")
    wait_until(lambda: all(home.receives(name) for name in OTHERS))
    wait_until(lambda: home.listed("Study").get("leader") == home.listed()["id"])
    assert home.api.do("speakers/move", {"to": home.listed("Kitchen")["id"]}) == {"losses": [], "failed": []}
    wait_until(lambda: playing(home.others["Kitchen"]) and home.receives("Study", "Kitchen"))
    assert not playing(home.api)


def test_a_room_that_waits_for_its_group_says_so(home, browser):
    home.api.do("speakers/join", {"id": home.listed("Study")["id"]})
    wait_until(lambda: home.receives("Study"))
    wait_until_equal(lambda: home.listed("Study")["state"], "waiting")
    page = browser.open("/#/speakers", **PHONE)
    card(page, "Study").get_by_text("Waiting for the sender").wait_for()


def test_a_guest_may_not_group(home, browser):
    token = home.post("/api/lock", pin="2468")["token"]
    try:
        page = browser.open("/#/speakers")
        named(page, "Add to the group: Kitchen").wait_for()
        eventually(lambda: all(button.is_disabled() for button in page.locator("sw-speakers .speaker button").all()))
        for command in ("join", "leave", "everywhere", "group-volume", "move"):
            assert home.api.post(f"speakers/{command}").problem(403) == "/problems/locked"
    finally:
        home.post("/api/lock/remove", token=token)


def test_a_speaker_that_is_gone_is_reported(home, browser):
    page = browser.open("/#/speakers", language="de")
    named(page, "Zur Gruppe hinzufügen: Kitchen").wait_for()
    # Another controller switches Songcast off in this moment.
    page.route("**/api/speakers/join", lambda route: route.fulfill(
        status=409, content_type="application/problem+json",
        body='{"type": "/problems/songcast-off", "detail": "Off.", "arguments": {"name": "Living room"}}'))
    named(page, "Zur Gruppe hinzufügen: Kitchen").click()
    page.get_by_text("Bei Living room kann niemand mitspielen: Songcast ist dort ausgeschaltet.").wait_for()


# The API


def test_rooms_by_the_api(home, alone):
    kitchen, study, own = home.listed("Kitchen"), home.listed("Study"), home.listed()
    assert own["can_join"] and own["can_lead"]
    with Events(home.api, "/api/events?show=speakers") as events:

        def wait_for(condition):
            return events.wait_for("speakers", lambda data: condition({one["name"]: one for one in data["speakers"]}, data.get("own")))

        home.api.do("speakers/join", {"id": kitchen["id"]})
        wait_for(lambda others, itself: others["Kitchen"].get("leader") == itself.get("leader") == own["id"])
        # Who joins a receiver joins its leader.
        home.others["Study"].do("speakers/join", {"to": kitchen["id"]})
        wait_for(lambda others, itself: others["Study"].get("leader") == own["id"])
        home.api.do("speakers/leave", {"id": study["id"]})
        wait_for(lambda others, itself: "leader" not in others["Study"])
        assert home.api.post("speakers/join", {"to": kitchen["id"]}).problem(409) == "/problems/leads-group"
        assert home.api.do("speakers/everywhere") == {"joined": 1, "failed": []}
        home.api.do("speakers/leave")
        wait_for(lambda others, itself: not any("leader" in one for one in (*others.values(), itself)))


def test_a_command_waits_for_the_speakers_of_a_search_that_is_over(home, alone):
    kitchen, study = home.others["Kitchen"], home.listed("Study")["id"]
    with Events(kitchen, "/api/events?show=library") as events:
        # The stream has searched for media servers for some ten seconds, but nobody has asked for speakers.
        events.wait(lambda stream: stream.comments >= 5)
        kitchen.do("speakers/join", {"id": study})
        wait_until(lambda: home.receives("Study", "Kitchen"))


@pytest.mark.parametrize("command, body, status, kind", [
    ("join", {}, 400, "wrong-value"),
    ("join", {"id": "uuid:a", "to": "uuid:a"}, 400, "wrong-value"),
    ("join", {"id": "uuid:none"}, 404, "unknown-speaker"),
    ("join", {"to": "uuid:none"}, 404, "unknown-speaker"),
    ("leave", {"id": "uuid:none"}, 404, "unknown-speaker"),
    ("leave", {"id": 1}, 400, "unreadable-body"),
    ("group-volume", {}, 400, "unreadable-body"),
    ("group-volume", {"decibels": 101}, 400, "wrong-value"),
    ("move", {}, 400, "wrong-value"),
    ("move", {"to": "uuid:none"}, 404, "unknown-speaker"),
])  # fmt: skip
def test_wrong_commands_are_refused(home, command, body, status, kind):
    assert home.api.post(f"speakers/{command}", body).problem(status) == f"/problems/{kind}"


def test_another_speakers_queue_is_shown_and_played(home, browser):
    home.post("/api/play")
    page = browser.open("/#/queue", **PHONE)
    named(page, "Play on…").click()
    page.get_by_role("menuitem", name="Kitchen").click()
    kitchen = home.others["Kitchen"]
    wait_until(lambda: playing(kitchen) == "Track 1" and not playing(home.api))
    go(page, "speakers")
    named(page, "Options for Kitchen").click()
    page.get_by_role("menuitem", name="Show the queue").click()
    dialog = page.get_by_role("dialog", name="Queue of Kitchen")
    dialog.locator("[aria-current]", has_text="Track").wait_for()
    dialog.get_by_role("button", name="Track 3").click()
    wait_until(lambda: playing(kitchen) == "Track 3")
    dialog.locator("[aria-current]", has_text="Track 3").wait_for()
