"""MQTT: discovery by Home Assistant, against a schema from its documentation."""

import json
import re
import signal

import jsonschema
import pytest
from jinja2 import Environment

from broker import PREFIX
from page_api import Page
from processes import wait_until
from test_hooks import LONG

TOPIC = {"type": "string", "pattern": f"^{PREFIX}/[a-z_/]+$"}
TEXT = {"type": "string", "minLength": 1}


def entity(platform, required, **properties):
    """The schema of an entity of a platform, from the platform's page in Home Assistant's documentation."""
    common = {"platform": {"const": platform}, "name": TEXT, "unique_id": TEXT, "icon": {"pattern": "^mdi:[a-z-]+$"}}
    return {
        # An entity with nothing but its platform is removed.
        "if": {"properties": {"platform": {"const": platform}}, "minProperties": 2},
        "then": {
            "properties": common | properties, "required": ["unique_id", "name", *required], "additionalProperties": False,
        },
    }


DISCOVERY = {
    "type": "object",
    "required": ["device", "origin", "components"],
    "additionalProperties": False,
    "properties": {
        "device": {
            "type": "object", "required": ["identifiers", "name"], "additionalProperties": False,
            "properties": {
                "identifiers": {"type": "array", "items": TEXT, "minItems": 1},
                "connections": {
                    "type": "array", "items": {"type": "array", "items": TEXT, "minItems": 2, "maxItems": 2},
                },
                "name": TEXT, "manufacturer": TEXT, "model": TEXT, "sw_version": TEXT,
                "suggested_area": TEXT,
                "configuration_url": {"type": "string", "pattern": "^(https?|homeassistant)://"},
            },
        },
        "origin": {"type": "object", "required": ["name"], "properties": {"name": TEXT, "sw": TEXT}, "additionalProperties": False},
        "availability_topic": TOPIC,
        "qos": {"enum": [0, 1, 2]},
        "components": {
            "type": "object",
            "propertyNames": {"pattern": "^[a-zA-Z0-9_-]+$"},
            "additionalProperties": {
                "type": "object",
                "required": ["platform"],
                "properties": {"platform": {"enum": [
                    "sensor", "number", "switch", "select", "button", "image", "binary_sensor", "event", "notify",
                ]}},
                "allOf": [
                    entity("sensor", ["state_topic"], state_topic=TOPIC, value_template=TEXT,
                           device_class={"enum": ["enum", "duration", "timestamp"]}, unit_of_measurement={"const": "s"},
                           options={"type": "array", "items": TEXT}),
                    entity("number", ["command_topic"], state_topic=TOPIC, command_topic=TOPIC,
                           value_template=TEXT, min={"type": "number"},
                           max={"type": "number"}, step={"type": "number", "minimum": 0.001},
                           mode={"enum": ["auto", "box", "slider"]}, unit_of_measurement=TEXT),
                    entity("switch", ["command_topic"], state_topic=TOPIC, command_topic=TOPIC, payload_on=TEXT,
                           payload_off=TEXT),
                    entity("select", ["command_topic", "options"], state_topic=TOPIC, command_topic=TOPIC,
                           value_template=TEXT, command_template=TEXT,
                           options={"type": "array", "items": TEXT, "minItems": 1}),
                    entity("button", ["command_topic"], command_topic=TOPIC, payload_press=TEXT),
                    entity("binary_sensor", ["state_topic"], state_topic=TOPIC, value_template=TEXT,
                           device_class={"const": "presence"}, payload_on=TEXT, payload_off=TEXT),
                    entity("event", ["state_topic", "event_types"], state_topic=TOPIC, value_template=TEXT,
                           device_class={"const": "button"}, event_types={"type": "array", "items": TEXT}),
                    entity("notify", ["command_topic"], command_topic=TOPIC),
                    entity("image", ["url_topic"], url_topic=TOPIC, url_template=TEXT),
                ],
            },
        },
    },
}


