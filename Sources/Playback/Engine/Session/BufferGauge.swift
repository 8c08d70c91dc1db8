import PlaybackModel
import Synchronization

/// Measures the decoded sound that waits for the device. Any thread may read the level.
final class BufferGauge: Sendable {
  private let sources = Mutex<[SourceContext]>([])

  /// Replaces the sources of the sound. Called on the pipeline's thread.
  func setSources(_ sources: [SourceContext]) {
    let former = self.sources.withLock { current in
      defer { current = sources }
      return current
    }
    // Released here and not under the lock: the last reference to a source releases its elements.
    withExtendedLifetime(former) {}
  }

  /// The delay of the current source, if its server sends in real time.
  var liveDelay: Duration? { sources.withLock { $0.first?.liveDelay } }

  var level: Duration { sources.withLock { $0.reduce(.zero) { $0 + $1.held.duration } } }
}
