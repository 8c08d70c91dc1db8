import NIOCore
import ServiceLifecycle

/// Ends the programs when the speaker ends.
struct ProgramService: Service {
  let host: NIOLoopBound<ProgramHost>
  let eventLoop: any EventLoop

  func run() async throws {
    try? await gracefulShutdown()
    try? await eventLoop.flatSubmit { host.value.end() }.get()
  }
}
