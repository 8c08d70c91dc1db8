/// The growing pauses between attempts to reach something that is missing: 1, 2, 4 … 60 seconds.
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

  /// After a success.
  package mutating func reset() { coming = first }
}
