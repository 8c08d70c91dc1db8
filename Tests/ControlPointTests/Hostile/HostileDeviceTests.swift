import Logging
import NIOCore
import NIOPosix
import Testing
import UPnP

@testable import ControlPoint

/// A control point that reads a hostile device and a good one at the same time.
@Suite struct HostileDeviceTests {
  private static let services = """
    <service><serviceType>urn:schemas-upnp-org:service:A:1</serviceType><serviceId>urn:upnp-org:serviceId:A</serviceId>\
    <SCPDURL>/scpd</SCPDURL><controlURL>/control</controlURL><eventSubURL/></service>
    """
  private static let good = description("<serviceList>\(services)</serviceList>")

  private static func description(_ inner: String, name: String = "Kitchen") -> String {
    """
    <?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><specVersion><major>1</major><minor>0</minor>\
    </specVersion><device><deviceType>urn:schemas-upnp-org:device:MediaRenderer:1</deviceType><friendlyName>\(name)\
    </friendlyName><manufacturer>Example</manufacturer><modelName>One</modelName><UDN>uuid:1</UDN>\(inner)</device></root>
    """
  }

  /// Each entity contains the one before ten times: a billion letters in total.
  private static let bomb =
    "<?xml version=\"1.0\"?><!DOCTYPE root [<!ENTITY e0 \"a\">"
    + (1...9).map { level in
      "<!ENTITY e\(level) \"\(String(repeating: "&e\(level - 1);", count: 10))\">"
    }.joined() + "]>" + description("", name: "&e9;").dropFirst(#"<?xml version="1.0"?>"#.count)

  private static let ok = "HTTP/1.1 200 OK\r\n"
  private static let block = String(repeating: "a", count: 1 << 16)

  /// What a device answers, and the error for it.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var answer: HostileServer.Answer
    var error: ControlPointError
    /// Short only if a timeout is expected. Other cases must not time out on a busy machine.
    var timeout: TimeAmount { error == .timeout ? .milliseconds(100) : .seconds(60) }
    var testDescription: String { name }
  }

  private static let documents = [
    Case(name: "50 MB", answer: .endless("\(ok)Content-Length: 50000000\r\n\r\n", block), error: .tooLarge),
    Case(name: "50 MB without a length", answer: .endless("\(ok)\r\n", block), error: .tooLarge),
    Case(
      name: "endless chunks", answer: .endless("\(ok)Transfer-Encoding: chunked\r\n\r\n", "10000\r\n\(block)\r\n"),
      error: .tooLarge),
    Case(
      name: "endless chunks of one byte with long extensions",
      answer: .endless("\(ok)Transfer-Encoding: chunked\r\n\r\n", "1;\(block)\r\na\r\n"), error: .tooLarge),
    Case(name: "silence", answer: .raw(""), error: .timeout),
    Case(name: "a head without a body", answer: .raw("\(ok)Content-Length: 10\r\n\r\n"), error: .timeout),
    Case(
      name: "a chunk without an end", answer: .raw("\(ok)Transfer-Encoding: chunked\r\n\r\n5\r\nab"), error: .timeout),
    Case(name: "one byte now and then", answer: .drip("\(ok)Content-Length: 1000000\r\n\r\n"), error: .timeout),
    Case(
      name: "an end in the middle", answer: .cut("\(ok)Content-Length: 10000\r\n\r\n<root>"),
      error: .malformed("The connection was closed before the answer was complete.")),
    Case(
      name: "an entity bomb", answer: .document(bomb),
      error: .malformed("The description is XML with a document type declaration.")),
    Case(
      name: "deep nesting", answer: .document(String(repeating: "<a>", count: 100_000)),
      error: .malformed("The description is XML nested too deeply.")),
    Case(
      name: "a hundred thousand elements",
      answer: .document("<root>\(String(repeating: "<a/>", count: 100_000))</root>"),
      error: .malformed("The description is XML with too many elements, attributes or namespaces.")),
    Case(
      name: "noise", answer: .document("\u{0}\u{1}\u{7F}"),
      error: .malformed("The description is not well-formed XML.")),
    Case(
      name: "a redirect to itself", answer: .raw("HTTP/1.1 302 Found\r\nLocation: /bad\r\nContent-Length: 0\r\n\r\n"),
      error: .malformed("There are more than 3 redirects.")),
    Case(
      name: "a redirect to another network",
      answer: .raw("HTTP/1.1 302 Found\r\nLocation: http://198.51.100.1/\r\nContent-Length: 0\r\n\r\n"),
      error: .notAllowed(HTTPURL(host: "198.51.100.1"))),
  ]

