/// All that one would ask a running speaker, as `swiftlet status --json` prints it.
struct StatusReport: Codable, Sendable, Equatable {
  struct Track: Codable, Sendable, Equatable {
    var uri: String
    var title: String?
    var artist: String?
    var album: String?
    /// Seconds; no duration for what has no end.
    var position: Double
    var duration: Double?
    /// What it is made of, as far as that is known; rates a second, depth in bits.
    var codec: String?
    var sampleRate: Int?
    var bitDepth: Int?
    var channels: Int?
    var bitRate: Int?
  }

  struct Interface: Codable, Sendable, Equatable {
    var name: String
    var address: String
    /// Of the devices' descriptions.
    var urls: [String]
  }

  struct Trouble: Codable, Sendable, Equatable {
    /// Local, ISO 8601.
    var time: String
    var text: String
  }

  var name: String
  var version: String
  /// Seconds.
  var uptime: Double
  /// `playing`, `buffering`, `paused` or `stopped`.
  var state: String
  /// `playlist`, `radio` or `upnp`.
  var source: String
  var standby: Bool
  /// 0…100.
  var volume: Int
  var muted: Bool
  var track: Track?
  /// Why the track does not sound.
  var error: String?
  /// Nil while there is no audio device.
  var output: String?
  /// How often the audio device has run out of samples since the start.
  var xruns: Int
  var interfaces: [Interface]
  /// The last warnings and errors of the log, the newest last.
  var troubles: [Trouble]
}
