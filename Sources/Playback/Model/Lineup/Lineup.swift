/// The current track, the tracks after it, and their sources.
///
/// Tracks may be shorter than the output's buffer, so several followers are opened ahead, one after the other. The
/// feeder moves on to them by itself; `adopt` updates the lineup with the feeder's source and must be called first.
///
/// A pure value: functions that remove sources return them, and the caller disposes of them.
package struct Lineup<Input: LineupSource> {
  private struct Joining {
    var source: Input
    /// When its first sample is heard, on the output's clock; nil until the feeder has pushed that sample.
    var runningTime: Int64?
  }

  private struct Staged {
    let track: Track
    /// Nil before it is opened and after it has failed.
    var source: Input?
    var hasFailed = false
  }

  /// The source that is heard.
  package private(set) var current: Input?
  /// Sources after the current one whose samples are in the output's buffer but not heard yet.
  private var joining: [Joining] = []
  /// Delivers the rest of the fed track if its stream broke off.
  package private(set) var continuation: Input?
  /// The tracks after the fed one.
  private var staged: [Staged] = []

  package init() {}

  // MARK: Queries

  /// The source whose samples go to the output.
  package var fed: Input? { joining.last?.source ?? current }

  package var sources: [Input] { [current, continuation].compactMap(\.self) + joining.map(\.source) + stagedSources }

  package var stagedSources: [Input] { staged.compactMap(\.source) }

  /// The tracks after the current one.
  package var followers: [Track] { joining.map(\.source.track) + staged.map(\.track) }

  /// Whether every follower comes from the fed track's server, so that none can replace it during an outage.
  package var staysOnServer: Bool {
    guard let fed else { return true }
    return staged.allSatisfy { $0.track.isOnSameServer(as: fed.track) }
  }

  /// The sources that the feeder may take after the fed one; nil while the rest of the fed track is not ready.
  package var readyFollowers: [Input]? {
    if let continuation { return continuation.isReady ? [continuation] : nil }
    return fed?.failure == nil ? ready(staged.count) : nil
  }

  /// Whether the current track is so short that playback should wait for a follower, which is being opened.
  /// - Parameter fill: the amount of buffered sound that suffices to start playback.
  package func awaitsFollowers(until fill: Duration) -> Bool {
    guard let current, current.isComplete, current.failure == nil else { return false }
    var held = current.held.duration
    for follower in staged {
      guard held < fill, !follower.hasFailed else { return false }
      guard let source = follower.source, source.isReady else { return true }
      held += source.held.duration
    }
    return false
  }

  /// The track to open now, if one is due; `opened` takes the result.
  ///
  /// A follower is opened once everything before it is in memory: then the server's connection is free, and the
  /// buffered sound gives it time.
  /// - Parameters:
  ///   - limit: no follower is opened while the others hold this much sound.
  ///   - bytes: the same limit in bytes.
  package func trackToOpen(limit: Duration, bytes: Int) -> Track? {
    guard continuation == nil, let fed, fed.isComplete, fed.failure == nil else { return nil }
    var held = HeldSound()
    for follower in staged {
      guard !follower.hasFailed else { return nil }
      guard let source = follower.source else { return follower.track }
      guard source.isComplete, source.failure == nil else { return nil }
      held += source.held
      guard held.duration < limit, held.bytes < bytes else { return nil }
    }
    return nil
  }

  // MARK: The current track

  /// Starts a track. If none of the sources opened ahead is used, `setCurrent` must follow.
  /// - Parameter fromBeginning: whether a source that was opened ahead may be used.
  package mutating func start(_ track: Track, fromBeginning: Bool) -> [Input] {
    var (prefetched, discarded): (Input?, [Input]) = (nil, [])
    if fromBeginning {
      if let index = staged.firstIndex(where: { $0.track == track }) {
        prefetched = staged[index].source
        discarded = staged[..<index].compactMap(\.source)
        staged.removeSubrange(...index)
      } else {
        discarded = stagedSources
        staged = []
      }
    }
    discarded += removeUnheard() + [current].compactMap(\.self)
    current = prefetched
    return discarded
  }

  /// Replaces the current source.
  package mutating func setCurrent(_ source: Input) { current = source }

  /// Removes the current source after its end. Followers stay, since the next one is started now.
  package mutating func endCurrent() -> [Input] {
    defer { current = nil }
    return [current].compactMap(\.self)
  }

  package mutating func removeAll() -> [Input] {
    let discarded = sources
    self = Lineup()
    return discarded
  }

  /// Removes everything after the current track, including tracks in the output's buffer.
  package mutating func removeFollowers() -> [Input] {
    defer { staged = [] }
    return removeUnheard() + stagedSources
  }

  private mutating func removeUnheard() -> [Input] {
    defer { joining = [] }
    return removeContinuation() + joining.map(\.source)
  }

  // MARK: The continuation of a broken stream

  package mutating func setContinuation(_ source: Input) { continuation = source }

  package mutating func removeContinuation() -> [Input] {
    defer { continuation = nil }
    return [continuation].compactMap(\.self)
  }

  // MARK: Followers

  /// The followers that the feeder may still take before `stage` is called: those that are also in the new list.
  /// - Returns: nil if the feeder's followers need not change.
  package func following(agreeingWith tracks: [Track]) -> [Input]? {
    continuation == nil ? ready(agreement(with: tracks.after(current?.track)) - joining.count) : nil
  }

  /// Whether the output's buffer holds a track that differs from the new list.
  package func hasJoinedOther(than tracks: [Track]) -> Bool {
    agreement(with: tracks.after(current?.track)) < joining.count
  }

  /// Replaces the tracks after the current one. Sources of tracks before the first difference stay.
  package mutating func stage(_ tracks: [Track]) -> [Input] {
    let wanted = tracks.after(current?.track)
    let kept = agreement(with: wanted)
    let dropped = staged.dropFirst(max(0, kept - joining.count))
    staged.removeLast(dropped.count)
    staged += wanted.dropFirst(kept).map { Staged(track: $0) }
    return dropped.compactMap(\.source)
  }

  /// Number of leading tracks that are equal to the followers.
  private func agreement(with tracks: [Track]) -> Int {
    zip(followers, tracks).prefix { $0 == $1 }.count
  }

  /// The sources of the first `count` staged tracks, up to the first one that is not ready.
  private func ready(_ count: Int) -> [Input] {
    staged.prefix(max(0, count)).prefix { $0.source?.isReady ?? false }.compactMap(\.source)
  }

  /// The track from `trackToOpen` was opened.
  /// - Parameter source: nil if it could not be opened.
  package mutating func opened(_ source: Input?) {
    guard let index = staged.firstIndex(where: { $0.source == nil && !$0.hasFailed }) else { return }
    staged[index].source = source
    staged[index].hasFailed = source == nil
  }

  /// The followers that the feeder may still take before a staged source is withdrawn; nil if they need not change.
  package func following(before source: Input) -> [Input]? {
    guard continuation == nil, let index = stagedIndex(of: source) else { return nil }
    return ready(index)
  }

  /// Removes the source of a track that stays staged. The track is opened again: at once, or when it becomes current if
  /// the source has failed.
  /// - Returns: false if the source belongs to no staged track, or is already being fed.
  package mutating func withdraw(_ source: Input, hasFailed: Bool) -> Bool {
    guard let index = stagedIndex(of: source) else { return false }
    staged[index].source = nil
    staged[index].hasFailed = hasFailed
    return true
  }

  private func stagedIndex(of source: Input) -> Int? { staged.firstIndex { $0.source?.id == source.id } }
}

