import Glibc
import Logging
import Synchronization

/// Writes the log to standard error, with priorities if that is the journal. Never blocks: while the reader is too slow,
/// lines are dropped and counted.
final class LogOutput: Sendable {
  /// A warning or an error.
  struct LoggedProblem: Sendable, Equatable {
    var time: time_t
    var text: String
  }

  /// A line that was written.
  struct Recent: Sendable {
    var time: time_t
    var line: LogLine
  }

  private struct State {
    var level: Logger.Level
    var limiter = LogLimiter()
    var lost = 0
    var problems: [LoggedProblem] = []
    var recent: [Recent] = []
  }

  private static let problemsKept = 10
  private static let recentKept = 200

  private let descriptor: Int32
  private let isJournal: Bool
  private let state: Mutex<State>

  /// - Parameter isJournal: nil to detect it.
  init(level: Logger.Level, descriptor: Int32 = STDERR_FILENO, isJournal: Bool? = nil) {
    self.descriptor = descriptor
    self.isJournal = isJournal ?? Self.isJournal(descriptor)
    state = Mutex(State(level: level))
  }

  /// A logger that writes to this output.
  func logger() -> Logger { Logger(label: "swiftlet") { _ in OutputLogHandler(output: self) } }

  /// The level of loggers that have none of their own.
  var level: Logger.Level {
    get { state.withLock { $0.level } }
    set { state.withLock { $0.level = newValue } }
  }

  /// The last ten warnings and errors, the newest last.
  var problems: [LoggedProblem] { state.withLock { $0.problems } }

  /// The last lines, the newest last.
  var recent: [Recent] { state.withLock { $0.recent } }

  func write(_ line: LogLine, of kind: LogLimiter.Kind) {
    let time = time(nil)
    state.withLock { state in
      // Debug logs are not limited.
      let lines = line.level < .info ? [line] : state.limiter.admit(line, of: kind, now: .now)
      if line.level >= .warning {
        state.problems.append(LoggedProblem(time: time, text: line.text))
        if state.problems.count > Self.problemsKept { state.problems.removeFirst() }
      }
      state.recent += lines.map { Recent(time: time, line: $0) }
      if state.recent.count > Self.recentKept { state.recent.removeFirst(state.recent.count - Self.recentKept) }
      for line in lines { write(line, time, &state.lost) }
    }
  }

  /// Writes how many lines were suppressed so far.
  func end() {
    state.withLock { state in
      for line in state.limiter.end() { write(line, time(nil), &state.lost) }
    }
  }

  private func write(_ line: LogLine, _ time: time_t, _ lost: inout Int) {
    guard isReady else {
      lost += 1
      return
    }
    if lost > 0 {
      put(LogLine(level: .warning, text: "\(lost) log lines were dropped because nothing read them"), time)
      lost = 0
    }
    put(line, time)
  }

  private func put(_ line: LogLine, _ time: time_t) {
    var text = isJournal ? line.forJournal : line.stamped(time)
    // Short enough for one write. An error cannot be reported anywhere.
    _ = text.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Whether a write would not block.
  private var isReady: Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return Glibc.poll(&poll, 1, 0) != 0
  }

  /// Whether the descriptor leads to the journal (systemd.exec(5), JOURNAL_STREAM).
  private static func isJournal(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard let stream = getenv("JOURNAL_STREAM"), fstat(descriptor, &status) == 0 else { return false }
    return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }
}

/// A log handler for `LogOutput`. Metadata is written at debug and trace only.
struct OutputLogHandler: LogHandler {
  let output: LogOutput
  /// nil for the output's current level.
  private var ownLevel: Logger.Level?
  var metadata: Logger.Metadata = [:]

  init(output: LogOutput) { self.output = output }

  var logLevel: Logger.Level {
    get { ownLevel ?? output.level }
    set { ownLevel = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var text = "\(event.message)"
    if event.level < .info {
      let metadata = metadata.merging(event.metadata ?? [:]) { $1 }
      for (key, value) in metadata.sorted(by: { $0.key < $1.key }) { text += " \(key)=\(value)" }
    }
    output.write(
      LogLine(level: event.level, text: text), of: LogLimiter.Kind(file: event.file, line: event.line))
  }
}
