import NIOCore

/// The body of an answer that is written piece by piece, such as server-sent events.
///
/// The connection is exempt from the idle time and is not closed to make room for others, so the owner must limit the
/// number of its streams. A client that does not read is closed, see `HTTPLimits.backlog`. Used on the host's event loop
/// only.
public final class HTTPStream {
  private enum State {
    /// The head is not written yet. Pieces wait.
    case waiting([ByteBuffer])
    case open(any HTTPStreamSink)
    case ended
  }

  private var state = State.waiting([])
  /// Called once when the client has gone, was closed, or `finish` was called.
  public var onEnd: (() -> Void)?

  /// A stream without a client. Return it from a handler.
  public init() {}

  /// False once the stream has ended and further pieces are ignored.
  public var isOpen: Bool { if case .ended = state { false } else { true } }

  /// Sends a piece. Empty pieces are ignored.
  public func write(_ piece: ByteBuffer) {
    guard piece.readableBytes > 0 else { return }
    switch state {
    case .waiting(let pieces): state = .waiting(pieces + [piece])
    case .open(let sink): sink.streamed(piece)
    case .ended: break
    }
  }

  /// Ends the body after the pieces written so far, and closes the connection.
  public func finish() {
    guard case .open(let sink) = state else { return ended() }
    ended()
    sink.streamFinished()
  }

  /// The head has been written.
  func open(_ sink: any HTTPStreamSink) {
    switch state {
    case .waiting(let pieces):
      state = .open(sink)
      for piece in pieces { write(piece) }
    case .open: break
    case .ended: sink.streamFinished()
    }
  }

  /// The client has gone.
  func ended() {
    guard isOpen else { return }
    state = .ended
    onEnd.take()?()
  }
}

/// The connection of a stream.
protocol HTTPStreamSink: AnyObject {
  func streamed(_ piece: ByteBuffer)
  func streamFinished()
}
