import ControlPoint
import Synchronization

@testable import Conformance

extension FaultRow {
  static let hostile: [FaultRow] =
    hostileHTTP + hostileConnections + hostileControl + hostileEventing + hostileDatagrams

  private static let hostileHTTP: [FaultRow] = [
    FaultRow("rfc9112/6.3/negative-length", .tolerance),
    FaultRow("rfc9112/6.3/length-text", .tolerance),
    FaultRow("rfc9112/6.3/two-lengths", .tolerance),
    FaultRow("rfc9112/6.3/length-overflow", .tolerance),
    FaultRow("rfc9112/6.1/length-and-chunked", .tolerance),
    FaultRow("rfc9112/6.1/unknown-coding", .tolerance),
    FaultRow("rfc9112/7.1/chunk-overflow", .crash(at: "FFFFFFFF")),
    FaultRow("rfc9112/5.1/blank-before-colon", .tolerance),
    FaultRow("rfc9112/5.2/folded-line", .crash(at: "\r\n two")),
    FaultRow("hostile/http/header", .crash(over: 50_000)),
    FaultRow("hostile/http/request-line", .crash(over: 50_000)),
    FaultRow("hostile/http/many-headers", .crash(at: "X-Header: value\r\nX-Header: value")),
    FaultRow("hostile/http/long-name", .crash(over: 50_000)),
    FaultRow("hostile/http/announced-body", .crash(at: "10485760")),
    FaultRow("hostile/http/many-ranges", .crash(at: ",5-100,")),
    FaultRow("hostile/http/nul", .crash(at: "one\u{0}two")),
    FaultRow("hostile/http/nul-in-path", .crash(at: "one\u{0}two")),
    FaultRow("hostile/http/invalid-utf8", Fault(isFatal: { $0.contains(0xFF) })),
    FaultRow("hostile/http/format-string", .crash(at: "%n%n")),
    FaultRow("hostile/http/method", .crash(at: "AAAAAAAA")),
    FaultRow("hostile/http/tls", Fault(isFatal: { $0.first == 0x16 })),
    FaultRow("hostile/http/http2", .crash(at: "PRI ")),
    FaultRow("hostile/http/path-traversal", .answer("GET", "/etc/passwd") { $0.text = "root:x:0:0:" }),
    FaultRow(
      "hostile/http/upload",
      Fault(onResponse: { if $0.target.contains("swiftlet-conformance") { $1.status = 200 } })),
    FaultRow(
      "hostile/http/foreign-host",
      Fault(onRequest: { if $0.header("host") == "rebinding.example" { $0.set("host", "127.0.0.1") } })),
  ]

  private static let hostileConnections: [FaultRow] = [
    FaultRow("hostile/tcp/idle", Fault(maximumConnections: 40)),
    FaultRow("hostile/tcp/half-open", Fault(maximumConnections: 40)),
    FaultRow("hostile/tcp/half-body", Fault(maximumConnections: 40)),
    FaultRow("hostile/tcp/unread", Fault(maximumConnections: 40)),
    FaultRow("hostile/tcp/slow", Fault(maximumConnections: 40)),
    FaultRow("hostile/tcp/hasty", .crash(at: "GET", times: 100)),
  ]

  private static let hostileControl: [FaultRow] = [
    FaultRow("hostile/xml/entity-bomb", .crash(at: "<!ENTITY")),
    FaultRow(
      "hostile/xml/external-entity",
      Fault(onResponse: { if $0.body.contains("SYSTEM") { $1.text = "root:x:0:0:" } })),
    FaultRow("hostile/xml/deep", .crash(at: "<a><a>")),
    FaultRow("hostile/xml/unclosed", .crash(at: "<a><a>")),
    FaultRow("hostile/xml/many-attributes", .crash(at: "a1=")),
    FaultRow("hostile/xml/many-namespaces", .crash(at: "xmlns:n1=")),
    FaultRow("hostile/xml/nul", .crash(at: "\u{0}")),
    FaultRow("hostile/xml/invalid-utf8", Fault(isFatal: { $0.contains(0xFF) })),
    FaultRow("hostile/xml/utf-16", Fault(isFatal: { $0.contains(0xFE) })),
    FaultRow("hostile/xml/encoding", .crash(at: "x-none")),
    FaultRow("hostile/xml/empty", .crash(at: "CONTENT-LENGTH: 0\r\n")),
    FaultRow("hostile/xml/noise", .crash(at: "CONTENT-LENGTH: 4096\r\n")),
    FaultRow(
      "hostile/xml/truncated",
      Fault(onRequest: { request in
        guard request.method == "POST", !request.body.hasSuffix("Envelope>") else { return }
        request.replace(request.body, completeEnvelope)
      })),
    FaultRow("hostile/argument/long", .crash(at: "11111111111111111111")),
    FaultRow("hostile/argument/huge-number", .crash(at: "99999999999999999999")),
    FaultRow("hostile/argument/overflow", .crash(at: ">4294967296<")),
    FaultRow("hostile/argument/format-string", .crash(at: "%n%n")),
    FaultRow("hostile/argument/markup", .crash(at: "&lt;/InstanceID")),
    FaultRow("hostile/argument/shell", .crash(at: "reboot")),
    FaultRow("hostile/argument/long-action", .crash(at: "AAAAAAAA")),
    FaultRow("hostile/argument/many", .crash(at: "<X1>")),
  ]

