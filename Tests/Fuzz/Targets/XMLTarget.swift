@testable import UPnP

/// An XML document, and the same bytes as text to be escaped.
enum XMLTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    read(input)
    let text = String(decoding: input, as: UTF8.self)
    let kept = String(decoding: text.utf8, as: UTF8.self).unicodeScalars.filter { isAllowed($0) }
    let expected = String(String.UnicodeScalarView(kept))
    let document = #"<a b="\#(XMLEscape.attribute(text))">\#(XMLEscape.text(text))</a>"#
    check(self.text(of: document) == expected, "\(text) became \(self.text(of: document) ?? "nothing")")
    check(attribute(of: document) == expected, "\(text) became \(attribute(of: document) ?? "nothing")")
  }

  /// Whether XML 1.0 §2.2 allows the character in a document.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD: true
    case ..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  static func isWellFormed(_ document: String) -> Bool { text(of: document) != nil }

  /// The concatenated text of a document; nil if it is not well-formed.
  static func text(of document: String) -> String? {
    var document = document
    return document.withUTF8 { read(UnsafeRawBufferPointer($0)) }
  }

  @discardableResult
  private static func read(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard let reader = XMLPullReader(bytes) else { return nil }
    var text = ""
    do throws(XMLReadingError) {
      while let node = try reader.next() {
        check(reader.depth < XMLPullReader.maximumDepth, "\(reader.depth) deep")
        switch node {
        case .start:
          check(!reader.qualifiedName.isEmpty, "an element without a name")
          _ = (reader.localName, reader.namespace, reader.attributes)
        case .end: break
        case .text: text += reader.text
        }
      }
    } catch {
      return nil
    }
    return text
  }

  private static func attribute(of document: String) -> String? {
    var document = document
    return document.withUTF8 { bytes in
      guard let reader = XMLPullReader(UnsafeRawBufferPointer(bytes)), (try? reader.next()) != nil else { return nil }
      return reader.attributes.first?.value
    }
  }
}
