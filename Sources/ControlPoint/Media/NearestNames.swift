/// The names that resemble a text most, for suggestions after a typing error.
package struct NearestNames: Sendable {
  private static let maximumNames = 3
  /// Number of characters that are compared.
  private static let maximumLength = 64

  private let text: [Character]
  private var best: [(name: String, distance: Int)] = []

  /// - Parameter text: compared without regard to case.
  package init(_ text: String) { self.text = Array(text.lowercased().prefix(Self.maximumLength)) }

  /// The nearest names, at most three, the nearest first.
  package var names: [String] { best.map(\.name) }

  /// The question that suggests names; nil without names.
  package static func question(_ names: [String]) -> String? {
    names.isEmpty ? nil : "Did you mean \(names.map { "\"\($0)\"" }.joined(separator: " or "))?"
  }

  /// Considers a name; ignores it if more than half of its characters differ.
  package mutating func consider(_ name: String) {
    guard !text.isEmpty, !name.isEmpty else { return }
    let distance = distance(Array(name.lowercased().prefix(Self.maximumLength)))
    guard distance <= max(2, text.count / 2), !best.contains(where: { $0.name == name }) else { return }
    best.append((name, distance))
    best.sort { ($0.distance, $0.name) < ($1.distance, $1.name) }
    if best.count > Self.maximumNames { best.removeLast() }
  }

  /// Levenshtein distance.
  private func distance(_ other: [Character]) -> Int {
    var row = Array(0...other.count)
    for (i, character) in text.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, candidate) in other.enumerated() {
        let cost = min(row[j + 1] + 1, row[j] + 1, diagonal + (character == candidate ? 0 : 1))
        diagonal = row[j + 1]
        row[j + 1] = cost
      }
    }
    return row[other.count]
  }
}