  /// The complete envelope of the action that the check sends truncated.
  private static let completeEnvelope = SOAPRequest(
    url: HTTPURL(host: "127.0.0.1"), type: "urn:schemas-upnp-org:service:RenderingControl:1", action: "ListPresets",
    arguments: [("InstanceID", "0")]
  ).usualEnvelope

  private static let hostileEventing: [FaultRow] = [
    FaultRow("hostile/gena/many-callbacks", .crash(at: "/20>")),
    FaultRow("hostile/gena/invalid-callback", .crash(at: "aaa>")),
    FaultRow("hostile/gena/long-callback", .crash(over: 50_000)),
    FaultRow("hostile/gena/bare-callback", .crash(at: "CALLBACK: http")),
    FaultRow("hostile/gena/empty-callback", .crash(at: "<>")),
    FaultRow("hostile/gena/own-callback", .crash(at: "/control>")),
    FaultRow("hostile/gena/loopback-callback", .crash(at: ":1/>")),
    FaultRow("hostile/gena/format-string", .crash(at: "%n%n")),
    FaultRow("hostile/gena/timeout-overflow", .crash(at: "Second-99999")),
    FaultRow("hostile/gena/timeout-negative", .crash(at: "Second--1")),
    FaultRow("hostile/gena/long-sid", .crash(at: "uuid:aaaa")),
    FaultRow("hostile/gena/unknown-path", .crash(at: "/no/such")),
    FaultRow("hostile/gena/many", .crash(at: "SUBSCRIBE", times: 50)),
    FaultRow("hostile/gena/refusing-subscriber", exhaustion()),
    FaultRow("hostile/gena/silent-subscriber", exhaustion()),
    FaultRow("hostile/gena/broken-subscriber", exhaustion()),
    FaultRow("hostile/gena/failing-subscriber", exhaustion()),
  ]

  /// Sends no more events once there have been more than 15 subscriptions.
  private static func exhaustion() -> Fault {
    let subscriptions = Counter()
    let isExhausted = Mutex(false)
    return Fault(
      onRequest: { request in
        if request.method == "SUBSCRIBE", subscriptions.next() > 15 { isExhausted.withLock { $0 = true } }
      },
      onEvent: { _ in !isExhausted.withLock { $0 } })
  }

  private static let hostileDatagrams: [FaultRow] = [
    FaultRow("hostile/ssdp/noise", Fault(isFatal: { $0 == [0] })),
    FaultRow("hostile/ssdp/oversized", .crash(over: 1900)),
    FaultRow("hostile/ssdp/long-target", .crash(at: "uuid:aaaa")),
    FaultRow("hostile/ssdp/format-string", .crash(at: "%n%n")),
    FaultRow("hostile/ssdp/version-overflow", .crash(at: ":99999")),
    FaultRow("hostile/ssdp/many-headers", .crash(at: "X: 1\r\nX: 1")),
    FaultRow("hostile/ssdp/unfinished", .crash(at: "NOTIFY * HTTP/1.1\r\n\r\n")),
    FaultRow("hostile/ssdp/forged-byebye", .crash(at: "ssdp:byebye")),
    FaultRow("hostile/ssdp/burst", .crash(at: "ssdp:all", times: 50)),
  ]
}

extension Fault {
  /// Crashes when a text arrives for the nth time (`times`).
  static func crash(at text: String, times: Int = 1) -> Fault {
    let counter = Counter()
    let pattern = Array(text.utf8)
    return Fault(isFatal: { $0.prefix(4096).firstRange(of: pattern) != nil && counter.next() >= times })
  }

  /// Crashes at requests of more than `count` bytes.
  static func crash(over count: Int) -> Fault { Fault(isFatal: { $0.count > count }) }

  /// Answers malformed requests with the description.
  fileprivate static let tolerance = Fault(onMalformed: { bytes in
    bytes = Array("GET /renderer/description.xml HTTP/1.1\r\nHOST: 127.0.0.1\r\n\r\n".utf8)
  })
}
