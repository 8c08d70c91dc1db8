import CGStreamer
import PlaybackModel

/// The memory that the process holds.
public enum ProcessMemory {
  /// Gives back to the system what is free between what is not, on a thread of its own.
  public static func giveBack() { NamedThread.start("memory") { swiftlet_give_memory_back() } }
}
