#!/usr/bin/env python3
"""Makes the pictures of the page: see screenshots.sh."""

import pathlib
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/interop/support"))

from albums import make_album, serve_albums  # noqa: E402
from browser import DESKTOP, NEIGHBOUR, PHONE, TABLET, Browser, SpeakerAtHome, go  # noqa: E402
from network import NetworkedRenderer  # noqa: E402
from station_directory import DirectoryServer, station  # noqa: E402

#: Title, composer, movements, and the hue of the cover.
ALBUMS = (
    ("Gymnopédies", "Erik Satie", ("Lent et douloureux", "Lent et triste", "Lent et grave"), 18),
    ("Lyric Pieces", "Edvard Grieg", ("Arietta", "Waltz", "Watchman’s Song", "Elves’ Dance", "Folk Melody"), 150),
    ("Images", "Claude Debussy", ("Reflets dans l’eau", "Hommage à Rameau", "Mouvement"), 212),
    ("Piano Trio in G minor", "Clara Schumann", ("Allegro moderato", "Scherzo", "Andante", "Allegretto"), 330),
    ("The Planets", "Gustav Holst", ("Mars", "Venus", "Mercury", "Jupiter", "Saturn", "Uranus", "Neptune"), 262),
    ("Goldberg Variations", "Johann Sebastian Bach", ("Aria", "Variatio 1", "Variatio 2", "Variatio 3"), 48),
    ("String Quartet in A minor", "Fanny Mendelssohn", ("Adagio", "Allegretto", "Romanze"), 95),
    ("Kinderszenen", "Robert Schumann", ("Of Foreign Lands", "A Curious Story", "Träumerei"), 5),
)

#: Invented stations: name, tags, country.
STATIONS = (
    ("Radio Étude", "classical,piano", "France"), ("Kammerton", "classical,chamber music", "Germany"),
    ("Quiet Hours", "ambient,classical", "Ireland"), ("Opera Notturna", "opera,classical", "Italy"),
    ("Baroque 24", "baroque,classical", "Austria"), ("Sinfonia FM", "classical,symphony", "Spain"),
)  # fmt: skip
#: The port of their directory.
DIRECTORY = 8123

#: The pictures: view, device, colour scheme.
PICTURES = {
    "now-phone-light": ("now", PHONE, "light"),
    "now-phone-dark": ("now", PHONE, "dark"),
    "queue-phone-light": ("queue", PHONE, "light"),
    "now-tablet-dark": ("now", TABLET, "dark"),
    "now-desktop-light": ("now", DESKTOP, "light"),
    "library-desktop-dark": ("library", DESKTOP, "dark"),
    "library-phone-light": ("library", PHONE, "light"),
    "album-phone-dark": ("album", PHONE, "dark"),
    "stations-phone-light": ("radio", PHONE, "light"),
    "speakers-phone-dark": ("speakers", PHONE, "dark"),
    "companion-phone-light": ("companion", PHONE, "light"),
    "equalizer-desktop-light": ("equalizer", DESKTOP, "light"),
}


def cover(title, composer, hue):
    """An abstract picture: circles and arcs, different for each title."""
    number = sum(title.encode())
    shapes = []
    for step in range(9):
        value = number * (step + 3) * 7919 % 1000 / 1000
        radius = 70 + 330 * ((number * (step + 5)) % 97) / 97
        colour = f"oklch({0.32 + 0.055 * step} {0.1 + 0.05 * value} {hue + 70 * (value - 0.4)} / 0.72)"
        x, y = 600 * value, 600 * ((value * 7 + step / 3) % 1)
        shapes.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{radius:.0f}" fill="{colour}"/>')
    return (
        f'<style>body{{margin:0;background:oklch(0.36 0.09 {hue})}}</style><svg width="600" height="600" '
        f'font-family="DejaVu Sans" fill="white">{"".join(shapes)}<text x="44" y="510" font-size="34" '
        f'font-weight="bold">{title}</text><text x="44" y="556" font-size="25" opacity="0.85">{composer}</text></svg>'
    )


def make_music(folder, browser):
    """The albums as files, with covers that the browser draws."""
    page = browser.blank(600, 600)
    for number, (title, composer, movements, hue) in enumerate(ALBUMS):
        page.set_content(cover(title, composer, hue))
        picture = page.screenshot(type="jpeg", quality=90)
        # High resolution takes long to encode, so only the album that plays has it.
        high = {"rate": 96000, "bits": 24} if title == "Images" else {}
        make_album(
            folder, title, composer, movements, cover=picture,
            seconds=lambda track, number=number: 65 + (number * 53 + track * 71) % 70, **high,
        )  # fmt: skip


def wait(what, body, seconds=60):
    end = time.monotonic() + seconds
    while not (result := body()):
        if time.monotonic() > end:
            sys.exit(f"Timed out after {seconds} s waiting for {what}.")
        time.sleep(0.2)
    return result


def containers(home, server, container="0"):
    path = f"/api/library?server={server}&container={container}&offset=0&count=100"
    return {item["title"]: item for item in home.get(path)["items"]}


