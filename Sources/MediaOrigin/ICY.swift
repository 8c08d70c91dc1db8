/// SHOUTcast's in-band titles: after every `interval` bytes of sound comes a length byte (in units of 16 bytes) and
/// that much text, `StreamTitle='…';` padded with zeros.
public struct ICY: Sendable, Equatable {
  /// A title and where it starts.
  public struct Title: Sendable, Equatable {
    /// Bytes of sound before the title is due; it is sent in the first block at or after that place.
    public var offset: Int
    /// The text between the quotes.
    public var text: String

    /// A title due after `offset` bytes of sound.
    public init(at offset: Int, _ text: String) {
      self.offset = offset
      self.text = text
    }
  }

  /// The value of `icy-metaint`: bytes of sound between two blocks. At least 1.
  public var interval: Int
  /// The value of `icy-name`.
  public var name: String?
  /// The titles in the order of their offsets.
  public var titles: [Title]
  /// Whether the response begins `ICY 200 OK`, as SHOUTcast 1 has it, instead of `HTTP/1.1 200 OK`.
  public var statusLine: Bool

  /// Titles every `interval` bytes.
  public init(interval: Int = 16_000, name: String? = nil, titles: [Title] = [], statusLine: Bool = false) {
    self.interval = max(1, interval)
    self.name = name
    self.titles = titles
    self.statusLine = statusLine
  }

  /// The metadata block that says `title`; nil makes the block of length 0, which says that nothing has changed.
  /// The longest block holds 4080 bytes; a longer title is cut.
  static func block(title: String?) -> [UInt8] {
    guard let title else { return [0] }
    let text = Array("StreamTitle='".utf8) + title.utf8.prefix(4080 - 15) + Array("';".utf8)
    let units = (text.count + 15) / 16
    return [UInt8(units)] + text + [UInt8](repeating: 0, count: units * 16 - text.count)
  }
}
