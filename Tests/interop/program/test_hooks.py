"""Hooks: commands that the program runs on events."""

import asyncio
import signal
import stat
import subprocess

import pytest
from async_upnp_client.profiles.dlna import TransportState

from processes import EXIT_LIMIT, PATIENCE

LONG = "noise12-44100-16-2-30s.flac"
METADATA = (
    '<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="1" parentID="0" restricted="1">'
    "<dc:title>Rock &amp; Roll; $(reboot)</dc:title><dc:creator>The Author</dc:creator>"
    "<upnp:album>First</upnp:album></item></DIDL-Lite>"
)


class Hook:
    """A hook script that logs its arguments and environment."""

    def __init__(self, folder):
        self.log = folder / "hooks.log"
        self.log.write_text("")
        self.script = folder / "hook"
        #: A file that the script may wait for.
        self.gate = folder / "gate"

    def write(self, first=""):
        self.script.write_text(
            f'#!/bin/sh\n{first}\nline=$(printf "%s|" "$1" "$SWIFTLET_EVENT" "$SWIFTLET_STATE" "$SWIFTLET_VOLUME" '
            '"$SWIFTLET_MUTE" "$SWIFTLET_SOURCE" "$SWIFTLET_TITLE" "$SWIFTLET_ARTIST" "$SWIFTLET_ALBUM" '
            # One write per line, because two hooks may run at once.
            f'"$SWIFTLET_URI")\nprintf "%s\\n" "$line" >>"{self.log}"\n'
        )
        self.script.chmod(self.script.stat().st_mode | stat.S_IXUSR)

    @property
    def runs(self):
        """The arguments of every run so far, each a list."""
        # The text after the last line break is still being written.
        return [line.split("|")[:-1] for line in self.log.read_text().split("\n")[:-1]]

    def of(self, event):
        """The runs for one event."""
        return [run for run in self.runs if run[1] == event]


@pytest.fixture
def hook(tmp_path):
    return Hook(tmp_path)


@pytest.fixture
async def hooked(start, hook, controlling, tmp_path):
    """Starts a renderer that runs the hook on these events; returns it and a controller."""
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


def test_incomplete_log_lines_are_ignored(hook):
    hook.log.write_text("an argument|play|")
    assert hook.runs == hook.of("play") == []
    hook.log.write_text("an argument|play|playing|\nan argument|sto")
    assert hook.runs == [["an argument", "play", "playing"]]


