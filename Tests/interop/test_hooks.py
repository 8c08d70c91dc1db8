"""Commands that the built program runs on what it does."""

import asyncio
import signal
import stat
import subprocess

import pytest
from async_upnp_client.profiles.dlna import TransportState

from processes import PATIENCE

LONG = "noise12-44100-16-2-30s.flac"
METADATA = (
    '<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="1" parentID="0" restricted="1">'
    "<dc:title>Rock &amp; Roll; $(reboot)</dc:title><dc:creator>The Author</dc:creator>"
    "<upnp:album>First</upnp:album></item></DIDL-Lite>"
)


class Hook:
    """A script that writes down what it is told."""

    def __init__(self, folder):
        self.log = folder / "hooks.log"
        self.log.write_text("")
        self.script = folder / "hook"
        #: Something to wait for.
        self.gate = folder / "gate"

    def write(self, first=""):
        self.script.write_text(
            f'#!/bin/sh\n{first}\nline=$(printf "%s|" "$1" "$SWIFTLET_EVENT" "$SWIFTLET_STATE" "$SWIFTLET_VOLUME" '
            '"$SWIFTLET_MUTE" "$SWIFTLET_SOURCE" "$SWIFTLET_TITLE" "$SWIFTLET_ARTIST" "$SWIFTLET_ALBUM" '
            # In one write: two hooks may run at once.
            f'"$SWIFTLET_URI")\nprintf "%s\\n" "$line" >>"{self.log}"\n'
        )
        self.script.chmod(self.script.stat().st_mode | stat.S_IXUSR)

    @property
    def runs(self):
        """The arguments of every run so far, each a list."""
        # What follows the last line break is a line that the script is still writing.
        return [line.split("|")[:-1] for line in self.log.read_text().split("\n")[:-1]]

    def names(self, event):
        return [run for run in self.runs if run[1] == event]


@pytest.fixture
def hook(tmp_path):
    return Hook(tmp_path)


@pytest.fixture
async def hooked(start, hook, controlling, tmp_path):
    """Starts a renderer with the hook on these events; gives it and a controller."""
    controllers = []

    async def begin(*events, first="", timeout=30):
        hook.write(first)
        path = tmp_path / "swiftlet.toml"
        lines = [f'hooks.{event} = ["{hook.script}", "an argument"]' for event in events]
        path.write_text("\n".join([*lines, f"hooks.timeout = {timeout}"]))
        renderer = start(more=("--config", str(path)))
        manager = controlling(renderer.description_url)
        controllers.append(manager)
        return renderer, await manager.__aenter__()

    yield begin
    for manager in controllers:
        await manager.__aexit__(None, None, None)


def test_a_run_counts_once_its_line_is_complete(hook):
    hook.log.write_text("an argument|play|")
    assert hook.runs == hook.names("play") == []
    hook.log.write_text("an argument|play|playing|\nan argument|sto")
    assert hook.runs == [["an argument", "play", "playing"]]


