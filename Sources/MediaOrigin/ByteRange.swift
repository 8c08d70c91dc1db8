/// What a Range header asks of a resource (RFC 9110 §14).
enum ByteRange: Equatable {
  /// No range, or one that is to be ignored: another unit, several ranges, bad syntax.
  case whole
  /// These bytes: 206.
  case part(Range<Int>)
  /// No byte of it exists: 416.
  case unsatisfiable

  /// Reads the header's value against a resource of `size` bytes.
  init(_ header: String?, size: Int) {
    self = .whole
    guard let header, header.hasPrefix("bytes=") else { return }
    let bounds = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return }
    switch (Int(bounds[0]), Int(bounds[1])) {
    case (nil, let suffix?) where bounds[0].isEmpty:
      self = suffix > 0 && size > 0 ? .part(max(0, size - suffix)..<size) : .unsatisfiable
    case (let first?, nil) where bounds[1].isEmpty:
      self = first < size ? .part(first..<size) : .unsatisfiable
    case (let first?, let last?) where first <= last:
      self = first < size ? .part(first..<min(last + 1, size)) : .unsatisfiable
    default: break
    }
  }
}
