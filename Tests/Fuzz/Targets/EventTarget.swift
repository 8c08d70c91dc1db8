import ControlPoint

/// The body of an event that a control point receives, with LastChange inside it.
enum EventTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    guard let reading = try? EventReader.read(Array(input)) else { return }
    check(reading.variables.count <= 1000, "\(reading.variables.count) variables")
    check(reading.deviations.count <= 100, "\(reading.deviations.count) deviations")
    check(reading.variables.allSatisfy { !$0.name.isEmpty }, "a variable without a name")
    // Only another encoding, such as Latin-1, makes a value longer than its source.
    let size = reading.variables.reduce(0) { $0 + $1.value.utf8.count }
    check(size <= 4 * input.count, "values of \(size) bytes from \(input.count)")
  }
}
