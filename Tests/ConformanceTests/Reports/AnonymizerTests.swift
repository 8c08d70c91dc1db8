import FoundationEssentials
import Testing

@testable import Conformance

@Suite struct AnonymizerTests {
  private static let secrets = [
    "Bob's Kitchen", "Bob&apos;s Kitchen", "Bob&amp;apos;s Kitchen", "Bob%27s%20Kitchen", "192.168.1.7", "192.168.1.23",
    "10.0.0.5", "fe80::ba27:ebff:fe12:3456", "b8:27:eb:12:34:56", "B8-27-EB-12-34-56",
    "4a6f2f0e-1c1f-4f6e-9d53-b827eb123456", "b827eb123456", "S/N-0042", "RINCON_B827EB12345601400",
    "0d3c6f0a-7777-4f6e-9d53-000000000001", "Attic of Bob",
  ]

  /// A run with every secret in every text.
  private static var run: CheckRun {
    let text = secrets.joined(separator: " | ")
    var failed = ReportSamples.result("uda/2/fail", .fail(expected: text, got: text))
    failed.measurements = [Measurement(name: text, value: text)]
    failed.table = ResultTable(title: text, columns: [text], rows: [[text]])
    let body = """
      <friendlyName>Bob&apos;s Kitchen</friendlyName><Room>Attic of Bob</Room><UDN>uuid:RINCON_B827EB12345601400</UDN>\
      <URLBase>http://192.168.1.7:49494/</URLBase>\(text)
      """
    failed.exchange = WireExchange(first: [
      WireMessage(.sent, peer: "TCP 192.168.1.7:80", bytes: Array("GET /\(text) HTTP/1.1\r\n\r\n".utf8)),
      WireMessage(
        .received, peer: "UDP 192.168.1.7", bytes: Array("HTTP/1.1 200 OK\r\nX: \(text)\r\n\r\n\(body)".utf8)),
      // The body is truncated inside a name.
      WireMessage(
        .received, peer: "event", bytes: Array("NOTIFY / HTTP/1.1\r\n\r\n\(body) Bob's Kit".utf8), length: 9999),
      WireMessage(.received, peer: "event", bytes: Array("NOTIFY http://192.168.1.7/\r\n\r\n".utf8) + [0xFF, 0xD8]),
    ])
    var run = ReportSamples.run([
      failed, ReportSamples.result("uda/2/skip", .skip(text)), ReportSamples.result("uda/2/x", .inconclusive(text)),
    ])
    run.target.name = "Bob's Kitchen"
    run.target.udn = "uuid:4a6f2f0e-1c1f-4f6e-9d53-b827eb123456"
    run.target.serialNumber = "S/N-0042"
    run.target.location = "http://192.168.1.7:49494/description.xml"
    run.options = ["--only \(text)"]
    return run
  }

  @Test(arguments: ReportFormat.allCases)
  func nothingLeaks(format: ReportFormat) throws {
    let report = try format.render(Self.run.anonymous) { report in
      String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
    }
    let lower = report.lowercased()
    for secret in Self.secrets + ["Bob", "192.168.", "12:34:56"] {
      #expect(!lower.contains(secret.lowercased()), "\(format): \(secret)")
    }
    // Model and firmware are not secret; the report is about them.
    #expect(report.contains("Swiftlet"))
  }

  @Test func replacementsAreConsistent() throws {
    var run = Self.run
    let got = "192.168.1.7, 192.168.1.23, 10.0.0.5, 192.168.1.23"
    run.results = [ReportSamples.result("a", .fail(expected: "192.168.1.23", got: got))]
    #expect(
      run.anonymous.results.map(\.verdict) == [
        .fail(expected: "host-1.example", got: "device.example, host-1.example, host-2.example, host-1.example")
      ])
  }

  @Test(arguments: [
    "239.255.255.250:1900", "127.0.0.1", "0:00:10", "urn:schemas-upnp-org:service:AVTransport:1", "Linux/5.10.0.1",
    "http-get:*:audio/flac:*", "2026-11-23T01:02:03Z", "DLNA.ORG_PN=MP3;DLNA.ORG_OP=01", "203.0.113.77", "face", "::",
  ])
  func publicTextStays(text: String) {
    var run = Self.run
    run.results = [ReportSamples.result("a", .skip(text))]
    #expect(run.anonymous.results.map(\.verdict) == [.skip(text)])
  }

  /// A device name that equals the model name is not secret.
  @Test func theNameOfTheModelStays() {
    var run = Self.run
    run.target.name = "Swiftlet"
    #expect(run.anonymous.target.title == run.target.title)
  }
}
