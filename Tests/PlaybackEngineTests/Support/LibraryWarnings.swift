import CGStreamer
import Synchronization

/// Collects warnings that GLib and GStreamer log in this process. The libraries continue, but the program has a defect.
enum LibraryWarnings {
  /// `G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL`, whose names in Swift differ between versions of GLib.
  private static let levels = GLogLevelFlags.RawValue(1 << 2 | 1 << 3)

  private static let list = Mutex<[String]>([])

  private static let isInstalled: Bool = {
    g_log_set_default_handler(
      { domain, level, message, data in
        if level.rawValue & LibraryWarnings.levels != 0, let message {
          LibraryWarnings.list.withLock { $0.append(String(cString: message)) }
        }
        g_log_default_handler(domain, level, message, data)
      }, nil)
    return true
  }()

  /// The warnings logged while the body runs.
  static func during(_ body: () async throws -> Void) async rethrows -> [String] {
    _ = isInstalled
    let before = list.withLock { $0.count }
    try await body()
    return list.withLock { Array($0.dropFirst(before)) }
  }
}
