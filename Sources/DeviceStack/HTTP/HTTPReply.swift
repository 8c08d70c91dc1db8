/// An answer, and what is to follow once it is on its way.
public enum HTTPReply {
  /// What follows is called after the answer was flushed: an initial event must not overtake the SUBSCRIBE answer that
  /// it belongs to.
  case now(HTTPResponse, afterFlush: (() -> Void)?)
  /// The answer is not known yet. What else comes on the connection waits for it.
  case later(Deferred<HTTPResponse>)

  public init(_ response: HTTPResponse, afterFlush: (() -> Void)? = nil) {
    self = .now(response, afterFlush: afterFlush)
  }
}
