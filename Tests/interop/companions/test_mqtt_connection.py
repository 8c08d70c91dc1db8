"""MQTT: brokers that crash, refuse the connection or have a wrong certificate; and the configuration."""

import os
import signal
import subprocess

import pytest

from broker import PREFIX, certificates, free_port
from fake_broker import RefusingServer
from processes import PATIENCE, SWIFTLET, wait_until


def connections(broker):
    return sum("New client connected" in line and "swiftlet-" in line for line in broker.err)


# Connection


def test_a_broker_that_is_killed_is_found_again(mqtt_pair, mqtt_client, run_broker):
    broker, listener, renderer = mqtt_pair
    broker.stop(signal.SIGKILL)
    renderer.wait_for_log("MQTT: The connection to the broker is lost")
    listener.close()
    again = run_broker(port=broker.port)
    later = mqtt_client(again.port)
    # The broker has no persistence, so the speaker publishes everything again.
    later.wait(f"{PREFIX}/availability", "online", 60)
    later.wait(f"{PREFIX}/volume", "100")
    later.publish(f"{PREFIX}/set/volume", "21")
    later.wait(f"{PREFIX}/volume", "21")
    later.close()
    assert sum("MQTT: The connection" in line for line in renderer.err) == 1


def test_a_missing_broker_is_logged_once_and_found_later(speak_mqtt, run_broker, mqtt_client):
    port = free_port()
    renderer = speak_mqtt(port)
    renderer.wait_for_log("MQTT: The broker cannot be reached: Connection refused")
    refusing = RefusingServer(port)
    wait_until(lambda: refusing.attempts >= 3, 60)
    refusing.close()
    run_broker(port=port)
    mqtt_client(port).wait(f"{PREFIX}/availability", "online", 60)
    for problem in ("The broker cannot be reached", "The connection to the broker is lost"):
        assert sum(f"MQTT: {problem}" in line for line in renderer.err) == 1


@pytest.mark.keys("mqtt.user", "mqtt.password_file")
def test_user_and_password(open_folder, run_broker, mqtt_client, speak_mqtt):
    passwords = open_folder / "passwords"
    passwords.touch()
    subprocess.run(["mosquitto_passwd", "-b", passwords, "speaker", "right"], check=True, capture_output=True)
    passwords.chmod(0o644)
    broker = run_broker([f"password_file {passwords}"])
    secret = open_folder / "password"
    secret.write_text("wrong\n")
    renderer = speak_mqtt(broker.port, 'mqtt.user = "speaker"', f'mqtt.password_file = "{secret}"')
    renderer.wait_for_log("MQTT: The broker refuses the user or the password.|MQTT: .* the user may not connect")
    listener = mqtt_client(broker.port, user=("speaker", "right"))
    # The file is read for every attempt.
    secret.write_text("right\n")
    listener.wait(f"{PREFIX}/availability", "online")
    assert not any("right" in line or "wrong" in line for line in renderer.err if "MQTT" in line)


@pytest.mark.keys("mqtt.ca_file")
def test_tls_with_an_authority_of_ones_own(open_folder, run_broker, mqtt_client, speak_mqtt):
    good, other = certificates(open_folder / "good"), certificates(open_folder / "other")
    broker = run_broker(certificates=good)
    listener = mqtt_client(broker.port, ca=str(good / "ca.pem"))
    authority = open_folder / "ca.pem"
    authority.write_text((other / "ca.pem").read_text())
    renderer = speak_mqtt(broker.port, f'mqtt.ca_file = "{authority}"', scheme="mqtts")
    renderer.wait_for_log("certificate verify failed: the authority of the broker's certificate is not trusted")
    assert listener.value(f"{PREFIX}/availability") is None
    authority.write_text((good / "ca.pem").read_text())
    listener.wait(f"{PREFIX}/availability", "online")
    # Several TLS records arrive at once.
    for step in range(40):
        listener.client.publish(f"{PREFIX}/set/volume", str(step), qos=1)
    listener.wait(f"{PREFIX}/volume", "39")


def test_tls_checks_the_name_of_the_broker(open_folder, run_broker, speak_mqtt):
    names = certificates(open_folder / "names", name="broker.example.org")
    broker = run_broker(certificates=names)
    renderer = speak_mqtt(broker.port, f'mqtt.ca_file = "{names / "ca.pem"}"', scheme="mqtts")
    renderer.wait_for_log("certificate verify failed: the broker's certificate is not for 127.0.0.1")
    assert connections(broker) == 0


def test_tls_without_a_file_trusts_the_system_only(open_folder, run_broker, mqtt_client, speak_mqtt, monkeypatch):
    good = certificates(open_folder / "good")
    broker = run_broker(certificates=good)
    renderer = speak_mqtt(broker.port, scheme="mqtts")
    renderer.wait_for_log("certificate verify failed: the authority of the broker's certificate is not trusted")
    renderer.stop()
    # OpenSSL takes this file for the system's authorities.
    monkeypatch.setenv("SSL_CERT_FILE", str(good / "ca.pem"))
    speak_mqtt(broker.port, scheme="mqtts")
    mqtt_client(broker.port, ca=str(good / "ca.pem")).wait(f"{PREFIX}/availability", "online")


