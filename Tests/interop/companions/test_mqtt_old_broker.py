"""MQTT: simulated brokers that support only MQTT 3.1.1, do not answer or acknowledge, or send garbage."""

import pytest

from broker import PREFIX
from fake_broker import FakeBroker
from processes import wait_until


@pytest.mark.parametrize("refusal", [FakeBroker.WRONG_VERSION, b""])
def test_an_old_broker_gets_its_own_version(fake_broker, speak_mqtt, refusal):
    broker = fake_broker(refusal=refusal)
    renderer = speak_mqtt(broker.port)
    renderer.wait_for_log("MQTT: connected")
    assert broker.levels == [5, 4]
    wait_until(lambda: (f"{PREFIX}/availability", "online") in broker.published)
    # MQTT 3.1.1 has no option that suppresses retained messages, so the speaker must ignore them.
    broker.send(f"{PREFIX}/set/volume", b"12", is_retained=True)
    broker.send(f"{PREFIX}/set/volume", b"34")
    wait_until(lambda: (f"{PREFIX}/volume", "34") in broker.published)
    assert (f"{PREFIX}/volume", "12") not in broker.published
    assert any(topic == f"{PREFIX}/error" and "ignores retained commands" in text for topic, text in broker.published)


@pytest.mark.parametrize("answer", [
    b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\xff" * 64, b"\x20\x02\x00\x03", b"\x20\xff\xff\xff\xff\xff", b"\x00" * 64,
])
def test_nonsense_ends_the_connection_only(fake_broker, speak_mqtt, answer):
    broker = fake_broker(answer=answer)
    renderer = speak_mqtt(broker.port)
    renderer.wait_for_log("MQTT: The (connection to the broker is lost|broker refuses)")
    wait_until(lambda: len(broker.levels) >= 3)
    assert sum("MQTT: " in line for line in renderer.err) <= 2
    assert renderer.stop()[0] == 0


def test_a_silent_broker_is_given_up(fake_broker, speak_mqtt):
    broker = fake_broker(answer=b"")
    renderer = speak_mqtt(broker.port)
    # The speaker gives up after the timeout of a ping.
    wait_until(lambda: any("MQTT: The connection to the broker is lost" in line for line in renderer.err), 60)
    wait_until(lambda: len(broker.levels) >= 2)


@pytest.mark.parametrize("version", [4, 5])
def test_a_clean_end_is_announced_by_a_broker_that_does_not_acknowledge(fake_broker, speak_mqtt, version):
    broker = fake_broker(versions=(version,), acknowledges=False)
    renderer = speak_mqtt(broker.port)
    wait_until(lambda: broker.of(f"{PREFIX}/availability") == ["online"])
    # libmosquitto sends twenty messages. It keeps further ones until the broker acknowledges.
    for step in range(10):
        broker.send(f"{PREFIX}/set/volume", str(step).encode())
        wait_until(lambda step=step: len(broker.published) >= 20 or str(step) in broker.of(f"{PREFIX}/volume"))
    assert renderer.stop()[0] == 0
    wait_until(lambda: broker.of(f"{PREFIX}/availability") == ["online", "offline"])
