/// Keys that people expect and that do not exist, with what to do instead. Others are matched by their spelling.
enum ConfigurationHints {
  static func hint(for key: String) -> String? { hints[key] }

  private static let broker = "Write it in mqtt.broker: mqtt://HOST:PORT, or mqtts://HOST:PORT for TLS."
  private static let pairing = "Pairing needs no key: `swiftlet pair` and the speaker's page open a window for it."

  private static let hints = [
    "mqtt.host": broker, "mqtt.port": broker, "mqtt.tls": broker,
    "mqtt.password": "Write the password in a file, and its path in mqtt.password_file.",
    "mqtt.username": "Write it in mqtt.user.",
    "pair": pairing, "pairing": pairing,
  ]
}
