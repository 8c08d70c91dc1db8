package struct MQTTSettings: Sendable, Equatable {
  package var broker: BrokerAddress
  /// The first levels of every topic, without a slash at the end; nil for `swiftlet/` and the speaker's UUID.
  package var prefix: String?
  package var user: String?
  /// The path of a file with the password. It is read for every connection, so that the password can change.
  package var passwordFile: String?
  package var authorityFile: String?
  package var certificateFile: String?
  package var keyFile: String?
  /// Whether Home Assistant finds the speaker by itself.
  package var announcesToHomeAssistant = false

  package init(broker: BrokerAddress) { self.broker = broker }
}

/// The address of a broker: `mqtt://host`, `mqtts://host:8883`.
package struct BrokerAddress: Sendable, Hashable, CustomStringConvertible {
  package var isSecure: Bool
  package var host: String
  package var port: Int

  /// Parses an address; nil for anything else, such as an address with a user or a path.
  package init?(_ text: String) {
    guard let separator = text.firstRange(of: "://") else { return nil }
    switch text[..<separator.lowerBound].lowercased() {
    case "mqtt": isSecure = false
    case "mqtts": isSecure = true
    default: return nil
    }
    var rest = text[separator.upperBound...]
    if rest.last == "/" { rest.removeLast() }
    let host: Substring
    var digits: Substring?
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = rest[rest.index(after: rest.startIndex)..<end]
      let after = rest[rest.index(after: end)...]
      guard after.isEmpty || after.first == ":" else { return nil }
      digits = after.isEmpty ? nil : after.dropFirst()
      guard host.utf8.contains(UInt8(ascii: ":")), host.utf8.allSatisfy(Self.isOfAddress) else { return nil }
    } else {
      let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      host = parts.first ?? ""
      digits = parts.count > 1 ? parts[1] : nil
      guard host.utf8.allSatisfy(Self.isOfName) else { return nil }
    }
    guard (1...253).contains(host.utf8.count) else { return nil }
    if let digits {
      guard let port = UInt16(digits), port > 0, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      self.port = Int(port)
    } else {
      port = isSecure ? 8883 : 1883
    }
    self.host = String(host)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
  }

  /// An IPv6 address, perhaps with a zone.
  private static func isOfAddress(_ byte: UInt8) -> Bool {
    isOfName(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "%")
  }

  /// Host and port.
  package var place: String { (host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host) + ":\(port)" }

  package var description: String { (isSecure ? "mqtts" : "mqtt") + "://" + place }
}

/// Rules for topics.
package enum MQTTTopic {
  /// Whether a text can be the beginning of topics: no wildcards, no empty levels, not the broker's own `$…`.
  package static func isPrefix(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count) && text.first != "$"
      && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
      && text.unicodeScalars.allSatisfy { $0 != "+" && $0 != "#" && !$0.properties.isNoncharacterCodePoint }
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
