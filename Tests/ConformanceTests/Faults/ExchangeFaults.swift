import Synchronization

extension FaultRow {
  static let http: [FaultRow] = [
    FaultRow("rfc9110/15.5.5/not-found", .answer("GET", "no-such-file") { $0.status = 200 }),
    FaultRow("rfc9110/15.5.6/method", .status(200, for: "DELETE")),
    FaultRow("rfc9112/7.1/chunked-request", .status(400, for: "POST") { $0.header("transfer-encoding") != nil }),
    FaultRow("rfc9112/9.6/close", .answer("GET", "/description.xml") { $0.closes = false }),
    FaultRow("rfc9112/9.3/keep-alive", .answer("GET", "/description.xml") { $0.closes = true }),
    FaultRow(
      "rfc9112/9.3.2/pipelining",
      Fault(onResponse: { request, response in if request.method == "HEAD" { response.closes = true } })),
    FaultRow("rfc9110/10.1.1/expect-continue", .status(417, for: "POST") { $0.header("expect") != nil }),
    FaultRow(
      "rfc9112/6.1/http10-chunked",
      Fault(onResponse: { request, response in
        guard request.version == "HTTP/1.0" else { return }
        response.set("Content-Length", nil)
        response.headers.append(("Transfer-Encoding", "chunked"))
        response.body =
          Array("\(String(response.body.count, radix: 16))\r\n".utf8) + response.body + Array("\r\n0\r\n\r\n".utf8)
      })),
    FaultRow("rfc9112/6.3/length", .answer("GET", "/description.xml") { $0.excess = "more" }),
    FaultRow(
      "http/header-case", .status(500, for: "POST") { request in request.headers.contains { $0.name == "soapaction" } }),
    FaultRow(
      "http/large-header",
      Fault(onResponse: { request, response in response.isMissing = request.header("x-filler") != nil })),
    FaultRow("http/split-request", Fault(isEarly: true)),
    FaultRow("http/garbage", brokenByGarbage()),
  ]

  /// Stops answering after garbage.
  private static func brokenByGarbage() -> Fault {
    let garbage = Counter()
    let isBroken = Mutex(false)
    return Fault(
      onRequest: { request in
        if request.method.hasSuffix("garbage"), garbage.next() > 0 { isBroken.withLock { $0 = true } }
      },
      onResponse: { _, response in if isBroken.withLock({ $0 }) { response.status = 503 } })
  }

  static let control: [FaultRow] = [
    FaultRow("uda/3.2.2/unknown-action", .refuses("X_NoSuchAction", code: 501)),
    FaultRow(
      "uda/3.2.2/missing-argument",
      Fault(onRequest: { request in
        guard !request.body.contains("InstanceID") else { return }
        request.replace(
          "AVTransport:1\"></u:GetTransportInfo>",
          "AVTransport:1\"><InstanceID>0</InstanceID></u:GetTransportInfo>")
      })),
    FaultRow("uda/3.2.2/wrong-type", .input(">first<", ">0<")),
    FaultRow("uda/3.2.2/fault", .action("X_NoSuchAction") { $0.replace(":Client", ":Server") }),
    FaultRow(
      "uda/3.2.1/wrong-service",
      Fault(onRequest: { request in
        request.set(
          "soapaction",
          (request.header("soapaction") ?? "").replacing("service:Toaster:1", with: "service:RenderingControl:1"))
        request.replace("service:Toaster:1", "service:RenderingControl:1")
      })),
    FaultRow("uda/3.2.1/malformed", .status(200, for: "POST") { $0.body == "<s:Envelope" }),
    FaultRow("avt/2.4/instance", .input(">4711<", ">0<")),
    FaultRow("rcs/2.4/instance", .input(">4711<", ">0<")),
    FaultRow("rcs/2.4/channel", .input("NoSuchChannel", "Master")),
    FaultRow("uda/3.2.1/prefixes", .refuses("SOAP-ENV", code: 401)),
    FaultRow("uda/3.2.1/comments", .refuses("<!--", code: 402)),
    FaultRow("uda/3.2.1/unquoted-soapaction", .refuses("SOAPACTION: urn", code: 401)),
    FaultRow("uda/3.2.2/response", .action("ListPresets") { $0.replace("ListPresetsResponse", "ListPresets") }),
    FaultRow("uda/3.2.2/content-type", .action("X_NoSuchAction") { $0.set("Content-Type", "text/html") }),
    FaultRow("uda/3.2.2/ext", .action("ListPresets") { $0.set("Ext", nil) }),
    FaultRow(
      "uda/3.2.1/argument-order",
      Fault(onResponse: { request, response in
        if request.body.contains("<Channel>Master</Channel><InstanceID>") { response.setText("CurrentVolume", "99") }
      })),
  ]

