/// What a service tells the program that started it (sd_notify(3)).
enum ServiceNotice: Sendable, Equatable {
  /// It can be found: whatever waits for it may start.
  case ready
  /// It reads its configuration again, since this time of the monotonic clock in microseconds; `ready` ends it.
  case reloading(since: Int64)
  /// It is about to end, because it was told to.
  case stopping
  /// It is alive.
  case watchdog
  /// What it is doing, in a line for people.
  case status(String)

  /// As the protocol has it: assignments, one a line.
  var text: String {
    switch self {
    case .ready: "READY=1\n"
    case .reloading(let since): "RELOADING=1\nMONOTONIC_USEC=\(since)\n"
    case .stopping: "STOPPING=1\n"
    case .watchdog: "WATCHDOG=1\n"
    case .status(let line): "STATUS=\(line.split(whereSeparator: \.isNewline).joined(separator: " "))\n"
    }
  }
}
