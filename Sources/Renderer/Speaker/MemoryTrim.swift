import NIOCore
import Playback
import PlaybackEngine
import PlaybackModel

/// Returns memory to the system after phases that need much of it: the start, the opening of a track, and playback.
///
/// Used on its event loop only.
final class MemoryTrim {
  /// Pause after the last change. A change of the track or of the source ends well within it.
  static let delay = TimeAmount.seconds(5)

  private let eventLoop: any EventLoop
  private let trim: () -> Void
  private var pending: Scheduled<Void>?

  /// - Parameter trim: called on the event loop.
  init(eventLoop: any EventLoop, trim: @escaping () -> Void) {
    self.eventLoop = eventLoop
    self.trim = trim
  }

  /// Trims after the delay. A later request starts the delay again.
  func request() {
    pending?.cancel()
    pending = eventLoop.assumeIsolated().scheduleTask(in: Self.delay) { [weak self] in
      self?.pending = nil
      self?.trim()
    }
  }
}

extension MemoryTrim {
  /// Returns free heap, but not while sound plays, because trimming blocks all threads that allocate.
  convenience init(player: Player, eventLoop: any EventLoop) {
    self.init(eventLoop: eventLoop) {
      let isPlaying = player.immediately { $0.deck().state.isActive }
      if !isPlaying { ProcessMemory.releaseFreeMemory() }
    }
  }
}
