import Logging
import NIOCore

@testable import PlaybackModel

/// Nobody to tell.
enum Silence {
  static let logger = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
}

/// A pipeline that takes every command and never says anything.
final class SilentPipeline: Pipeline {
  let events: AsyncStream<PipelineEvent>
  private let continuation: AsyncStream<PipelineEvent>.Continuation

  init() { (events, continuation) = AsyncStream.makeStream() }

  func send(_ command: PipelineCommand) {}
  func shutdown() async { continuation.finish() }
}

/// An executor that everything runs on already: there is one thread.
final class OnlyThread: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedSerialExecutor()) }
  func checkIsolated() {}
}
