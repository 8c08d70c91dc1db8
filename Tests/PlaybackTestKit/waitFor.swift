/// Waits until the condition holds, for 20 s at most.
package func waitFor(_ what: String, _ condition: () -> Bool) async throws {
  let deadline = ContinuousClock.now + .seconds(20)
  while !condition() {
    guard ContinuousClock.now < deadline else { throw SetupError("\(what) does not come") }
    try await Task.sleep(for: .milliseconds(5))
  }
}
