/// Splits an input into lines of text, so that people can read and write a corpus.
struct Input {
  private var rest: UnsafeRawBufferPointer.SubSequence

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  /// Consumes the next line and returns it without its line feed; nil at the end.
  mutating func line() -> String? {
    guard !rest.isEmpty else { return nil }
    let line = rest.prefix { $0 != UInt8(ascii: "\n") }
    rest = rest[line.endIndex...].dropFirst()
    return String(decoding: line, as: UTF8.self)
  }

  /// Consumes the rest of the input as text.
  mutating func text() -> String {
    defer { rest = rest[rest.endIndex...] }
    return String(decoding: rest, as: UTF8.self)
  }

  /// Consumes the rest of the input as bytes.
  mutating func bytes() -> [UInt8] {
    defer { rest = rest[rest.endIndex...] }
    return Array(rest)
  }
}
