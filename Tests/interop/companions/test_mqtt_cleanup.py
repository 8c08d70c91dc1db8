"""MQTT: the speaker removes its former topics from a real mosquitto after the configuration has changed."""

import signal

import pytest

import database
from broker import PREFIX
from page_api import Page
from processes import wait_until, wait_until_equal

NEW = "home/living"


@pytest.fixture
def speak(start, open_folder):
    """Starts a speaker with this prefix and more lines of configuration."""

    def speak(port, prefix, *lines, **options):
        path = open_folder / "swiftlet.toml"
        text = [f'mqtt.broker = "mqtt://127.0.0.1:{port}"', f'mqtt.prefix = "{prefix}"', *lines]
        path.write_text("\n".join(text) + "\n")
        return start(more=("--config", str(path)), **options)

    return speak


@pytest.fixture
def retained(mqtt_client):
    """Reads the retained topics that begin with a text, with a new client."""

    def retained(port, prefix):
        client = mqtt_client(port)
        # The client's own message arrives after all retained ones.
        client.publish("test/end", "")
        wait_until(lambda: client.of("test/end"))
        return {message.topic for message in list(client.messages) if message.retain and message.topic.startswith(prefix)}

    return retained


def test_another_prefix_removes_the_topics_below_the_old_one(run_broker, mqtt_client, speak, retained):
    broker = run_broker()
    listener = mqtt_client(broker.port)
    first = speak(broker.port, PREFIX)
    # The last topic that the speaker publishes.
    listener.wait(f"{PREFIX}/volume", "100")
    listener.publish(f"{PREFIX}-other/state", "foreign", retain=True)
    first.stop()
    assert {f"{PREFIX}/json", f"{PREFIX}/availability"} < retained(broker.port, PREFIX)
    second = speak(broker.port, NEW)
    second.wait_for_log(f"below the former prefix {PREFIX}/ are removed")
    listener.wait(f"{NEW}/availability", "online")
    assert retained(broker.port, PREFIX) == {f"{PREFIX}-other/state"}
    assert f"{NEW}/json" in retained(broker.port, NEW)
    # The next start removes nothing.
    second.stop()
    third = speak(broker.port, NEW)
    wait_until(lambda: listener.of(f"{NEW}/availability") == [b"online", b"offline", b"online"])
    listener.publish(f"{NEW}/set/volume", "10")
    listener.wait(f"{NEW}/volume", "10")
    assert not [line for line in third.err if "former" in line]


def test_a_prefix_is_forgotten_if_the_broker_has_lost_its_topics(run_broker, mqtt_client, speak, tmp_path):
    broker = run_broker()
    listener = mqtt_client(broker.port)
    state = tmp_path / "kitchen"
    first = speak(broker.port, PREFIX, state=state)
    listener.wait(f"{PREFIX}/volume", "100")
    first.stop()
    listener.close()
    broker.stop()
    # Without persistence.
    broker = run_broker(port=broker.port)
    second = speak(broker.port, NEW, state=state)
    broker.wait_for_log(f"swiftlet-.* 0 {PREFIX}/availability")

    wait_until_equal(lambda: database.values(state, "mqtt", "prefix"), [NEW])
    assert not [line for line in second.err if "former" in line]


def test_topics_that_another_speaker_uses_now_stay(run_broker, mqtt_client, speak, retained, tmp_path):
    broker = run_broker()
    listener = mqtt_client(broker.port)
    first = speak(broker.port, PREFIX)
    listener.wait(f"{PREFIX}/volume", "100")
    first.stop()
    listener.wait(f"{PREFIX}/availability", "offline")
    speak(broker.port, PREFIX, state=tmp_path / "another", name="Another")
    listener.wait(f"{PREFIX}/availability", "online")
    before = retained(broker.port, PREFIX)
    speak(broker.port, NEW)
    listener.wait(f"{NEW}/availability", "online")
    listener.publish(f"{NEW}/set/volume", "10")
    listener.wait(f"{NEW}/volume", "10")
    assert retained(broker.port, PREFIX) >= before
    assert listener.value(f"{PREFIX}/availability") == "online"


def test_home_assistant_forgets_the_speaker(run_broker, mqtt_client, speak, retained):
    broker = run_broker()
    listener = mqtt_client(broker.port)
    first = speak(broker.port, PREFIX, "mqtt.home_assistant = true")
    wait_until(lambda: retained(broker.port, "homeassistant/"))
    (topic,) = retained(broker.port, "homeassistant/")
    first.stop()
    second = speak(broker.port, PREFIX)
    wait_until(lambda: listener.value(topic) is None)
    assert not retained(broker.port, "homeassistant/")
    listener.wait(f"{PREFIX}/availability", "online")
    second.stop()
    # The speaker is announced again under the same topic.
    speak(broker.port, PREFIX, "mqtt.home_assistant = true")
    wait_until(lambda: listener.value(topic) is not None)


def test_a_broker_that_does_not_allow_it_is_named_once(run_broker, mqtt_client, speak, retained, open_folder):
    rules = open_folder / "rules"
    rules.write_text("topic readwrite #\n")
    broker = run_broker(("allow_anonymous true", f"acl_file {rules}"))
    listener = mqtt_client(broker.port)
    first = speak(broker.port, PREFIX)
    listener.wait(f"{PREFIX}/volume", "100")
    first.stop()
    rules.write_text(f"topic read #\ntopic readwrite {NEW}/#\ntopic readwrite test/#\n")
    broker.process.send_signal(signal.SIGHUP)
    broker.wait_for_log("Reloading config")
    second = speak(broker.port, NEW)
    second.wait_for_log(f"does not allow the speaker to remove its topics below the former prefix {PREFIX}/")
    assert Page(second).state["companion"]["mqtt"] == {
        "broker": f"127.0.0.1:{broker.port}", "prefix": NEW, "connected": True,
    }
    assert f"{PREFIX}/json" in retained(broker.port, PREFIX)
    second.stop()
    third = speak(broker.port, NEW)
    wait_until(lambda: listener.of(f"{NEW}/availability") == [b"online", b"offline", b"online"])
    assert not [line for line in third.err if "former" in line]
