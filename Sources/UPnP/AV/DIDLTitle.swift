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
        if let end = Self.endOfNonElement(rest) {
          rest = rest[end...]
          continue
        }
        guard let end = Self.endOfTag(rest) else { return nil }
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
    package func replaced(by title: String) -> String {
      var tag = metadata[startTag]
      var tail = metadata[content.upperBound...]
      if tag.hasSuffix("/>") {
        tag = tag.dropLast(2) + ">"
        tail = "</\(tag.dropFirst().prefix { $0 != ">" && !$0.isWhitespace })>" + tail
      }
      return metadata[..<startTag.lowerBound] + tag + XMLEscape.text(title) + tail
    }

    /// The end of a comment, CDATA section or processing instruction that starts here; nil if none does.
    private static func endOfNonElement(_ text: Substring.UTF8View) -> String.Index? {
      for (open, close) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] where text.starts(with: open.utf8) {
        return text.firstRange(of: close.utf8)?.upperBound ?? text.endIndex
      }
      return nil
    }

    /// The end of the tag that starts here. A `>` in quotes does not end it.
    private static func endOfTag(_ text: Substring.UTF8View) -> String.Index? {
      var quote: UInt8?
      for index in text.indices {
        switch (text[index], quote) {
        case (UInt8(ascii: ">"), nil): return text.index(after: index)
        case (UInt8(ascii: "\""), nil), (UInt8(ascii: "'"), nil): quote = text[index]
        case (let byte, let open?) where byte == open: quote = nil
        default: continue
        }
      }
      return nil
    }
  }
}
