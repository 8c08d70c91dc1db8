/// A parsed Range header (RFC 9110 §14).
package enum ByteRange: Equatable {
  /// No range, or an ignored one: another unit, several ranges or invalid syntax.
  case whole
  /// 206
  case part(Range<Int>)
  /// Outside the content; answered with 416.
  case unsatisfiable

  /// - Parameter size: of the content, in bytes.
  package init(_ header: String?, size: Int) {
    self = .whole
    guard let header, header.lowercased().hasPrefix("bytes=") else { return }
    let bounds = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return }
    switch (Self.number(bounds[0]), Self.number(bounds[1])) {
    case (nil, let suffix?) where bounds[0].isEmpty:
      self = suffix > 0 && size > 0 ? .part(max(0, size - suffix)..<size) : .unsatisfiable
    case (let first?, nil) where bounds[1].isEmpty:
      self = first < size ? .part(first..<size) : .unsatisfiable
    case (let first?, let last?) where first <= last:
      self = first < size ? .part(first..<(last < size ? last + 1 : size)) : .unsatisfiable
    default: break
    }
  }

  /// Digits only. A number beyond the range of Int is past the end of every file.
  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text) ?? .max
  }
}
