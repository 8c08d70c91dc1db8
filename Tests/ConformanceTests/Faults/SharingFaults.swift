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
    share("cause/rcs/volume", .withholds("Volume>")),
    share("cause/rcs/mute", .withholds("Mute>")),
    share("cause/oh/volume", .withholds("Volume channel")),
    share("cause/oh/mute", .withholds("Mute channel")),
    share("cause/avt/uri", .withholds("AVTransportURI val")),
    share("cause/avt/play", .withholds("Uri>")),
    share("cause/avt/pause", .withholds("TransportState val")),
    share("cause/avt/stop", .withholds("TransportState val")),
    share("cause/oh/insert", .withholds("IdArray>")),
    share("cause/oh/repeat", .withholds("Repeat>")),
    share("cause/oh/shuffle", .withholds("Shuffle>")),
    share("cause/oh/play", .withholds("TrackCount>")),
    share("cause/oh/stop", .withholds("TransportState>")),
    share("cause/oh/channel", .withholds("Uri>")),
    share("oracle/settings", .withholds("Mute channel")),
    share("oracle/playback", .withholds("AVTransportURI val")),
    share("oracle/playlist", .withholds("IdArray>")),
  ]
}

extension Fault {
  /// Sends no events that contain a text, apart from initial ones.
  fileprivate static func silent(_ text: String) -> Fault {
    Fault(onEvent: { $0.header("seq") == "0" || !$0.body.contains(text) })
  }

  /// Sends a variable in no event, apart from initial ones, by changing its name. What else is in the event arrives, which
  /// depends on how many changes are sent together.
  /// - Parameter name: with the text behind it, so that no other name ends with it.
  fileprivate static func withholds(_ name: String) -> Fault {
    .event { if $0.header("seq") != "0" { $0.replace(name, "Withheld" + name.drop(while: \.isLetter)) } }
  }
}
