import NIOCore
import Testing

@testable import DeviceStack

struct AgendaTests {
  @Test func returnsDueItemsInOrder() {
    var agenda = Agenda<String>()
    for (item, time) in [("c", 30), ("a", 10), ("b1", 20), ("b2", 20), ("d", 40)] { agenda.add(item, at: at(time)) }
    #expect(agenda.next == at(10))
    #expect(agenda.popDue(at(9)) == nil)
    agenda.removeAll { $0 == "c" }
    var due: [String] = []
    while let item = agenda.popDue(at(39)) { due.append(item) }
    #expect(due == ["a", "b1", "b2"])
    #expect(agenda.next == at(40))
    #expect(agenda.count == 1)
  }

  private func at(_ nanoseconds: Int) -> NIODeadline { .uptimeNanoseconds(UInt64(nanoseconds)) }
}
