import NIOCore

/// What one client may ask of the server, so that no client can crash, block or grow the process.
public struct HTTPLimits: Sendable {
  /// The request line and the headers together, bytes (431 beyond).
  public var head = 16 * 1024
  /// Headers of one request, and trailers (431 beyond).
  public var fields = 256
  /// The request target, bytes (414 beyond).
  public var uri = 8 * 1024
  /// Bytes (413 beyond).
  public var body = 1024 * 1024
  /// From the first byte of a request to its last (408 beyond).
  public var arrival = TimeAmount.seconds(10)
  /// A connection without a request, or whose client does not take its answer, is closed after this time.
  public var idle = TimeAmount.seconds(60)
  /// So long a new connection counts as in the midst of a request: what it asks is on the way.
  public var firstRequest = TimeAmount.seconds(1)
  /// A client whose request was refused may go on sending for so long before the connection is cut: closing at once
  /// would reset the connection, and the answer would be lost with it (RFC 9112 §9.6).
  public var linger = TimeAmount.seconds(2)
  /// At most so many connections; the longest idle goes first.
  public var connections = 256

  public init() {}
}
