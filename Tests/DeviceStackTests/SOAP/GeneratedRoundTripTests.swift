import ControlPoint
import Logging
import NIOCore
import NIOHTTP1
import Testing
import UPnP

@testable import DeviceStack

/// A generated client and a generated provider of the same service understand each other.
struct GeneratedRoundTripTests {
  /// Answers each request with a new provider, without a network.
  private struct Device: HTTPSending {
    static let scpdURL = "http://192.0.2.1/scpd.xml"
    static let description = """
      <root xmlns="urn:schemas-upnp-org:device-1-0"><specVersion><major>1</major><minor>1</minor></specVersion><device>
      <deviceType>urn:example-com:device:Test:1</deviceType><friendlyName>Test</friendlyName>
      <manufacturer>Example</manufacturer><modelName>Test</modelName><UDN>uuid:test</UDN><serviceList><service>
      <serviceType>urn:example-com:service:AllTypes:2</serviceType><serviceId>x</serviceId>
      <SCPDURL>/scpd.xml</SCPDURL><controlURL>/control</controlURL><eventSubURL>/event</eventSubURL>
      </service></serviceList></device></root>
      """

    func send(_ request: ClientRequest) async throws(ControlPointError) -> ClientResponse {
      switch request.url.target {
      case "/description.xml": return ClientResponse(status: .ok, body: ByteBuffer(string: Self.description))
      case "/scpd.xml":
        return ClientResponse(status: .ok, body: ByteBuffer(string: "\(AllTypes2.scpd)"))
      default: break
      }
      guard let local = try? SocketAddress(ipAddress: "192.0.2.1", port: 80) else { throw .timeout }
      let hosted = AllTypesProvider().service()
      let reply = ActionDispatcher(service: hosted).answer(
        HTTPRequest(
          method: request.method, uri: request.url.target, headers: request.headers,
          body: request.body ?? ByteBuffer(), remote: local, local: local))
      guard case .now(let response, _) = reply else { throw .timeout }
      return ClientResponse(status: response.status, headers: response.headers, body: response.body)
    }
  }

  private func client() async throws -> AllTypes2Client {
    var settings = ControlPointSettings(product: "test")
    settings.addresses = AddressPolicy(allowed: [try #require(CIDR("192.0.2.0/24"))])
    let controlPoint = UPnPControlPoint(settings: settings, http: Device(), logger: Logger(label: "test"))
    let location = try #require(HTTPURL("http://192.0.2.1/description.xml"))
    let description = try await controlPoint.description(at: location)
    return try await controlPoint.client(AllTypes2Client.self, of: description.root)
  }

  @Test func allTypesRoundTrip() async throws {
    let output = try await client().echo(
      inByte: .max, inWord: 20, inLong: .max, inSignedByte: -100, inSignedWord: .min, inSignedLong: .min,
      inText: " <a> & \u{1F3B5} ", inFlag: true, inData: [0, 1, 255], inMode: ._1)
    #expect(output.outByte == .max)
    #expect(output.outWord == 20)
    #expect(output.outLong == .max)
    #expect(output.outSignedByte == -100)
    #expect(output.outSignedWord == .min)
    #expect(output.outSignedLong == .min)
    #expect(output.outText == " <a> & \u{1F3B5} ")
    #expect(output.outFlag)
    #expect(output.outData == [0, 1, 255])
    #expect(output.outMode == ._1)
  }

  @Test func actionsWithFewOrNoArguments() async throws {
    let client = try await client()
    try await client.repeat()
    try await client.setLevel(desiredLevel: 3)
    #expect(try await client.getLevel(channel: .lf) == 0)
  }

  @Test func faultsComeBack() async throws {
    let client = try await client()
    await #expect(throws: ControlPointError.fault(code: 703, description: "Invalid Channel")) {
      try await client.setLevel(channel: .other("CENTER"), desiredLevel: 3)
    }
    await #expect(throws: ControlPointError.fault(code: 799, description: "Not <today> & not \"tomorrow\"")) {
      try await client.fail()
    }
  }
}
