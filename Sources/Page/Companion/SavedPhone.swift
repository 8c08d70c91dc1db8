import CGIO

/// A phone of the companion page over restarts.
package struct SavedPhone: Sendable, Equatable {
  package var id: Int
  package var name: String
  package var key: TokenKey
  /// How long it was not heard of.
  package var idle: Duration

  package init(id: Int, name: String, key: TokenKey, idle: Duration) {
    self.id = id
    self.name = name
    self.key = key
    self.idle = idle
  }
}

/// What the speaker keeps of a phone's token: its SHA-256. Tokens are random, so that a slow hash is not needed.
package struct TokenKey: Sendable, Equatable {
  /// 64 hexadecimal digits.
  package let text: String

  /// nil if it is not such a hash.
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
