import CGIO

/// A phone of the companion page, as it is stored.
package struct SavedPhone: Sendable, Equatable {
  package var id: Int
  package var name: String
  package var key: TokenKey
  /// Time since the last contact.
  package var idle: Duration

  package init(id: Int, name: String, key: TokenKey, idle: Duration) {
    self.id = id
    self.name = name
    self.key = key
    self.idle = idle
  }
}

/// The SHA-256 of a phone's token, which is stored instead of it. Tokens are random, so a slow hash is not needed.
package struct TokenKey: Sendable, Equatable {
  /// 64 hexadecimal digits.
  package let text: String

  /// Parses a stored hash; nil if the text is not one.
  package init?(text: String) {
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
    guard text.utf8.count == 64, text.utf8.allSatisfy(isDigit) else { return nil }
    self.text = text
  }

  /// - Returns: nil if there is no memory.
  init?(of token: String) {
    let bytes = Array(token.utf8)
    guard let text = swiftlet_sha256(bytes, gsize(bytes.count)) else { return nil }
    defer { g_free(text) }
    self.init(text: String(cString: text))
  }

  func isSame(as other: TokenKey) -> Bool { ConstantTime.isEqual(Array(text.utf8), Array(other.text.utf8)) }
}
