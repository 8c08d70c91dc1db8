"""The music library of the program: its configuration, its status, and disks that come and go."""

import contextlib
import json
import pathlib
import re
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

import soap
from network import needs_namespaces
from page_api import Page
from processes import PATIENCE, SWIFTLET, wait_until
from subscriber import Subscriber

sys.path.append(str(pathlib.Path(__file__).parents[3] / "Benchmarks"))
import library_files  # noqa: E402


@pytest.fixture
def music(tmp_path):
    folder = tmp_path / "music"
    library_files.make(folder, 14)
    return folder


def library(state):
    """The library in the status of the speaker with this state folder."""
    done = subprocess.run(
        [SWIFTLET, "status", "--config", "/dev/null", "--status-socket", f"{state}/status", "--json"],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False,
    )  # fmt: skip
    return json.loads(done.stdout).get("library") if done.returncode == 0 else None


def wait_for(state, **facts):
    def has_them():
        found = library(state)
        return found is not None and all(found.get(name) == value for name, value in facts.items())

    wait_until(has_them)


@pytest.mark.keys("library.folders")
def test_the_status_shows_the_library(start, music, tmp_path):
    renderer = start(more=("--library-folder", str(music), "--library-folder", f"{tmp_path}/absent"))
    renderer.wait_for_log("The music library has 14 tracks")
    wait_for(tmp_path / "state", tracks=14, albums=2, scanning=False, truncated=False, problem_count=1)
    report = library(tmp_path / "state")
    assert report["problems"] == [f"{tmp_path}/absent: no such file or directory"]
    assert re.match(r"\d{4}-\d\d-\d\dT", report["last_scan"])
    text = subprocess.run(
        [SWIFTLET, "status", "--config", "/dev/null", "--status-socket", f"{tmp_path}/state/status"],
        capture_output=True, text=True, timeout=PATIENCE, check=True,
    ).stdout  # fmt: skip
    assert re.search(r"^Library +14 tracks, 2 albums$", text, re.MULTILINE)
    next(music.rglob("*.flac")).unlink()
    wait_for(tmp_path / "state", tracks=13)


def test_without_folders_the_index_is_removed(start, music, tmp_path):
    renderer = start(more=("--library-folder", str(music)))
    renderer.wait_for_log("The music library has")
    assert renderer.stop()[0] == 0
    assert (tmp_path / "state/library.db").exists()
    renderer = start()
    wait_until(lambda: not (tmp_path / "state/library.db").exists())
    assert library(tmp_path / "state") is None


