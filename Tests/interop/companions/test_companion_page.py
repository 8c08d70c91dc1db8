"""The companion page in Chromium, on phones that are machines of their own network."""

import subprocess

import pytest

import network
from browser import BASE, DESKTOP, NEIGHBOUR, PHONE, SpeakerAtHome, eventually, go
from test_page_look import CONTRAST

pytestmark = network.needs_namespaces

READY = "sw-companion .speaker-name:not(:empty)"
HERE = "text=in the room"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    speaker = SpeakerAtHome(tmp_path_factory.mktemp("companion"), more=("--beacon", "true"))
    yield speaker
    speaker.close()


@pytest.fixture
def browser(home, browser):
    yield browser
    for phone in home.get("/api/companion")["phones"]:
        home.post("/api/companion/forget", id=phone["id"])


@pytest.fixture
def phone(home, browser):
    """Opens the companion page on a phone."""
    eventually(lambda: home.get("/api/companion")["beacon"])

    def phone(query="", **options):
        return browser.open("/companion" + query, ready=READY, **{**PHONE, **options})

    return phone


def register(page, name):
    page.get_by_label("Name of this phone").fill(name)
    page.get_by_role("button", name="Register").click()
    page.locator("#this-phone ~ p", has_text="in the room").wait_for()


def in_reach(home):
    return [one["name"] for one in home.get("/api/companion")["phones"] if one["in_reach"]]


def test_a_phone_registers_leaves_and_comes_back(home, phone):
    page = phone()
    register(page, "Ada’s phone")
    eventually(lambda: in_reach(home) == ["Ada’s phone"])
    page.get_by_role("button", name="I am leaving").click()
    page.get_by_role("button", name="I am here").wait_for()
    assert in_reach(home) == []
    # A phone that left stays away, even if its page is visible again.
    page.reload()
    page.get_by_role("button", name="I am here").wait_for()
    assert in_reach(home) == []
    # The beacon's numbers in the address come from an app that has seen the beacon.
    page.goto(f"{BASE}/companion?major=1&minor=2")
    page.get_by_role("button", name="I am leaving").wait_for()
    assert in_reach(home) == ["Ada’s phone"]
    page.get_by_role("button", name="Forget this phone").click()
    page.get_by_label("Name of this phone").wait_for()
    assert home.get("/api/companion")["phones"] == []
    assert page.evaluate("localStorage.length") == 0


def test_a_launch_opens_pages_of_the_speaker_at_once(home, phone):
    first, second = phone(), phone()
    register(first, "Ada")
    register(second, "Bea")
    second.get_by_role("button", name="I am leaving").click()
    eventually(lambda: in_reach(home) == ["Ada"])
    home.post("/api/companion/launch", url="/#/queue", session="party")
    first.locator("sw-queue").wait_for()
    assert first.url == f"{BASE}/?session=party#/queue"
    assert second.url == f"{BASE}/companion"
    # The next launch reaches the page that was opened.
    eventually(lambda: in_reach(home) == ["Ada"])
    assert home.post("/api/companion/launch", url="/#/radio", session="party")["delivered"]
    first.locator("sw-radio").wait_for()
    first.get_by_role("link", name="Back: Companion").click()
    first.locator("#this-phone ~ p", has_text="in the room").wait_for()
    # A page that no launch has opened has no way back.
    first.goto(f"{BASE}/#/queue")
    first.locator("sw-queue").wait_for()
    assert first.get_by_role("link", name="Back: Companion").count() == 0


def test_a_page_that_a_launch_has_opened_outlives_the_registration(home, phone):
    page = phone()
    register(page, "Ada")
    eventually(lambda: in_reach(home) == ["Ada"])
    home.post("/api/companion/launch", url="/#/queue", session="party")
    back = page.get_by_role("link", name="Back: Companion")
    back.wait_for()
    for one in home.get("/api/companion")["phones"]:
        home.post("/api/companion/forget", id=one["id"])
    back.wait_for(state="detached")
    page.locator("sw-queue").wait_for()
    page.locator(".connection").wait_for(state="hidden")


