import NIOCore
import NIOHTTP1
import Testing
import UPnP

@testable import DeviceStack

struct ActionDispatcherTests {
  private static let type = "urn:example-com:service:AllTypes:2"
  private let provider = AllTypesProvider()

  private func ask(
    _ body: String, header: String? = "\"urn:example-com:service:AllTypes:2#Repeat\"", name: String = "SOAPACTION"
  ) throws -> HTTPResponse {
    var headers: HTTPHeaders = ["CONTENT-TYPE": "text/xml; charset=\"utf-8\""]
    if let header { headers.add(name: name, value: header) }
    let reply = try begin(body, headers: headers)
    guard case .now(let response, _) = reply else { throw NoAnswerYet() }
    return response
  }

  private struct NoAnswerYet: Error {}

  private func begin(_ body: String, headers: HTTPHeaders) throws -> HTTPReply {
    ActionDispatcher(service: provider.service()).answer(
      try .sample(.POST, "/control", headers: headers, body: body))
  }

  /// Collects an answer that may arrive later.
  private final class Inbox {
    var responses: [HTTPResponse] = []
    var texts: [String] { responses.map { String(buffer: $0.body) } }
  }

  private func later(_ action: String, arguments: String = "") throws -> Inbox {
    let inbox = Inbox()
    let body = Self.envelope(action, arguments: arguments)
    switch try begin(body, headers: ["SOAPACTION": "\"\(Self.type)#\(action)\""]) {
    case .now(let response, _): inbox.responses.append(response)
    case .later(let answer): answer.whenComplete { inbox.responses.append($0) }
    case .stream: break
    }
    return inbox
  }

  private static func question(_ text: String) -> String { "<InstanceID>0</InstanceID><Question>\(text)</Question>" }

