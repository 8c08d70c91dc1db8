/// Faults in volumes, formats and metadata.
extension FaultRow {
  static let volumes: [FaultRow] = [
    FaultRow("rcs/2.4/every-volume", .input("<DesiredVolume>7<", "<DesiredVolume>6<")),
    FaultRow("rcs/2.4/volume-burst", lastVolumeLost()),
    FaultRow("rcs/2.4/volume-db-rises", .output("CurrentVolume", of: "GetVolumeDB", "-1000")),
    FaultRow("rcs/2.4/volume-db-unit", .output("MinValue", of: "GetVolumeDBRange", "-96")),
    FaultRow(
      "rcs/2.4/set-volume-db", Fault(onRequest: { if $0.action == "SetVolumeDB" { $0.replace(">-1", ">-2") } })),
    FaultRow("rcs/2.4/factory-defaults", .refuses(">FactoryDefaults<", code: 701)),
    FaultRow("rcs/2.4/listed-channels", .refuses(">Master<", code: 703)),
  ]

  /// The last of 30 volumes is ignored.
  private static func lastVolumeLost() -> Fault {
    let counter = Counter()
    return Fault(onRequest: { request in
      if request.action == "SetVolume", counter.next() == 30 {
        request.replace("<DesiredVolume>6<", "<DesiredVolume>3<")
      }
    })
  }

  private static func sink(_ id: String, _ list: String) -> FaultRow {
    FaultRow("cm/2.5.2/\(id)", .output("Sink", of: "GetProtocolInfo", list))
  }

  static let protocolInfo: [FaultRow] = [
    sink("dlna-parameters", "http-get:*:audio/flac:DLNA.ORG_OP=1;DLNA.ORG_FLAGS=0150"),
    sink("separators", "http-get:*:audio/flac:*, http-get:*:audio/wav:*"),
    sink("network", "http-get:eth0:audio/flac:*"),
    sink("l16", "http-get:*:audio/L16:*"),
    FaultRow("cm/2.4/prepare", .scpd("ConnectionManager", "<name>GetProtocolInfo<", "<name>PrepareForConnection<")),
    FaultRow("cm/2.4/connection-protocol", .output("ProtocolInfo", of: "GetCurrentConnectionInfo", "audio/flac")),
  ]

  /// Damages the title in the metadata that GetMediaInfo returns.
  private static func title(_ id: String, _ old: String, _ new: String) -> FaultRow {
    FaultRow("avt/2.4.1/title-\(id)", .action("GetMediaInfo") { $0.replace(old, new) })
  }

  static let metadata: [FaultRow] = [
    title("markup", "&amp;amp;", "&amp;"),
    title("unicode", "東京", "??"),
    title("right-to-left", "שלום", "????"),
    title("emoji", "🎵", "?"),
    title("cdata", "![CDATA[A &amp; B]]", "b/"),
    title("references", "Caf&amp;#233;", "Caf"),
    title("long", "la la la la la ", "la "),
    FaultRow("avt/2.4.1/metadata-identical", .action("GetMediaInfo") { $0.replace(" restricted=\"1\"", "") }),
    FaultRow("avt/2.4.1/metadata-not-implemented", .refuses(">NOT_IMPLEMENTED<", code: 402)),
    FaultRow("avt/2.4.1/unknown-elements", .refuses("urn:example:x", code: 402)),
    FaultRow("avt/2.4.1/several-resources", otherResource()),
    FaultRow("avt/2.4.1/duration-forms", .refuses("+0:00:01.5/10", code: 402)),
    FaultRow("avt/2.4.1/malformed-metadata", .crash(at: "DIDL-Lite&gt;&lt;item&gt;</CurrentURIMetaData>")),
    FaultRow("hostile/metadata/long", .crash(over: 90_000)),
    FaultRow("avt/2.4.8/track-metadata", .output("TrackMetaData", of: "GetPositionInfo", "NOT_IMPLEMENTED")),
    FaultRow("avt/2.3/metadata-event", .eventText("&amp;amp;amp;", "&amp;amp;")),
  ]

  /// Reports the URI of the last resource instead of the one that was set.
  private static func otherResource() -> Fault {
    .action("GetMediaInfo") { response in
      if response.text.contains("rtsp-rtp-udp") { response.setText("CurrentURI", "http://192.0.2.9/a") }
    }
  }
}
