import Logging
import NIOCore

@testable import PlaybackModel

/// A logger that discards everything.
enum Silence {
  static let logger = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
}

/// A pipeline that accepts every command and never sends an event.
final class SilentPipeline: Pipeline {
  let events: AsyncStream<PipelineEvent>
  var bufferLevel: Duration { .zero }
  private let continuation: AsyncStream<PipelineEvent>.Continuation

  init() { (events, continuation) = AsyncStream.makeStream() }

  func send(_ command: PipelineCommand) {}
  func shutdown() async { continuation.finish() }
}

/// An executor that runs jobs immediately, for a program with a single thread.
final class OnlyThread: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedSerialExecutor()) }
  func checkIsolated() {}
}
