/// Finds the ends of markup without parsing it, in text that need not be well-formed.
package enum XMLScan {
  /// The end of a comment, CDATA section or processing instruction that starts here; nil if none does.
  package static func endOfNonElement(_ text: Substring.UTF8View) -> String.Index? {
    for (open, close) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] where text.starts(with: open.utf8) {
      return text.firstRange(of: close.utf8)?.upperBound ?? text.endIndex
    }
    return nil
  }

  /// The end of the tag that starts here. A `>` in quotes does not end it.
  package static func endOfTag(_ text: Substring.UTF8View) -> String.Index? {
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