async def until(condition):
    """Waits without blocking the controller."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def play(controller, media):
    await controller.dmr.async_set_transport_uri(media.url(LONG), "", meta_data=METADATA)
    await controller.dmr.async_play()
    await controller.wait_for_state(TransportState.PLAYING)


@pytest.mark.keys("hooks.play", "hooks.pause", "hooks.stop", "hooks.track", "hooks.volume")
async def test_hooks_run_with_the_state_as_environment(hooked, hook, media):
    _, controller = await hooked("play", "pause", "stop", "track", "volume")
    await play(controller, media)
    await until(lambda: hook.of("play") and hook.of("track"))
    (run,) = hook.of("play")
    assert run[0] == "an argument"
    # The hook may run before the sound starts, because an amplifier needs time to turn on.
    assert run[2] in ("buffering", "playing")
    facts = ["100", "0", "upnp", "Rock & Roll; $(reboot)", "The Author", "First", media.url(LONG)]
    assert run[3:] == facts
    assert hook.of("track")[-1][3:] == facts

    await controller.dmr.async_pause()
    await until(lambda: hook.of("pause"))
    await controller.dmr.async_play()
    await until(lambda: len(hook.of("play")) == 2)
    await controller.dmr.async_set_volume_level(0.5)
    await until(lambda: hook.of("volume"))
    assert hook.of("volume")[-1][2:5] == ["playing", "50", "0"]
    await controller.dmr.async_stop()
    await until(lambda: hook.of("stop"))
    assert hook.of("stop")[-1][2] == "stopped"
    assert [len(hook.of(event)) for event in ("play", "pause", "stop", "track")] == [2, 1, 1, 1]


async def test_presence_is_not_set_while_it_is_off(hooked, hook, tmp_path):
    variables = tmp_path / "variables"
    _, controller = await hooked("volume", first=f'env >"{variables}"')
    await controller.dmr.async_set_volume_level(0.5)
    await until(lambda: hook.runs)
    names = [line.partition("=")[0] for line in variables.read_text().splitlines()]
    assert "SWIFTLET_VOLUME" in names and "SWIFTLET_PRESENCE" not in names


async def test_fast_volume_changes_are_coalesced(hooked, hook, media):
    # The first run of the hook lasts until all changes have been made.
    _, controller = await hooked("volume", first=f'while [ ! -e "{hook.gate}" ]; do sleep 0.01; done')
    for volume in range(50):
        await controller.dmr.async_set_volume_level(volume / 100)
    hook.gate.touch()
    await until(lambda: hook.runs and hook.runs[-1][3] == "49")
    assert len(hook.runs) == 2


@pytest.mark.keys("hooks.timeout")
async def test_a_slow_hook_is_killed_and_blocks_nothing(hooked, hook, media):
    renderer, controller = await hooked("play", "track", first="exec sleep 1000", timeout=1)
    await play(controller, media)
    renderer.wait_for_log(f"hooks.play: {hook.script} took longer than hooks.timeout, so Swiftlet stopped it")
    await controller.wait_for_position(lambda position: position >= 1)
    assert controller.dmr.transport_state == TransportState.PLAYING
    assert hook.runs == []


async def test_a_failed_hook_is_logged_in_one_line(hooked, hook, media):
    renderer, controller = await hooked("play", first="exit 3")
    await play(controller, media)
    renderer.wait_for_log(f"warning: hooks.play: {hook.script} ended with status 3$")
    hook.script.unlink()
    await controller.dmr.async_stop()
    await controller.dmr.async_play()
    renderer.wait_for_log(f"warning: hooks.play: {hook.script} cannot be started: no such file or directory$")


async def test_a_hook_inherits_no_descriptors_and_is_reaped(hooked, hook, media, tmp_path):
    renderer, controller = await hooked("play", first=f'(cd /proc/$$/fd && echo *) >"{tmp_path}/files"')
    await play(controller, media)
    await until(lambda: hook.of("play"))
    # The shell reads the script through descriptor 10.
    assert set((tmp_path / "files").read_text().split()) - {"10"} == {"0", "1", "2"}
    children = ["ps", "--ppid", str(renderer.process.pid), "-o", "stat="]
    await until(lambda: subprocess.run(children, capture_output=True, check=False).stdout == b"")


async def test_exit_runs_the_stop_hook(hooked, hook, media):
    renderer, controller = await hooked("stop", first="sleep 0.3")
    await play(controller, media)
    assert hook.runs == []
    status, seconds = await asyncio.to_thread(renderer.stop)
    assert status == 0
    assert seconds < EXIT_LIMIT
    assert [run[1:3] for run in hook.runs] == [["stop", "stopped"]]


async def test_exit_while_stopped_runs_no_hook(hooked, hook):
    renderer, _ = await hooked("stop", "standby", "volume")
    await asyncio.to_thread(renderer.stop)
    assert hook.runs == []


async def test_hooks_can_be_reloaded_during_playback(hooked, hook, media, tmp_path):
    renderer, controller = await hooked("play")
    await play(controller, media)
    await until(lambda: hook.of("play"))
    (tmp_path / "swiftlet.toml").write_text(f'hooks.stop = ["{hook.script}"]')
    renderer.process.send_signal(signal.SIGHUP)
    await asyncio.to_thread(renderer.wait_for_log, "In force now: hooks.play, hooks.stop, hooks.timeout")
    await controller.dmr.async_stop()
    await until(lambda: hook.of("stop"))