@pytest.fixture
def authority(monkeypatch):
    """Makes a speaker trust the authority in a folder of certificates, and returns the lines of configuration for it."""

    def authority(folder, way):
        if way == "ca_file":
            return [f'mqtt.ca_file = "{folder / "ca.pem"}"']
        if way == "SSL_CERT_FILE":
            monkeypatch.setenv("SSL_CERT_FILE", str(folder / "ca.pem"))
        else:
            # OpenSSL takes this folder for the system's authorities.
            hashed = folder / "hashed"
            hashed.mkdir()
            (hashed / "ca.pem").write_text((folder / "ca.pem").read_text())
            subprocess.run(["openssl", "rehash", hashed], check=True, capture_output=True)
            monkeypatch.setenv("SSL_CERT_DIR", str(hashed))
        return []

    return authority


@pytest.mark.keys("mqtt.client_certificate", "mqtt.client_key")
@pytest.mark.parametrize("way", ["ca_file", "SSL_CERT_DIR", "SSL_CERT_FILE"])
def test_the_speaker_has_a_certificate(open_folder, run_broker, speak_mqtt, authority, way):
    good = certificates(open_folder / "good")
    broker = run_broker(["require_certificate true", "use_identity_as_username true"], certificates=good)
    lines = authority(good, way)
    renderer = speak_mqtt(broker.port, *lines, scheme="mqtts")
    renderer.wait_for_log("MQTT: TLS with the broker fails")
    renderer.stop()
    renderer = speak_mqtt(
        broker.port, *lines, f'mqtt.client_certificate = "{good / "server.pem"}"',
        f'mqtt.client_key = "{good / "server.key"}"', scheme="mqtts",
    )
    renderer.wait_for_log("MQTT: connected")
    assert connections(broker) == 1


def test_a_certificate_does_not_weaken_the_check_of_the_broker(open_folder, run_broker, speak_mqtt, authority):
    good, other = certificates(open_folder / "good"), certificates(open_folder / "other")
    broker = run_broker(certificates=good)
    renderer = speak_mqtt(
        broker.port, *authority(other, "SSL_CERT_DIR"), f'mqtt.client_certificate = "{good / "server.pem"}"',
        f'mqtt.client_key = "{good / "server.key"}"', scheme="mqtts",
    )
    renderer.wait_for_log("certificate verify failed: the authority of the broker's certificate is not trusted")
    assert connections(broker) == 0


def test_forbidden_topics_are_reported(open_folder, run_broker, speak_mqtt):
    rules = open_folder / "acl"
    rules.write_text("topic read nothing\n")
    rules.chmod(0o644)
    broker = run_broker(["allow_anonymous true", f"acl_file {rules}"])
    renderer = speak_mqtt(broker.port)
    renderer.wait_for_log("MQTT: The broker does not allow the speaker to")
    assert connections(broker) == 1


# Configuration


@pytest.mark.keys("mqtt.broker", "mqtt.prefix")
def test_the_default_prefix_is_the_uuid(run_broker, mqtt_client, start):
    broker = run_broker()
    listener = mqtt_client(broker.port)
    renderer = start(more=("--mqtt-broker", f"mqtt://127.0.0.1:{broker.port}"))
    prefix = renderer.wait_for_log(r"MQTT: connected to .*, topics begin with (swiftlet/[0-9a-f-]{36})/").group(1)
    listener.wait(f"{prefix}/availability", "online")


def config(command, path):
    return subprocess.run(
        [SWIFTLET, "config", command, "--config", path], capture_output=True, text=True, timeout=PATIENCE, check=False
    )


@pytest.mark.parametrize(("lines", "message"), [
    (['mqtt.broker = "http://broker"'], "is not mqtt://HOST"),
    (['mqtt.broker = "mqtt://me:geheim@broker"'], "use mqtt.user and mqtt.password_file"),
    (['mqtt.broker = "mqtt://broker"', 'mqtt.prefix = "home/#"'], "without + and #"),
    (['mqtt.broker = "mqtt://broker"', 'mqtt.password_file = "/nowhere/password"'], "cannot be read"),
    (['mqtt.broker = "mqtt://broker"', 'mqtt.ca_file = "/etc/hostname"'], "has no effect without TLS"),
    (['mqtt.broker = "mqtts://broker"', 'mqtt.client_key = "/etc/hostname"'], "A certificate needs its key"),
    (["mqtt.home_assistant = true"], "no effect without mqtt.broker"),
])
def test_config_check_names_mistakes(open_folder, lines, message):
    path = open_folder / "swiftlet.toml"
    path.write_text("\n".join(lines))
    answer = config("check", path)
    assert answer.returncode == 78
    assert message in answer.stderr
    assert "geheim" not in answer.stdout + answer.stderr


def test_a_missing_library_is_named(start, open_folder):
    """Simulates a machine without the package: the loader finds an empty file first."""
    (open_folder / "libmosquitto.so.1").touch()
    renderer = start(
        more=("--mqtt-broker", "mqtt://127.0.0.1"), before=("env", f"LD_LIBRARY_PATH={open_folder}")
    )
    renderer.wait_for_log("MQTT: libmosquitto is missing .*apt install libmosquitto1")
    assert renderer.port


def test_off_means_off(start):
    renderer = start()
    assert renderer.port
    process = f"/proc/{renderer.process.pid}"
    threads = [open(f"{process}/task/{task}/comm", encoding="ascii").read().strip() for task in os.listdir(f"{process}/task")]
    assert "companion" not in threads and "state" in threads
    with open(f"{process}/maps", encoding="ascii") as maps:
        assert "mosquitto" not in maps.read()
