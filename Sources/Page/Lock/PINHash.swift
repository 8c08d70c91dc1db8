import CCrypt
import Glibc

/// A PIN as it is stored: a salted hash by libcrypt's yescrypt, which takes much time and memory on purpose (crypt(5)).
package struct PINHash: Sendable, Equatable {
  /// The hash in the notation of crypt(3).
  package let text: String

  /// The cost of a hash: 4 MB of memory, a few milliseconds. A short PIN is protected by the limit of attempts; the hash only
  /// keeps it from being read in a backup.
  private static let cost: UInt = 3
  private static let prefix = "$y$"

  /// Parses a stored hash; nil if the text is not one.
  package init?(text: String) {
    guard text.hasPrefix(Self.prefix), text.utf8.count < 200, text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
    else { return nil }
    self.text = text
  }

  /// Hashes a PIN with a new salt. Takes a few milliseconds, so do not call it on the event loop.
  /// - Returns: nil if libcrypt or the system's randomness fails.
  package init?(of pin: String) {
    var salt = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
    guard crypt_gensalt_rn(Self.prefix, Self.cost, nil, 0, &salt, Int32(salt.count)) != nil,
      let text = Self.crypt(pin, setting: salt)
    else { return nil }
    self.init(text: text)
  }

  /// Whether this is the hash of a PIN. Takes a few milliseconds, so do not call it on the event loop.
  package func matches(_ pin: String) -> Bool {
    guard let other = Self.crypt(pin, setting: Array(text.utf8CString)) else { return false }
    return ConstantTime.isEqual(Array(other.utf8), Array(text.utf8))
  }

  private static func crypt(_ pin: String, setting: [CChar]) -> String? {
    // On the heap, because it is large: it holds all of the library's buffers.
    let data = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)
    defer { data.deallocate() }
    memset(data, 0, MemoryLayout<crypt_data>.size)
    guard let result = crypt_rn(pin, setting, data, Int32(MemoryLayout<crypt_data>.size)) else { return nil }
    return String(cString: result)
  }
}

/// Comparisons whose time does not depend on where two secrets differ.
enum ConstantTime {
  static func isEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    guard first.count == second.count else { return false }
    return zip(first, second).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
