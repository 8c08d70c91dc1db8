import DequeModule
import Glibc

@testable import Playback

/// A serial executor on one thread, as an event loop is.
final class ThreadExecutor: SerialExecutor {
  private struct State {
    var jobs: Deque<UnownedJob> = []
    var isRunning = false
    var isClosed = false
  }

  private let state = Monitor(State())
  private let identity = Monitor<UInt?>(nil)

  init() {
    NamedThread.start("executor") { [self] in
      identity.update { $0 = UInt(pthread_self()) }
      while let job = state.wait(until: { state -> UnownedJob?? in
        if let job = state.jobs.popFirst() { return .some(job) }
        return state.isClosed ? .some(nil) : nil
      }) ?? nil {
        job.runSynchronously(on: asUnownedSerialExecutor())
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.update { $0.jobs.append(job) }
  }

  func checkIsolated() {
    guard isIsolated else { preconditionFailure("not on the executor's thread") }
  }

  var isIsolated: Bool { identity.withLock { $0 } == UInt(pthread_self()) }

  func close() { state.update { $0.isClosed = true } }
}
