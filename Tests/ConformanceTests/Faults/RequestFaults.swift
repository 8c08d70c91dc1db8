import Synchronization

/// Faults in requests, arguments and subscriptions.
extension FaultRow {
  static let requests: [FaultRow] = [
    FaultRow(
      "rfc9112/3.2/no-host",
      Fault(onRequest: { if $0.header("host") == nil { $0.headers.append(("HOST", " 127.0.0.1")) } })),
    FaultRow(
      "rfc9112/3.2/two-hosts",
      Fault(onRequest: { request in
        let hosts = request.headers.filter { $0.name == "HOST" }.prefix(1)
        request.headers = hosts + request.headers.filter { $0.name != "HOST" }
      })),
    FaultRow(
      "rfc9112/3.2/invalid-host",
      Fault(onRequest: { if $0.header("host") == "http://a b/" { $0.set("host", "127.0.0.1") } })),
    FaultRow("rfc9112/3.2/http10-host", .status(400, for: "GET") { $0.version == "HTTP/1.0" }),
    FaultRow("rfc9112/3.2.2/absolute-form", .status(404, for: "GET") { $0.target.hasPrefix("http:") }),
    FaultRow("rfc9112/2.2/empty-line", Fault(onMalformed: { $0 = Array("BAD\r\n\r\n".utf8) })),
    FaultRow(
      "rfc9112/5.1/no-blank", .status(400, for: "GET") { $0.headers.contains { !$0.value.hasPrefix(" ") } }),
    FaultRow("rfc9110/13.1.2/if-none-match", .status(412, for: "GET") { $0.header("if-none-match") != nil }),
    FaultRow("uda/2.10/accept-language", .status(406, for: "GET") { $0.header("accept-language") != nil }),
    FaultRow("rfc9110/14.2/range", .status(416, for: "GET") { $0.header("range") != nil }),
    FaultRow("rfc9110/5.1/unknown-header", .status(400, for: "GET") { $0.header("dnt") != nil }),
    FaultRow("rfc9110/9.1/unknown-method", .status(200, for: "BREW")),
    FaultRow("rfc9110/15.5.6/allow", Fault(onResponse: { $1.set("Allow", nil) })),
    FaultRow("rfc9112/7.1.1/chunk-extension", .status(400, for: "POST") { $0.body.contains(";name") }),
    FaultRow("http/half-closed", Fault(allowsHalfClosure: false)),
    // Treats the first packet as the whole request.
    FaultRow("http/byte-by-byte", Fault(isFatal: { $0.firstRange(of: Array("\r\n\r\n".utf8)) == nil })),
    // All callers wait at once.
    FaultRow("http/many-callers", Fault(maximumConnections: 20, responseDelay: { _ in .milliseconds(10) })),
    FaultRow("http/idle", .answer("GET", "/description.xml") { $0.closes = true }),
  ]

  static let arguments: [FaultRow] = [
    FaultRow("uda/3.2.1/cdata", .refuses("CDATA", code: 402)),
    FaultRow("uda/3.2.1/character-reference", .refuses("&#x30;", code: 600)),
    FaultRow("uda/3.2.1/default-namespace", .refuses("<GetTransportInfo", code: 401)),
    FaultRow("uda/3.2.1/single-quotes", .refuses("xmlns:u='", code: 401)),
    FaultRow("uda/3.2.1/no-declaration", .status(400, for: "POST") { !$0.body.hasPrefix("<?xml") }),
    FaultRow("uda/3.2.1/processing-instruction", .refuses("<?hint", code: 402)),
    FaultRow("uda/3.2.1/soap-header", .refuses("s:Header", code: 402)),
    FaultRow("uda/3.2.2/empty-number", .input("<InstanceID></InstanceID>", "<InstanceID>0</InstanceID>")),
    FaultRow("uda/3.2.2/negative-number", .input(">-1<", ">0<")),
    FaultRow("uda/3.2.2/number-overflow", .input(">4294967296<", ">0<")),
    FaultRow("uda/3.2.2/fraction", .input(">0.5<", ">0<")),
    FaultRow("uda/3.2.2/other-argument", .input("instanceid>", "InstanceID>")),
    FaultRow("uda/3.2.2/every-missing-argument", .refuses("#GetMediaInfo", code: 501)),
    FaultRow("uda/3.2.2/extra-argument", .refuses("X_Unknown", code: 501)),
    FaultRow("uda/3.2.2/wrong-volume", .input(">loud<", ">3<")),
    FaultRow("uda/3.2.2/wrong-boolean", .input(">maybe<", ">1<")),
    FaultRow(
      "uda/3.2.2/duplicate-argument",
      .input(
        "<DesiredVolume>10</DesiredVolume><DesiredVolume>9</DesiredVolume>", "<DesiredVolume>7</DesiredVolume>")),
  ]

  static let subscribers: [FaultRow] = [
    FaultRow("uda/4.1.2/callback-bytes", .event { $0.target = $0.target.replacing("%2F", with: "/") }),
    FaultRow(
      "uda/4.1.2/second-callback",
      Fault(onRequest: { request in
        guard let callback = request.header("callback"), let end = callback.firstIndex(of: ">") else { return }
        request.set("callback", String(callback[...end]))
      })),
    FaultRow("uda/4.1.2/same-callback", .answer("SUBSCRIBE", "/events") { $0.set("SID", "uuid:same") }),
    FaultRow("uda/4.1.2/no-timeout", .status(412, for: "SUBSCRIBE") { $0.header("timeout") == nil }),
    FaultRow("uda/4.1.2/long-timeout", .answer("SUBSCRIBE", "/events") { $0.set("Timeout", "Second-30") }),
    FaultRow(
      "uda/4.1.2/event-after-answer",
      Fault(responseDelay: { $0.method == "SUBSCRIBE" ? .milliseconds(300) : .zero })),
    FaultRow("uda/4.1/independent", endOfAll()),
    FaultRow("uda/4.3/black-hole", Fault(onEvent: { $0.header("seq") == "0" })),
    FaultRow("uda/4.3/412-ends", .status(200, for: "SUBSCRIBE") { $0.header("sid") != nil }),
    FaultRow("rcs/2.3/moderation", Fault(eventCopies: 20)),
    FaultRow("uda/4.3/no-change", unsteadyVolume()),
    FaultRow(
      "uda/4.1.2/expiry",
      Fault(
        onRequest: { if $0.method == "SUBSCRIBE" { $0.set("timeout", "Second-1800") } },
        onResponse: { if $0.method == "SUBSCRIBE" { $1.set("Timeout", "Second-10") } })),
    FaultRow("uda/4.1.2/renewal-restarts", lateRenewal()),
  ]

  /// One UNSUBSCRIBE ends the events for all subscribers.
  private static func endOfAll() -> Fault {
    let isOver = Mutex(false)
    return Fault(
      onRequest: { if $0.method == "UNSUBSCRIBE" { isOver.withLock { $0 = true } } },
      onEvent: { _ in !isOver.withLock { $0 } })
  }

  /// Every second SetVolume sets another volume than the requested one.
  private static func unsteadyVolume() -> Fault {
    let counter = Counter()
    return Fault(onRequest: { request in
      if request.action == "SetVolume", counter.next().isMultiple(of: 2) { request.replace(">10<", ">9<") }
    })
  }

  /// Refuses the second renewal, as if the subscription had expired.
  private static func lateRenewal() -> Fault {
    let counter = Counter()
    return .status(412, for: "SUBSCRIBE") { $0.header("sid") != nil && counter.next() == 2 }
  }
}
