import DequeModule
import PlaybackModel

/// The queue of work of the pipeline's thread. Anybody may post, at any time, without waiting.
final class Mailbox: Sendable {
  private let queue = Monitor(Deque<Work>())

  func post(_ work: Work) {
    queue.update { $0.append(work) }
  }

  /// The next piece of work; nil if there is none by then.
  func next(timeout: Duration?) -> Work? {
    queue.wait(timeout: timeout) { $0.popFirst() }
  }
}
