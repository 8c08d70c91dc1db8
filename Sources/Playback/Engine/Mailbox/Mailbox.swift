import DequeModule
import PlaybackModel

/// The work queue of the pipeline's thread. Any thread may post at any time without blocking.
final class Mailbox: Sendable {
  private let queue = Monitor(Deque<Work>())

  func post(_ work: Work) {
    queue.update { $0.append(work) }
  }

  /// Removes and returns the next piece of work; nil after the timeout.
  func next(timeout: Duration?) -> Work? {
    queue.wait(timeout: timeout) { $0.popFirst() }
  }
}
