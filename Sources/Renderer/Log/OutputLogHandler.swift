import Logging

/// The log of the program: one line with the fact that matters. What else is known of an event is for those who look at
/// the program's steps, at debug and trace.
struct OutputLogHandler: LogHandler {
  let output: LogOutput
  /// This logger's own; nil for the output's, whatever that is by then.
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
