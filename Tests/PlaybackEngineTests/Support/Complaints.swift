import CGStreamer
import Synchronization

/// Warnings of GLib and GStreamer in this process: the libraries carry on, but something is wrong.
enum Complaints {
  private static let list = Mutex<[String]>([])

  private static let isInstalled: Bool = {
    g_log_set_default_handler(
      { domain, level, message, data in
        if level.rawValue & (G_LOG_LEVEL_CRITICAL.rawValue | G_LOG_LEVEL_ERROR.rawValue) != 0, let message {
          Complaints.list.withLock { $0.append(String(cString: message)) }
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
