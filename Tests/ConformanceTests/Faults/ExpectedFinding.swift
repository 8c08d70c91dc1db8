import Foundation

/// The expected finding of a check about its fault: a line of `findings.txt`. A failure for any other reason proves
/// nothing.
struct ExpectedFinding {
  /// Both may contain `*` for any text, such as a port.
  private let expected: [Substring]
  private let got: [Substring]

  /// The findings by the ids of the checks: one for each fault of a check.
  static func all() throws -> [String: [ExpectedFinding]] {
    let folder = #filePath.prefix(upTo: #filePath.lastIndex(of: "/") ?? #filePath.endIndex)
    let text = try String(contentsOfFile: "\(folder)/findings.txt", encoding: .utf8)
    let rows = text.split(separator: "\n").map { $0.split(separator: " | ") }.filter { $0.count == 3 }
    return Dictionary(grouping: rows) { String($0[0]) }.mapValues { rows in
      rows.map { ExpectedFinding(expected: parts($0[1]), got: parts($0[2])) }
    }
  }

  /// `(empty)` stands for an empty text.
  private static func parts(_ pattern: Substring) -> [Substring] {
    pattern == "(empty)" ? [""] : pattern.split(separator: "*", omittingEmptySubsequences: false)
  }

  func matches(expected: String, got: String) -> Bool {
    Self.matches(expected, self.expected) && Self.matches(got, self.got)
  }

  private static func matches(_ text: String, _ parts: [Substring]) -> Bool {
    guard parts.count > 1 else { return text == parts[0] }
    guard text.hasPrefix(parts[0]) else { return false }
    var rest = text.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(parts[parts.count - 1])
  }
}