@pytest.mark.keys("mqtt.home_assistant")
def test_home_assistant_finds_the_speaker(run_broker, mqtt_client, speak_mqtt):
    broker = run_broker()
    listener = mqtt_client(broker.port)
    renderer = speak_mqtt(broker.port, "mqtt.home_assistant = true")

    def topics():
        return [message.topic for message in list(listener.messages) if message.topic.startswith("homeassistant/")]

    wait_until(topics)
    topic = topics()[0]
    assert re.fullmatch(r"homeassistant/device/swiftlet_[0-9a-f]{32}/config", topic)
    # The address of the page is known once a network is in use.
    wait_until(lambda: b"configuration_url" in listener.of(topic)[-1])
    message = mqtt_client(broker.port, topic)
    wait_until(lambda: message.messages)
    assert message.messages[0].retain
    document = json.loads(message.messages[0].payload)
    jsonschema.validate(document, DISCOVERY)
    assert document["device"]["name"] == "Kitchen"
    assert document["device"]["configuration_url"] == f"http://127.0.0.1:{renderer.port}/"
    components = document["components"]
    # Without presets and pins, those entities are removed.
    assert components.pop("preset") == {"platform": "select"}
    assert [components.pop(f"pin_{number}") for number in range(1, 7)] == [{"platform": "button"}] * 6
    assert len({component["unique_id"] for component in components.values()}) == len(components) == 28
    # Every entity works as Home Assistant would use it.
    wait_until(lambda: listener.value(document["availability_topic"]) == "online")
    for name, component in components.items():
        empty = ("title", "artist", "album", "failure", "skipped", "duration", "alarm_next", "alarm_missed")
        if "state_topic" in component and name not in empty:
            assert listener.value(component["state_topic"]) is not None, name
        if component["platform"] == "sensor" and "options" in component:
            assert listener.value(component["state_topic"]) in component["options"]
    listener.publish(components["volume"]["command_topic"], "44")
    listener.wait(components["volume"]["state_topic"], "44")
    for name in ("mute", "repeat", "shuffle", "standby"):
        listener.publish(components[name]["command_topic"], components[name]["payload_on"])
        listener.wait(components[name]["state_topic"], components[name]["payload_on"])
    listener.publish(components["sleep"]["command_topic"], "30")
    listener.wait(components["sleep"]["state_topic"], "30")
    listener.publish(components["sleep"]["command_topic"], "0")
    listener.wait(components["sleep"]["state_topic"], "off")
    assert components["alarm"]["options"] == ["off", "waiting", "ringing", "snoozed"]
    listener.wait(components["alarm"]["state_topic"], "off")
    for option in components["source"]["options"]:
        listener.publish(components["source"]["command_topic"], option)
        listener.wait(components["source"]["state_topic"], option)
    for option in components["equalizer"]["options"]:
        listener.publish(components["equalizer"]["command_topic"], option)
        listener.wait(components["equalizer"]["state_topic"], option)
    # The message of a notification.
    listener.publish(components["announce"]["command_topic"], "http://127.0.0.1:1/a.mp3")
    wait_until(lambda: b"refuses connections" in b"".join(listener.of(f"{PREFIX}/error")))
    for name in ("toggle", "next", "previous", "stop", "snooze", "dismiss"):
        errors = len(listener.of(f"{PREFIX}/error"))
        listener.publish(components[name]["command_topic"], components[name]["payload_press"])
        # An error proves that the command arrived: there is nothing to play.
        if name != "stop":
            wait_until(lambda: len(listener.of(f"{PREFIX}/error")) > errors)
    assert not any("is not a command" in text.decode() for text in listener.of(f"{PREFIX}/error"))
    # Home Assistant's birth message makes the speaker announce itself again.
    count = len(listener.of(topic))
    listener.publish("homeassistant/status", "online")
    wait_until(lambda: len(listener.of(topic)) > count)
    assert listener.of(topic)[-1] == message.messages[0].payload


