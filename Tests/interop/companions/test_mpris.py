"""MPRIS: playerctl and others control the speaker on a private bus."""

import contextlib
import os
import pathlib
import shutil
import signal

import dbus
import dbus.lowlevel
import pytest

from buses import message_bus
from page_api import Page
from processes import wait_until, wait_until_equal
from test_page_openapi import check_answer

LONG = "noise12-44100-16-2-30s.flac"
SHORT = "noise1-44100-16-2-3s.flac"
NAME = "org.mpris.MediaPlayer2.swiftlet"
PATH = "/org/mpris/MediaPlayer2"
PLAYER = "org.mpris.MediaPlayer2.Player"
POLICY = pathlib.Path(__file__).parents[3] / "packaging/swiftlet-dbus.conf"
METADATA = (
    '<DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="1" parentID="0" restricted="1">'
    "<dc:title>Grüße &amp; \u202e$(reboot)</dc:title><upnp:artist>The Artist</upnp:artist>"
    "<upnp:album>First</upnp:album><upnp:albumArtURI>http://192.0.2.1/cover.jpg</upnp:albumArtURI></item></DIDL-Lite>"
)


@pytest.fixture
def bus(tmp_path):
    with message_bus(tmp_path / "bus") as bus:
        yield bus


@pytest.fixture
def speaker(start, bus):
    """A speaker on the bus."""
    speaker = start(before=bus.before, more=("--mpris", "session"))
    wait_until(lambda: bus.has(NAME))
    return speaker


@pytest.fixture
def playerctl(bus):
    """Runs playerctl and returns what it prints."""
    return lambda *words: bus.output("playerctl", "--player=swiftlet", *words)


@pytest.fixture
def ask(bus):
    """Calls the speaker with dbus-python: an interface, a method, its arguments."""
    with contextlib.closing(bus.connect()) as connection:

        def ask(interface, method, *arguments, signature=None):
            speaker = connection.get_object(NAME, PATH, introspect=False)
            return speaker.get_dbus_method(method, interface)(*arguments, signature=signature)

        yield ask


def reported(speaker):
    """The state of MPRIS in the API."""
    answer = Page(speaker).get("/api/state")
    check_answer("/api/state", "get", answer)
    return answer.json["companion"]["mpris"]


def names(bus, *before):
    """The players that playerctl finds. It lists those of both buses, which are one here."""
    return set(bus.output(*before, "playerctl", "--list-all").splitlines())


