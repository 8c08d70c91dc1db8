import CGStreamer
import PlaybackModel

/// Initializes GStreamer.
package enum GStreamerLibrary {
  /// Initialized on first access.
  private static let ready: Bool = {
    // Must be set before any thread starts.
    swiftlet_limit_heaps()
    guard gst_init_check(nil, nil, nil) != 0 else { return false }
    BlockDemuxerElement.register()
    return true
  }()

  /// Initializes GStreamer once.
  /// - Returns: false if the installation is broken.
  @discardableResult
  package static func start() -> Bool { ready }
}

/// The process's heap.
public enum ProcessMemory {
  /// Returns fragmented free memory to the system, on its own thread.
  public static func giveBack() { NamedThread.start("memory") { swiftlet_give_memory_back() } }
}
