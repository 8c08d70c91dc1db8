import Testing

@testable import ControlPoint

/// A watcher that is slower than the device.
@Suite struct EventBacklogTests {
  private static func drain(_ backlog: inout EventBacklog) -> [EventElement] {
    var elements: [EventElement] = []
    while let element = backlog.popFirst() { elements.append(element) }
    return elements
  }

  private static func change(_ name: String, _ value: String) -> EventElement {
    .change([EventedVariable(name, value)])
  }

  @Test func keepsTheOrderOfAFew() {
    var backlog = EventBacklog()
    let elements = [.initial([EventedVariable("A", "1")]), Self.change("A", "2"), .missed(1), .lapsed(.lost)]
    for element in elements { backlog.append(element) }
    #expect(Self.drain(&backlog) == elements)
  }

  @Test func mergesManyChangesPerVariable() {
    var backlog = EventBacklog()
    for number in 0..<10_000 { backlog.append(Self.change(number.isMultiple(of: 2) ? "A" : "B", "\(number)")) }
    let elements = Self.drain(&backlog)
    #expect(elements.count <= EventBacklog.maximumCount)
    var state = EventedVariables()
    for case .change(let variables) in elements { for variable in variables { _ = state.set(variable) } }
    #expect(state.value("A") == "9998")
    #expect(state.value("B") == "9999")
  }

  @Test func keepsLapsesGapsAndTheInitialEventWhenItMerges() {
    var backlog = EventBacklog()
    backlog.append(.missed(2))
    backlog.append(.lapsed(.lost))
    backlog.append(.initial([EventedVariable("A", "0")]))
    for number in 4...(EventBacklog.maximumCount + 1) { backlog.append(Self.change("B", "\(number)")) }
    let variables = [EventedVariable("A", "0"), EventedVariable("B", "\(EventBacklog.maximumCount + 1)")]
    #expect(Self.drain(&backlog) == [.lapsed(.lost), .missed(2), .initial(variables)])
  }

  @Test func boundsTheMemory() {
    var backlog = EventBacklog()
    let large = String(repeating: "a", count: 1 << 20)
    for number in 0..<20 { backlog.append(Self.change("V\(number)", large)) }
    let elements = Self.drain(&backlog)
    let size = elements.reduce(0) { sum, element in
      if case .change(let variables) = element { sum + variables.reduce(0) { $0 + $1.value.utf8.count } } else { sum }
    }
    #expect(size <= EventBacklog.maximumSize)
    #expect(elements.contains { if case .missed = $0 { true } else { false } })
  }
}