  static let eventing: [FaultRow] = [
    FaultRow("uda/4.1.2/sid", .answer("SUBSCRIBE", "/events") { $0.set("SID", "4711") }),
    FaultRow("uda/4.1.2/timeout", .answer("SUBSCRIBE", "/events") { $0.set("Timeout", "300") }),
    FaultRow("uda/4.1.2/two-subscribers", .answer("SUBSCRIBE", "/events") { $0.set("SID", "uuid:same") }),
    FaultRow("uda/4.1.2/renewal", .status(412, for: "SUBSCRIBE") { $0.header("sid") != nil }),
    FaultRow(
      "uda/4.1.3/unsubscribe",
      .status(200, for: "UNSUBSCRIBE")),
    FaultRow("uda/4.3/initial", Fault(onEvent: { _ in false })),
    FaultRow("uda/4.3/initial-seq", .event { $0.set("seq", "1") }),
    FaultRow(
      "uda/4.3/initial-variables",
      .eventText(
        "<e:property><CurrentConnectionIDs>0</CurrentConnectionIDs></e:property>", "")),
    FaultRow(
      "uda/4.3/declared-variables",
      .eventText("</e:propertyset>", "<e:property><Other>1</Other></e:property></e:propertyset>")),
    FaultRow("uda/4.3/headers", .event { $0.set("nts", "upnp:change") }),
    FaultRow("uda/4.3/property-set", .eventText("event-1-0", "event")),
    FaultRow("uda/4.3/content-type", .event { $0.set("content-type", "application/octet-stream") }),
    FaultRow("uda/4.3/event-equals-getter", .output("CurrentVolume", of: "GetVolume", "77")),
    FaultRow("uda/4.3/seq-rises", .event { if $0.header("seq") == "1" { $0.set("seq", "2") } }),
    FaultRow("uda/4.1.1/no-callback", .status(200, for: "SUBSCRIBE") { $0.header("callback") == nil }),
    FaultRow("uda/4.1.1/no-nt", .status(200, for: "SUBSCRIBE") { $0.header("nt") == nil }),
    FaultRow("uda/4.1.1/other-nt", .status(200, for: "SUBSCRIBE") { $0.header("nt") == "upnp:other" }),
    FaultRow("uda/4.1.1/callback-scheme", .status(200, for: "SUBSCRIBE")),
    FaultRow("uda/4.1.2/unknown-sid", .status(200, for: "SUBSCRIBE")),
    FaultRow("uda/4.1.2/sid-and-callback", .status(412, for: "SUBSCRIBE")),
    FaultRow("uda/4.1.3/unknown-sid", .status(200, for: "UNSUBSCRIBE")),
    FaultRow("uda/4.1.3/no-sid", .status(200, for: "UNSUBSCRIBE")),
    FaultRow("uda/4.1.3/sid-and-nt", .status(412, for: "UNSUBSCRIBE")),
    FaultRow("uda/4.1.1/foreign-callback", .status(200, for: "SUBSCRIBE")),
  ]
}