  @Test func anAnswerMayComeLater() throws {
    let inboxes = try ["first", "second", "third"].map { try later("Ask", arguments: Self.question($0)) }
    #expect(inboxes.map(\.responses.count) == [0, 0, 0])
    #expect(provider.asking.map(\.0.question) == ["first", "second", "third"])
    provider.asking[1].1(.failure(ActionFault(797, "Do not know")))
    provider.asking[0].1(.success(.init(answer: "<yes>")))
    // Later answers are ignored.
    provider.asking[0].1(.failure(ActionFault(797)))
    #expect(inboxes.map(\.responses.count) == [1, 1, 0])
    #expect(try codes(inboxes[1]) == [797])
    #expect(inboxes[1].responses.first?.status == .internalServerError)
    #expect(
      inboxes[0].texts.first?.contains(
        "<u:AskResponse xmlns:u=\"urn:example-com:service:AllTypes:2\"><Answer>&lt;yes&gt;</Answer></u:AskResponse>")
        == true)
  }

  @Test func deferredActionsMayBeAnsweredAtOnce() throws {
    let inbox = try later("Wait")
    #expect(inbox.responses.map(\.status) == [.ok])
    #expect(try codes(later("Ask", arguments: Self.question(""))) == [798])
    #expect(try codes(later("Ask", arguments: "<InstanceID>1</InstanceID><Question>x</Question>")) == [702])
    #expect(try codes(later("Ask")) == [402])
    #expect(try codes(later("Nothing")) == [401])
  }

  private func codes(_ inbox: Inbox) throws -> [Int?] { try inbox.responses.map { try code($0) } }

  private static func envelope(_ action: String, namespace: String = type, arguments: String = "") -> String {
    "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>"
      + "<u:\(action) xmlns:u=\"\(namespace)\">\(arguments)</u:\(action)></s:Body></s:Envelope>"
  }

  private func code(_ response: HTTPResponse) throws -> Int? {
    let body = String(buffer: response.body)
    guard let start = body.firstRange(of: "<errorCode>") else { return nil }
    return Int(body[start.upperBound...].prefix { $0 != "<" })
  }

  private static let opening = """
    <?xml version="1.0" encoding="utf-8"?>
    <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" \
    s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>
    """

  @Test func theAnswerInFull() throws {
    let response = try ask(
      Self.envelope("GetLevel", arguments: "<InstanceID>0</InstanceID><Channel>Master</Channel>"),
      header: "\(Self.type)#GetLevel")
    #expect(response.status == .ok)
    #expect(response.headers["Content-Type"] == ["text/xml; charset=\"utf-8\""])
    #expect(response.headers["EXT"] == [""])
    #expect(
      String(buffer: response.body) == Self.opening
        + "<u:GetLevelResponse xmlns:u=\"urn:example-com:service:AllTypes:2\"><CurrentLevel>0</CurrentLevel>"
        + "</u:GetLevelResponse></s:Body></s:Envelope>")
  }

  @Test func theFaultInFull() throws {
    let response = try ask(
      Self.envelope("Fail", arguments: "<InstanceID>0</InstanceID>"), header: "\"\(Self.type)#Fail\"")
    #expect(response.status == .internalServerError)
    #expect(response.headers["Content-Type"] == ["text/xml; charset=\"utf-8\""])
    #expect(response.headers["EXT"] == [""])
    #expect(
      String(buffer: response.body) == Self.opening
        + "<s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>"
        + "<UPnPError xmlns=\"urn:schemas-upnp-org:control-1-0\"><errorCode>799</errorCode>"
        + "<errorDescription>Not &lt;today&gt; &amp; not \"tomorrow\"</errorDescription></UPnPError></detail></s:Fault>"
        + "</s:Body></s:Envelope>")
  }

  @Test(
    arguments: [
      ("\"\(type)#Repeat\"", type, type), ("\(type)#Repeat", type, type), (" \"\(type)#Repeat\" ", type, type),
      // A request for an older version is answered in that version.
      ("\"urn:example-com:service:AllTypes:1#Repeat\"", type, "urn:example-com:service:AllTypes:1"),
      (nil, "urn:example-com:service:AllTypes:1", "urn:example-com:service:AllTypes:1"),
      // The header takes precedence over the namespace in the body.
      ("\"\(type)#Repeat\"", "urn:wrong", type), ("\"\(type)#Repeat\"", "", type),
      ("\"\(type)#Repeat\"", "urn:example-com:service:AllTypes:9", type),
      // Without a usable header, the body decides.
      (nil, type, type), ("", type, type), ("\"\"", type, type), ("Repeat", type, type),
    ] as [(String?, String, String)])
  func understands(header: String?, namespace: String, answered: String) throws {
    let response = try ask(Self.envelope("Repeat", namespace: namespace), header: header)
    #expect(response.status == .ok)
    #expect(String(buffer: response.body).contains("<u:RepeatResponse xmlns:u=\"\(answered)\"></u:RepeatResponse>"))
    #expect(provider.repeats == 1)
  }

  @Test(
    arguments: [
      ("\"\(type)#Repeat\"", envelope("Other"), 401), ("\"\(type)#Other\"", envelope("Other"), 401),
      ("\"\(type)#Repeat\"", envelope("repeat"), 401),
      ("\"urn:example-com:service:AllTypes:3#Repeat\"", envelope("Repeat"), 401),
      ("\"urn:example-com:service:Other:1#Repeat\"", envelope("Repeat"), 401),
      ("\"urn:schemas-upnp-org:service:AllTypes:1#Repeat\"", envelope("Repeat"), 401),
      (nil, envelope("Repeat", namespace: "urn:example-com:service:AllTypes:3"), 401),
      (nil, envelope("Repeat", namespace: "urn:x"), 401), (nil, envelope("Repeat", namespace: ""), 401),
      ("nonsense", envelope("Repeat", namespace: "urn:x"), 401),
      // QueryStateVariable is deprecated (UDA 1.1 §3.3).
      (
        "\"urn:schemas-upnp-org:control-1-0#QueryStateVariable\"",
        envelope("QueryStateVariable", namespace: "urn:schemas-upnp-org:control-1-0"), 401
      ),
      ("\"\(type)#Repeat\"", "", 402), ("\"\(type)#Repeat\"", "rubbish", 402),
      ("\"\(type)#Repeat\"", "<!DOCTYPE a>" + envelope("Repeat"), 402),
      ("\"\(type)#Repeat\"", "<s:Envelope xmlns:s=\"x\"><s:Body/></s:Envelope>", 402),
      ("\"\(type)#Fail\"", envelope("Fail"), 402),
      ("\"\(type)#Fail\"", envelope("Fail", arguments: "<InstanceID>1</InstanceID>"), 702),
    ] as [(String?, String, Int)])
  func refusesWithAFault(header: String?, body: String, code: Int) throws {
    let response = try ask(body, header: header)
    #expect(response.status == .internalServerError)
    #expect(try self.code(response) == code)
    #expect(provider.repeats == 0)
  }

  @Test func theHeadersNameMayBeInAnyCase() throws {
    #expect(try ask(Self.envelope("Repeat", namespace: "x"), name: "SoapAction").status == .ok)
  }
}