@pytest.mark.keys("mpris")
async def test_playerctl_controls_the_speaker(speaker, bus, playerctl, controlling, media):
    assert names(bus) == {"swiftlet"}
    assert playerctl("status") == "Stopped"
    follower = bus.run("playerctl", "--player=swiftlet", "--follow", "metadata", "--format", "{{status}} {{title}}")
    async with controlling(speaker.description_url) as controller:
        await controller.dmr.async_set_transport_uri(media.url(LONG), "", meta_data=METADATA)
        # Play selects the source UPnP AV; before, the playlist is selected.
        await controller.dmr.async_play()
        wait_until_equal(lambda: playerctl("status"), "Playing")
        facts = {
            "xesam:title": "Grüße & \u202e$(reboot)", "xesam:artist": "The Artist", "xesam:album": "First",
            "mpris:artUrl": "http://192.0.2.1/cover.jpg", "xesam:url": media.url(LONG), "mpris:length": "30000000",
        }
        for key, value in facts.items():
            wait_until_equal(lambda key=key: playerctl("metadata", key), value)
        follower.wait_for("Playing Grüße & \u202e\\$\\(reboot\\)")

        playerctl("pause")
        wait_until_equal(lambda: playerctl("status"), "Paused")
        follower.wait_for("Paused Grüße")
        playerctl("position", "12")
        wait_until_equal(lambda: float(playerctl("position")) // 1, 12)
        playerctl("position", "3-")
        wait_until_equal(lambda: float(playerctl("position")) // 1, 9)
        playerctl("play-pause")
        wait_until_equal(lambda: playerctl("status"), "Playing")
        playerctl("pause")
        wait_until_equal(lambda: playerctl("status"), "Paused")
        playerctl("play")
        wait_until_equal(lambda: playerctl("status"), "Playing")
        wait_until(lambda: float(playerctl("position")) > 9.5)

        playerctl("volume", "0.3")
        wait_until_equal(lambda: float(playerctl("volume")), 0.3)
        await controller.dmr.async_set_volume_level(0.7)
        wait_until_equal(lambda: float(playerctl("volume")), 0.7)
        playerctl("stop")
        wait_until_equal(lambda: playerctl("status"), "Stopped")


async def test_the_playlist_is_controlled(speaker, playerctl, media):
    playerctl("open", media.url(LONG))
    wait_until_equal(lambda: playerctl("status"), "Playing")
    playerctl("open", media.url(SHORT))
    wait_until_equal(lambda: playerctl("metadata", "xesam:url"), media.url(SHORT))
    playerctl("previous")
    wait_until_equal(lambda: playerctl("metadata", "xesam:url"), media.url(LONG))
    playerctl("next")
    wait_until_equal(lambda: playerctl("metadata", "xesam:url"), media.url(SHORT))
    playerctl("loop", "Playlist")
    wait_until_equal(lambda: playerctl("loop"), "Playlist")
    playerctl("shuffle", "On")
    wait_until_equal(lambda: playerctl("shuffle"), "On")
    playerctl("loop", "None")
    wait_until_equal(lambda: playerctl("loop"), "None")


def test_the_volume_respects_the_limit(start, bus, playerctl):
    start(before=bus.before, more=("--mpris", "session", "--max-volume", "50"))
    wait_until(lambda: bus.has(NAME))
    playerctl("volume", "0.2")
    wait_until_equal(lambda: float(playerctl("volume")), 0.2)
    playerctl("volume", "0.9")
    wait_until_equal(lambda: float(playerctl("volume")), 0.5)


def test_the_interfaces_are_those_of_the_specification(speaker, ask):
    properties = "org.freedesktop.DBus.Properties"
    root = ask(properties, "GetAll", "org.mpris.MediaPlayer2")
    assert root["Identity"] == "Kitchen"
    assert not root["CanQuit"] and not root["CanRaise"] and not root["HasTrackList"]
    assert root["SupportedUriSchemes"] == ["http", "https"] and "audio/flac" in root["SupportedMimeTypes"]
    signatures = {
        "PlaybackStatus": dbus.String, "LoopStatus": dbus.String, "Rate": dbus.Double, "Shuffle": dbus.Boolean,
        "Metadata": dbus.Dictionary, "Volume": dbus.Double, "Position": dbus.Int64, "MinimumRate": dbus.Double,
        "MaximumRate": dbus.Double, "CanGoNext": dbus.Boolean, "CanGoPrevious": dbus.Boolean, "CanPlay": dbus.Boolean,
        "CanPause": dbus.Boolean, "CanSeek": dbus.Boolean, "CanControl": dbus.Boolean,
    }
    player = ask(properties, "GetAll", PLAYER)
    assert {name: type(value) for name, value in player.items()} == signatures
    assert player["Metadata"] == {"mpris:trackid": "/org/mpris/MediaPlayer2/TrackList/NoTrack"}
    xml = ask("org.freedesktop.DBus.Introspectable", "Introspect")
    for word in [*signatures, "PlayPause", "SetPosition", "OpenUri", "Seeked"]:
        assert f'name="{word}"' in xml


@pytest.mark.parametrize(
    ("interface", "method", "arguments", "error"),
    [
        ("org.mpris.MediaPlayer2", "Quit", [], "NotSupported"),
        (PLAYER, "OpenUri", ["file:///etc/passwd"], "NotSupported"),
        (PLAYER, "OpenUri", [dbus.Int32(1)], "InvalidArgs"),
        (PLAYER, "Missing", [], "UnknownMethod"),
        ("org.freedesktop.DBus.Properties", "Set", [PLAYER, "Volume", "loud"], "InvalidArgs"),
        ("org.freedesktop.DBus.Properties", "Set", [PLAYER, "Volume", float("nan")], "InvalidArgs"),
        ("org.freedesktop.DBus.Properties", "Set", [PLAYER, "LoopStatus", "Track"], "NotSupported"),
        ("org.freedesktop.DBus.Properties", "Set", [PLAYER, "CanSeek", False], "PropertyReadOnly"),
    ],
)
def test_what_is_wrong_is_refused(speaker, ask, interface, method, arguments, error):
    with pytest.raises(dbus.DBusException) as caught:
        ask(interface, method, *arguments, signature="ssv" if method == "Set" else None)
    assert caught.value.get_dbus_name() == f"org.freedesktop.DBus.Error.{error}"


def test_a_jump_is_announced_and_a_stale_track_is_ignored(speaker, bus, playerctl, ask, media):
    playerctl("open", media.url(LONG))
    wait_until_equal(lambda: playerctl("status"), "Playing")
    playerctl("pause")
    wait_until_equal(lambda: playerctl("status"), "Paused")
    monitor = bus.run("dbus-monitor", "--address", bus.address, f"type='signal',interface='{PLAYER}',member='Seeked'")
    monitor.wait_for("NameAcquired")
    track = ask("org.freedesktop.DBus.Properties", "Get", PLAYER, "Metadata")["mpris:trackid"]
    ask(PLAYER, "SetPosition", "/swiftlet/track/999", 20_000_000, signature="ox")
    ask(PLAYER, "SetPosition", track, 99_000_000, signature="ox")
    ask(PLAYER, "SetPosition", track, 15_000_000, signature="ox")
    assert monitor.wait_for(r"int64 (\d+)").group(1).startswith("15")
    wait_until_equal(lambda: float(playerctl("position")) // 1, 15)


def test_too_many_commands_are_refused(speaker, bus, ask):
    def is_refused():
        for _ in range(1000):
            call = dbus.lowlevel.MethodCallMessage(NAME, PATH, PLAYER, "Pause")
            call.set_no_reply(True)
            connection.send_message(call)
        # The speaker answers in order.
        try:
            player.Pause(dbus_interface=PLAYER)
        except dbus.DBusException as error:
            assert "too many commands" in str(error)
            return error.get_dbus_name() == "org.freedesktop.DBus.Error.LimitsExceeded"
        return False

    with contextlib.closing(bus.connect()) as connection:
        player = connection.get_object(NAME, PATH, introspect=False)
        # A busy machine may send them slowly enough.
        wait_until(is_refused)

    def works():
        with contextlib.suppress(dbus.DBusException):
            ask(PLAYER, "Pause")
            return True

    wait_until(works)


def test_a_speaker_takes_over_the_name_of_another(start, bus, tmp_path):
    # On the system bus there is only one name.
    first = start(before=bus.before, more=("--mpris", "system"))
    wait_until(lambda: bus.has(NAME))
    second = start(state=tmp_path / "second", before=bus.before, more=("--mpris", "system"))
    second.wait_for_log(f"Cannot appear as a player on the system bus: The name {NAME} is taken")
    first.stop()
    wait_until_equal(lambda: reported(second), {"bus": "system bus", "name": NAME})
    second.wait_for_log(f"On the system bus as {NAME}")


def test_the_speaker_comes_back_after_the_bus_was_killed(speaker, bus, playerctl):
    connected = {"bus": "session bus", "name": NAME}
    wait_until_equal(lambda: reported(speaker), connected)
    bus.kill()
    speaker.wait_for_log("No connection to the session bus")
    wait_until(lambda: reported(speaker).get("problem", "").startswith("No connection to the session bus"))
    assert "name" not in reported(speaker)
    bus.start()
    wait_until(lambda: bus.has(NAME))
    wait_until_equal(lambda: reported(speaker), connected)
    assert playerctl("status") == "Stopped"
    assert len([line for line in speaker.err if "No connection to the session bus" in line]) == 1


def test_a_reload_renames_the_speaker_and_names_what_waits(start, bus, ask, tmp_path):
    path = tmp_path / "swiftlet.toml"
    path.write_text('name = "Kitchen"\nmpris = "session"\n')
    speaker = start(name=None, before=bus.before, more=("--config", str(path)))
    wait_until(lambda: bus.has(NAME))

    def identity():
        return str(ask("org.freedesktop.DBus.Properties", "Get", "org.mpris.MediaPlayer2", "Identity"))

    assert identity() == "Kitchen"
    path.write_text('name = "Bath"\nmpris = "system"\nsleep = true\nbeacon_power = -70\n')
    speaker.process.send_signal(signal.SIGHUP)
    speaker.wait_for_log(r"In force now: name\. Only after a restart: mpris, sleep, beacon_power\.")
    wait_until_equal(identity, "Bath")
    assert bus.has(NAME)
    assert reported(speaker) == {"bus": "session bus", "name": NAME}


def test_a_second_speaker_gets_a_name_of_its_own(speaker, bus, start, tmp_path):
    second = start(state=tmp_path / "second", before=bus.before, more=("--mpris", "session"))
    second.wait_for_log(f"The name {NAME} is taken")
    wait_until_equal(lambda: names(bus), {"swiftlet", f"swiftlet.instance{second.process.pid}"})


def test_a_speaker_without_a_bus_plays_on(start, tmp_path):
    speaker = start(
        before=("env", f"DBUS_SESSION_BUS_ADDRESS=unix:path={tmp_path}/none"), more=("--mpris", "session"))
    speaker.wait_for_log("No connection to the session bus")
    assert speaker.description_url


@pytest.mark.skipif(not os.environ.get("CI") and os.geteuid() != 0, reason="needs another user")
@pytest.mark.parametrize(("group", "is_allowed"), [("audio", True), ("nogroup", False)])
def test_the_policy_of_the_system_bus(start, tmp_path_factory, group, is_allowed):
    # Like the unit: a user who is in no group but the added one. The user must be able to enter the folder.
    folder = tmp_path_factory.mktemp("system")
    for path in (folder, *folder.parents):
        if path.owner() == "root" and path.name:
            path.chmod(path.stat().st_mode | 0o055)
    with message_bus(folder / "bus", policies=(POLICY,)) as bus:
        bus.socket.chmod(0o666)
        state = folder / "state"
        state.mkdir()
        shutil.chown(state, "nobody", "nogroup")
        user = ("setpriv", "--reuid", "nobody", "--regid", "nogroup", "--groups", group)
        speaker = start(state=state, before=(*user, *bus.before), more=("--mpris", "system"))
        if is_allowed:
            wait_until(lambda: bus.has(NAME))
            assert names(bus, *user[:-1], "nogroup") == {"swiftlet"}
        else:
            speaker.wait_for_log("does not allow the name")
            assert "policy file is missing" in reported(speaker)["problem"]