@pytest.mark.parametrize("folder", ["music", "/", "//", "/srv/../etc"])
def test_a_wrong_folder_is_named(folder, tmp_path):
    path = tmp_path / "swiftlet.toml"
    path.write_text(f'[library]\nfolders = ["{folder}"]\n')
    done = subprocess.run(
        [SWIFTLET, "config", "check", "--config", str(path)], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode != 0
    assert folder in done.stdout + done.stderr


def test_a_reload_applies_other_folders(start, music, tmp_path):
    first, second = sorted(music.iterdir())[0], tmp_path / "second"
    library_files.make(second, 3)
    settings, state = tmp_path / "swiftlet.toml", tmp_path / "state"

    def write(*folders):
        settings.write_text(f"[library]\nfolders = {json.dumps([str(folder) for folder in folders])}\n")

    write(music)
    renderer = start(more=("--config", str(settings)))
    wait_for(state, tracks=14, scanning=False)
    write(second, first)
    renderer.process.send_signal(signal.SIGHUP)
    renderer.wait_for_log(r"In force now: library\.folders\.")
    count = sum(1 for _ in first.rglob("*.flac"))
    wait_for(state, tracks=3 + count, folders=sorted([str(first), str(second)]))
    # Changes are followed in the new folder, and no longer in the old one.
    next(second.rglob("*.flac")).unlink()
    wait_for(state, tracks=2 + count)
    # Switching the library off needs a restart.
    write()
    renderer.process.send_signal(signal.SIGHUP)
    renderer.wait_for_log(r"Only after a restart: library\.folders\.")
    assert library(state)["tracks"] == 2 + count


def test_the_page_shows_the_library_and_scans_it_again(start, music, tmp_path):
    renderer = start(more=("--library-folder", str(music)))
    page = Page(renderer)
    wait_for(tmp_path / "state", tracks=14, scanning=False)
    report = page.get("/api/health").json["library"]
    assert (report["folders"], report["tracks"], report["problems"]) == ([str(music)], 14, [])
    assert page.post("library/rescan").status == 200
    wait_until(lambda: sum("The music library has 14 tracks" in line for line in renderer.err) == 2)


def test_without_a_library_there_is_nothing_to_scan(shared_renderer):
    page = Page(shared_renderer)
    assert "library" not in page.get("/api/health").json
    page.post("library/rescan").problem(404, "library.folders")


@needs_namespaces
def test_the_tracks_of_a_disk_go_and_return_with_it(start, music, tmp_path):
    """In a mount namespace of its own, the speaker gets and loses disks."""
    disk = music / "disk"
    disk.mkdir()
    renderer = start(more=("--library-folder", str(music)), before=("unshare", "--mount", "--propagation", "private"))
    renderer.wait_for_log("The music library has 14 tracks")

    def do(*command):
        subprocess.run(
            ["nsenter", "-t", str(renderer.process.pid), "-m", *command], check=True, timeout=PATIENCE
        )

    script = "import sys; sys.path.append(sys.argv[1]); import library_files; library_files.make(sys.argv[2], 3)"
    state = tmp_path / "state"
    do("mount", "-t", "tmpfs", "first", str(disk))
    do(sys.executable, "-c", script, str(pathlib.Path(library_files.__file__).parent), f"{disk}/a")
    wait_for(state, tracks=17)
    do("umount", str(disk))
    wait_for(state, tracks=14)
    # Another disk at the same place has other files.
    do("mount", "-t", "tmpfs", "second", str(disk))
    do(sys.executable, "-c", script, str(pathlib.Path(library_files.__file__).parent), f"{disk}/b")
    wait_for(state, tracks=17)
    do("umount", str(disk))
    wait_for(state, tracks=14, problem_count=0)


def test_a_kept_index_events_its_update_id(start, music, tmp_path):
    """Regression: after a restart without changes, the first event said 0."""
    first = start(more=("--library-folder", str(music)))
    wait_for(tmp_path / "state", tracks=14, scanning=False)
    first.stop()
    renderer = start(more=("--library-folder", str(music)))
    wait_for(tmp_path / "state", tracks=14, scanning=False)
    directory = soap.services(f"http://127.0.0.1:{renderer.port}/library/description.xml")["ContentDirectory"]
    update = ET.fromstring(soap.call(directory, "GetSystemUpdateID", ())[2]).findtext(".//Id")
    with contextlib.closing(Subscriber()) as subscriber:
        headers = {"CALLBACK": f"<{subscriber.url}>", "NT": "upnp:event", "TIMEOUT": "Second-300"}
        assert soap.request("SUBSCRIBE", directory["eventSubURL"], headers)[0] == 200
        subscriber.wait(lambda events: events)
        assert (subscriber.events[0].values["SystemUpdateID"], int(update) > 0) == (update, True)


def test_a_folder_with_other_rights_is_not_a_second_one(start, music, tmp_path):
    """The system reports such a change without a name."""
    renderer = start(more=("--library-folder", str(music)))
    renderer.wait_for_log("The music library has 14 tracks")
    folder = next(music.rglob("*.flac")).parent
    for each in (music, folder):
        each.chmod(0o755)
    (folder / "new.flac").write_bytes(library_files.flac([("TITLE", "New")]))
    wait_for(tmp_path / "state", tracks=15, albums=2)
