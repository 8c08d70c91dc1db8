import NIOCore
import NIOHTTP1
import Testing
import UPnP

@testable import ControlPoint

@Suite struct SOAPCallTests {
  private static let type = "urn:schemas-upnp-org:service:RenderingControl:1"

  private static func response(_ body: String, _ status: HTTPResponseStatus = .ok) -> ClientResponse {
    ClientResponse(status: status, body: ByteBuffer(string: body))
  }

  private static func envelope(_ inner: String) -> String {
    "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>\(inner)</s:Body></s:Envelope>"
  }

  @Test func writesARequestThatADeviceCanRead() throws {
    let url = HTTPURL(host: "192.0.2.1", target: "/control")
    let request = SOAPCall.request(
      "SetVolume", of: Self.type, at: url, arguments: [("Channel", "Master"), ("DesiredVolume", "<&>")])
    #expect(request.headers.first(name: "soapaction") == "\"\(Self.type)#SetVolume\"")
    let decoded = try Array(#require(request.body).readableBytesView).withUnsafeBytes { try SOAPDecoder.decode($0) }
    #expect(decoded.action == "SetVolume")
    #expect(String(describing: decoded).contains("<&>"))
  }

  @Test(arguments: [
    (Self.type, true), ("SetVolume", true), ("X_Set-Volume.2", true), ("", false), ("A B", false),
    ("A\r\nHost: x", false), ("A\"", false), ("A><B", false), ("A&amp;", false), ("A\u{0}", false),
  ])
  func acceptsNamesWithoutMarkup(name: String, isAccepted: Bool) {
    #expect(SOAPCall.isName(name) == isAccepted)
  }

  @Test(arguments: [
    "<u:GetVolumeResponse xmlns:u=\"x\"><CurrentVolume> 40</CurrentVolume><A/></u:GetVolumeResponse>",
    // Without a namespace, and under another name.
    "<GetVolumeResponse><CurrentVolume> 40</CurrentVolume><A></A></GetVolumeResponse>",
    "<Answer><CurrentVolume> 40</CurrentVolume><A/></Answer>",
  ])
  func readsResults(body: String) throws {
    let results = try SOAPCall.results(of: "GetVolume", in: Self.response(Self.envelope(body)))
    #expect(results.map(\.name) == ["CurrentVolume", "A"])
    #expect(results.map(\.value) == [" 40", ""])
  }

  @Test func readsAFault() {
    let body = Self.envelope(
      """
      <s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>\
      <UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>718</errorCode><errorDescription>Invalid InstanceID\
      </errorDescription></UPnPError></detail></s:Fault>
      """)
    #expect(throws: ControlPointError.fault(code: 718, description: "Invalid InstanceID")) {
      try SOAPCall.results(of: "Play", in: Self.response(body, .internalServerError))
    }
  }

  @Test(arguments: [
    ("", HTTPResponseStatus.notFound, ControlPointError.status(404)),
    ("not XML", .internalServerError, .status(500)),
    ("not XML", .ok, .malformed("The answer to Play is not well-formed XML.")),
    ("<a/>", .ok, .malformed("The answer to Play has no SOAP body.")),
    (Self.envelope(""), .ok, .malformed("The answer to Play has no PlayResponse.")),
    (Self.envelope("<s:Fault/>"), .internalServerError, .status(500)),
  ])
  func reportsOtherAnswers(body: String, status: HTTPResponseStatus, error: ControlPointError) {
    #expect(throws: error) { try SOAPCall.results(of: "Play", in: Self.response(body, status)) }
  }
}
