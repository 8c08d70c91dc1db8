import Testing

@testable import Page

@Suite struct WorkSlotsTests {
  @Test func startsInOrderAndRefusesTooMany() {
    var slots = WorkSlots<Int>(limit: 2, waitingLimit: 2)
    #expect((1...5).map { slots.add($0) } == [.start, .start, .wait, .wait, .refuse])
    #expect(slots.finished() == 3)
    #expect(slots.add(6) == .wait)
    #expect([slots.finished(), slots.finished(), slots.finished(), slots.finished()] == [4, 6, nil, nil])
    #expect(slots.running == 0)
  }
}
