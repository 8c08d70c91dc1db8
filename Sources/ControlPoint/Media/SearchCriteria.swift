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

/// A search for tracks, albums or artists: each word occurs in the title, an artist or, for a track, the album. Case, accents and
/// ligatures do not matter. Without words, a search finds all albums or all artists.
public struct MediaSearch: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable, Decodable {
    case track, album, artist

    fileprivate var objectClass: String {
      switch self {
      case .track: "object.item.audioItem"
      case .album: "object.container.album.musicAlbum"
      case .artist: "object.container.person"
      }
    }

    fileprivate var properties: [String] {
      switch self {
      case .track: ["dc:title", "upnp:artist", "dc:creator", "upnp:album"]
      case .album: ["dc:title", "upnp:artist", "dc:creator"]
      case .artist: ["dc:title"]
      }
    }
  }

  /// How many spellings of a word the criteria have.
  public enum Breadth: Sendable {
    /// The word as it was typed. Enough for servers that ignore case and accents, and accepted by more of them.
    case typed
    /// Also with capital letters, and with other accents, for servers that distinguish them.
    case spellings
  }

  public let kind: Kind
  /// The words to find, in lower case.
  public let words: [String]

  private static let maximumWords = 8
  /// MiniDLNA refuses criteria that are not much longer.
  private static let maximumCriteria = 1400

  /// - Parameter text: words after the eighth are ignored.
  public init(_ text: String, for kind: Kind = .track) {
    self.init(words: text.split { $0.isWhitespace }.prefix(Self.maximumWords).map { $0.lowercased() }, kind)
  }

  private init(words: [String], _ kind: Kind) {
    self.words = words
    self.kind = kind
  }

  /// A search for the longest of several words, for servers that refuse more than one, such as gerbera 2.4. Filter its
  /// results with `matches`. Nil for a single word.
  public var longestWord: MediaSearch? {
    guard words.count > 1, let longest = words.max(by: { $0.count < $1.count }) else { return nil }
    return MediaSearch(words: [longest], kind)
  }

  /// The criteria for the action Search (ContentDirectory:1 §2.5.5).
  /// - Returns: nil if the server can search none of the texts, or cannot tell albums and artists from tracks.
  public func criteria(_ capabilities: MediaCapabilities, _ breadth: Breadth = .typed) -> String? {
    var properties = kind.properties.filter { capabilities.contains($0) }
    let hasClass = capabilities.contains("upnp:class")
    if words.isEmpty { return hasClass && kind != .track ? Self.isDerived(from: kind) : nil }
    guard !properties.isEmpty, hasClass || kind == .track else { return nil }
    // A track's creator is its artist. This leaves more room for spellings.
    if breadth == .spellings, properties.contains("upnp:artist") { properties.removeAll { $0 == "dc:creator" } }
    var terms = hasClass ? [Self.isDerived(from: kind)] : []
    let room = Self.maximumCriteria / words.count
    for word in words {
      var comparisons: [String] = []
      var length = 0
      for spelling in breadth == .typed ? [word] : FoldedText.spellings(of: word, limit: 40) {
        let next = properties.map { "\($0) contains \"\(Self.escaped(spelling))\"" }
        length += next.reduce(0) { $0 + $1.utf8.count + 4 }
        guard comparisons.isEmpty || length <= room else { break }
        comparisons += next
      }
      terms.append("(" + comparisons.joined(separator: " or ") + ")")
    }
    return terms.joined(separator: " and ")
  }

  private static func isDerived(from kind: Kind) -> String { "upnp:class derivedfrom \"\(kind.objectClass)\"" }

  /// Whether the search finds an object. Also used on servers that cannot search.
  public func matches(_ object: MediaObject) -> Bool {
    guard isWanted(object), !words.isEmpty else { return false }
    let texts = ([object.title, object.creator, object.album].compactMap { $0 } + object.artists.map(\.name))
      .map { FoldedText.folded($0) }
    return words.map { FoldedText.folded($0) }.allSatisfy { word in texts.contains { $0.contains(word) } }
  }

  private func isWanted(_ object: MediaObject) -> Bool {
    if object.isDerived(from: kind.objectClass) { return object.isContainer == (kind != .track) }
    return kind == .track && object.kind == .item
      && object.resources.contains { MIMEType($0.protocolInfo.mimeType).kind == .audio }
  }

  /// Removes duplicates of albums and artists, which servers list in several views. Keeps the one with the most children,
  /// because a view may show only a part.
  public func unique(_ objects: [MediaObject]) -> [MediaObject] {
    guard kind != .track else { return objects }
    var places: [[String]: Int] = [:]
    var unique: [MediaObject] = []
    for object in objects {
      let key = [object.title, kind == .album ? object.artist ?? "" : ""].map { FoldedText.folded($0) }
      if let place = places[key] {
        if object.childCount ?? 0 > unique[place].childCount ?? 0 { unique[place] = object }
      } else {
        places[key] = unique.count
        unique.append(object)
      }
    }
    return unique
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
