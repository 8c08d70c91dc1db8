/// One key of the argument SortCriteria (ContentDirectory:1 §2.5.7).
package struct SortKey: Sendable, Hashable {
  /// Such as `dc:title` or `res@duration`.
  package var property: String
  package var isDescending: Bool

  package init(_ property: String, isDescending: Bool = false) {
    self.property = property
    self.isDescending = isDescending
  }

  private static let maximumKeys = 16

  /// Parses the argument, such as `+upnp:artist,-dc:date`. Keys without a sign ascend. A repeated property is ignored.
  /// - Parameter properties: those by which the server can sort.
  /// - Returns: empty for the server's own order.
  /// - Throws: for another property, and for more than 16 keys.
  package static func keys(_ text: String, properties: [String]) throws(CriteriaError) -> [SortKey] {
    var keys: [SortKey] = []
    for entry in CSVList.entries(text, limit: maximumKeys + 1) {
      let entry = entry.trimmingBlanks
      if entry.isEmpty { continue }
      let hasSign = entry.hasPrefix("+") || entry.hasPrefix("-")
      let property = String(entry.dropFirst(hasSign ? 1 : 0))
      guard properties.contains(property) else { throw CriteriaError("Cannot sort by \(property.prefix(100))") }
      guard !keys.contains(where: { $0.property == property }) else { continue }
      keys.append(SortKey(property, isDescending: entry.hasPrefix("-")))
    }
    guard keys.count <= maximumKeys else { throw CriteriaError("More than \(maximumKeys) sort keys") }
    return keys
  }
}
