/// The argument Filter: the optional properties that a client wants (ContentDirectory:1 §2.5.6). Required properties are always
/// included.
package struct DIDLFilter: Sendable, Hashable {
  private static let maximumEntries = 256

  private let isAll: Bool
  private var names: Set<String> = []

  /// Parses the argument: `*` for everything, empty for the required properties, or names separated by commas.
  package init(_ text: String) {
    let entries = CSVList.entries(text, limit: Self.maximumEntries).map { String($0.trimmingBlanks) }
    isAll = entries.contains("*")
    guard !isAll else { return }
    for entry in entries where !entry.isEmpty {
      names.insert(entry)
      // An attribute needs its element.
      if let at = entry.firstIndex(of: "@"), at != entry.startIndex { names.insert(String(entry[..<at])) }
    }
  }

  /// Whether to include an element, such as `upnp:album` or `res`.
  package func includes(_ element: String) -> Bool { isAll || names.contains(element) }

  /// Whether to include an optional attribute.
  /// - Parameter element: `item` or `container` for the object itself; clients omit these names (`@childCount`).
  package func includes(_ attribute: String, of element: String) -> Bool {
    if isAll || names.contains("\(element)@\(attribute)") { return true }
    return ["item", "container"].contains(element) && names.contains("@\(attribute)")
  }
}
