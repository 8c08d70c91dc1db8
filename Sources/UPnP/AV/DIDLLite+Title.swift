extension DIDLLite {
  /// The title of an item, found in its text as it stands, so that all around it can stay as it is, and so that it is
  /// found in metadata which is not well-formed too.
  package struct Title {
    private let metadata: String
    /// From the start tag's `<` to behind its `>`.
    private let startTag: Range<String.Index>
    /// Between the tags; empty for an element without an end tag.
    private let content: Range<String.Index>

    /// The first element called `title`, whatever its prefix; nil if there is none.
    package init?(in metadata: String) {
      var rest = metadata.utf8[...]
      while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
        rest = rest[start...]
        if let behind = Self.behindWhatIsNoElement(rest) {
          rest = rest[behind...]
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

    /// What people read of it: as it stands where it is not well-formed; nil if there is nothing to read.
    package var text: String? {
      let text = DIDLLite.text(ofElement: "<title>\(metadata[content])</title>") ?? String(metadata[content])
      return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    /// The metadata with another title in it.
    package func replaced(by title: String) -> String {
      var tag = metadata[startTag]
      var tail = metadata[content.upperBound...]
      if tag.hasSuffix("/>") {
        tag = tag.dropLast(2) + ">"
        tail = "</\(tag.dropFirst().prefix { $0 != ">" && !$0.isWhitespace })>" + tail
      }
      return metadata[..<startTag.lowerBound] + tag + XMLEscape.text(title) + tail
    }

    /// Behind a comment, a CDATA section or a processing instruction; nil where none begins.
    private static func behindWhatIsNoElement(_ text: Substring.UTF8View) -> String.Index? {
      for (open, close) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] where text.starts(with: open.utf8) {
        return text.firstRange(of: close.utf8)?.upperBound ?? text.endIndex
      }
      return nil
    }

    /// Behind the `>` that ends the tag; one within quotes does not.
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