def play_albums(home, page):
    """Queues some albums and plays one."""
    go(page, "library")
    server = wait("a media server", lambda: next((one["id"] for one in home.get("/api/servers")["servers"]), None))
    albums = wait(
        "the list of albums", lambda: containers(home, server).get("Album") or containers(home, server).get("Albums")
    )["id"]
    known = wait("all albums", lambda: len(found := containers(home, server, albums)) >= len(ALBUMS) and found)
    for title in ("Lyric Pieces", "Images", "Gymnopédies"):
        home.post("/api/library/play", server=server, container=known[title]["id"], where="end")
    item = next(one for one in home.get("/api/queue")["items"] if one["title"] == "Reflets dans l’eau")
    home.post("/api/queue/play", id=item["id"])
    home.post("/api/volume", level=72)
    wait("the playback", lambda: home.state["playing"]["state"] == "playing")
    home.post("/api/seek", seconds=47)
    return f"library/{server}/{known['Images']['id']}"


def open_companion(home, browser, scheme, device):
    """The companion page of a registered phone, with another one in the room."""
    wait("the beacon", lambda: home.get("/api/companion")["beacon"])
    other = home.post("/api/companion/register", name="Ben’s phone")
    # The token of the phone, not of the party lock.
    home._api.post("companion/enter", {"token": other["token"]})
    page = browser.open("/companion", scheme=scheme, ready="sw-companion .speaker-name:not(:empty)", **device)
    page.get_by_label("Name of this phone").fill("Ada’s phone")
    page.get_by_role("button", name="Register").click()
    page.locator(".phone").nth(1).wait_for()
    return page


def set_equalizer(home):
    """The correction of a room, as two presets."""
    bands = [
        {"kind": "low_shelf", "frequency": 90, "gain": 3.5, "q": 0.7},
        {"kind": "peak", "frequency": 47, "gain": -7.5, "q": 4},
        {"kind": "peak", "frequency": 230, "gain": -4, "q": 2.2, "channel": "left"},
        {"kind": "high_shelf", "frequency": 7000, "gain": 2, "q": 0.7},
    ]
    home.post("/api/equalizer", on=True, bands=bands[::3])
    home.post("/api/equalizer/save", name="Late night")
    home.post("/api/equalizer", bands=bands)
    home.post("/api/equalizer/save", name="Room")


def show_stations(home, page):
    """Saved stations, and others by name."""
    if not home.state["presets"]["items"]:
        for number in (0, 3):
            home.post("/api/presets/add", title=STATIONS[number][0], uri=f"http://{NEIGHBOUR}:8200/{number}")
    field = page.get_by_role("searchbox")
    field.fill("tag:classical")
    field.press("Enter")
    page.get_by_text(STATIONS[-1][0]).first.wait_for()


def play_in_kitchen(home, album):
    """Plays an album on the other speaker."""
    kitchen = wait("the kitchen", lambda: next(iter(home.get("/api/speakers")["speakers"]), None))
    _, server, container = album.split("/", 2)
    home.post("/api/library/play", server=server, container=container, where="replace", to=kitchen["id"])
    home.post("/api/speakers/volume", id=kitchen["id"], level=45)


def main():
    target = pathlib.Path(sys.argv[1]).resolve()
    target.mkdir(parents=True, exist_ok=True)
    only = sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        home = SpeakerAtHome(pathlib.Path(folder), more=("--beacon", "true", "--radio-directory", f"http://{NEIGHBOUR}:{DIRECTORY}"))
        browser = Browser(home.there, home.folder)
        processes = []
        stations = [
            station(number, name, f"http://{NEIGHBOUR}/{number}", tags=tags, country=country)
            for number, (name, tags, country) in enumerate(STATIONS)
        ]
        directory = DirectoryServer(stations, (NEIGHBOUR, DIRECTORY), do=home.there.do)
        try:
            make_music(home.folder / "music", browser)
            processes.append(serve_albums(home.there, home.folder, home.folder / "music"))
            kitchen = ("--config", "/dev/null", "--status-socket", f"{folder}/kitchen-status", "--interface", "eth0")
            processes.append(NetworkedRenderer(home.there, home.folder / "kitchen", name="Kitchen", more=kitchen))
            album = play_albums(home, browser.open())
            for name, (view, device, scheme) in PICTURES.items():
                if only and name not in only:
                    continue
                if view == "companion":
                    page = open_companion(home, browser, scheme, device)
                else:
                    if view == "equalizer":
                        set_equalizer(home)
                    page = browser.open("/", scheme=scheme, **device)
                    go(page, album if view == "album" else view)
                    if view == "radio":
                        show_stations(home, page)
                    if view == "speakers":
                        play_in_kitchen(home, album)
                    if view == "library":
                        page.locator(".shelf img").nth(8).wait_for()
                page.wait_for_timeout(1500)
                page.screenshot(path=target / f"{name}.png")
                page.context.close()
        finally:
            directory.close()
            for process in processes:
                process.stop()
            browser.close()
            home.close()


if __name__ == "__main__":
    main()
