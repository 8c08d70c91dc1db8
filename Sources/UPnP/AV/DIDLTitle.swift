extension DIDLLite {
  /// The title of an item, located in the text of its metadata. Works on malformed metadata, too, and leaves everything
  /// else in it unchanged.
  package struct Title {
    private let metadata: String
    /// The start tag, including its brackets.
    private let startTag: Range<String.Index>
    /// The text between the tags; empty for an element without an end tag.
    private let content: Range<String.Index>

    /// The first element named `title`, with any prefix; nil if there is none.
    package init?(in metadata: String) {
      var rest = metadata.utf8[...]
      while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
        rest = rest[start...]
        if let end = XMLScan.endOfNonElement(rest) {
          rest = rest[end...]
          continue
        }
        guard let end = XMLScan.endOfTag(rest) else { return nil }
        let name = rest[start..<end].dropFirst().prefix { !" \t\r\n/>".utf8.contains($0) }
        let isEmpty = rest[start..<end].dropLast().last == UInt8(ascii: "/")
        rest = rest[end...]
        guard name.split(separator: UInt8(ascii: ":")).last?.elementsEqual("title".utf8) == true else { continue }
        guard let close = isEmpty ? end..<end : rest.firstRange(of: Array("</".utf8) + name) else { return nil }
        self.metadata = metadata
        startTag = start..<end
        content = end..<close.lowerBound
        return
      }
      return nil
    }

    /// The title for users, verbatim if it is malformed; nil if it is blank.
    package var text: String? {
      let text = DIDLLite.text(ofElement: "<title>\(metadata[content])</title>") ?? String(metadata[content])
      return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    /// The metadata with another title.
    /// - Parameters:
    ///   - artist: added after the title; nil for none.
    ///   - album: added after the title; nil for none.
    package func replaced(by title: String, artist: String? = nil, album: String? = nil) -> String {
      var tag = metadata[startTag]
      var tail = metadata[content.upperBound...]
      if tag.hasSuffix("/>") {
        tag = tag.dropLast(2) + ">"
        tail = "</\(tag.dropFirst().prefix { $0 != ">" && !$0.isWhitespace })>" + tail
      }
      let added = DIDLLite.elements(artist: artist, album: album)
      if !added.isEmpty, let end = tail.firstIndex(of: ">") {
        tail = tail[...end] + added + tail[tail.index(after: end)...]
      }
      return metadata[..<startTag.lowerBound] + tag + XMLEscape.text(title) + tail
    }
  }
}
