import NIOCore

/// A condition was not met in time.
package struct TimedOut: Error {
  /// The state at the end of the wait.
  var state: String
}

/// Waits up to 30 s for a condition.
/// - Parameter state: included in the error.
package func waitUntil(
  every pause: Duration = .milliseconds(20), _ condition: () async throws -> Bool, state: () -> String = { "" }
) async throws {
  let end = NIODeadline.now() + .seconds(30)
  while try await !condition() {
    guard NIODeadline.now() < end else { throw TimedOut(state: state()) }
    try await Task.sleep(for: pause)
  }
}
