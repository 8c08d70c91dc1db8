import UPnP

/// Finds the objects in the text of a DIDL-Lite document, which need not be well-formed. One broken object leaves the others
/// readable.
struct MediaObjectSplitter {
  struct Piece: Hashable {
    var kind: MediaObject.Kind
    /// The object's text, from `<item` or `<container` on.
    var text: Substring
    /// The end tag to add; nil if the object has one.
    var missingEndTag: String?
  }

  /// The start tag of the document element; nil for bare objects.
  private(set) var rootTag: Substring?
  private(set) var pieces: [Piece] = []
  /// Whether there were more objects than the limit.
  private(set) var isCut = false

  private let text: String
  private let limit: Int
  private var open: (kind: MediaObject.Kind, name: Substring, start: String.Index)?

  init(_ text: String, limit: Int) {
    self.text = text
    self.limit = limit
    split()
  }

  private mutating func split() {
    var rest = text[...].utf8
    while let start = rest.firstIndex(of: UInt8(ascii: "<")), !isCut {
      rest = rest[start...]
      if let end = XMLScan.endOfNonElement(rest) {
        rest = rest[end...]
      } else if Self.startsTag(rest), let end = Self.endOfTag(rest) {
        read(tag: text[start..<end])
        rest = rest[end...]
      } else {
        rest = rest.dropFirst()
      }
    }
    close(at: text.endIndex)
  }

  /// A `<` in a text that should be `&lt;` is rarely followed by a letter.
  private static func startsTag(_ rest: Substring.UTF8View) -> Bool {
    guard let next = rest.dropFirst().first else { return false }
    return next == UInt8(ascii: "/") || next == UInt8(ascii: "_") || next >= 0x80
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next | 0x20)
  }

  /// An attribute's value has no `<` (XML 1.0 §3.1), so a missing quote does not swallow the objects that follow.
  private static func endOfTag(_ rest: Substring.UTF8View) -> String.Index? {
    let tag = rest[..<(rest.dropFirst().firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex)]
    return XMLScan.endOfTag(tag) ?? tag.firstIndex(of: UInt8(ascii: ">")).map { tag.index(after: $0) }
  }

  private mutating func read(tag: Substring) {
    let isEnd = tag.utf8.dropFirst().first == UInt8(ascii: "/")
    let name = Substring(tag.utf8.dropFirst(isEnd ? 2 : 1).prefix { !" \t\r\n/>".utf8.contains($0) })
    let localName = Substring(name.utf8.split(separator: UInt8(ascii: ":")).last ?? name.utf8)
    if localName == "DIDL-Lite" {
      if isEnd { close(at: tag.startIndex) } else { rootTag = rootTag ?? tag }
      return
    }
    guard let kind = MediaObject.Kind(rawValue: String(localName)) else { return }
    if isEnd {
      guard open?.kind == kind, let start = open?.start else { return }
      open = nil
      add(Piece(kind: kind, text: text[start..<tag.endIndex]))
    } else {
      // Objects in the results of Browse and Search are not nested.
      close(at: tag.startIndex)
      if tag.utf8.dropLast().last == UInt8(ascii: "/") {
        add(Piece(kind: kind, text: tag))
      } else {
        open = (kind, name, tag.startIndex)
      }
    }
  }

  /// Ends an object whose end tag is missing.
  private mutating func close(at end: String.Index) {
    guard let (kind, name, start) = open else { return }
    open = nil
    add(Piece(kind: kind, text: text[start..<end], missingEndTag: "</\(name)>"))
  }

  private mutating func add(_ piece: Piece) {
    if pieces.count < limit { pieces.append(piece) } else { isCut = true }
  }
}