def test_other_sites_are_opened_only_by_the_person(home, phone):
    page = phone()
    register(page, "Ada")
    url = "http://198.51.100.1/quiz?user=<script>"
    assert home.post("/api/companion/launch", url=url, session="quiz")["delivered"]
    dialog = page.get_by_role("dialog", name="Open this page?")
    dialog.wait_for()
    assert dialog.locator(".launch-host").inner_text() == "198.51.100.1"
    link = dialog.get_by_role("link", name="Open")
    assert link.get_attribute("href") == "http://198.51.100.1/quiz?user=%3Cscript%3E&session=quiz"
    assert link.get_attribute("rel") == "noopener noreferrer"
    dialog.get_by_role("button", name="Cancel").click()
    dialog.wait_for(state="detached")
    assert page.url == f"{BASE}/companion"


def test_two_phones_see_each_other(home, phone):
    first, second = phone(), phone()
    register(first, "Ada")
    register(second, "<img src=x onerror=alert(1)> שלום")
    names = second.locator(".phone span[dir=auto]")
    eventually(lambda: names.all_inner_texts() == ["Ada", "<img src=x onerror=alert(1)> שלום"])
    eventually(lambda: first.locator(".phone").count() == 2)
    first.get_by_role("button", name="Remove <img").click()
    second.get_by_label("Name of this phone").wait_for()
    eventually(lambda: in_reach(home) == ["Ada"])
    # Open the page on all phones.
    eventually(lambda: first.locator(".phone").count() == 1)
    first.get_by_role("button", name="Open this page on all of them").click()
    first.get_by_text("The speaker asked to open this page").wait_for()


def test_other_companions_do_not_disturb_the_list(home, phone):
    # The speaker accepts ten registrations a minute from one address, and the other tests of this module need them.
    home.renderer.stop()
    home.start()
    eventually(lambda: home.get("/api/companion")["beacon"])
    first, second = phone(), phone()
    register(first, "Ada")
    register(second, "Bea")
    first.get_by_role("button", name="Remove Bea").focus()
    # The list may show Bea before the event about her arrives, which reads the list again. This is the page's own copy of the
    # module, at its versioned address.
    store = "import(new URL('store.js', document.querySelector('script[type=module]').src))"
    eventually(lambda: first.evaluate(f"{store}.then(({{ store }}) => store.state.companion.phones.in_reach)") == 2)
    requests = []
    first.on("request", lambda request: requests.append(request.url))
    # Each start of playback changes the beacon, and so the section `companion` of the state.
    major = home.get("/api/companion")["beacon"]["major"]
    for _ in range(3):
        home.post("/api/queue/add", items=[{"uri": f"http://{NEIGHBOUR}:9/"}], where="now")
        eventually(lambda before=major: home.get("/api/companion")["beacon"]["major"] != before)
        major = home.get("/api/companion")["beacon"]["major"]
        home.post("/api/stop")
    seen = f"{store}.then(({{ store }}) => store.state.companion.beacon.major)"
    eventually(lambda: first.evaluate(seen) == major)
    # On a busy machine the page may have to reconnect, and then reads the list.
    reconnections = requests.count(f"{BASE}/api/companion/events")
    assert requests.count(f"{BASE}/api/companion") <= reconnections
    assert first.evaluate("document.activeElement.getAttribute('aria-label')") == "Remove Bea"
    # The list of phones still follows, and keeps the focus.
    register(phone(), "Cleo")
    first.get_by_text("Cleo").wait_for()
    assert requests.count(f"{BASE}/api/companion") > reconnections
    assert first.evaluate("document.activeElement.getAttribute('aria-label')") == "Remove Bea"


