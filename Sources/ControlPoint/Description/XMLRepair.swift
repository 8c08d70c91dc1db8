/// Escapes the characters that devices forget to escape, and removes those that XML forbids.
struct XMLRepair {
  private(set) var bytes: [UInt8] = []
  /// One sentence for each repaired mistake.
  private(set) var sentences: [String] = []

  private static let predefined: Set = ["amp", "lt", "gt", "quot", "apos"]

  /// - Returns: nil if there is nothing to repair.
  init?(_ document: [UInt8]) {
    bytes.reserveCapacity(document.count + 64)
    var isEscaped = (ampersand: false, less: false, control: false)
    for (index, byte) in document.enumerated() {
      switch byte {
      case UInt8(ascii: "&") where !Self.beginsEntity(document[(index + 1)...]):
        bytes += "&amp;".utf8
        isEscaped.ampersand = true
      case UInt8(ascii: "<") where !Self.beginsMarkup(document[(index + 1)...]):
        bytes += "&lt;".utf8
        isEscaped.less = true
      case 0..<0x20 where byte != 0x09 && byte != 0x0A && byte != 0x0D:
        isEscaped.control = true
      default: bytes.append(byte)
      }
    }
    if isEscaped.ampersand { sentences.append("An & that begins no entity is not written &amp;.") }
    if isEscaped.less { sentences.append("A < that begins no tag is not written &lt;.") }
    if isEscaped.control { sentences.append("There are control characters.") }
    if sentences.isEmpty { return nil }
  }

  private static func beginsEntity(_ rest: ArraySlice<UInt8>) -> Bool {
    let rest = rest.prefix(10)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return false }
    return rest.first == UInt8(ascii: "#") || predefined.contains(String(decoding: rest[..<end], as: UTF8.self))
  }

  private static func beginsMarkup(_ rest: ArraySlice<UInt8>) -> Bool {
    guard let next = rest.first else { return false }
    return "/!?_:".utf8.contains(next) || next >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next | 0x20)
  }
}