def test_presets_and_pins_are_entities(run_broker, mqtt_client, speak_mqtt, media):
    broker = run_broker()
    listener = mqtt_client(broker.port)
    presets = ", ".join(
        f'{{ title = "{title}", uri = "{media.url(LONG)}?{number}" }}' for number, title in enumerate(("News", "Jazz & Soul", "Jazz"))
    )
    renderer = speak_mqtt(broker.port, "mqtt.home_assistant = true", f"presets = [{presets}]")

    def components():
        documents = [message for message in list(listener.messages) if message.topic.endswith("/config")]
        return json.loads(documents[-1].payload)["components"] if documents else {}

    wait_until(lambda: "options" in components().get("preset", {}))
    choice = components()["preset"]
    assert choice["options"] == ["1 News", "2 Jazz & Soul", "3 Jazz"]
    listener.wait(f"{PREFIX}/presets", '[{"number":1,"title":"News"},{"number":2,"title":"Jazz & Soul"},'
                  '{"number":3,"title":"Jazz"}]')

    def render(template, **values):
        return Environment().from_string(template).render(**values)

    def shown():
        return render(choice["value_template"], value_json=json.loads(listener.value(choice["state_topic"])))

    assert shown() == "None"
    # As Home Assistant selects an option and learns the selected one.
    command = render(choice["command_template"], value="2 Jazz & Soul")
    listener.publish(choice["command_topic"], command)
    wait_until(lambda: shown() == "2 Jazz & Soul")
    listener.wait(f"{PREFIX}/preset", "2")
    listener.publish(f"{PREFIX}/set/source", "playlist")
    wait_until(lambda: shown() == "None")
    Page(renderer).do("pins/set", {"index": 2, "what": "station", "uri": media.url(LONG), "title": "Morning"})
    wait_until(lambda: "command_topic" in components()["pin_3"])
    pin = components()["pin_3"]
    assert pin["name"] == "Pin 3 Morning"
    listener.wait(f"{PREFIX}/pins", '[{"number":3,"title":"Morning"}]')
    listener.publish(pin["command_topic"], pin["payload_press"])
    listener.wait(f"{PREFIX}/source", "radio")


def test_the_volume_disappears_when_it_becomes_fixed(run_broker, mqtt_client, speak_mqtt):
    broker = run_broker()
    listener = mqtt_client(broker.port, "homeassistant/device/#")

    def volume():
        documents = [json.loads(message.payload) for message in list(listener.messages) if message.payload]
        for document in documents:
            jsonschema.validate(document, DISCOVERY)
        return documents[-1]["components"].get("volume") if documents else None

    renderer = speak_mqtt(broker.port, "mqtt.home_assistant = true")
    wait_until(lambda: "command_topic" in (volume() or {}))
    renderer.stop()
    speak_mqtt(broker.port, "mqtt.home_assistant = true", "fixed_volume = true")
    wait_until(lambda: volume() == {"platform": "number"}, explain=volume)


def test_another_name_is_announced_after_a_reload(run_broker, mqtt_client, speak_mqtt, open_folder):
    broker = run_broker()
    listener = mqtt_client(broker.port, "homeassistant/device/#")
    renderer = speak_mqtt(broker.port, "mqtt.home_assistant = true", 'name = "Kitchen"', name=None)

    def names():
        return [json.loads(message.payload)["device"]["name"] for message in list(listener.messages)]

    wait_until(lambda: "Kitchen" in names())
    path = open_folder / "swiftlet.toml"
    path.write_text(path.read_text().replace('"Kitchen"', '"Bath"').replace(PREFIX, "elsewhere"))
    renderer.process.send_signal(signal.SIGHUP)
    renderer.wait_for_log(r"In force now: name\. Only after a restart: mqtt\.prefix\.")
    wait_until(lambda: names()[-1] == "Bath")
    assert PREFIX in listener.messages[-1].payload.decode()


def test_nothing_is_sent_to_home_assistant_by_default(mqtt_pair):
    _, listener, _ = mqtt_pair
    listener.publish(f"{PREFIX}/set/volume", "10")
    listener.wait(f"{PREFIX}/volume", "10")
    assert not any(message.topic.startswith("homeassistant/") for message in listener.messages)