  @Test(arguments: documents) func reportsBadDescriptionsAndReadsOthers(bad: Case) async throws {
    try await Self.run(["/bad": bad.answer], timeout: bad.timeout) { point, server in
      await #expect(throws: bad.error) { try await point.description(at: server.url("/bad")) }
      // The client stops reading early. The socket buffers hold less than this.
      #expect(server.sentBytes < 30_000_000)
    }
  }

  @Test func readsADescriptionWithTenThousandServices() async throws {
    let many = String(repeating: Self.services, count: 10_000)
    // The document is larger than the limit.
    try await Self.run(["/bad": .document(Self.description("<serviceList>\(many)</serviceList>"))]) { point, server in
      await #expect(throws: ControlPointError.tooLarge) { try await point.description(at: server.url("/bad")) }
    }
    let short = String(repeating: "<service/>", count: 10_000)
    try await Self.run(["/bad": .document(Self.description("<serviceList>\(short)</serviceList>"))]) { point, server in
      let description = try await point.description(at: server.url("/bad"))
      #expect(description.root.services.count == DeviceDescriptionReader.maximumServices)
      #expect(description.deviations.contains { $0.text.contains("has 10000 services") })
    }
  }

  @Test func boundsAndReportsHostileSCPDs() async throws {
    let actions = String(repeating: "<action><name>A</name></action>", count: 10_000)
    let scpd = "<scpd xmlns=\"urn:schemas-upnp-org:service-1-0\"><actionList>\(actions)</actionList></scpd>"
    try await Self.run(["/scpd": .document(scpd)]) { point, server in
      let scpd = try await point.scpd(of: Self.service(server))
      #expect(scpd.actions.count == ServiceDescriptionReader.maximumEntries)
      #expect(scpd.deviations.contains { $0.text.contains("There are 10000 elements <action>") })
      #expect(scpd.deviations.count <= DeviationLog.limit)
    }
    try await Self.run(["/scpd": .document(Self.bomb)]) { point, server in
      await #expect(throws: ControlPointError.malformed("The SCPD of A is XML with a document type declaration.")) {
        try await point.scpd(of: Self.service(server))
      }
    }
  }

  @Test(arguments: [
    Case(
      name: "endless chunks", answer: .endless("\(ok)Transfer-Encoding: chunked\r\n\r\n", "10000\r\n\(block)\r\n"),
      error: .tooLarge),
    Case(name: "silence", answer: .raw(""), error: .timeout),
    Case(
      name: "an entity bomb", answer: .document(bomb),
      error: .malformed("The answer to Get is XML with a document type declaration.")),
    Case(name: "a page", answer: .document("<html/>"), error: .malformed("The answer to Get has no SOAP body.")),
    Case(
      name: "a fault without words",
      answer: .raw("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 1\r\n\r\n<"), error: .status(500)),
  ])
  func reportsBadAnswersToActions(bad: Case) async throws {
    try await Self.run(["/control": bad.answer], timeout: bad.timeout) { point, server in
      await #expect(throws: bad.error) { _ = try await point.rawAction("Get", of: Self.service(server)) }
    }
  }

  private static func service(_ server: HostileServer) -> DeviceDescription.Service {
    .init(
      type: "urn:schemas-upnp-org:service:A:1", id: "", scpdURL: server.url("/scpd"),
      controlURL: server.url("/control"),
      eventURL: nil)
  }

  /// Serves the answers, and checks that a good device on the same server can be read meanwhile.
  private static func run(
    _ answers: [String: HostileServer.Answer], timeout: TimeAmount = .seconds(60),
    _ body: (UPnPControlPoint, HostileServer) async throws -> Void
  ) async throws {
    let server = try await HostileServer.start(answers.merging(["/good": .document(good)]) { first, _ in first })
    var settings = ControlPointSettings(product: "Test/1")
    settings.addresses = AddressPolicy(allowed: [try #require(CIDR("127.0.0.0/8"))])
    let loop = MultiThreadedEventLoopGroup.singleton.any()
    let point = UPnPControlPoint(
      settings: settings, eventLoop: loop,
      http: TimeoutOverride(client: HTTPClient(group: loop, product: "Test/1"), timeout: timeout),
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let url = server.url("/good")
    async let other = point.description(at: url)
    try await body(point, server)
    #expect(try await other.root.friendlyName == "Kitchen")
    #expect(try await point.description(at: url).deviations == [])
    try await server.stop()
  }

  /// Applies the time limit to all requests except those to the good device.
  private struct TimeoutOverride: HTTPSending {
    let client: HTTPClient
    let timeout: TimeAmount

    func send(_ request: ClientRequest) async throws(ControlPointError) -> ClientResponse {
      var request = request
      request.timeout = request.url.target == "/good" ? .seconds(60) : timeout
      return try await client.send(request)
    }
  }
}
