import NIOCore
import NIOHTTP1

@testable import ControlPoint

/// A device's answer to an action, and the same bytes as an argument of a request.
enum ResultsTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    for status in [HTTPResponseStatus.ok, .internalServerError] {
      let response = ClientResponse(status: status, body: ByteBuffer(bytes: input))
      do throws(ControlPointError) {
        let results = try SOAPCall.results(of: "GetVolume", in: response)
        check(status == .ok, "results with the status \(status)")
        check(results.allSatisfy { !$0.name.isEmpty }, "a result without a name")
        let size = results.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        // Only another encoding, such as Latin-1, makes a value longer than its source.
        check(size <= 4 * input.count, "results of \(size) bytes from \(input.count)")
      } catch {
        check(!error.description.isEmpty, "an error without words")
      }
    }
    request(String(decoding: input, as: UTF8.self))
  }

  /// Names from an SCPD and any values must not add markup.
  private static func request(_ text: String) {
    let url = HTTPURL(host: "192.0.2.1", target: "/control")
    let request = SOAPCall.request("SetVolume", of: "urn:x", at: url, arguments: [("Value", text)])
    guard let body = request.body.map({ String(buffer: $0) }) else { return check(false, "no body") }
    check(XMLTarget.isWellFormed(body), "sends \(body)")
    if SOAPCall.isName(text) {
      let header = "urn:x#\(text)"
      check(!header.utf8.contains { $0 <= 0x20 || $0 == UInt8(ascii: "\"") }, "sends the header \(header)")
    }
  }
}
