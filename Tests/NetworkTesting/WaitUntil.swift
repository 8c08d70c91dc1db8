import NIOCore

/// What was waited for did not come.
package struct TimedOut: Error {
  /// What there was instead.
  var state: String
}

/// Waits until a condition holds, for half a minute at most.
/// - Parameter state: what to tell if it does not.
package func waitUntil(
  every pause: Duration = .milliseconds(20), _ condition: () async throws -> Bool, state: () -> String = { "" }
) async throws {
  let end = NIODeadline.now() + .seconds(30)
  while try await !condition() {
    guard NIODeadline.now() < end else { throw TimedOut(state: state()) }
    try await Task.sleep(for: pause)
  }
}
