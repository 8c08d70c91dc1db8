"""The equalizer of the page: curve, bands, presets, import."""

import pytest

import network
from browser import DESKTOP, PHONE, centre, drag_by_touch, eventually, go
from processes import wait_until

pytestmark = network.needs_namespaces

BANDS = [
    {"kind": "low_shelf", "frequency": 80, "gain": 4, "q": 0.7},
    {"kind": "peak", "frequency": 1000, "gain": -6, "q": 2},
]


def equalizer(home):
    return home.get("/api/equalizer")


@pytest.fixture
def shown(home):
    """A speaker whose equalizer has two bands and no presets."""
    for name in equalizer(home)["presets"]:
        home.post("/api/equalizer/remove", name=name)
    home.post("/api/equalizer", on=True, bands=BANDS, automatic_preamp=True)
    return home


def opened(browser, device=DESKTOP, **options):
    page = browser.open(**device, **options)
    go(page, "equalizer")
    page.locator(".bands li").nth(1).wait_for()
    return page


@pytest.mark.parametrize("device", [DESKTOP, PHONE])
def test_a_band_is_dragged(shown, browser, device):
    page = opened(browser, device)
    x, y = centre(page.locator(".handle").nth(1))
    before = page.locator(".response").last.get_attribute("d")
    if device == PHONE:
        drag_by_touch(page, (x, y), (x + 60, y - 70))
    else:
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 30, y - 30)
        page.mouse.move(x + 60, y - 70)
        page.mouse.up()
    wait_until(lambda: equalizer(shown)["bands"][1]["frequency"] > 1300)
    eventually(lambda: equalizer(shown)["bands"][1]["gain"] > -3)
    band = equalizer(shown)["bands"][1]
    assert float(page.get_by_label("Hz").nth(1).input_value()) == band["frequency"]
    assert page.locator(".response").last.get_attribute("d") != before
    assert f"Largest boost of the bands: {equalizer(shown)['boost']:.1f} dB" in page.locator(".boost").inner_text()


def test_the_keyboard_moves_a_band_and_nothing_else(shown, browser):
    page = opened(browser)
    volume = shown.state["volume"]["level"]
    handle = page.get_by_role("slider", name="Band 2: Peak")
    handle.focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "PageUp"):
        page.keyboard.press(key)
    wait_until(lambda: equalizer(shown)["bands"][1] == {
        "kind": "peak", "channel": "both", "on": True, "frequency": 1029, "gain": -5, "q": 2.2})
    assert handle.get_attribute("aria-valuetext") == "1.03 kHz, −5.0 dB, Q 2.20"
    assert shown.state["volume"]["level"] == volume


def test_bands_are_added_changed_and_removed(shown, browser):
    page = opened(browser)
    page.get_by_role("button", name="Add a band").click()
    wait_until(lambda: len(equalizer(shown)["bands"]) == 3)
    row = page.get_by_role("group", name="Band 3")
    row.get_by_label("Type").select_option("Notch")
    row.get_by_label("Channel").select_option("Right")
    row.get_by_label("Hz").fill("50.5")
    row.get_by_label("Q", exact=True).fill("8")
    row.get_by_label("Q", exact=True).blur()
    wait_until(lambda: equalizer(shown)["bands"][2] == {
        "kind": "notch", "channel": "right", "on": True, "frequency": 50.5, "gain": 0, "q": 8})
    assert row.get_by_label("dB", exact=True).is_disabled()
    # A wrong number is not sent, and the field says so.
    row.get_by_label("Q", exact=True).fill("0")
    row.get_by_label("Q", exact=True).blur()
    page.get_by_text("Enter a number from 0.1 to 100.").wait_for()
    assert row.get_by_label("Q", exact=True).get_attribute("aria-invalid") == "true"
    row.get_by_label("On").uncheck()
    wait_until(lambda: equalizer(shown)["bands"][2]["on"] is False)
    assert equalizer(shown)["bands"][2]["q"] == 8
    page.get_by_role("button", name="Remove band 1").click()
    wait_until(lambda: [band["kind"] for band in equalizer(shown)["bands"]] == ["peak", "notch"])
    page.get_by_label("automatic").uncheck()
    page.get_by_label("Preamp (dB)").last.fill("-3.5")
    page.get_by_label("Preamp (dB)").last.blur()
    wait_until(lambda: equalizer(shown)["preamp_in_force"] == -3.5)
    page.get_by_role("switch", name="Equaliser").uncheck()
    wait_until(lambda: equalizer(shown)["on"] is False)


