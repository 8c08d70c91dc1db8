import Testing

@testable import ControlPoint

@Suite struct EventSequenceTests {
  private static let last = UInt32.max

  @Test(
    arguments: [
      ([0, 1, 2], [.first, .next(missed: 0), .next(missed: 0)]),
      ([0, 3], [.first, .next(missed: 2)]),
      // It wraps to 1, since 0 is the initial event.
      ([last - 1, last, 1], [.first, .next(missed: 0), .next(missed: 0)]),
      ([last, 3], [.first, .next(missed: 2)]),
      // Sent again, or overtaken.
      ([0, 1, 1], [.first, .next(missed: 0), .outdated]),
      ([0, 2, 1, 3], [.first, .next(missed: 1), .outdated, .next(missed: 0)]),
      ([0, 1, 0], [.first, .next(missed: 0), .outdated]),
      ([1, 0, 2], [.first, .next(missed: 0), .next(missed: 0)]),
      // The device does not count.
      ([0, 0, 0], [.first, .next(missed: 0), .next(missed: 0)]),
      ([nil, nil, nil], [.first, .next(missed: 0), .next(missed: 0)]),
      // The device counts from the start again.
      ([0, 1, 100, 0, 1], [.first, .next(missed: 0), .next(missed: 98), .next(missed: 0), .next(missed: 0)]),
      ([0, 100, 1, 2], [.first, .next(missed: 99), .next(missed: 0), .next(missed: 0)]),
    ] as [([UInt32?], [EventSequence.Verdict])])
  func judges(numbers: [UInt32?], verdicts: [EventSequence.Verdict]) {
    var sequence = EventSequence()
    #expect(numbers.map { sequence.receive($0) } == verdicts)
  }
}
