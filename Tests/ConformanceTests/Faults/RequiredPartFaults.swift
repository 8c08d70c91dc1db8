import Synchronization

/// Faults in what UPnP requires of documents and answers, and in the effects of volume and mute.
extension FaultRow {
  static let requiredParts: [FaultRow] = [
    FaultRow("uda/2.3/types", .description("service:ConnectionManager:1<", "service:ConnectionManager<")),
    FaultRow("uda/2.3/required-services", .description("service:ConnectionManager:1", "service:Connections:1")),
    FaultRow("uda/2.3/icon-elements", .description("depth>", "colors>")),
    FaultRow("uda/2.5/spec-version", .scpd("AVTransport", "specVersion>", "version>")),
    FaultRow("uda/2.5/direction", .scpd("ConnectionManager", "<direction>out<", "<direction>output<")),
    FaultRow("uda/2.5/send-events", .scpd("ConnectionManager", "sendEvents=\"no\"", "sendEvents=\"never\"")),
    FaultRow("uda/2.5/allowed-kinds", .scpd("RenderingControl", "<dataType>ui2", "<dataType>string")),
    FaultRow(
      "uda/3.2.2/envelope",
      .answer("POST", "/control") {
        $0.replace("schemas.xmlsoap.org/soap/envelope/", "www.w3.org/2003/05/soap-envelope")
      }),
    FaultRow("uda/3.2.2/setter", .action("SetMute") { $0.replace("RenderingControl:1", "AVTransport:1") }),
    FaultRow("uda/3.2.2/setter", .action("SetVolume") { $0.replace("RenderingControl:1", "AVTransport:1") }),
    FaultRow(
      "uda/3.2.2/unqualified", .answer("POST", "/control") { $0.replace("xmlns:u=", "xmlns=\"urn:other\" xmlns:u=") }),
    FaultRow("uda/4.3/unqualified", .eventText("<e:propertyset ", "<e:propertyset xmlns=\"urn:other\" ")),
    FaultRow("uda/4.1.2/server", .answer("SUBSCRIBE", "/events") { $0.set("Server", nil) }),
    FaultRow("uda/4.3/seq-rises", .event { if $0.header("seq") == "4" { $0.set("seq", "5") } }),
    FaultRow("uda/2.3/udn", .description("</UDN>", "</UDN><UDN>uuid:1</UDN>")),
    FaultRow("uda/2.5/template-variables", .scpd("RenderingControl", "StateVariable>Mute<", "StateVariable>Volume<")),
    FaultRow("rcs/2.4/unknown-instance", .input(of: "SetVolume", ">4711<", ">0<")),
    FaultRow("rcs/2.3/initial-mute", .eventText("Mute ", "Silence ")),
    FaultRow("rcs/2.4/volume-stays", jumpingVolume()),
  ]

  /// A volume that was set is read once.
  private static func jumpingVolume() -> Fault {
    let reads = Mutex(0)
    return Fault(onResponse: { request, response in
      if request.action == "SetVolume" { reads.withLock { $0 = 1 } }
      guard request.action == "GetVolume" else { return }
      let isOver = reads.withLock { reads in
        if reads > 0 { reads += 1 }
        return reads > 2
      }
      if isOver { response.setText("CurrentVolume", "50") }
    })
  }
}
