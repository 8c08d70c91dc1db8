/// Facts that the stream of a track reports.
struct TrackFacts: Equatable {
  var duration: TrackDuration?
  var streamInfo: StreamInfo?
  var tags = TrackTags()

  /// The facts of the current track, and those of a follower that is open already, so that they appear together with
  /// it.
  struct Table {
    var current = TrackFacts()
    private var ahead: (trackID: Int, facts: TrackFacts)?

    mutating func noteAhead(_ trackID: Int, _ note: (inout TrackFacts) -> Void) {
      var facts = ahead?.trackID == trackID ? ahead?.facts ?? TrackFacts() : TrackFacts()
      note(&facts)
      ahead = (trackID, facts)
    }

    /// Makes another track the current one.
    mutating func select(_ trackID: Int?) {
      current = ahead?.trackID == trackID ? ahead?.facts ?? TrackFacts() : TrackFacts()
      ahead = nil
    }
  }
}

/// A position known at one moment, from which later positions are calculated.
enum PositionAnchor: Equatable {
  /// The position does not move.
  case standing(at: Duration)
  /// The position advances with time from a value that was measured at an instant.
  case advancing(from: Duration, since: ContinuousClock.Instant)

  /// - Parameter limit: the end of the track, beyond which the position does not advance.
  func position(now: ContinuousClock.Instant, limit: Duration?) -> Duration {
    switch self {
    case .standing(let position): return position
    case .advancing(let position, let since):
      let advanced = position + max(.zero, since.duration(to: now))
      return limit.map { min(advanced, max($0, position)) } ?? advanced
    }
  }
}
