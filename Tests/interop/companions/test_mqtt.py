"""MQTT: state and commands, through a real mosquitto."""

import json
import re
import time

import pytest
from async_upnp_client.profiles.dlna import TransportState

from broker import PREFIX
from page_api import Page
from processes import EXIT_LIMIT, wait_until
from test_hooks import LONG, METADATA

# State


async def test_retained_topics_follow_the_speaker(mqtt_pair, mqtt_client, controlling, media):
    broker, listener, renderer = mqtt_pair
    async with controlling(renderer.description_url) as controller:
        await controller.dmr.async_set_transport_uri(media.url(LONG), "", meta_data=METADATA)
        await controller.dmr.async_play()
        await controller.wait_for_state(TransportState.PLAYING)
        listener.wait(f"{PREFIX}/state", "playing")
        listener.wait(f"{PREFIX}/title", "Rock & Roll; $(reboot)")
        await controller.dmr.async_set_volume_level(0.37)
        listener.wait(f"{PREFIX}/volume", "37")
        await controller.dmr.async_mute_volume(True)
        listener.wait(f"{PREFIX}/mute", "on")
    expected = {
        "state": "playing", "source": "upnp", "standby": "off", "volume": "37", "mute": "on", "repeat": "off",
        "shuffle": "off", "title": "Rock & Roll; $(reboot)", "artist": "The Author", "album": "First", "duration": "30",
    }
    # A client that connects later gets the retained messages, in any order.
    later = mqtt_client(broker.port, f"{PREFIX}/#")
    for topic, text in (expected | {"availability": "online"}).items():
        later.wait(f"{PREFIX}/{topic}", text)
    state = json.loads(wait_until(lambda: later.value(f"{PREFIX}/json")))
    assert all(message.retain for message in later.messages)
    assert (state["state"], state["volume"], state["muted"], state["title"]) == (
        "playing", 37, True, "Rock & Roll; $(reboot)"
    )


async def test_a_position_is_published_when_it_jumps(mqtt_pair, controlling, media):
    _, listener, renderer = mqtt_pair
    async with controlling(renderer.description_url) as controller:
        await controller.dmr.async_set_transport_uri(media.url(LONG), "", meta_data=METADATA)
        await controller.dmr.async_play()
        await controller.wait_for_state(TransportState.PLAYING)
        listener.wait(f"{PREFIX}/state", "playing")
    listener.publish(f"{PREFIX}/set/position", "20")
    wait_until(lambda: float(listener.value(f"{PREFIX}/position") or 0) >= 20)
    listener.publish(f"{PREFIX}/command", "pause")
    listener.wait(f"{PREFIX}/state", "paused")
    # Only jumps are published, not the steady advance.
    assert len(listener.of(f"{PREFIX}/position")) < 12


async def test_a_text_that_is_too_long_for_the_broker_removes_the_old_one(
    run_broker, mqtt_client, speak_mqtt, controlling, media
):
    broker = run_broker(["allow_anonymous true", "max_packet_size 1000"])
    listener = mqtt_client(broker.port)
    renderer = speak_mqtt(broker.port)
    async with controlling(renderer.description_url) as controller:
        for title in ("Short", "Long" * 255, "Short again"):
            metadata = METADATA.replace("Rock &amp; Roll; $(reboot)", title)
            assert title in metadata
            await controller.dmr.async_set_transport_uri(media.url(LONG), "", meta_data=metadata)
            await controller.dmr.async_play()
            if len(title) > 1000:
                wait_until(lambda: listener.of(f"{PREFIX}/title")[-1:] == [b""])
                wait_until(lambda: listener.of(f"{PREFIX}/json")[-1:] == [b""])
            else:
                listener.wait(f"{PREFIX}/title", title)
                wait_until(lambda: title in (listener.value(f"{PREFIX}/json") or ""))
    renderer.wait_for_log(f"MQTT: {PREFIX}/(json|title) cannot be published")


def test_a_dragged_slider_is_published_at_most_four_times_a_second(mqtt_pair):
    _, listener, _ = mqtt_pair
    begin = time.monotonic()
    for step in range(60):
        listener.publish(f"{PREFIX}/set/volume", str(step))
        time.sleep(0.01)
    listener.wait(f"{PREFIX}/volume", "59")
    elapsed = time.monotonic() - begin
    # Plus three: the volume before, the first change, which is sent at once, and the last one.
    assert len(listener.of(f"{PREFIX}/volume")) <= elapsed * 4 + 3


def test_a_clean_end_is_announced(mqtt_pair):
    _, listener, renderer = mqtt_pair
    status, seconds = renderer.stop()
    assert status == 0 and seconds < EXIT_LIMIT
    listener.wait(f"{PREFIX}/availability", "offline")


def test_a_killed_speaker_is_announced_by_its_last_will(mqtt_pair, mqtt_client):
    broker, listener, renderer = mqtt_pair
    renderer.process.kill()
    listener.wait(f"{PREFIX}/availability", "offline")
    later = mqtt_client(broker.port, f"{PREFIX}/availability")
    later.wait(f"{PREFIX}/availability", "offline")


# Commands


