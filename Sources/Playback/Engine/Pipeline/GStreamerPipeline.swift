import Logging
import PlaybackModel
import Synchronization

/// The pipeline on GStreamer. What it does happens on a thread of its own, in the order of the commands.
package final class GStreamerPipeline: Pipeline {
  package let events: AsyncStream<PipelineEvent>
  private let mailbox = Mailbox()
  private let ended = Ended()

  package init(output: OutputChoice, settings: PlayerSettings, logger: Logger) {
    let (events, continuation) = AsyncStream.makeStream(of: PipelineEvent.self)
    self.events = events
    NamedThread.start("pipeline") { [mailbox, ended] in
      // Made where it is used: the engine belongs to this thread.
      PipelineEngine(
        output: output, settings: settings, mailbox: mailbox, logger: logger, report: { continuation.yield($0) }
      ).run()
      continuation.finish()
      ended.signal()
    }
  }

  package func send(_ command: PipelineCommand) { mailbox.post(.command(command)) }

  package func shutdown() async {
    mailbox.post(.quit)
    let ended = ended
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await ended.wait() }
      group.addTask {
        try? await Task.sleep(for: .seconds(2))
        ended.signal()
      }
      await group.next()
      group.cancelAll()
    }
  }

  /// Set once; tasks wait for it.
  private final class Ended: Sendable {
    private let state = Mutex<(isSet: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

    func signal() {
      let waiters = state.withLock { state in
        defer { state = (true, []) }
        return state.waiters
      }
      for waiter in waiters { waiter.resume() }
    }

    func wait() async {
      await withCheckedContinuation { continuation in
        let isSet = state.withLock { state in
          if !state.isSet { state.waiters.append(continuation) }
          return state.isSet
        }
        if isSet { continuation.resume() }
      }
    }
  }
}
