import ControlPoint

/// Decides how long files must be served to a speaker: until it has played them, or will not play them any more.
struct ServedPlayback: Equatable {
  /// What the speaker does at one moment.
  struct Observation {
    var state: PlaybackState
    /// Nil if nothing is selected.
    var current: String?
    /// The URIs in the queue, the current one included.
    var queue: Set<String>
  }

  enum Verdict: Equatable {
    case serve
    /// All files have been played or are no longer in the queue.
    case played
    /// The speaker was stopped before the last file.
    case stopped
  }

  /// Observations after which a stopped speaker counts as stopped for good: between two tracks it also stops.
  static let patience = 8

  private var pending: Set<String>
  private var hasBegun = false
  private var stops = 0

  init(urls: Set<String>) { pending = urls }

  mutating func observe(_ observation: Observation) -> Verdict {
    let isActive = [.playing, .paused, .buffering, .waiting].contains(observation.state)
    let playsOurs = isActive && observation.current.map { pending.contains($0) || wasOurs == $0 } ?? false
    if playsOurs {
      hasBegun = true
      wasOurs = observation.current
      observation.current.map { _ = pending.remove($0) }
    }
    stops = isActive ? 0 : stops + 1
    if playsOurs { return .serve }
    if pending.isDisjoint(with: observation.queue) {
      // Right after the request, the speaker may not have the items yet.
      return hasBegun || stops >= Self.patience ? .played : .serve
    }
    return hasBegun && stops >= Self.patience ? .stopped : .serve
  }

  /// The file that plays, which is no longer pending.
  private var wasOurs: String?
}
