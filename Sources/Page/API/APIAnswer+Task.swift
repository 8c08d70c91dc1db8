import DeviceStack
import NIOCore

extension APIAnswer {
  /// An answer that takes some time.
  /// - Parameter body: runs as a task of its own, also if the client goes away. It must be bounded in time.
  static func task(
    on eventLoop: any EventLoop, _ body: @escaping @Sendable () async throws(Problem) -> HTTPResponse
  ) -> APIAnswer {
    .later { finish in
      let finish = NIOLoopBound(finish, eventLoop: eventLoop)
      Task {
        let result: Result<HTTPResponse, Problem>
        do throws(Problem) {
          result = .success(try await body())
        } catch {
          result = .failure(error)
        }
        eventLoop.execute { finish.value(result) }
      }
    }
  }
}
