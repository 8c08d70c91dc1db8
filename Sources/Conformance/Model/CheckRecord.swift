import Synchronization

/// A figure that a check measures without judging it.
public struct Measurement: Sendable, Encodable {
  public var name: String
  /// With its unit.
  public var value: String
}

/// A table that a check fills in, such as the states that follow each action.
public struct ResultTable: Sendable, Encodable {
  public var title: String
  public var columns: [String]
  /// Each begins with the name of the row.
  public var rows: [[String]]
}

/// The measurements and the table that a check records while it runs. Its tasks find the record through ``current``.
final class CheckRecord: Sendable {
  struct Content: Sendable {
    var measurements: [Measurement] = []
    var table: ResultTable?
  }

  @TaskLocal static var current: CheckRecord?

  private let content = Mutex(Content())

  var value: Content { content.withLock { $0 } }

  func change(_ body: (inout Content) -> Void) { content.withLock { body(&$0) } }
}

extension CheckContext {
  /// Records a figure for the report.
  func measure(_ name: String, _ value: String) {
    CheckRecord.current?.change { $0.measurements.append(Measurement(name: name, value: value)) }
  }

  /// Records a time for the report.
  func measure(_ name: String, _ duration: Duration) {
    measure(name, Figures.milliseconds(duration))
  }

  /// Notes that the failure that follows depends on a time.
  func noteLateness() { Lateness.note(true) }

  /// Fails because of a time.
  func expectInTime(_ condition: Bool, _ expected: String, got: @autoclosure () -> String) throws(Finding) {
    if !condition { noteLateness() }
    try expect(condition, expected, got: got())
  }

  /// Records a table for the report.
  func show(_ table: ResultTable) { CheckRecord.current?.change { $0.table = table } }
}
