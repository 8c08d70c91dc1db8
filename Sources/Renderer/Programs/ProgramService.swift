import NIOCore
import ServiceLifecycle

/// Starts the programs, and ends them when the speaker ends.
struct ProgramService: Service {
  let host: NIOLoopBound<ProgramHost>
  let eventLoop: any EventLoop

  func run() async throws {
    // Signals are handled from here on, so no program survives the speaker.
    try await eventLoop.submit { host.value.begin() }.get()
    try? await gracefulShutdown()
    try? await eventLoop.flatSubmit { host.value.end() }.get()
  }
}