def test_the_beacon_decides_until_the_speaker_answers(home, phone, browser):
    major = home.get("/api/companion")["beacon"]["major"]
    page = phone(f"?major={major}&minor=75")
    page.get_by_text("In sync with the speaker").wait_for()
    other = phone(f"?major={(major + 1) % 65536}&minor=75")
    other.get_by_text("session is over").wait_for()
    # Without events, the position advances from the beacon's minor.
    context = browser._chromium.new_context(**PHONE)
    browser._contexts.append(context)
    lonely = context.new_page()
    lonely.route("**/api/**", lambda route: route.abort())
    lonely.goto(f"{BASE}/companion?major=7&minor=75")
    lonely.get_by_text("From the beacon, until the speaker answers").wait_for()
    lonely.locator(".follow .time", has_text="1:17").wait_for()
    for wrong in ("?major=-1&minor=2", "?major=65536&minor=1", "?major=x", "?minor=%3Cb%3E"):
        assert phone(wrong).locator(".follow [role=status]").inner_text() == ""


def test_a_scanner_reads_the_code(home, phone, tmp_path):
    for scheme in ("light", "dark"):
        page = phone(scheme=scheme)
        code = page.get_by_role("img", name="QR code")
        eventually(lambda code=code: code.evaluate("image => image.complete && image.naturalWidth > 0"))
        picture = tmp_path / f"{scheme}.png"
        code.screenshot(path=picture)
        result = subprocess.run(
            ["zbarimg", "--quiet", "--raw", str(picture)], capture_output=True, text=True, check=True
        )
        uuid = home.get("/api/companion")["beacon"]["uuid"]
        assert result.stdout.strip() == f"{BASE}/companion?uuid={uuid}"
        assert page.locator(".address").first.inner_text() == result.stdout.strip()


def test_without_storage_the_page_still_works(home, browser):
    context = browser._chromium.new_context(**PHONE, locale="en")
    browser._contexts.append(context)
    context.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('none') }})")
    page = context.new_page()
    page.goto(f"{BASE}/companion")
    register(page, "Private")
    eventually(lambda: in_reach(home) == ["Private"])


def test_by_keyboard_and_with_names(phone):
    page = phone()
    page.get_by_label("Name of this phone").focus()
    page.keyboard.type("Ada")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="I am leaving").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "I am leaving"
    page.keyboard.press("Enter")
    page.get_by_role("button", name="I am here").wait_for()
    faults = page.evaluate("""() => [...document.querySelectorAll('button, a[href], input, summary')]
      .filter(element => element.checkVisibility() && element.getBoundingClientRect().height < 40
        || !(element.getAttribute('aria-label') || element.textContent || element.labels?.length))
      .map(element => element.outerHTML)""")
    assert faults == []
    assert page.locator("h1").count() == 1
    assert page.locator("main").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_readable_and_fits(phone, scheme):
    page = phone(scheme=scheme)
    register(page, "W" * 100)
    page.locator("details summary").click()
    assert page.evaluate(CONTRAST) == []
    assert page.evaluate("document.querySelector('main').scrollWidth <= innerWidth")
    wide = phone(scheme=scheme, **DESKTOP)
    assert wide.evaluate(CONTRAST) == []


def test_it_speaks_german(phone):
    page = phone(language="de-DE")
    page.get_by_role("button", name="Anmelden").wait_for()
    assert page.evaluate("document.documentElement.lang") == "de"


def test_the_health_view_leads_to_it(home, phone, browser):
    page = browser.open()
    go(page, "health")
    part = page.locator("section", has=page.get_by_role("heading", name="Companions"))
    part.get_by_text("Beacon").wait_for()
    # Without a PIN, pairing explains what to do.
    part.get_by_role("button", name="Pair a device").click()
    page.get_by_text("Pairing needs a PIN").wait_for()
    part.get_by_role("link", name="Open the companion page").click()
    page.locator(READY).wait_for()
