import NIOCore
import NIOHTTP1

/// Sits before the parser and counts what a client sends before its head is complete: the parser tells of a request only
/// with its whole head, and counts neither blanks nor line ends.
final class HeadGuard: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  enum Violation: Error {
    case headTooLarge, uriTooLong
  }

  private enum State {
    /// Between requests, or in a head of which so much has come.
    case head(bytes: Int, sawLineEnd: Bool)
    case body
    /// What comes is thrown away.
    case closed
  }

  /// What a method and a version add to a target in the request line, and a little more.
  private static let slack = 64

  private let limits: HTTPLimits
  private var state = State.head(bytes: 0, sawLineEnd: false)
  /// Whether the last request began with what may be a method; rubbish and TLS do not.
  private(set) var sawMethod = true

  /// A request ended in what is being read.
  private var hasCompleted = false
  /// The bytes that the parser is reading now, and the one before them.
  private var current = ByteBuffer()
  private var previous: UInt8?

  init(limits: HTTPLimits) { self.limits = limits }

  /// Whether the first byte of a request has come and the last has not. What comes in one piece with the end of the
  /// request before does not count until more comes.
  var isInRequest: Bool {
    switch state {
    case .head(let bytes, _): bytes > 0
    case .body: true
    case .closed: false
    }
  }

  /// Whether a line in what the parser is reading ends in LF without CR. The parser takes that for a wrong version.
  var hasBareLineFeed: Bool {
    var last = previous
    for byte in current.readableBytesView {
      if byte == UInt8(ascii: "\n"), last != UInt8(ascii: "\r") { return true }
      last = byte
    }
    return false
  }

  func headComplete() { state = .body }

  func requestComplete() {
    state = .head(bytes: 0, sawLineEnd: false)
    hasCompleted = true
  }

  func close() { state = .closed }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch state {
    case .closed: return
    case .body: break
    case .head(let bytes, let sawLineEnd):
      let view = unwrapInboundIn(data).readableBytesView
      if bytes == 0 { sawMethod = Self.mayBeMethod(view) }
      state = .head(bytes: bytes + view.count, sawLineEnd: sawLineEnd || view.contains(UInt8(ascii: "\n")))
    }
    current = unwrapInboundIn(data)
    context.fireChannelRead(data)
    previous = current.readableBytesView.last ?? previous
    current = ByteBuffer()
    if hasCompleted, case .head(let bytes, _) = state {
      // The line with the target may have come behind the end of the request before.
      let isWhole = unwrapInboundIn(data).readableBytesView.suffix(4).elementsEqual("\r\n\r\n".utf8)
      state = .head(bytes: bytes, sawLineEnd: !isWhole)
    }
    hasCompleted = false
    // The parser has taken what it could: what is counted still belongs to an unfinished head.
    guard case .head(let bytes, let sawLineEnd) = state else { return }
    if bytes > limits.uri + Self.slack, !sawLineEnd {
      context.fireErrorCaught(Violation.uriTooLong)
    } else if bytes > limits.head + Self.slack {
      context.fireErrorCaught(Violation.headTooLarge)
    }
  }

  /// Whether it begins with characters of a token (RFC 9110 §5.6.2), up to the first blank.
  private static func mayBeMethod(_ bytes: ByteBufferView) -> Bool {
    let line = bytes.drop { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    return line.prefix(32).prefix { $0 != UInt8(ascii: " ") }.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
    }
  }
}
