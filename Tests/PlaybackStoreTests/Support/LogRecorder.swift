import Logging

@testable import PlaybackModel

/// Records log messages.
struct LogRecorder: LogHandler {
  private let recorded = Monitor<[String]>([])
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    recorded.update { $0.append("\(event.level): \(event.message)") }
  }

  var lines: [String] { recorded.withLock { $0 } }

  var logger: Logger { Logger(label: "test") { [self] _ in self } }
}
