import Glibc
import Logging

/// A line of the log without time and priority.
struct LogLine: Sendable, Equatable {
  let level: Logger.Level
  let text: String

  /// Maximum bytes of the text. Writes of less than PIPE_BUF to a pipe are atomic.
  private static let limit = 1000

  /// - Parameter text: may contain data from peers. Control characters are replaced and the length is limited.
  init(level: Logger.Level, text: String) {
    self.level = level
    let isPlain = text.utf8.count <= Self.limit && !text.unicodeScalars.contains(where: Self.isControl)
    guard !isPlain else {
      self.text = text
      return
    }
    var line = ""
    for scalar in text.unicodeScalars {
      if line.utf8.count >= Self.limit {
        line += "…"
        break
      }
      line.unicodeScalars.append(Self.isControl(scalar) ? " " : scalar)
    }
    self.text = line
  }

  /// C0 and C1: terminals interpret both.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }

  /// The line for the journal, with a syslog priority (sd-daemon(3)).
  var forJournal: String { "<\(priority)>\(text)\n" }

  /// The line for other readers, with the time.
  func stamped(_ time: time_t) -> String { "\(Self.stamp(time)) \(level): \(text)\n" }

  private var priority: Int {
    switch level {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }

  /// Local time, ISO 8601.
  static func stamp(_ time: time_t) -> String {
    var (time, parts) = (time, tm())
    localtime_r(&time, &parts)
    var buffer = [CChar](repeating: 0, count: 40)
    let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%S%z", &parts)
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
