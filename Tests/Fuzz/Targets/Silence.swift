import Logging
import NIOCore

/// A logger that discards everything.
enum Silence {
  static let logger = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
}

/// An executor that runs jobs immediately, for a program with a single thread.
final class OnlyThread: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedSerialExecutor()) }
  func checkIsolated() {}
}
