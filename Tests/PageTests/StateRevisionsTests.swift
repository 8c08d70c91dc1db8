import Testing

@testable import Page

struct StateRevisionsTests {
  private typealias Reading = StateRevisions.Reading

  private func reading(_ index: Int, _ text: String, comparedText: String? = nil, _ effect: Reading.Effect = .compared)
    -> Reading
  {
    Reading(index: index, text: Array(text.utf8), comparedText: comparedText.map { Array($0.utf8) }, effect: effect)
  }

  private var revisions: StateRevisions {
    var revisions = StateRevisions(names: ["a", "b"], bootID: 7)
    revisions.update([reading(0, "1"), reading(1, "2")])
    _ = revisions.takeChanges()
    return revisions
  }

  private func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

  @Test func everythingIsUnknownAtFirst() {
    var revisions = StateRevisions(names: ["a", "b"], bootID: 7)
    #expect(revisions.touched == [0, 1])
    #expect(revisions.id == "7-0")
    revisions.update([reading(0, "1"), reading(1, "2")])
    #expect(revisions.touched == [])
    #expect(revisions.id == "7-1")
    #expect(text(revisions.document) == #"{"id":"7-1","a":1,"b":2}"#)
  }

  @Test(
    arguments: [
      ([], nil, "7-1"), ([("2", nil, .compared)], nil, "7-1"),
      ([("3", nil, .compared)], #"{"id":"7-2","b":3}"#, "7-2"),
      ([("3", "2", .compared)], nil, "7-1"), ([("2", "3", .compared)], #"{"id":"7-2","b":2}"#, "7-2"),
      ([("2", nil, .change)], #"{"id":"7-2","b":2}"#, "7-2"), ([("3", nil, .none)], nil, "7-1"),
    ] as [([(String, String?, StateRevisions.Reading.Effect)], String?, String)])
  func onlyChangesCount(
    readings: [(String, String?, StateRevisions.Reading.Effect)], event: String?, id: String
  ) {
    var revisions = self.revisions
    revisions.touch(1)
    revisions.update(readings.map { reading(1, $0.0, comparedText: $0.1, $0.2) })
    #expect(text(revisions.takeChanges()) == event)
    #expect(revisions.id == id)
    #expect(revisions.touched == (readings.isEmpty ? [1] : []))
  }

  /// Reading the document between a change and its event makes a revision.
  /// The event then has all changes since the last event.
  @Test func changesWaitForTheirEvent() {
    var revisions = self.revisions
    revisions.update([reading(0, "5")])
    #expect(text(revisions.document) == #"{"id":"7-2","a":5,"b":2}"#)
    revisions.update([reading(1, "6")])
    #expect(text(revisions.takeChanges()) == #"{"id":"7-3","a":5,"b":6}"#)
    #expect(revisions.takeChanges() == nil)
  }
}
