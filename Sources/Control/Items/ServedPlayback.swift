import ControlPoint

/// Decides how long files must be served to a speaker: until it has played them, or will no longer play them. With
/// repeat, that is until someone stops it.
struct ServedPlayback: Equatable {
  /// A snapshot of the speaker.
  struct Observation {
    var state: PlaybackState
    /// Nil if nothing is selected.
    var current: PlayedURI?
    /// The URIs in the queue, the current one included. Not needed while the speaker plays one of the files.
    var queue: Set<PlayedURI>
  }

  enum Verdict: Equatable {
    case serve
    /// All files have been played or are no longer in the queue, or the speaker was stopped before the last one.
    case end
  }

  /// After this time, a stopped speaker counts as finished. It may also stop between two tracks.
  static let patience = Duration.seconds(8)
  /// Limit for consecutive missing answers.
  static let maximumMisses = 20

  private let all: Set<PlayedURI>
  /// The files that have not been played yet.
  private var pending: Set<PlayedURI>
  private var lastPlayed: PlayedURI?
  /// When the speaker was first seen stopped; nil while it plays.
  private var stoppedAt: Duration?
  private var misses = 0

  init(urls: Set<PlayedURI>) {
    all = urls
    pending = urls
  }

  /// The speaker did not answer. A network may fail for some seconds.
  /// - Returns: whether to ask it again.
  mutating func canMissAnswer() -> Bool {
    misses += 1
    return misses < Self.maximumMisses
  }

  /// The speaker cannot play a file.
  mutating func fail(_ file: PlayedURI) { pending.remove(file) }

  /// - Parameter now: monotonic.
  mutating func observe(_ observation: Observation, at now: Duration) -> Verdict {
    misses = 0
    stoppedAt = Self.isActive(observation.state) ? nil : stoppedAt ?? now
    let isFinished = stoppedAt.map { now - $0 >= Self.patience } ?? false
    if let current = observation.current, isPlaying(observation.state, current) {
      play(current)
      return .serve
    }
    let hasBegun = lastPlayed != nil
    if pending.isDisjoint(with: observation.queue) {
      // Right after the request, the speaker may not have the items yet.
      return hasBegun || isFinished ? .end : .serve
    }
    return hasBegun && isFinished ? .end : .serve
  }

  /// Whether the speaker plays one of the files.
  func isPlaying(_ state: PlaybackState, _ current: PlayedURI?) -> Bool {
    Self.isActive(state) && current.map { all.contains($0) } ?? false
  }

  private mutating func play(_ file: PlayedURI) {
    guard file != lastPlayed else { return }
    // Someone went back, or the queue repeats: the other files may follow again.
    if pending.remove(file) == nil { pending = all.subtracting([file]) }
    lastPlayed = file
  }

  private static func isActive(_ state: PlaybackState) -> Bool {
    [.playing, .paused, .buffering, .waiting].contains(state)
  }
}
