import DequeModule
import Glibc
import PlaybackModel

/// A serial executor on its own thread, like an event loop.
package final class ThreadExecutor: SerialExecutor {
  private struct State {
    var jobs: Deque<UnownedJob> = []
    var isRunning = false
    var isClosed = false
  }

  private let state = Monitor(State())
  private let identity = Monitor<UInt?>(nil)

  package init() {
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

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.update { $0.jobs.append(job) }
  }

  package func checkIsolated() {
    guard isIsolated else { preconditionFailure("not on the executor's thread") }
  }

  package var isIsolated: Bool { identity.withLock { $0 } == UInt(pthread_self()) }

  package func close() { state.update { $0.isClosed = true } }
}
