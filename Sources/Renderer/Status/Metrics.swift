/// How the speaker is, for Prometheus (text-based exposition format 0.0.4).
enum Metrics {
  static let path = "/metrics"
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  static func text(_ report: StatusReport, process: ProcessFigures) -> String {
    var text = ""
    func add(_ name: String, _ type: String, _ help: String, _ value: Double, labels: [(String, String)] = []) {
      let labels = labels.map { "\($0)=\"\($1.escaped)\"" }.joined(separator: ",")
      let number = value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
      text += name + (labels.isEmpty ? "" : "{\(labels)}") + " \(number)\n"
    }
    add(
      "swiftlet_info", "gauge", "Which this is.", 1, labels: [("name", report.name), ("version", report.version)])
    add("swiftlet_uptime_seconds", "gauge", "How long it has run.", report.uptime)
    add("swiftlet_playing", "gauge", "Whether there is sound.", report.state == "playing" ? 1 : 0)
    add("swiftlet_buffering", "gauge", "Whether sound is wanted and not there.", report.state == "buffering" ? 1 : 0)
    add("swiftlet_failed", "gauge", "Whether the current track cannot be heard.", report.error == nil ? 0 : 1)
    add("swiftlet_standby", "gauge", "Whether it is in standby.", report.standby ? 1 : 0)
    add("swiftlet_volume", "gauge", "Volume, of 100.", Double(report.volume))
    add("swiftlet_muted", "gauge", "Whether it is muted.", report.muted ? 1 : 0)
    add("swiftlet_output", "gauge", "Whether there is an audio device.", report.output == nil ? 0 : 1)
    add(
      "swiftlet_xruns_total", "counter", "How often the audio device has run out of samples.", Double(report.xruns))
    add("swiftlet_interfaces", "gauge", "Networks that it can be found on.", Double(report.interfaces.count))
    add("process_resident_memory_bytes", "gauge", "Memory in use.", Double(process.residentBytes))
    add("process_cpu_seconds_total", "counter", "Processor time used.", process.cpuSeconds)
    add("process_open_fds", "gauge", "Open files.", Double(process.openFiles))
    return text
  }
}

extension String {
  /// In a label's value.
  fileprivate var escaped: String {
    reduce(into: "") { text, character in
      switch character {
      case "\\", "\"": text += "\\\(character)"
      case "\n": text += "\\n"
      default: text.append(character)
      }
    }
  }
}
