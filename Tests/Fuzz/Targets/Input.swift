/// An input cut into texts: one a line, so that a person can read and write a corpus.
struct Input {
  private var rest: UnsafeRawBufferPointer.SubSequence

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  /// The text up to the next line feed, which goes; nil at the end.
  mutating func line() -> String? {
    guard !rest.isEmpty else { return nil }
    let line = rest.prefix { $0 != UInt8(ascii: "\n") }
    rest = rest[line.endIndex...].dropFirst()
    return String(decoding: line, as: UTF8.self)
  }

  /// All that is left.
  mutating func text() -> String {
    defer { rest = rest[rest.endIndex...] }
    return String(decoding: rest, as: UTF8.self)
  }

  /// All that is left, as it came.
  mutating func bytes() -> [UInt8] {
    defer { rest = rest[rest.endIndex...] }
    return Array(rest)
  }
}
