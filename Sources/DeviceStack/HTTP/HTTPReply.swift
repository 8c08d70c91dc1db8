/// An answer, and what is to follow once it is on its way.
public struct HTTPReply {
  public var response: HTTPResponse
  /// Called after the answer was flushed: an initial event must not overtake the SUBSCRIBE answer that it belongs to.
  public var afterFlush: (() -> Void)?

  public init(_ response: HTTPResponse, afterFlush: (() -> Void)? = nil) {
    self.response = response
    self.afterFlush = afterFlush
  }
}
