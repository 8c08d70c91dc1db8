import PlaybackModel

/// A thread that runs blocking work in order.
final class LibraryWorker: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var isStopped = false
  }

  /// More work is refused.
  private static let maximumWaiting = 256

  private let monitor = Monitor(State())

  /// - Parameter name: of the thread; at most 15 characters.
  init(_ name: String) {
    let monitor = monitor
    NamedThread.start(name) {
      while true {
        let work = monitor.wait { state -> [@Sendable () -> Void]? in
          guard !state.waiting.isEmpty || state.isStopped else { return nil }
          defer { state.waiting = [] }
          return state.waiting
        }
        guard let work, !work.isEmpty else { return }
        for work in work { work() }
      }
    }
  }

  /// Runs the body on the thread.
  /// - Throws: what the body throws, and `failed` if too much work waits.
  func run<T: Sendable>(_ body: @escaping @Sendable () throws(LibraryError) -> T) async throws(LibraryError) -> T {
    let result: Result<T, LibraryError> = await withCheckedContinuation { continuation in
      let isAccepted = monitor.update { state in
        guard !state.isStopped, state.waiting.count < Self.maximumWaiting else { return false }
        state.waiting.append { continuation.resume(returning: Result(catching: body)) }
        return true
      }
      if !isAccepted { continuation.resume(returning: .failure(.failed("too many requests"))) }
    }
    return try result.get()
  }

  /// Ends the thread after the work that waits.
  func stop() { monitor.update { $0.isStopped = true } }
}
