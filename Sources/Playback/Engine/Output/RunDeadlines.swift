/// Deadlines of a run of the output.
struct RunDeadlines {
  typealias Instant = ContinuousClock.Instant

  /// When to hurry the feeder if the output has not started by then.
  private(set) var hurry: Instant?
  /// When the output should have reached its end.
  private(set) var end: Instant?
  /// Running time of the end of the sound; nil until EOS was sent.
  private var endTime: Int64?

  var next: Instant? { [hurry, end].compactMap(\.self).min() }

  /// The output has been started or resumed.
  /// - Parameter heard: the running time that is heard.
  mutating func resumed(heard: Int64) {
    hurry = .now + .milliseconds(60)
    watchEnd(heard: heard)
  }

  mutating func playing() { hurry = nil }

  mutating func held() { end = nil }

  /// EOS was sent to the output; its sound ends at that running time.
  mutating func finished(at runningTime: Int64) { endTime = runningTime }

  /// Sets a deadline for the end, in case the device does not report it: a sound server's clock stops when it runs dry.
  mutating func watchEnd(heard: Int64) {
    guard let endTime else { return }
    let grace = endTime == 0 ? Duration.zero : .seconds(2)
    end = .now + .nanoseconds(max(0, endTime - heard)) + grace
  }

  /// Clears the deadline.
  /// - Returns: whether it is due.
  mutating func takeHurry(at now: Instant) -> Bool { Self.take(&hurry, at: now) }

  /// Clears the deadline.
  /// - Returns: whether it is due.
  mutating func takeEnd(at now: Instant) -> Bool { Self.take(&end, at: now) }

  private static func take(_ deadline: inout Instant?, at now: Instant) -> Bool {
    guard let instant = deadline, instant <= now else { return false }
    deadline = nil
    return true
  }
}
