import NIOCore
import NIOHTTP1
import Testing

@testable import DeviceStack

struct RouterTests {
  private var router: Router {
    var router = Router()
    router.add(
      "/a/description.xml", document: ByteBuffer(string: "<root/>"), contentType: "text/xml; charset=\"utf-8\"")
    router.add("/a/icon.png", document: ByteBuffer(bytes: [1, 2]), contentType: "image/png")
    router.add("/a/control", methods: [.POST: { HTTPReply(HTTPResponse(.ok, body: $0.body)) }])
    router.add(
      "/a/events",
      methods: [
        .SUBSCRIBE: { _ in HTTPReply(HTTPResponse(.ok, headers: ["SID": "uuid:1"])) },
        .UNSUBSCRIBE: { _ in HTTPReply(HTTPResponse(.preconditionFailed)) },
      ])
    router.add(
      "/a/art/{key}", methods: [.GET: { HTTPReply(HTTPResponse(.ok, body: ByteBuffer(string: $0.parameter))) }])
    return router
  }

  private func answer(_ method: HTTPMethod, _ uri: String, body: String = "") throws -> HTTPResponse {
    guard case .now(let response, _) = router.answer(try .sample(method, uri, body: body)) else {
      throw ChannelError.eof
    }
    return response
  }

  @Test func documentsAreServedToGetAndHead() throws {
    for method in [HTTPMethod.GET, .HEAD] {
      let icon = try answer(method, "/a/icon.png?size=2")
      #expect(icon.status == .ok)
      #expect(icon.headers["Content-Type"] == ["image/png"])
      #expect(icon.body == ByteBuffer(bytes: [1, 2]))
    }
    #expect(try answer(.GET, "http://10.0.0.1:80/a/description.xml").body == ByteBuffer(string: "<root/>"))
  }

  @Test func methodsAreHandedOn() throws {
    #expect(try answer(.POST, "/a/control", body: "echo").body == ByteBuffer(string: "echo"))
    #expect(try answer(.SUBSCRIBE, "/a/events").headers["SID"] == ["uuid:1"])
    #expect(try answer(.UNSUBSCRIBE, "/a/events").status == .preconditionFailed)
  }

  @Test(arguments: [
    (HTTPMethod.POST, "/a/icon.png", "GET, HEAD"), (.GET, "/a/control", "POST"),
    (.RAW(value: "X-Y"), "/a/control", "POST"),
    (.GET, "/a/events", "SUBSCRIBE, UNSUBSCRIBE"), (.OPTIONS, "/a/icon.png", "GET, HEAD"),
  ])
  func aWrongMethodIsAnsweredWithAllow(method: HTTPMethod, path: String, allowed: String) throws {
    let response = try answer(method, path)
    #expect(response.status == .methodNotAllowed)
    #expect(response.headers["Allow"] == [allowed])
  }

  @Test(
    arguments: [
      ("/a/art/x", "x"), ("/a/art/x%20y?z=1", "x y"), ("/a/art/", nil), ("/a/art", nil), ("/a/art/x/y", nil),
      ("/a/art/x/", nil), ("/a/art/%FF", nil),
    ] as [(String, String?)])
  func theLastComponentMayBeAParameter(path: String, parameter: String?) throws {
    for method in [HTTPMethod.GET, .HEAD] {
      let response = try answer(method, path)
      #expect(response.status == (parameter == nil ? .notFound : .ok))
      #expect(parameter == nil || String(buffer: response.body) == parameter)
    }
    if parameter != nil { #expect(try answer(.POST, path).headers["Allow"] == ["GET, HEAD"]) }
  }

  @Test(arguments: ["/", "*", "/a", "/a/", "/a/icon.png/", "//a/icon.png", "/A/icon.png", "/a/../a/icon.png", ""])
  func anythingElseIsNotFound(path: String) throws {
    #expect(try answer(.GET, path).status == .notFound)
  }
}
