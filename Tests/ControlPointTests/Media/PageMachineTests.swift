import Testing

@testable import ControlPoint

@Suite struct PageMachineTests {
  /// - Parameter first: the id of the first object; by default one that occurs on no other page.
  private static func page(
    _ count: Int, of total: UInt32, first: String? = "new", update: UInt32 = 1, returned: UInt32? = nil
  ) -> PageMachine.Event {
    .answer(
      .init(
        count: count, firstID: first, numberReturned: returned ?? UInt32(count), totalMatches: total, updateID: update))
  }

  /// The answers to requests for ten objects each, the starts of the requests after the first one, and the end.
  static let table: [(name: String, answers: [PageMachine.Event], starts: [UInt32], end: PageMachine.End?)] = [
    ("empty", [page(0, of: 0)], [], .complete),
    ("one page", [page(3, of: 3)], [], .complete),
    (
      "several pages", [page(10, of: 25, first: "a"), page(10, of: 25, first: "b"), page(5, of: 25)], [10, 20],
      .complete
    ),
    ("fewer than asked", [page(4, of: 9, first: "a"), page(4, of: 9, first: "b"), page(1, of: 9)], [4, 8], .complete),
    ("more than asked", [page(25, of: 25)], [], .complete),
    ("unknown total", [page(10, of: 0, first: "a"), page(4, of: 0, first: "b"), page(0, of: 0)], [10, 14], .complete),
    ("unknown total, refused at the end", [page(10, of: 0), .fault], [10], .complete),
    ("refused", [.fault], [], .fault),
    ("refused in the middle", [page(10, of: 20), .fault], [10], .fault),
    ("nothing too early", [page(10, of: 20), page(0, of: 20)], [10], .short),
    ("total becomes smaller", [page(10, of: 20, first: "a"), page(5, of: 15)], [10], .complete),
    ("total becomes larger", [page(10, of: 12, first: "a"), page(2, of: 13, first: "b")], [10, 12], nil),
    ("total of the page", [page(10, of: 10, first: "a"), page(3, of: 3)], [10], .complete),
    ("exactly one page", [page(10, of: 10, first: "a"), page(0, of: 10)], [10], .complete),
    ("ignores StartingIndex", [page(10, of: 0, first: "a"), page(10, of: 0, first: "a")], [10], .repeated),
    ("without ids", [page(2, of: 0, first: nil), page(2, of: 0, first: nil)], [2, 4], nil),
    ("broken objects", [page(8, of: 12, first: "a", returned: 10), page(2, of: 12)], [10], .complete),
    ("no count", [page(8, of: 12, first: "a", returned: 0), page(4, of: 12, returned: 0)], [8], .complete),
    ("all broken", [page(0, of: 20, first: nil, returned: 10), page(10, of: 20)], [10], .complete),
    (
      "empty pages", Array(repeating: page(0, of: .max, first: nil, returned: 1), count: 11), Array(1...10), .short
    ),
    ("endless", [page(1_000_000, of: 0)], [], .tooMany),
    ("absurd count", [page(1, of: .max, returned: .max)], [], .tooMany),
  ]

  @Test(arguments: table)
  func asksForAllPages(name: String, answers: [PageMachine.Event], starts: [UInt32], end: PageMachine.End?) {
    var machine = PageMachine(pageSize: 10)
    #expect(machine.first == .request(start: 0, count: 10))
    var asked: [UInt32] = []
    var reached: PageMachine.End?
    for answer in answers {
      #expect(reached == nil, "\(name)")
      switch machine.handle(answer).step {
      case .request(let start, let count):
        asked.append(start)
        #expect(count == 10)
      case .end(let end): reached = end
      }
    }
    #expect(asked == starts, "\(name)")
    #expect(reached == end, "\(name)")
  }

  @Test func dropsAPageThatIsSentAgain() {
    var machine = PageMachine(pageSize: 10)
    let isNew = (0..<2).map { _ in machine.handle(Self.page(10, of: 20, first: "a")).isNew }
    #expect(isNew == [true, false])
  }

  @Test func reportsAChange() {
    var machine = PageMachine(pageSize: 10)
    _ = machine.handle(Self.page(10, of: 30, first: "a", update: 7))
    _ = machine.handle(Self.page(10, of: 30, first: "b", update: 7))
    #expect(!machine.hasChanged)
    _ = machine.handle(Self.page(10, of: 30, first: "c", update: 8))
    #expect(machine.hasChanged)
  }
}
