/// What a person looks for in the directory.
package struct StationQuery: Sendable, Hashable {
  /// Part of the name; empty for any.
  package var words = ""
  /// A name, or a code of two letters.
  package var country: String?
  /// The English name.
  package var language: String?
  /// A genre, for example.
  package var tag: String?

  /// Maximum number of stations in an answer.
  static let limit = 200

  /// Reads `WORDS tag:… country:… language:…`. Each value ends where the next one begins.
  package init(_ text: String) {
    var values: [String: [Substring]] = [:]
    var field = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, Self.fields.contains(parts[0].lowercased()) {
        field = parts[0].lowercased()
        values[field] = parts[1].isEmpty ? [] : [parts[1]]
      } else {
        values[field, default: []].append(word)
      }
    }
    func value(_ field: String) -> String? { values[field].flatMap { $0.isEmpty ? nil : $0.joined(separator: " ") } }
    (words, country, language, tag) = (value("") ?? "", value("country"), value("language"), value("tag"))
  }

  private static let fields: Set = ["country", "language", "tag"]

  package var isEmpty: Bool { self == StationQuery("") }

  /// The path and query of the request: stations that work, those with the most votes first.
  var path: String {
    let code = country.flatMap { CountryCode($0) }
    let values = [
      ("name", words.isEmpty ? nil : words), ("countrycode", code?.text), ("country", code == nil ? country : nil),
      ("language", language), ("tag", tag),
    ]
    let given = values.compactMap { name, value in value.map { "\(name)=\(Self.encoded($0))" } }
    let fixed = ["hidebroken=true", "order=votes", "reverse=true", "limit=\(Self.limit)"]
    return "/json/stations/search?" + (given + fixed).joined(separator: "&")
  }

  /// The query to ask if no name has the words in this order: the longest word alone. Nil for a single word.
  var loosened: StationQuery? {
    let all = words.split(separator: " ")
    guard all.count > 1, let longest = all.max(by: { $0.count < $1.count }) else { return nil }
    var query = self
    query.words = String(longest)
    return query
  }

  /// Whether the name or a tag has each of the words.
  func matches(_ station: Station) -> Bool {
    let texts = ([station.title] + station.tags).map { $0.lowercased() }
    return words.lowercased().split(separator: " ").allSatisfy { word in texts.contains { $0.contains(word) } }
  }

  /// Percent-encodes everything but letters, digits and `-`.
  private static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      let scalar = UnicodeScalar(byte)
      if byte < 0x80,
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || byte == UInt8(ascii: "-")
      {
        result.unicodeScalars.append(scalar)
      } else {
        result += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}

extension [Station] {
  /// The station that a person means by these words: one with exactly that name, otherwise the first.
  package func best(for query: StationQuery) -> Station? {
    first { $0.title.lowercased() == query.words.lowercased() } ?? first
  }
}
