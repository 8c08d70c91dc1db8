import Glibc

/// Isolates the companions to one thread of their own, which exists only if one of them is used.
@globalActor package actor CompanionActor {
  package static let shared = CompanionActor()

  fileprivate nonisolated let loop = CompanionLoop()

  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Runs the body without a hop. Traps unless the caller, such as a C callback, is on the companions' thread.
  package nonisolated static func immediately<T>(_ body: @CompanionActor () throws -> T) rethrows -> T {
    shared.loop.checkIsolated()
    // The cast is safe: isolation exists in the type only, and the line above has checked it. `MainActor.assumeIsolated`
    // does the same.
    return try withoutActuallyEscaping(body) { body in
      try unsafeBitCast(body, to: (() throws -> T).self)()
    }
  }
}

/// Calls a body on the companions' thread whenever a file descriptor is ready, until it is cancelled or released.
///
/// Cancel it before the descriptor is closed.
package final class DescriptorWatch: Sendable {
  private let token: CompanionLoop.Token

  /// - Parameters:
  ///   - events: the events of `poll` to wait for: POLLIN, POLLOUT.
  ///   - body: called with the ready events, which may include POLLERR and POLLHUP.
  package init(_ descriptor: Int32, events: Int32, _ body: @escaping @CompanionActor @Sendable (Int32) -> Void) {
    token = CompanionActor.shared.loop.watch(descriptor, Int16(events)) { body(Int32($0)) }
  }

  /// Replaces the events to wait for.
  package func wait(for events: Int32) { CompanionActor.shared.loop.change(token, to: Int16(events)) }

  package func cancel() { CompanionActor.shared.loop.cancel(token) }

  deinit { cancel() }
}

/// Calls a body on the companions' thread once, unless it is cancelled or released before.
package final class CompanionTimer: Sendable {
  private let token: CompanionLoop.Token

  package init(after time: Duration, _ body: @escaping @CompanionActor @Sendable () -> Void) {
    token = CompanionActor.shared.loop.schedule(at: .now + time, body)
  }

  package init(at deadline: ContinuousClock.Instant, _ body: @escaping @CompanionActor @Sendable () -> Void) {
    token = CompanionActor.shared.loop.schedule(at: deadline, body)
  }

  package func cancel() { CompanionActor.shared.loop.cancel(token) }

  deinit { cancel() }
}
