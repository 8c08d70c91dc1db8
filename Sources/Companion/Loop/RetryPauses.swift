/// Exponential backoff between attempts to reach a missing service: 1, 2, 4 … 60 seconds by default.
package struct RetryPauses: Sendable, Equatable {
  private let first: Duration
  private let longest: Duration
  private var coming: Duration

  package init(first: Duration = .seconds(1), longest: Duration = .seconds(60)) {
    self.first = first
    self.longest = longest
    coming = first
  }

  /// The pause before the next attempt.
  package mutating func next() -> Duration {
    defer { coming = min(coming * 2, longest) }
    return coming
  }

  /// Starts again with the first pause, after a success.
  package mutating func reset() { coming = first }
}
