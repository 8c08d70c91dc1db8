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

  init(_ text: String) {
    if text.contains("://") {
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

  /// Adjacent words are one search, as in `play Kitchen kind of blue`. An argument with blanks is a search of its own.
  static func list(_ texts: [String]) -> [ItemReference] {
    var references: [ItemReference] = []
    var isOpen = false
    for text in texts {
      let reference = ItemReference(text)
      let isWord = reference == .search(text) && !text.contains(where: \.isWhitespace)
      if isWord, isOpen, case .search(let words) = references.last {
        references[references.count - 1] = .search("\(words) \(text)")
      } else {
        references.append(reference)
      }
      isOpen = isWord
    }
    return references
  }
}