async def until(condition):
    """Waits until it holds, and lets the controller go on meanwhile."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def play(controller, media):
    await controller.dmr.async_set_transport_uri(media.url(LONG), "", meta_data=METADATA)
    await controller.dmr.async_play()
    await controller.wait_for_state(TransportState.PLAYING)


@pytest.mark.keys("hooks.play", "hooks.pause", "hooks.stop", "hooks.track", "hooks.volume")
async def test_what_happens_is_told(hooked, hook, media):
    _, controller = await hooked("play", "pause", "stop", "track", "volume")
    await play(controller, media)
    await until(lambda: hook.names("play") and hook.names("track"))
    (run,) = hook.names("play")
    assert run[0] == "an argument"
    # Told when sound is on its way: an amplifier needs its time.
    assert run[2] in ("buffering", "playing")
    facts = ["100", "0", "upnp", "Rock & Roll; $(reboot)", "The Author", "First", media.url(LONG)]
    assert run[3:] == facts
    assert hook.names("track")[-1][3:] == facts

    await controller.dmr.async_pause()
    await until(lambda: hook.names("pause"))
    await controller.dmr.async_play()
    await until(lambda: len(hook.names("play")) == 2)
    await controller.dmr.async_set_volume_level(0.5)
    await until(lambda: hook.names("volume"))
    assert hook.names("volume")[-1][2:5] == ["playing", "50", "0"]
    await controller.dmr.async_stop()
    await until(lambda: hook.names("stop"))
    assert hook.names("stop")[-1][2] == "stopped"
    assert [len(hook.names(event)) for event in ("play", "pause", "stop", "track")] == [2, 1, 1, 1]


async def test_a_storm_of_changes_is_not_one_of_processes(hooked, hook, media):
    # The first run goes on until all the changes have been made.
    _, controller = await hooked("volume", first=f'while [ ! -e "{hook.gate}" ]; do sleep 0.01; done')
    for volume in range(50):
        await controller.dmr.async_set_volume_level(volume / 100)
    hook.gate.touch()
    await until(lambda: hook.runs and hook.runs[-1][3] == "49")
    assert len(hook.runs) == 2


@pytest.mark.keys("hooks.timeout")
async def test_nothing_waits_for_a_slow_command_which_is_ended(hooked, hook, media):
    renderer, controller = await hooked("play", "track", first="exec sleep 1000", timeout=1)
    await play(controller, media)
    renderer.wait_for_log(f"hooks.play: {hook.script} took too long and was ended")
    await controller.wait_for_position(lambda position: position >= 1)
    assert controller.dmr.transport_state == TransportState.PLAYING
    assert hook.runs == []


async def test_what_goes_wrong_is_told_in_one_line(hooked, hook, media):
    renderer, controller = await hooked("play", first="exit 3")
    await play(controller, media)
    renderer.wait_for_log(f"warning: hooks.play: {hook.script} ended with status 3$")
    hook.script.unlink()
    await controller.dmr.async_stop()
    await controller.dmr.async_play()
    renderer.wait_for_log(f"warning: hooks.play: {hook.script} cannot be started: no such file or directory$")


async def test_a_command_has_none_of_our_files_and_leaves_no_zombie(hooked, hook, media, tmp_path):
    renderer, controller = await hooked("play", first=f'(cd /proc/$$/fd && echo *) >"{tmp_path}/files"')
    await play(controller, media)
    await until(lambda: hook.names("play"))
    # 10 is the shell's own, on its script.
    assert set((tmp_path / "files").read_text().split()) - {"10"} == {"0", "1", "2"}
    children = ["ps", "--ppid", str(renderer.process.pid), "-o", "stat="]
    await until(lambda: subprocess.run(children, capture_output=True, check=False).stdout == b"")


async def test_the_end_of_the_program_stops_what_plays(hooked, hook, media):
    renderer, controller = await hooked("stop", first="sleep 0.3")
    await play(controller, media)
    assert hook.runs == []
    status, seconds = await asyncio.to_thread(renderer.stop)
    assert status == 0
    assert seconds < 3
    assert [run[1:3] for run in hook.runs] == [["stop", "stopped"]]


async def test_the_end_of_the_program_without_sound_runs_nothing(hooked, hook):
    renderer, _ = await hooked("stop", "standby", "volume")
    await asyncio.to_thread(renderer.stop)
    assert hook.runs == []


async def test_hooks_change_while_it_plays(hooked, hook, media, tmp_path):
    renderer, controller = await hooked("play")
    await play(controller, media)
    await until(lambda: hook.names("play"))
    (tmp_path / "swiftlet.toml").write_text(f'hooks.stop = ["{hook.script}"]')
    renderer.process.send_signal(signal.SIGHUP)
    await asyncio.to_thread(renderer.wait_for_log, "In force now: hooks.play, hooks.stop, hooks.timeout")
    await controller.dmr.async_stop()
    await until(lambda: hook.names("stop"))
