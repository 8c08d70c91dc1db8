import Glibc
import Logging
import Synchronization

/// Where the log goes: standard error, in the journal's way where that reads it. Nobody waits here: while whoever reads
/// does not, lines are lost, and counted.
final class LogOutput: Sendable {
  /// A warning or worse.
  struct Trouble: Sendable, Equatable {
    var time: time_t
    var text: String
  }

  private struct State {
    var level: Logger.Level
    var limiter = LogLimiter()
    var lost = 0
    var troubles: [Trouble] = []
  }

  private static let troublesKept = 10

  private let descriptor: Int32
  private let isJournal: Bool
  private let state: Mutex<State>

  /// - Parameter isJournal: nil to find out.
  init(level: Logger.Level, descriptor: Int32 = STDERR_FILENO, isJournal: Bool? = nil) {
    self.descriptor = descriptor
    self.isJournal = isJournal ?? Self.isJournal(descriptor)
    state = Mutex(State(level: level))
  }

  /// A logger that writes here, at this output's level.
  func logger() -> Logger { Logger(label: "swiftlet") { _ in OutputLogHandler(output: self) } }

  /// Of every logger that has none of its own.
  var level: Logger.Level {
    get { state.withLock { $0.level } }
    set { state.withLock { $0.level = newValue } }
  }

  /// The last warnings and errors, the newest last.
  var troubles: [Trouble] { state.withLock { $0.troubles } }

  func write(_ line: LogLine, of kind: LogLimiter.Kind) {
    let time = time(nil)
    state.withLock { state in
      // Who wants to see the program's steps wants to see all of them.
      let lines = line.level < .info ? [line] : state.limiter.admit(line, of: kind, now: .now)
      if line.level >= .warning {
        state.troubles.append(Trouble(time: time, text: line.text))
        if state.troubles.count > Self.troublesKept { state.troubles.removeFirst() }
      }
      for line in lines { write(line, time, &state.lost) }
    }
  }

  /// Tells what was left out so far.
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
      put(LogLine(level: .warning, text: "\(lost) lines of the log were lost, since nobody read it"), time)
      lost = 0
    }
    put(line, time)
  }

  private func put(_ line: LogLine, _ time: time_t) {
    var text = isJournal ? line.forJournal : line.stamped(time)
    // Short enough to be taken whole; what fails cannot be told anywhere.
    _ = text.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Whether a line would be taken at once.
  private var isReady: Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return Glibc.poll(&poll, 1, 0) != 0
  }

  /// Whether systemd has connected it to the journal (systemd.exec(5), JOURNAL_STREAM).
  private static func isJournal(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard let stream = getenv("JOURNAL_STREAM"), fstat(descriptor, &status) == 0 else { return false }
    return String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }
}
