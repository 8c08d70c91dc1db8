/// What the action Search looks for (ContentDirectory:1 §2.5.5).
package indirect enum SearchCriteria: Sendable, Hashable {
  /// `*`
  case all
  /// The property has a value with this relation to the text. False for an object without the property.
  /// - property: such as `dc:title`, `@id` or `upnp:artist@role`.
  case comparison(property: String, Operator, value: String)
  case exists(property: String, Bool)
  case and([SearchCriteria])
  case or([SearchCriteria])

  package enum Operator: String, Sendable, Hashable, CaseIterable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains
    case doesNotContain
    /// Of `upnp:class`: this class or one derived from it.
    case derivedFrom
    /// ContentDirectory:2
    case startsWith
  }

  /// The properties that occur.
  package var properties: Set<String> {
    switch self {
    case .all: []
    case .comparison(let property, _, _), .exists(let property, _): [property]
    case .and(let all), .or(let all): all.reduce(into: []) { $0.formUnion($1.properties) }
    }
  }
}

/// Why search or sort criteria were refused: the description of the faults 708 and 709.
package struct CriteriaError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

extension SearchCriteria {
  /// The properties that other servers have for artists with a role, and control points ask for.
  static let aliases = [
    "upnp:artist[@role=\"AlbumArtist\"]": "upnp:albumArtist", "upnp:artist[@role=\"Composer\"]": "upnp:author",
    "upnp:author[@role=\"Composer\"]": "upnp:author", "upnp:artist[@role=\"Performer\"]": "upnp:artist",
  ]
  /// Limits, so that a short request cannot cause long work.
  private static let maximumBytes = 8192

  /// Parses the argument SearchCriteria.
  ///
  /// More lenient than the grammar: blanks around symbols may be missing, words may have any case, an empty text means all,
  /// and quotation marks may be escaped as in XML once too often.
  /// - Throws: for text outside the grammar or beyond the limits of 8 kB, 256 comparisons and 32 levels.
  package init(_ text: String) throws(CriteriaError) {
    guard text.utf8.count <= Self.maximumBytes else {
      throw CriteriaError("The search criteria are longer than \(Self.maximumBytes) bytes")
    }
    let isEscapedTwice = !text.contains("\"") && text.contains("&quot;")
    var parser = SearchCriteriaParser(isEscapedTwice ? text.replacing("&quot;", with: "\"") : text)
    self = try parser.parse()
  }
}
