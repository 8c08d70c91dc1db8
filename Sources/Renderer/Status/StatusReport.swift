import Companion
import FoundationEssentials
import SpeakerCore

/// The status of a running speaker, as `swiftlet status --json` prints it.
struct StatusReport: Codable, Sendable, Equatable {
  struct Track: Codable, Sendable, Equatable {
    var uri: String
    var title: String?
    var artist: String?
    var album: String?
    /// Seconds. Live streams have no duration.
    var position: Double
    var duration: Double?
    /// Sample rate in Hz, bit rate in bit/s; nil while unknown.
    var codec: String?
    var sampleRate: Int?
    var bitDepth: Int?
    var channels: Int?
    var bitRate: Int?
  }

  /// The format in which the audio device is open.
  struct OutputFormat: Codable, Sendable, Equatable {
    /// Frames per second.
    var sampleRate: Int
    /// Bits of a sample.
    var bitDepth: Int
    var channels: Int
  }

  struct Interface: Codable, Sendable, Equatable {
    var name: String
    var address: String
    /// The address of the speaker's page; nil without one.
    var page: String?
    /// The URLs of the device descriptions.
    var urls: [String]
  }

  struct LoggedProblem: Codable, Sendable, Equatable {
    /// Local time, ISO 8601.
    var time: String
    var text: String
  }

  struct Alarm: Codable, Sendable, Equatable {
    var id: UInt32
    /// Empty without a name.
    var name: String
    /// `07:05`.
    var time: String
    /// `mon` to `sun`; empty for once.
    var days: [String]
    var enabled: Bool
    /// The local time of the next occurrence, ISO 8601; nil if it is off or the time is unknown.
    var next: String?
  }

  struct Sleep: Codable, Sendable, Equatable {
    /// Minutes, `track` or `queue`.
    var end: String
    /// Seconds that are left; nil if unknown.
    var rest: Double?
  }

  var name: String
  var version: String
  /// Seconds.
  var uptime: Double
  /// `playing`, `buffering`, `paused` or `stopped`.
  var state: String
  /// The word of a `Source`.
  var source: String
  var standby: Bool
  /// 0…100.
  var volume: Int
  var muted: Bool
  var track: Track?
  /// Why playback stopped.
  var error: String?
  /// The last track that was skipped because it failed, and why.
  var skipped: String?
  /// Number of times that a track could not be played since the start.
  var failedTracks = 0
  /// nil without an audio device.
  var output: String?
  /// nil while the device is closed.
  var outputFormat: OutputFormat?
  /// Whether the card gets the decoded samples unchanged; nil while nothing plays.
  var bitPerfect: Bool?
  /// Why the samples are changed, as raw values of `SignalPath.Reason`; nil while nothing plays.
  var reasons: [String]?
  /// Decoded sound that waits for the device, in seconds.
  var buffer: Double
  /// The delay of a stream that is sent in real time, in seconds; nil for others.
  var delay: Double?
  /// Underruns of the audio device since the start.
  var xruns: Int
  /// Packets of other rooms that did not arrive in time since the start.
  var lostPackets = 0
  var alarms: [Alarm] = []
  /// `off`, `waiting`, `ringing` or `snoozed`.
  var alarm = "off"
  /// Nil while the sleep timer is off.
  var sleep: Sleep?
  var interfaces: [Interface]
  /// The last warnings and errors of the log, the newest last.
  var troubles: [LoggedProblem]
  /// The programs that are sources; nil without any.
  var sources: [ProgramReport]?
  /// nil if all companions are off.
  var companions: CompanionReport?
  /// nil without folders of music.
  var library: LibraryReport?
}

// MARK: JSON

extension StatusReport {
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    // Encoding fails only for numbers that are not finite, and the report has none.
    guard let data = try? encoder.encode(self) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// Parses a report; nil if the text is not one.
  init?(json: [UInt8]) {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let report = try? decoder.decode(StatusReport.self, from: Data(json)) else { return nil }
    self = report
  }
}

// MARK: Text

