import ControlPoint

/// A candidate that the user selects by part of its name, UDN, address or URL.
protocol Selectable {
  /// The names to suggest.
  var names: [String] { get }
  /// The texts to compare with the user's.
  var terms: [String] { get }
  /// Distinguishes it from others with the same name.
  var label: String { get }
}

/// Selects a device or speaker by the text that the user typed.
enum DeviceSelector {
  enum Failure: Error, Hashable {
    case none(nearest: [String])
    case several([String])
  }

  /// - Parameter text: part of a term, in any case.
  /// - Throws: if none or several match. A complete term wins over parts.
  static func select<Candidate: Selectable>(_ text: String, among all: [Candidate]) throws(Failure) -> Candidate {
    let wanted = text.lowercased()
    let exact = all.filter { terms($0).contains(wanted) }
    if exact.count == 1 { return exact[0] }
    let matches = exact.isEmpty ? all.filter { terms($0).contains { $0.contains(wanted) } } : exact
    if matches.count == 1 { return matches[0] }
    if matches.isEmpty { throw .none(nearest: nearest(wanted, among: all)) }
    throw .several(matches.map(\.label).sorted())
  }

  private static func terms(_ candidate: some Selectable) -> [String] { candidate.terms.map { $0.lowercased() } }

  private static func nearest(_ text: String, among all: [some Selectable]) -> [String] {
    var nearest = NearestNames(text)
    for candidate in all { for name in candidate.names { nearest.consider(name) } }
    return nearest.names
  }
}
