import NIOCore

@testable import DeviceStack

extension HTTPReply {
  /// The response, which may come later. Call it on the event loop.
  func response(on eventLoop: any EventLoop) -> EventLoopFuture<HTTPResponse> {
    switch self {
    case .now(let response, _): return eventLoop.makeSucceededFuture(response)
    case .later(let answer):
      let promise = eventLoop.makePromise(of: HTTPResponse.self)
      answer.whenComplete { promise.succeed($0) }
      return promise.futureResult
    case .stream(let response, _): return eventLoop.makeSucceededFuture(response)
    }
  }
}
