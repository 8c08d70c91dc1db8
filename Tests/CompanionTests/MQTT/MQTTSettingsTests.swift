import Testing

@testable import Companion

@Suite struct MQTTSettingsTests {
  @Test(arguments: [
    ("mqtt://broker", "mqtt://broker:1883"), ("mqtts://broker", "mqtts://broker:8883"),
    ("MQTT://192.0.2.1:1884/", "mqtt://192.0.2.1:1884"), ("mqtts://[2001:db8::1]:8884", "mqtts://[2001:db8::1]:8884"),
    ("mqtt://[fe80::1%eth0]", "mqtt://[fe80::1%eth0]:1883"), ("mqtt://my_broker.local", "mqtt://my_broker.local:1883"),
  ])
  func readsAddresses(text: String, description: String) {
    #expect(BrokerAddress(text)?.description == description)
  }

  @Test(arguments: [
    "broker", "http://broker", "mqtt://", "mqtt://:1883", "mqtt://broker:", "mqtt://broker:0", "mqtt://broker:65536",
    "mqtt://broker:+80", "mqtt://broker/topic", "mqtt://user:secret@broker", "mqtt://2001:db8::1", "mqtt://[broker]",
    "mqtt://[2001:db8::1]1883", "mqtt://[2001:db8::1", "mqtt://a b", "mqtt://" + String(repeating: "a", count: 254),
  ])
  func refusesOtherTexts(text: String) {
    #expect(BrokerAddress(text) == nil)
  }

  @Test(arguments: [
    ("swiftlet", true), ("home/kitchen/speaker", true), ("Küche", true), ("", false), ("/home", false),
    ("home/", false),
    ("home//speaker", false), ("home/+/speaker", false), ("home/#", false), ("a\0b", false), ("a\nb", false),
    ("$SYS/broker", false), (String(repeating: "a", count: 201), false),
  ])
  func checksPrefixes(text: String, isPrefix: Bool) {
    #expect(MQTTTopic.isPrefix(text) == isPrefix)
  }
}
