/// Decides whether a speaker has begun to play an item. A pure state machine.
struct StartWatch: Sendable {
  struct Observation: Sendable, Hashable {
    var state: PlaybackState
    /// Whether the speaker names the item as its current one.
    var isOurs: Bool
    var hasError = false
  }

  enum Verdict: Sendable, Hashable {
    case wait, started, failed
  }

  /// How long a speaker may keep reporting the previous item, and how long it may stay stopped.
  static let staleTime = Duration.seconds(10)
  /// How long it may load an item.
  static let loadingTime = Duration.seconds(60)

  private var isLoading = false

  /// - Parameter time: since the start.
  mutating func observe(_ observation: Observation, at time: Duration) -> Verdict {
    if observation.hasError { return .failed }
    // A playlist skips a track that it cannot play.
    guard observation.isOurs else { return time > Self.staleTime ? .failed : .wait }
    switch observation.state {
    case .playing, .paused: return .started
    case .buffering, .waiting:
      isLoading = true
      return time > Self.loadingTime ? .failed : .wait
    case .stopped, .noMedia, .unknown: return isLoading || time > Self.staleTime ? .failed : .wait
    }
  }
}