@pytest.mark.parametrize(("topic", "payload", "seen", "text"), [
    ("command", "volume 40", "volume", "40"),
    ("command", "mute", "mute", "on"),
    ("command", "source radio", "source", "radio"),
    ("command", "standby on", "standby", "on"),
    ("set/volume", "41", "volume", "41"),
    ("set/volume", "-10", "volume", "90"),
    ("set/mute", "ON", "mute", "on"),
    ("set/source", "upnp", "source", "upnp"),
    ("set/standby", "true", "standby", "on"),
    ("set/repeat", "on", "repeat", "on"),
    ("set/shuffle", "1", "shuffle", "on"),
])
def test_commands(mqtt_pair, topic, payload, seen, text):
    _, listener, _ = mqtt_pair
    listener.publish(f"{PREFIX}/{topic}", payload)
    listener.wait(f"{PREFIX}/{seen}", text)


def test_wrong_commands_are_answered_and_logged_once(mqtt_pair):
    _, listener, renderer = mqtt_pair
    for payload, answer in [
        (b"dance", "command: \u201cdance\u201d is not a command."),
        (b"stop\0", "command: The payload is not text."),
        (b"\xff\xfe\xfd", "command: The payload is not text."),
        (b" " * 3000, "command: The payload is longer than 2048 bytes."),
        (b"next", "command: There is nothing to skip to."),
    ]:
        listener.publish(f"{PREFIX}/command", payload)
        listener.wait(f"{PREFIX}/error", answer)
    assert not any(message.retain for message in listener.messages if message.topic == f"{PREFIX}/error")
    listener.publish(f"{PREFIX}/set/volume", "33")
    listener.wait(f"{PREFIX}/volume", "33")
    assert sum(f"MQTT: {PREFIX}/" in line for line in renderer.err) == 1


def resident(renderer):
    """The resident memory of a renderer in MB."""
    with open(f"/proc/{renderer.process.pid}/status", encoding="ascii") as file:
        return int(re.search(r"VmRSS:\s*(\d+)", file.read()).group(1)) / 1024


def test_large_payloads_do_not_reach_the_speaker(mqtt_pair):
    _, listener, renderer = mqtt_pair
    listener.publish(f"{PREFIX}/set/volume", "50")
    listener.wait(f"{PREFIX}/volume", "50")
    before = resident(renderer)
    for _ in range(20):
        listener.publish(f"{PREFIX}/command", b"x" * 1_000_000)
    listener.publish(f"{PREFIX}/set/volume", "34")
    listener.wait(f"{PREFIX}/volume", "34")
    assert listener.of(f"{PREFIX}/error") == []
    assert resident(renderer) - before < 4


def test_a_flood_of_commands_is_limited(mqtt_pair, media):
    _, listener, renderer = mqtt_pair
    for _ in range(1000):
        listener.client.publish(f"{PREFIX}/command", "mute", qos=1)
    listener.wait(f"{PREFIX}/error", "command: There are too many commands at once.")

    def performed():
        listener.publish(f"{PREFIX}/set/volume", "35")
        return listener.value(f"{PREFIX}/volume") == "35"

    wait_until(performed)
    assert renderer.process.poll() is None


def test_a_retained_command_is_stale(run_broker, mqtt_client, speak_mqtt):
    broker = run_broker()
    listener = mqtt_client(broker.port)
    listener.publish(f"{PREFIX}/set/volume", "12", retain=True)
    speak_mqtt(broker.port)
    listener.wait(f"{PREFIX}/availability", "online")
    # Commands are performed in order, so the retained one would take effect before this one.
    listener.publish(f"{PREFIX}/set/mute", "on")
    listener.wait(f"{PREFIX}/mute", "on")
    assert listener.value(f"{PREFIX}/volume") == "100"


@pytest.mark.keys("lock_companions")
@pytest.mark.parametrize("covers", [False, True])
def test_the_party_lock_covers_mqtt_only_if_the_owner_wants_it(run_broker, mqtt_client, speak_mqtt, covers):
    broker = run_broker()
    listener = mqtt_client(broker.port)
    renderer = speak_mqtt(broker.port, f"lock_companions = {str(covers).lower()}")
    listener.wait(f"{PREFIX}/availability", "online")
    Page(renderer).do("lock", {"pin": "1234"})
    listener.publish(f"{PREFIX}/set/volume", "30")
    listener.wait(f"{PREFIX}/volume", "30")
    listener.publish(f"{PREFIX}/set/volume", "40")
    if covers:
        refusal = "The speaker is locked: guests may add music to the end of the queue and lower the volume."
        listener.wait(f"{PREFIX}/error", f"set/volume: {refusal}")
        assert listener.value(f"{PREFIX}/volume") == "30"
    else:
        listener.wait(f"{PREFIX}/volume", "40")


def test_an_announcement_by_mqtt(mqtt_pair, media):
    """An address, and the object of the API; problems go to the error topic."""
    _, listener, renderer = mqtt_pair
    page = Page(renderer)
    listener.publish(f"{PREFIX}/set/announce", media.url(LONG))
    wait_until(lambda: page.state["announcement"]["playing"])
    listener.publish(f"{PREFIX}/set/announce", json.dumps({"uri": media.url(LONG), "seconds": 1, "chime": True}))
    wait_until(lambda: page.state["announcement"]["waiting"] == 1)

    def errors():
        return b"\n".join(listener.of(f"{PREFIX}/error")).decode()

    listener.publish(f"{PREFIX}/set/announce", media.url("missing.wav"))
    wait_until(lambda: "set/announce: There is no such file." in errors())
    listener.publish(f"{PREFIX}/set/announce", '{"uri": 1}')
    wait_until(lambda: "neither an address nor a JSON object" in errors())
    listener.publish(f"{PREFIX}/set/announce", '{"uri": "http://192.0.2.1/a.mp3", "volume": 101}')
    wait_until(lambda: "“volume” must be between 0 and 100." in errors())
