extension FaultRow {
  private static func share(_ id: String, _ fault: Fault) -> FaultRow { FaultRow("share/\(id)", fault) }

  /// Faults in the shared state of a speaker's two root devices.
  static let sharing: [FaultRow] = [
    share("volume/from-av", .output("Value", of: "Volume", "50")),
    share("volume/from-oh", .output("CurrentVolume", of: "GetVolume", "50")),
    share("mute/from-av", .output("Value", of: "Mute", "0")),
    share("mute/from-oh", .output("CurrentMute", of: "GetMute", "0")),
    share("av-selects-source", .output("Value", of: "SourceIndex", "0")),
    share("playlist-selects-source", .output("Value", of: "SourceIndex", "2")),
    share("playlist-stops-av", .silent("STOPPED")),
    share("av-stops-playlist", .silent(">Stopped<")),
    share("info-shows-av", .output("Uri", of: "Track", "")),
    share("transport-controls-av", .performs("Stop", insteadOf: "Pause")),
    share("standby-stops-av", .silent("STOPPED")),
    share("av-ends-standby", .output("Value", of: "Standby", "1")),
    share("av-keeps-playlist", .after("Next", .output("Value", of: "Id", "2"))),
    share("protocol-info", .output("Sink", of: "GetProtocolInfo", "http-get:*:audio/flac:*")),
    share("cause/rcs/volume", .silent("<Volume>")),
    share("cause/rcs/mute", .silent("<Mute>")),
    share("cause/oh/volume", .silent("Volume channel")),
    share("cause/oh/mute", .silent("Mute channel")),
    share("cause/avt/uri", .silent("AVTransportURI val")),
    share("cause/avt/play", .silent("<Uri>")),
    share("cause/avt/pause", .silent("PAUSED_PLAYBACK")),
    share("cause/avt/stop", .silent("STOPPED")),
    share("cause/oh/insert", .silent("<IdArray>")),
    share("cause/oh/repeat", .silent("<Repeat>")),
    share("cause/oh/shuffle", .silent("<Shuffle>")),
    share("cause/oh/play", .silent("<TrackCount>")),
    share("cause/oh/stop", .silent(">Stopped<")),
    share("cause/oh/channel", .silent("<Uri>")),
    share("oracle/settings", .silent("Mute channel")),
    share("oracle/playback", .silent("STOPPED")),
    share("oracle/playlist", .silent("<IdArray>")),
  ]
}

extension Fault {
  /// Sends no events that contain a text, apart from initial ones.
  fileprivate static func silent(_ text: String) -> Fault {
    Fault(onEvent: { $0.header("seq") == "0" || !$0.body.contains(text) })
  }
}
