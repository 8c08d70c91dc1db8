/// Limits repeated lines: twenty of each kind per minute, then a count of the suppressed ones.
///
/// A kind is a log statement in the source, so that peers cannot create kinds.
struct LogLimiter {
  struct Kind: Hashable {
    var file: String
    var line: UInt
  }

  /// A minute of lines of one kind.
  private struct Window {
    var end: ContinuousClock.Instant
    var count = 1
    /// The last suppressed line; nil if there is none.
    var last: LogLine?

    var summary: LogLine? {
      last.map {
        LogLine(level: $0.level, text: "\(count - LogLimiter.maximum) more like this in a minute: \($0.text)")
      }
    }
  }

  /// Lines of each kind per minute.
  static let maximum = 20
  private static let length = Duration.seconds(60)

  private var windows: [Kind: Window] = [:]

  /// - Returns: the lines to write now: summaries of minutes that are over, and the line itself unless it is
  ///   suppressed.
  mutating func admit(_ line: LogLine, of kind: Kind, now: ContinuousClock.Instant) -> [LogLine] {
    var lines = summaries(now: now)
    if var window = windows[kind] {
      window.count += 1
      if window.count > Self.maximum { window.last = line } else { lines.append(line) }
      windows[kind] = window
    } else {
      windows[kind] = Window(end: now + Self.length)
      lines.append(line)
    }
    return lines
  }

  /// Summaries of minutes that are over.
  private mutating func summaries(now: ContinuousClock.Instant) -> [LogLine] {
    let over = windows.filter { $0.value.end <= now }
    for kind in over.keys { windows[kind] = nil }
    return over.values.sorted { $0.end < $1.end }.compactMap(\.summary)
  }

  /// Summaries of all minutes. Resets the limiter.
  mutating func end() -> [LogLine] {
    defer { windows = [:] }
    return windows.values.sorted { $0.end < $1.end }.compactMap(\.summary)
  }
}
