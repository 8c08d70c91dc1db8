extension FaultRow {
  /// Faults of Radio without playback.
  static let radio: [FaultRow] = [
    FaultRow("oh/radio/channels-max", .output("Value", of: "ChannelsMax", "100")),
    FaultRow("oh/radio/ids-unique", .output("Array", of: "IdArray", "AAAAAQAAAAE=")),
    FaultRow("oh/radio/read-list", .input("<IdList>2 1<", "<IdList>1 2<", of: "ReadList")),
    FaultRow("oh/radio/read-list-empty", .action("ReadList") { $0.replace("&lt;Id&gt;1&lt;", "&lt;Id&gt;0&lt;") }),
    FaultRow("oh/radio/read", .output("Metadata", of: "Read", "")),
    FaultRow("oh/radio/preset-metadata", .action("ReadList") { $0.replace("res", "uri") }),
    FaultRow("oh/radio/read-unknown", .input(">4713<", ">1<", of: "Read")),
    FaultRow("oh/radio/token", .output("Value", of: "IdArrayChanged", "1")),
    FaultRow("oh/radio/protocol-info", .output("Value", of: "ProtocolInfo", "")),
    FaultRow("oh/radio/transport-state", .output("Value", of: "TransportState", "STOPPED")),
    // Unescaped twice.
    FaultRow("oh/radio/set-channel", .action("Channel") { $0.replace("&amp;amp;", "&amp;") }),
    FaultRow("oh/radio/set-channel-event", .eventText("Uri>", "Url>")),
    FaultRow("oh/radio/set-channel-id", .output("Value", of: "Id", "1")),
    FaultRow("oh/radio/set-id", .eventText("Id>", "Preset>")),
    FaultRow("oh/radio/set-id-unknown", .input(">4713<", ">1<", of: "SetId")),
  ]

  /// Faults of Info and Time without playback.
  static let info: [FaultRow] = [
    FaultRow("oh/info/numbers", .output("BitRate", of: "Details", "unknown")),
    FaultRow("oh/info/idle", .output("Duration", of: "Details", "60")),
    FaultRow("oh/time/numbers", .output("Seconds", of: "Time", "0:00:00")),
    FaultRow("oh/time/quiet", .standIn(.timeAlwaysAdvances)),
    FaultRow("oh/time/track-count", .output("TrackCount", of: "Time", "99")),
  ]

  /// Faults of Receiver and Sender.
  static let songcast: [FaultRow] = [
    FaultRow("oh/receiver/protocol-info", .output("Value", of: "ProtocolInfo", "http-get:*:audio/flac:*")),
    FaultRow("oh/receiver/transport-state", .output("Value", of: "TransportState", "Paused")),
    FaultRow("oh/receiver/set-sender", .output("Metadata", of: "Sender", "")),
    FaultRow("oh/receiver/set-sender-event", .eventText("Uri>", "Url>")),
    FaultRow("oh/receiver/set-sender-source", .output("Value", of: "SourceIndex", "0")),
    FaultRow("oh/receiver/bad-sender", .input("http://", "ohz://", of: "SetSender")),
    FaultRow("oh/receiver/no-sender", .refuses("<Uri></Uri>", code: 800)),
    FaultRow("oh/sender/status", .output("Value", of: "Status", "Ready")),
    FaultRow("oh/sender/status2", .output("Value", of: "Status2", "Enabled")),
    FaultRow("oh/sender/enabled", .output("Value", of: "Status", "Disabled")),
    FaultRow("oh/sender/audio", .output("Value", of: "Audio", "no audio")),
    FaultRow("oh/sender/metadata", .action("Metadata") { $0.replace("ohz://", "http://") }),
    FaultRow("oh/sender/presentation-url", .output("Value", of: "PresentationUrl", "index.html")),
    FaultRow("oh/sender/attributes", .description("service:Info:1", "service:Details:1")),
  ]
}
