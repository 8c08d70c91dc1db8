/// Keeps what repeats from filling the log: of each kind of line so many a minute, and then how many there were more.
///
/// What is of one kind stands at one place of the source. So there are never more kinds than such places, whatever peers
/// send.
struct LogLimiter {
  struct Kind: Hashable {
    var file: String
    var line: UInt
  }

  /// A minute of one kind.
  private struct Window {
    var end: ContinuousClock.Instant
    var count = 1
    /// What was left out last; nil where nothing was.
    var last: LogLine?

    var summary: LogLine? {
      last.map { LogLine(level: $0.level, text: "\(count - LogLimiter.most) more like this in a minute: \($0.text)") }
    }
  }

  /// Of each kind, in a minute.
  static let most = 20
  private static let length = Duration.seconds(60)

  private var windows: [Kind: Window] = [:]

  /// - Returns: the lines to be written now: how many were left out in minutes that are over, and the line itself, unless
  ///   it is one too many.
  mutating func admit(_ line: LogLine, of kind: Kind, now: ContinuousClock.Instant) -> [LogLine] {
    var lines = summaries(now: now)
    if var window = windows[kind] {
      window.count += 1
      if window.count > Self.most { window.last = line } else { lines.append(line) }
      windows[kind] = window
    } else {
      windows[kind] = Window(end: now + Self.length)
      lines.append(line)
    }
    return lines
  }

  /// What was left out in minutes that are over.
  private mutating func summaries(now: ContinuousClock.Instant) -> [LogLine] {
    let over = windows.filter { $0.value.end <= now }
    for kind in over.keys { windows[kind] = nil }
    return over.values.sorted { $0.end < $1.end }.compactMap(\.summary)
  }

  /// What was left out so far; everything begins anew.
  mutating func end() -> [LogLine] {
    defer { windows = [:] }
    return windows.values.sorted { $0.end < $1.end }.compactMap(\.summary)
  }
}
