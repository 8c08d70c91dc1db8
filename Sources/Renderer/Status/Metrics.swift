import Glibc
import PlaybackModel

/// The status as metrics for Prometheus (text-based exposition format 0.0.4).
enum Metrics {
  static let path = "/metrics"
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  static func text(_ report: StatusReport, process: ProcessFigures) -> String {
    var metrics = MetricsText()
    metrics.add(
      "swiftlet_info", "gauge", "Name and version.", 1, labels: [("name", report.name), ("version", report.version)])
    metrics.add("swiftlet_uptime_seconds", "gauge", "Time since the start.", report.uptime)
    func isIn(_ state: TransportState) -> Double { report.state == state.shortWord ? 1 : 0 }
    metrics.add("swiftlet_playing", "gauge", "Whether sound is playing.", isIn(.playing))
    metrics.add("swiftlet_buffering", "gauge", "Whether playback waits for data.", isIn(.transitioning))
    metrics.add(
      "swiftlet_failed", "gauge", "Whether playback stopped because of an error.", report.error == nil ? 0 : 1)
    metrics.add(
      "swiftlet_failed_tracks_total", "counter", "Times that a track could not be played.", Double(report.failedTracks))
    metrics.add("swiftlet_standby", "gauge", "Whether the speaker is in standby.", report.standby ? 1 : 0)
    metrics.add("swiftlet_volume", "gauge", "Volume, 0 to 100.", Double(report.volume))
    metrics.add("swiftlet_muted", "gauge", "Whether the speaker is muted.", report.muted ? 1 : 0)
    metrics.add("swiftlet_output", "gauge", "Whether there is an audio device.", report.output == nil ? 0 : 1)
    if let isBitPerfect = report.bitPerfect {
      metrics.add(
        "swiftlet_bit_perfect", "gauge", "Whether the card gets the samples unchanged. Absent while nothing plays.",
        isBitPerfect ? 1 : 0)
    }
    metrics.add("swiftlet_buffer_seconds", "gauge", "Decoded sound that waits for the audio device.", report.buffer)
    if let delay = report.delay {
      metrics.add(
        "swiftlet_delay_seconds", "gauge", "Delay of a stream that is sent in real time. Absent for others.", delay)
    }
    metrics.add(
      "swiftlet_xruns_total", "counter", "Underruns of the audio device.", Double(report.xruns))
    metrics.add(
      "swiftlet_lost_packets_total", "counter", "Packets of other rooms that did not arrive in time.",
      Double(report.lostPackets))
    metrics.add("swiftlet_interfaces", "gauge", "Network interfaces in use.", Double(report.interfaces.count))
    metrics.add("process_resident_memory_bytes", "gauge", "Resident memory.", Double(process.residentBytes))
    metrics.add("process_cpu_seconds_total", "counter", "Processor time used.", process.cpuSeconds)
    metrics.add("process_open_fds", "gauge", "Open files.", Double(process.openFiles))
    if let companions = report.companions { metrics.add(companions) }
    if let library = report.library { metrics.add(library) }
    return metrics.text
  }
}

/// Metrics in the text-based format.
struct MetricsText {
  private(set) var text = ""

  /// - Parameter type: gauge or counter.
  mutating func add(
    _ name: String, _ type: String, _ help: String, _ value: Double, labels: [(String, String)] = []
  ) {
    let labels = labels.map { "\($0)=\"\($1.escaped)\"" }.joined(separator: ",")
    let number = value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    text += name + (labels.isEmpty ? "" : "{\(labels)}") + " \(number)\n"
  }
}

extension String {
  /// Escaped for the value of a label.
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

/// Resources that the process uses.
struct ProcessFigures: Equatable {
  var residentBytes = 0
  var cpuSeconds = 0.0
  var openFiles = 0

  static func current() -> ProcessFigures {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    let times = [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
    return ProcessFigures(residentBytes: residentBytes, cpuSeconds: times[0] + times[1], openFiles: openFiles)
  }

  /// The second number of statm, in pages (proc(5)).
  private static var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "re") else { return 0 }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 128)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return 0 }
    let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }

  private static var openFiles: Int {
    guard let directory = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    // Do not count `.`, `..` and the descriptor of the directory.
    return max(0, count - 3)
  }
}
