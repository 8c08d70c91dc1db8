extension FaultRow {
  static let renderingControl: [FaultRow] = [
    FaultRow("rcs/2.2/volume-range", .scpd("RenderingControl", "<minimum>0", "<minimum>1")),
    FaultRow("rcs/2.4/volume", Fault(onRequest: { if $0.action == "SetVolume" { $0.replace(">10<", ">9<") } })),
    FaultRow("rcs/2.4/volume-out-of-range", .input(">101<", ">100<")),
    FaultRow("rcs/2.4/mute", .input("<DesiredMute>1<", "<DesiredMute>0<")),
    FaultRow("rcs/2.4/mute-words", .refuses("<DesiredMute>true<", code: 402)),
    FaultRow("rcs/2.4/mute-keeps-volume", risingVolume()),
    FaultRow("rcs/2.4/presets", .output("CurrentPresetNameList", of: "ListPresets", "InstallationDefaults")),
    FaultRow("rcs/2.4/unknown-preset", .input("NoSuchPreset", "FactoryDefaults")),
    FaultRow("rcs/2.4/volume-db", .output("CurrentVolume", of: "GetVolumeDB", "256")),
    FaultRow("rcs/2.3/last-change", .eventText("metadata-1-0/RCS/", "metadata-1-0/RCS")),
    FaultRow("rcs/2.3/channel", .eventText("Master", "LF")),
    FaultRow("rcs/2.3/mute-event", .eventText(#"val="1""#, #"val="0""#)),
    FaultRow("rcs/2.3/volume-event", Fault(onEvent: { $0.header("seq") == "0" })),
  ]

  /// GetVolume never returns the same value twice.
  private static func risingVolume() -> Fault {
    let counter = Counter()
    return .action("GetVolume") { $0.setText("CurrentVolume", "\(counter.next())") }
  }

  static let connectionManager: [FaultRow] = [
    FaultRow("cm/2.4/sink", .output("Sink", of: "GetProtocolInfo", "")),
    FaultRow("cm/2.5.2/protocol-info", .output("Sink", of: "GetProtocolInfo", "http-get:*:flac:*")),
    FaultRow("cm/2.4/connection-ids", .output("ConnectionIDs", of: "GetCurrentConnectionIDs", "")),
    FaultRow("cm/2.4/connection-info", .output("Direction", of: "GetCurrentConnectionInfo", "In")),
    FaultRow("cm/2.4/unknown-connection", .input(">4711<", ">0<")),
    FaultRow("cm/2.3/plain-events", .eventText("SinkProtocolInfo>", "LastChange>")),
  ]

  static let avTransport: [FaultRow] = [
    FaultRow("avt/2.2/state", .output("CurrentTransportState", of: "GetTransportInfo", "IDLE")),
    FaultRow("avt/2.2/allowed-states", .scpd("AVTransport", "<allowedValue>PLAYING", "<allowedValue>RUNNING")),
    FaultRow("avt/2.2/seek-modes", .scpd("AVTransport", "A_ARG_TYPE_SeekMode", "A_ARG_TYPE_Mode")),
    FaultRow("avt/2.2.13/times", .output("RelTime", of: "GetPositionInfo", "0.0")),
    FaultRow("avt/2.2/counters", .output("RelCount", of: "GetPositionInfo", "NOT_IMPLEMENTED")),
    FaultRow("avt/2.4/track-in-media", .output("Track", of: "GetPositionInfo", "3")),
    FaultRow("avt/2.4/no-media", .output("NrTracks", of: "GetMediaInfo", "1")),
    FaultRow("avt/2.4/capabilities", .output("PlayMedia", of: "GetDeviceCapabilities", "")),
    FaultRow("avt/2.4/play-mode", .input(">REPEAT_ONE<", ">NORMAL<")),
    FaultRow("avt/2.4/unknown-play-mode", .input("NO_SUCH_MODE", "NORMAL")),
    FaultRow("avt/2.4/actions", .output("Actions", of: "GetCurrentTransportActions", "PLAY,STOP")),
    FaultRow("avt/2.3/last-change", .eventText("metadata-1-0/AVT/", "metadata-1-0/AVT")),
    FaultRow("avt/2.3/initial-state", .eventText("TransportState ", "State ")),
    FaultRow("avt/2.3/play-mode-event", .eventText("CurrentPlayMode ", "Mode ")),
    FaultRow("avt/2.3/no-positions", .eventText("TransportStatus ", "RelativeTimePosition ")),
  ]
}
