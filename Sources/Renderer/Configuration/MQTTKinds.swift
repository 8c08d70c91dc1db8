import Companion

extension ConfigurationKind<BrokerAddress> {
  static var broker: Self {
    Self(
      "the address of a broker",
      read: { node throws(ValueProblem) in
        let text: String
        switch node.value {
        case .text(let value), .plain(let value): text = value
        default: throw ValueProblem("\(node.value.quoted) is not the address of a broker.")
        }
        // Do not repeat the text: it may contain a password.
        guard !text.utf8.contains(UInt8(ascii: "@")) else {
          throw ValueProblem("The address contains a user: use mqtt.user and mqtt.password_file instead.")
        }
        guard let address = BrokerAddress(text) else {
          throw ValueProblem("\(node.value.quoted) is not mqtt://HOST, mqtt://HOST:PORT or mqtts://HOST:PORT.")
        }
        return address
      }, write: { $0.description.tomlText })
  }
}

extension ConfigurationKind<String> {
  static var topicPrefix: Self {
    Self(
      "levels of a topic, such as home/kitchen, without + and #",
      reading: { value in
        switch value {
        case .text(let text), .plain(let text): MQTTTopic.isPrefix(text) ? text : nil
        default: nil
        }
      }, write: { $0.tomlText })
  }
}
