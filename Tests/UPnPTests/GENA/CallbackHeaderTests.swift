import Testing

@testable import UPnP

struct CallbackHeaderTests {
  @Test(arguments: [
    ("<http://10.0.0.1:1/a>", ["/a"]),
    ("<http://10.0.0.1:1/a><http://10.0.0.1:2/b>", ["/a", "/b"]),
    (" <http://10.0.0.1:1/a> , <http://10.0.0.1:2/b> ", ["/a", "/b"]),
    ("<https://10.0.0.1/x><http://10.9.9.9/foreign><http://10.0.0.1/b>", ["/b"]),
    ("<http://10.0.0.1/a><http://10.0.0.1/b", ["/a"]),
    ("http://10.0.0.1/a", []),
    ("", []),
    ("<>", []),
    ("><", []),
    (String(repeating: "<http://10.0.0.1/a>", count: 100), ["/a", "/a", "/a", "/a"]),
  ])
  func keepsInOrderWhatIsAllowed(_ value: String, targets: [String]) throws {
    let foreign = try #require(IPAddress("10.9.9.9"))
    #expect(CallbackHeader.parse(value) { $0 != foreign }.map(\.target) == targets)
  }
}
