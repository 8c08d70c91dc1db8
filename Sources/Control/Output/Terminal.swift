import ArgumentParser
import FoundationEssentials
import Glibc

/// Writes the output of commands.
enum Terminal {
  /// The device that prints, if a command drives several ones.
  @TaskLocal static var deviceName: String?

  /// Prints a line. Replaces control characters from devices, since a terminal would obey them.
  static func print(_ line: String) { Swift.print(visible(deviceName.map { "\($0)  \(line)" } ?? line)) }

  /// Prints a message to standard error.
  static func complain(_ message: String) {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(visible)
    let text = "swiftlet-control: \(lines.joined(separator: "\n"))\n"
    // Nothing can be done about a closed standard error.
    _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
  }

  /// Prints a value as JSON on one line.
  static func json(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try deviceName.map { try encoder.encode(Named(device: $0, value: value)) } ?? encoder.encode(value)
    Swift.print(String(decoding: data, as: UTF8.self))
  }

  /// A value with the name of its device.
  private struct Named<Value: Encodable>: Encodable {
    let device: String
    let value: Value

    private enum Key: CodingKey { case device }

    func encode(to encoder: any Encoder) throws {
      try value.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(device, forKey: .device)
    }
  }

  // MARK: Lists

  /// Prints an entry of a list, which is one line on a terminal of any width.
  static func entry(_ line: String, isCurrent: Bool = false) {
    let style = style
    let text = style.cut(visible(line))
    Swift.print(isCurrent ? style.bold(text) : text)
  }

  static func heading(_ line: String) { Swift.print(style.bold(visible(line))) }

  /// Prints a list in columns. The first row has their names.
  static func table(_ rows: [[String]]) {
    let style = style
    for (number, line) in style.aligned(rows.map { $0.map { visible($0) } }).enumerated() {
      Swift.print(number == 0 ? style.bold(style.cut(line)) : style.cut(line))
    }
  }

  /// Prints names and values. Values without text are left out; long ones continue on the next line of a terminal.
  static func details(_ rows: [(name: String, value: String)]) {
    let rows = rows.filter { !$0.value.isEmpty }.map { ["  " + visible($0.name), visible($0.value)] }
    for line in style.aligned(rows) { Swift.print(line) }
  }

  // MARK: Terminals

  /// Whether standard output is a terminal that can move its cursor.
  static let isInteractive =
    isatty(STDOUT_FILENO) == 1 && getenv("TERM").map { String(cString: $0) } ?? "dumb" != "dumb"

  /// The current style of standard output. The user may resize the terminal.
  private static var style: TerminalStyle {
    guard isatty(STDOUT_FILENO) == 1 else { return .plain }
    var environment: [String: String] = [:]
    for name in ["NO_COLOR", "TERM"] { environment[name] = getenv(name).map { String(cString: $0) } }
    return TerminalStyle(columns: width, environment: environment)
  }

  /// Columns of the terminal; nil if it does not know.
  private static var width: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Replaces the line that the last call has printed.
  static func progress(_ line: String) {
    let text = visible(line).replacing("\t", with: " ")
    // In the last column, some terminals begin another line.
    Swift.print("\r\u{1B}[K" + Columns.cut(text, to: (width ?? 80) - 1), terminator: "")
    flush()
  }

  /// Ends the line of `progress`.
  static func endProgress() { Swift.print("") }

  // MARK: Pipes

  /// Flushes buffered output, for readers of a pipe.
  static func flush() { fflush(nil) }

  /// Flushes standard output at the end of a command.
  /// - Throws: `ExitCode`, after a message, if output was lost. A reader of a pipe may leave early.
  static func finish() throws {
    guard !isClosed, fflush(nil) != 0 else { return }
    complain("Cannot write the output: \(String(cString: strerror(errno))).")
    throw ExitCode(EX_IOERR)
  }

  /// Whether the reader of a pipe has left.
  static var isClosed: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&output, 1, 0) == 1 && Int32(output.revents) & Int32(POLLERR) != 0
  }

  /// The text with control characters replaced, and without formatting characters that would reverse or hide text.
  static func visible(_ text: some StringProtocol) -> String {
    var visible = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control: visible.append(scalar == "\t" ? scalar : "\u{FFFD}")
      // Joiners belong to emoji and to several scripts.
      case .format where scalar.value != 0x200C && scalar.value != 0x200D: break
      case .lineSeparator, .paragraphSeparator: visible.append(" ")
      default: visible.append(scalar)
      }
    }
    return String(visible)
  }
}
