import Synchronization

/// Faults in what documents, answers and events say about themselves, and in the effects of one setting on another.
extension FaultRow {
  private static let latin1 = "text/xml; charset=\"iso-8859-1\""

  static let agreements: [FaultRow] = [
    FaultRow("uda/2.11/charset", .answer("GET", "/description.xml") { $0.set("Content-Type", latin1) }),
    FaultRow("uda/3.2.2/charset", .action("ListPresets") { $0.set("Content-Type", latin1) }),
    FaultRow("uda/4.3/charset", .event { $0.set("content-type", latin1) }),
    FaultRow(
      "uda/2.5/required-events",
      .answer("GET", "/AVTransport/scpd.xml") { response in
        guard let name = response.text.firstRange(of: "<name>LastChange</name>") else { return }
        let parts = response.text[..<name.lowerBound].split(separator: "\"yes\"", omittingEmptySubsequences: false)
        let head = parts.dropLast().joined(separator: "\"yes\"")
        let tail = String(parts.last ?? "") + String(response.text[name.lowerBound...])
        response.text = "\(head)\"no\"\(tail)"
      }),
    FaultRow("uda/3.2.2/namespaces", .action("GetMediaInfo") { $0.replace("AVTransport:1", "AVTransport:3") }),
    FaultRow(
      "uda/4.3/listed-values",
      .eventText("TransportStatus val=\"OK\"", "TransportStatus val=\"FINE\"")),
    FaultRow("avt/2.2/listed-states", .scpd("AVTransport", "<allowedValue>PAUSED_PLAYBACK</allowedValue>", "")),
    FaultRow("uda/4.3/host", .event { $0.headers.removeAll { $0.name.lowercased() == "host" } }),
    FaultRow("uda/4.1.2/renewal-seq", restartingSequence()),
    FaultRow("uda/4.3/lasting", .initialEventsOnly),
    FaultRow("rcs/2.4/zero-keeps-mute", mutingZero("SetVolume", "GetMute", "CurrentMute")),
    FaultRow("oh/volume/zero-keeps-mute", mutingZero("SetVolume", "Mute", "Value")),
    FaultRow("cm/2.4/connection-direction", .output("Direction", of: "GetCurrentConnectionInfo", "Output")),
    FaultRow("avt/2.4/uri-escapes", .action("GetMediaInfo") { $0.replace("%20", " ") }),
    FaultRow("avt/2.3/event-uri-escapes", .eventText("%20", " ")),
    FaultRow("avt/2.4.8/metadata-fields", .action("GetPositionInfo") { $0.replace("The Testers", "") }),
    FaultRow("avt/2.3/metadata-fields-event", .eventText("The Testers", "")),
  ]

  /// The first event after a renewal has SEQ 0.
  private static func restartingSequence() -> Fault {
    let isRenewed = Mutex(false)
    return Fault(
      onRequest: { request in
        if request.method == "SUBSCRIBE", request.header("sid") != nil { isRenewed.withLock { $0 = true } }
      },
      onEvent: { event in
        if isRenewed.withLock({ $0 }) { event.set("seq", "0") }
        return true
      })
  }

  /// The volume 0 mutes.
  private static func mutingZero(_ setter: String, _ getter: String, _ output: String) -> Fault {
    let isZero = Mutex(false)
    return Fault(onResponse: { request, response in
      if request.action == setter {
        let value = request.element("DesiredVolume") ?? request.element("Value")
        isZero.withLock { $0 = value == "0" }
      }
      if request.action == getter, isZero.withLock({ $0 }) { response.setText(output, "1") }
    })
  }
}