def test_presets_are_saved_compared_and_removed(shown, browser):
    page = opened(browser)
    for name, bands in (("Room", BANDS[:1]), ("Late night", [])):
        page.get_by_role("button", name="Presets").click()
        page.get_by_role("menuitem", name="Save as a new preset").click()
        page.get_by_label("Name of the preset").fill(name)
        page.get_by_role("dialog").get_by_role("button", name="Save").click()
        page.get_by_role("button", name=name, exact=True, pressed=True).wait_for()
        shown.post("/api/equalizer", bands=bands)
        page.get_by_role("button", name=f"{name} (changed)").wait_for()
    # A name that is taken replaces nothing that nobody has agreed to.
    page.get_by_role("button", name="Presets").click()
    page.get_by_role("menuitem", name="Save as a new preset").click()
    page.get_by_label("Name of the preset").fill("Room")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    question = page.get_by_role("dialog", name="Replace Room?")
    question.get_by_role("button", name="Cancel").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Late night (changed)").wait_for()
    # Compares two presets, and returns to the unsaved settings.
    page.get_by_role("button", name="Room", exact=True).click()
    wait_until(lambda: equalizer(shown)["bands"][1:] and equalizer(shown)["preset"] == "Room")
    shown.post("/api/equalizer", bands=BANDS[1:])
    page.get_by_role("button", name="Room (changed)").wait_for()
    page.get_by_role("button", name="Late night", exact=True).click()
    wait_until(lambda: equalizer(shown)["bands"][0]["kind"] == "low_shelf")
    page.get_by_role("button", name="Undo").click()
    wait_until(lambda: [band["kind"] for band in equalizer(shown)["bands"]] == ["peak"])
    page.get_by_role("button", name="Presets").click()
    page.get_by_role("menuitem", name="Remove Late night").click()
    wait_until(lambda: equalizer(shown)["presets"] == ["Room"])


def test_a_file_is_imported(shown, browser, tmp_path):
    page = opened(browser)
    path = tmp_path / "Headphones.txt"
    path.write_text("Preamp: -2 dB\nFilter 1: ON PK Fc 105 Hz Gain 2 dB Q 0.7\n")
    page.get_by_role("button", name="Presets").click()
    page.get_by_role("menuitem", name="Import a file").click()
    text = page.get_by_label("Text of the file")
    text.fill("Filter 1: ON XX Fc 105 Hz")
    page.get_by_role("button", name="Import a file").click()
    page.get_by_text("Filters of the type “XX” are not supported.").wait_for()
    page.get_by_label("File", exact=True).set_input_files(path)
    wait_until(lambda: text.input_value() == path.read_text())
    page.get_by_role("button", name="Import a file").click()
    page.get_by_role("button", name="Headphones", pressed=True).wait_for()
    assert equalizer(shown)["preamp_in_force"] == -2 and len(equalizer(shown)["bands"]) == 1


def test_guests_see_the_equalizer_and_cannot_change_it(shown, browser):
    shown.post("/api/equalizer/save", name="Room")
    token = shown.post("/api/lock", pin="1234")["token"]
    try:
        page = opened(browser)
        for control in page.locator("sw-equalizer :is(input, select, .button)").all():
            assert control.is_disabled(), control
        x, y = centre(page.locator(".handle").first)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 100, y + 40)
        page.mouse.up()
        page.locator(".handle").first.focus()
        page.keyboard.press("ArrowUp")
        page.get_by_role("button", name="Presets").click()
        assert page.get_by_role("menuitem").all_inner_texts() == ["Export as a file"]
        bands = equalizer(shown)["bands"]
        assert [band["gain"] for band in bands] == [4, -6]
    finally:
        shown.post("/api/lock/remove", token=token)


def test_another_page_shows_a_change(shown, browser):
    page = opened(browser)
    shown.post("/api/equalizer", bands=[*BANDS, {"kind": "peak", "frequency": 5000, "gain": 9}])
    page.get_by_role("slider", name="Band 3: Peak").wait_for()
    assert page.get_by_role("group", name="Band 3").get_by_label("Hz").input_value() == "5000"