extension StatusReport {
  /// The report for users, one line for each fact.
  var text: String {
    var rows = [("Speaker", "\(name), \(Version.name) \(version), up for \(Self.time(uptime))")]
    rows.append(("State", standby ? "standby" : state + (track == nil ? "" : ", from \(source)")))
    if let track {
      rows.append(("Track", [track.title, track.artist, track.album].compactMap(\.self).joined(separator: " – ")))
      rows.append(("", track.uri))
      let duration = track.duration.map { " of " + Self.time($0) } ?? ""
      rows.append(("Position", Self.time(track.position) + duration))
      if let codec = track.codec { rows.append(("Stream", ([codec] + track.figures).joined(separator: ", "))) }
    }
    if let error { rows.append(("Error", error)) }
    if let skipped { rows.append(("Skipped", skipped)) }
    rows.append(("Volume", "\(volume)" + (muted ? ", muted" : "")))
    if let delay { rows.append(("Delay", "\((delay * 100).rounded() / 100) s")) }
    rows.append(("Output", (output ?? "none, waiting for an audio device") + (xruns == 0 ? "" : ", \(xruns) xruns")))
    if let path { rows.append(("", path)) }
    if lostPackets > 0 { rows.append(("Songcast", "\(lostPackets) packets lost")) }
    if let sleep { rows.append(("Sleep", sleep.text)) }
    for (index, entry) in alarms.enumerated() {
      rows.append((index == 0 ? "Alarms" : "", entry.text))
    }
    if alarm != "off" { rows.append(("Alarm", alarm)) }
    if interfaces.isEmpty { rows.append(("Network", "none")) }
    for interface in interfaces {
      rows.append(("Network", "\(interface.name) \(interface.address)"))
      if let page = interface.page { rows.append(("Page", page)) }
      rows += interface.urls.map { ("", $0) }
    }
    for program in sources ?? [] { rows.append(("Source", program.text)) }
    if let companions { rows += companions.rows }
    if let library { rows += library.rows }
    rows += troubles.map { ("Trouble", "\($0.time) \($0.text)") }
    return rows.map { $0.padded + $1 + "\n" }.joined()
  }

  /// The format of the device and whether it gets the samples unchanged.
  private var path: String? {
    guard let format = outputFormat else { return nil }
    let words = (reasons ?? []).map { $0 == "replay_gain" ? "ReplayGain" : $0 }.joined(separator: ", ")
    let verdict = bitPerfect.map { $0 ? ", bit-perfect" : ", not bit-perfect: " + words } ?? ""
    return "\(format.sampleRate) Hz, \(format.bitDepth) bits, \(Self.channels(format.channels))" + verdict
  }

  fileprivate static func channels(_ count: Int) -> String { count == 1 ? "1 channel" : "\(count) channels" }

  /// `1:02:03`, or `2 d 1:02:03`.
  fileprivate static func time(_ seconds: Double) -> String {
    let seconds = Int(seconds)
    let (days, hours, minutes) = (seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60)
    let parts = days > 0 || hours > 0 ? [hours, minutes, seconds % 60] : [minutes, seconds % 60]
    let clock = parts.enumerated().map { index, part in index > 0 && part < 10 ? "0\(part)" : "\(part)" }
    return (days > 0 ? "\(days) d " : "") + clock.joined(separator: ":")
  }
}

extension StatusReport.Alarm {
  fileprivate var text: String {
    let words = ["\(id): \(time)", days.isEmpty ? "once" : days.joined(separator: ","), name].filter { !$0.isEmpty }
    return words.joined(separator: " ") + (enabled ? next.map { ", next \($0)" } ?? "" : ", off")
  }
}

extension StatusReport.Sleep {
  fileprivate var text: String {
    let what = ["track", "queue"].contains(end) ? "at the end of the \(end)" : "after \(end) min"
    return what + (rest.map { ", in " + StatusReport.time($0) } ?? "")
  }
}

extension StatusReport.Track {
  fileprivate var figures: [String] {
    [
      sampleRate.map { "\($0) Hz" }, bitDepth.map { "\($0) bits" }, channels.map(StatusReport.channels),
      bitRate.map { "\($0 / 1000) kbit/s" },
    ].compactMap(\.self)
  }
}

extension ProgramReport {
  /// For `swiftlet status`.
  fileprivate var text: String {
    switch state {
    case .off, .running: "\(name), \(state)"
    case .waiting, .failed:
      ["\(name), \(state)", problem.map { "the program \($0)" }, lines.last].compactMap(\.self).joined(separator: ": ")
    }
  }
}

extension String {
  /// Padded to the width of the first column.
  fileprivate var padded: String { self + String(repeating: " ", count: 10 - count) }
}
