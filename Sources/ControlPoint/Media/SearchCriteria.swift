import UPnP

/// The properties that a server can search or sort by: the result of GetSearchCapabilities or GetSortCapabilities.
public struct MediaCapabilities: Sendable, Hashable {
  /// Names such as `dc:title`.
  public var properties: Set<String>

  /// - Parameter text: `*`, or names separated by commas; empty if the server cannot search, or sort (§2.5.18, §2.5.19).
  public init(_ text: String) {
    properties = Set(CSVList.entries(text, limit: 1000).map { String($0.trimmingBlanks) })
    properties.remove("")
  }

  public func contains(_ property: String) -> Bool { properties.contains("*") || properties.contains(property) }
}

/// A search for tracks: each word occurs in the title, an artist or the album.
public struct TrackSearch: Sendable, Hashable {
  /// The words to find, in lower case.
  public let words: [String]

  private static let maximumWords = 8
  private static let properties = ["dc:title", "upnp:artist", "dc:creator", "upnp:album"]

  /// - Parameter text: words after the eighth are ignored.
  public init(_ text: String) {
    self.init(words: text.split { $0.isWhitespace }.prefix(Self.maximumWords).map { $0.lowercased() })
  }

  private init(words: [String]) { self.words = words }

  /// A search for the longest of several words, for servers that refuse more than one, such as gerbera 2.4. Filter its
  /// results with `matches`. Nil for a single word.
  public var longestWord: TrackSearch? {
    guard words.count > 1, let longest = words.max(by: { $0.count < $1.count }) else { return nil }
    return TrackSearch(words: [longest])
  }

  /// The criteria for the action Search (ContentDirectory:1 §2.5.5).
  /// - Returns: nil if the server can search none of the texts.
  public func criteria(_ capabilities: MediaCapabilities) -> String? {
    let properties = Self.properties.filter { capabilities.contains($0) }
    guard !properties.isEmpty, !words.isEmpty else { return nil }
    var terms = words.map { word in
      "(" + properties.map { "\($0) contains \"\(Self.escaped(word))\"" }.joined(separator: " or ") + ")"
    }
    if capabilities.contains("upnp:class") { terms.insert("upnp:class derivedfrom \"object.item.audioItem\"", at: 0) }
    return terms.joined(separator: " and ")
  }

  /// Whether the search finds an object. Also used on servers that cannot search.
  public func matches(_ object: MediaObject) -> Bool {
    guard object.kind == .item, !words.isEmpty else { return false }
    let isAudio =
      object.isDerived(from: "object.item.audioItem")
      || object.resources.contains { MIMEType($0.protocolInfo.mimeType).kind == .audio }
    guard isAudio else { return false }
    let texts = ([object.title, object.creator, object.album].compactMap { $0 } + object.artists.map(\.name))
      .map { $0.lowercased() }
    return words.allSatisfy { word in texts.contains { $0.contains(word) } }
  }

  /// Quotes and backslashes are escaped with a backslash (ContentDirectory:1 §2.5.5.1).
  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    // Scalars, since a quote with a combining mark is another character.
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}
