/// Waits up to 20 s for a condition.
package func waitFor(_ what: String, _ condition: () -> Bool) async throws {
  let deadline = ContinuousClock.now + .seconds(20)
  while !condition() {
    guard ContinuousClock.now < deadline else { throw SetupError("timed out waiting for \(what)") }
    try await Task.sleep(for: .milliseconds(5))
  }
}