// MARK: - Joins

extension Lineup {
  package enum Adoption {
    case none
    case followers
    /// The feeder has moved on to the continuation, which replaces the former source.
    case continuation(Input, former: Input?)
  }

  /// Updates the lineup with the source that the feeder takes from.
  package mutating func adopt(_ fedID: Int?) -> Adoption {
    guard let fedID else { return .none }
    if let source = continuation, source.id == fedID {
      let former = fed
      if joining.isEmpty { current = source } else { joining[joining.count - 1].source = source }
      continuation = nil
      return .continuation(source, former: former)
    }
    guard let index = staged.firstIndex(where: { $0.source?.id == fedID }) else { return .none }
    joining += staged[...index].compactMap { $0.source.map { Joining(source: $0) } }
    staged.removeSubrange(...index)
    return .followers
  }

  /// The first sample of a follower will be heard at this time on the output's clock.
  /// - Returns: false for an unknown source.
  package mutating func joined(_ id: Int, at runningTime: Int64) -> Bool {
    guard let index = joining.firstIndex(where: { $0.source.id == id }) else { return false }
    // Keep the first time: the source may be a follower's continuation.
    joining[index].runningTime = joining[index].runningTime ?? runningTime
    return true
  }

  package enum Join {
    /// No follower is in the output's buffer.
    case none
    /// Nanoseconds until the next one is heard; nil if unknown.
    case later(Int64?)
    /// A follower has become current. `remaining`: nanoseconds until its first sample is heard, if known.
    case heard(Input, former: Input?, remaining: Int64?)
  }

  /// Makes the next follower current if it is heard.
  /// - Parameters:
  ///   - runningTime: the time of the output's clock.
  ///   - isForced: whether the output has played everything.
  package mutating func nextJoin(at runningTime: Int64, isForced: Bool) -> Join {
    guard let next = joining.first else { return .none }
    // A follower without samples has no time of its own: it ends when the one after it begins.
    let remaining = joining.lazy.compactMap(\.runningTime).first.map { $0 - runningTime }
    guard isForced || isReportedEarly(next) || remaining.map({ $0 <= 0 }) == true else { return .later(remaining) }
    joining.removeFirst()
    defer { current = next.source }
    return .heard(next.source, former: current, remaining: remaining)
  }

  /// Whether a join is reported when the feeder reaches it, up to 0.3 s before it is heard. Some controllers set the
  /// next track only when they learn of the join. After a short track, that track could not be opened in time.
  private func isReportedEarly(_ next: Joining) -> Bool {
    guard joining.count == 1, staged.isEmpty, next.runningTime != nil, next.source.isComplete else { return false }
    return next.source.length < Self.shortTrack
  }

  /// Time for a controller and a server to respond, plus 0.3 s of buffering.
  private static var shortTrack: Duration { .milliseconds(500) }
}
