import Testing

@testable import ControlPoint

@Suite struct MediaSliceTests {
  private struct Case {
    var name: String
    var start = 0
    var count = 2
    /// The ids in the answer.
    var ids: [Int]
    var total: String? = nil
    /// The expected ids.
    var slice: [Int]
    var counted: Int?
  }

  private let cases = [
    Case(name: "a part", ids: [0, 1], total: "5", slice: [0, 1], counted: 5),
    Case(name: "the last part", start: 4, ids: [4], total: "5", slice: [4], counted: 5),
    Case(name: "an unknown total", ids: [0, 1], total: "0", slice: [0, 1], counted: nil),
    Case(name: "no total", ids: [0, 1], slice: [0, 1], counted: nil),
    Case(name: "the size of the part as total", start: 2, ids: [2, 3], total: "2", slice: [2, 3], counted: nil),
    Case(name: "an empty container", ids: [], total: "0", slice: [], counted: 0),
    Case(name: "behind the end", start: 8, ids: [], total: "5", slice: [], counted: nil),
    Case(
      name: "a server that ignores the range", start: 2, ids: [0, 1, 2, 3, 4], total: "5", slice: [2, 3], counted: 5),
    Case(
      name: "a server that ignores the count", start: 2, ids: [2, 3, 4], total: "5", slice: [2, 3], counted: 5),
    Case(name: "behind the end of everything", start: 9, ids: [0, 1, 2], total: "3", slice: [], counted: nil),
  ]

  @Test func readsWhatServersAnswer() throws {
    for test in cases {
      let items = test.ids.map { "<item id=\"\($0)\" parentID=\"0\"><dc:title>T</dc:title></item>" }.joined()
      var arguments = [
        ("Result", "<DIDL-Lite xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\(items)</DIDL-Lite>"), ("UpdateID", "7"),
      ]
      if let total = test.total { arguments.append(("TotalMatches", total)) }
      let outputs = ActionOutputs(action: "Browse", arguments: arguments.map { (name: $0.0, value: $0.1) })
      let slice = try MediaSlice(outputs, .init(start: test.start, count: test.count))
      #expect(slice.objects.map(\.id) == test.slice.map { "\($0)" }, "\(test.name)")
      #expect(slice.total == test.counted, "\(test.name)")
      #expect(slice.updateID == 7)
    }
  }

  @Test func neverAsksForEverything() {
    #expect(MediaSlice.Range(start: -1, count: 0) == .init(start: 0, count: 1))
    #expect(MediaSlice.Range(start: .max, count: .max) == .init(start: Int(UInt32.max), count: Int(UInt32.max)))
  }

  @Test func refusesAnAnswerWithoutResult() {
    #expect(throws: ControlPointError.self) {
      try MediaSlice(ActionOutputs(action: "Browse", arguments: []), .init(start: 0, count: 1))
    }
  }
}
