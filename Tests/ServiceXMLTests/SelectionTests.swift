import Testing

@testable import ServiceXML

struct SelectionTests {
  @Test func readsItsLines() throws {
    let selection = try Selection(
      reading: """
        # A comment.
        provider hosted/av-openhome-org/Product4

          provider\texample-com/Lamp1  # another
        client example-com/Lamp1
        """)
    #expect(
      selection.entries == [
        .init(kind: .provider, path: "hosted/av-openhome-org/Product4", line: 2),
        .init(kind: .provider, path: "example-com/Lamp1", line: 4),
        .init(kind: .client, path: "example-com/Lamp1", line: 5),
      ])
    #expect(selection.entries.map(\.domain) == ["av-openhome-org", "example-com", "example-com"])
    #expect(selection.entries.map(\.fileName) == ["Product4", "Lamp1", "Lamp1"])
  }

  @Test(arguments: [
    ("provider", "not a kind and a path: provider"),
    ("provider a/B1 a/C1", "not a kind and a path: provider a/B1 a/C1"),
    ("server a/B1", "unknown kind server; the kinds are: provider, client"),
    ("provider B1", "not the path of a file in a domain's folder: B1"),
    ("provider ../B1", "not the path of a file in a domain's folder: ../B1"),
    ("provider /a/B1", "not the path of a file in a domain's folder: /a/B1"),
    ("provider a//B1", "not the path of a file in a domain's folder: a//B1"),
    ("provider b/A1", "a/A1 of line 1 has the same name in Swift"),
  ])
  func reportsTheLineOfAProblem(line: String, message: String) {
    #expect(throws: ServiceXMLError(message, in: .selection, line: 2)) {
      try Selection(reading: "provider a/A1\n\(line)\n")
    }
  }

  @Test func problemReportHasFileAndLine() {
    #expect(
      ServiceXMLError("no", in: .selection, line: 2).report(at: "/x/service-xml") == "/x/service-xml.txt:2: error: no")
  }
}
