/// Separates a response's body into sound and titles, and detects its end.
package struct BodyDecoder: Sendable {
  /// How the body's end is marked (RFC 9112 §6.3).
  package enum Framing: Sendable, Equatable {
    case length(Int)
    case chunked
    case untilClose
  }

  package enum Piece: Sendable, Equatable {
    /// A range of the bytes given to `read`.
    case sound(Range<Int>)
    case title(String)
  }

  package enum State: Sendable, Equatable {
    case reading
    /// The body is complete. Further bytes are ignored.
    case complete
    case malformed
  }

  package private(set) var state: State
  private var remaining: Int?
  private var chunks: ChunkedDecoder?
  private var titles: TitleSplitter?

  /// - Parameter titleInterval: bytes of sound between titles (ICY); nil without titles.
  package init(_ framing: Framing, titleInterval: Int?) {
    state = .reading
    titles = titleInterval.map { TitleSplitter(interval: $0) }
    switch framing {
    case .length(let length):
      remaining = length
      if length == 0 { state = .complete }
    case .chunked: chunks = ChunkedDecoder()
    case .untilClose: break
    }
  }

  /// - Parameter bytes: the next bytes of the connection.
  package mutating func read(_ bytes: UnsafeRawBufferPointer) -> [Piece] {
    guard state == .reading else { return [] }
    var ranges: [Range<Int>] = []
    if chunks != nil {
      ranges = chunks?.read(bytes) ?? []
      if chunks?.state == .complete { state = .complete }
      if chunks?.state == .malformed { state = .malformed }
    } else if let left = remaining {
      let count = min(left, bytes.count)
      remaining = left - count
      if count == left { state = .complete }
      ranges = count > 0 ? [0..<count] : []
    } else if bytes.count > 0 {
      ranges = [0..<bytes.count]
    }
    guard titles != nil else { return ranges.map { .sound($0) } }
    return ranges.flatMap { titles?.split(bytes, $0) ?? [] }
  }

  /// Whether the end of the connection is the end of the body.
  package var endsWithConnection: Bool { state == .complete || remaining == nil && chunks == nil }
}

/// Decodes chunked transfer encoding (RFC 9112 §7.1). Accepts line feeds without carriage returns, and blanks around
/// sizes.
package struct ChunkedDecoder: Sendable {
  private enum Phase {
    case size
    /// The rest of the line with the size: blanks and extensions.
    case afterSize
    case data
    /// The line end after a chunk's data.
    case afterData
    /// Trailer fields until an empty line. `isEmpty`: the line has no characters so far.
    case trailer(isEmpty: Bool)
  }

  package private(set) var state = BodyDecoder.State.reading
  private var phase = Phase.size
  private var size = 0
  private var hasDigit = false
  /// Bytes of lines since the last chunk.
  private var overhead = 0
  /// Limit for `overhead`. Extensions and trailers are not used.
  private static let maximumOverhead = 16 << 10
  /// Limit for the size of a chunk: more is an error of the server, or no chunked encoding at all.
  private static let maximumSize = 1 << 40

  package init() {}

  /// - Returns: the ranges of the bytes that are data.
  package mutating func read(_ bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var index = 0
    while index < bytes.count, state == .reading {
      if case .data = phase {
        let count = min(size, bytes.count - index)
        found.append(index..<index + count)
        size -= count
        index += count
        if size == 0 { (phase, overhead) = (.afterData, 0) }
      } else {
        readLine(bytes[index])
        index += 1
        overhead += 1
        if overhead > Self.maximumOverhead { state = .malformed }
      }
    }
    return found
  }

  private mutating func readLine(_ byte: UInt8) {
    let isLineEnd = byte == UInt8(ascii: "\n")
    switch phase {
    case .size:
      if let digit = Self.hexDigit(byte) {
        size = size << 4 | digit
        hasDigit = true
        if size > Self.maximumSize { state = .malformed }
      } else if isLineEnd {
        endSize()
      } else if byte == UInt8(ascii: ";") || hasDigit && Self.isBlank(byte) {
        phase = .afterSize
      } else if !Self.isBlank(byte) {
        state = .malformed
      }
    case .afterSize: if isLineEnd { endSize() }
    case .afterData:
      if isLineEnd { phase = .size } else if byte != UInt8(ascii: "\r") { state = .malformed }
    case .trailer(let isEmpty):
      if isLineEnd {
        if isEmpty { state = .complete }
        phase = .trailer(isEmpty: true)
      } else if byte != UInt8(ascii: "\r") {
        phase = .trailer(isEmpty: false)
      }
    case .data: break
    }
  }

  private mutating func endSize() {
    guard hasDigit else {
      state = .malformed
      return
    }
    phase = size == 0 ? .trailer(isEmpty: true) : .data
    hasDigit = false
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  private static func hexDigit(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte) - 0x30
    case 0x41...0x46: Int(byte) - 0x41 + 10
    case 0x61...0x66: Int(byte) - 0x61 + 10
    default: nil
    }
  }
}
