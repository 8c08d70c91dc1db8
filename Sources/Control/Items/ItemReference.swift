/// An item to play, as the user typed it.
enum ItemReference: Equatable {
  /// An address, for the speaker to open.
  case url(String)
  /// A local file or folder.
  case path(String)
  /// A path of titles on a media server.
  case server(String, path: String)
  /// Words to search for on all media servers.
  case search(String)
  /// Words for the directory of internet radio.
  case station(String)

  private static let stationPrefix = "station:"

  init(_ text: String) {
    if text.hasPrefix(Self.stationPrefix), !text.hasPrefix(Self.stationPrefix + "/") {
      self = .station(String(text.dropFirst(Self.stationPrefix.count)))
    } else if text.contains("://") {
      self = .url(text)
    } else if ["/", "./", "../"].contains(where: { text.hasPrefix($0) }) || [".", ".."].contains(text) {
      self = .path(text)
    } else if let separator = text.firstRange(of: ":/"), separator.lowerBound > text.startIndex {
      let path = text[text.index(after: separator.lowerBound)...]
      self = .server(String(text[..<separator.lowerBound]), path: String(path))
    } else {
      self = .search(text)
    }
  }

  /// Adjacent words are one search, as in `play Kitchen kind of blue`, and continue the words of a station. An argument with blanks
  /// is a search of its own.
  static func list(_ texts: [String]) -> [ItemReference] {
    var references: [ItemReference] = []
    var isOpen = false
    for text in texts {
      let reference = ItemReference(text)
      let isWord = reference == .search(text) && !text.contains(where: \.isWhitespace)
      switch (isWord && isOpen, references.last) {
      case (true, .search(let words)): references[references.count - 1] = .search("\(words) \(text)")
      case (true, .station(let words)): references[references.count - 1] = .station("\(words) \(text)")
      default: references.append(reference)
      }
      if case .station = reference { isOpen = !text.contains(where: \.isWhitespace) } else { isOpen = isWord }
    }
    return references
  }
}
