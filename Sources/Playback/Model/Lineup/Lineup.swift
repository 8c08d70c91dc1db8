/// The track that is heard, and what comes after it.
///
/// Tracks may be shorter than the output's buffer. Several followers are therefore opened ahead, one after the other, and
/// the feeder goes on to each without asking. `adopt` tells the lineup where the feeder is; call it before anything else
/// that depends on that.
///
/// A value: functions that give up sources return them, and the caller disposes of them.
package struct Lineup<Source: LineupSource> {
  private struct Joining {
    var source: Source
    /// When its first sample is heard, on the output's clock; nil until that was sent.
    var runningTime: Int64?
  }

  private struct Staged {
    let track: Track
    /// Nil until it is opened, and after it has failed.
    var source: Source?
    var hasFailed = false
  }

  /// The source that is heard.
  package private(set) var current: Source?
  /// Sources after the current one that are in the output's buffer, in part or entirely, but not heard yet.
  private var joining: [Joining] = []
  /// Delivers what is missing of the fed source, if that broke off.
  package private(set) var continuation: Source?
  /// The tracks after the fed one.
  private var staged: [Staged] = []

  package init() {}

  // MARK: Queries

  /// The source whose samples go to the output.
  package var fed: Source? { joining.last?.source ?? current }

  package var sources: [Source] { [current, continuation].compactMap(\.self) + joining.map(\.source) + stagedSources }

  package var stagedSources: [Source] { staged.compactMap(\.source) }

  /// The tracks after the current one.
  package var followers: [Track] { joining.map(\.source.track) + staged.map(\.track) }

  /// Whether every follower comes from the fed track's server, which then cannot be left for one that works.
  package var staysOnServer: Bool {
    guard let fed else { return true }
    return staged.allSatisfy { $0.track.isOnSameServer(as: fed.track) }
  }

  /// The sources that the feeder may take after the fed one; nil while more of the fed track is to come and is not ready.
  package var readyFollowers: [Source]? {
    if let continuation { return continuation.isReady ? [continuation] : nil }
    return fed?.failure == nil ? ready(staged.count) : nil
  }

  /// Whether so little is left of the current track that a follower would come too late if playback began now, and one
  /// is about to be ready.
  /// - Parameter fill: how much sound is enough.
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
  /// A follower is opened once everything before it is in memory: then the server's connection is free, and there is as
  /// much time as sound is held.
  /// - Parameters:
  ///   - limit: how much sound followers may hold before no other is opened.
  ///   - bytes: the same in bytes.
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

  /// Begins with a track, for which `setCurrent` brings a source if none was opened ahead.
  /// - Parameter fromBeginning: whether a source that was opened ahead will do.
  package mutating func start(_ track: Track, fromBeginning: Bool) -> [Source] {
    var (prefetched, discarded): (Source?, [Source]) = (nil, [])
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

  /// Puts a source in the place of the current one.
  package mutating func setCurrent(_ source: Source) { current = source }

  /// The current track was heard to its end. A follower that is being opened is kept: it is started next.
  package mutating func endCurrent() -> [Source] {
    defer { current = nil }
    return [current].compactMap(\.self)
  }

  package mutating func removeAll() -> [Source] {
    let discarded = sources
    self = Lineup()
    return discarded
  }

  /// Gives up everything after the current track, also what is in the output's buffer.
  package mutating func removeFollowers() -> [Source] {
    defer { staged = [] }
    return removeUnheard() + stagedSources
  }

  private mutating func removeUnheard() -> [Source] {
    defer { joining = [] }
    return removeContinuation() + joining.map(\.source)
  }

  // MARK: The continuation of a broken stream

  package mutating func setContinuation(_ source: Source) { continuation = source }

  package mutating func removeContinuation() -> [Source] {
    defer { continuation = nil }
    return [continuation].compactMap(\.self)
  }

  // MARK: Followers

  /// The followers that the feeder may take before `stage` is called: it must not go on to tracks that are not wanted.
  /// - Returns: nil if the feeder is to be left alone.
  package func following(agreeingWith tracks: [Track]) -> [Source]? {
    continuation == nil ? ready(agreement(with: tracks.after(current?.track)) - joining.count) : nil
  }

  /// Whether a track is in the output's buffer that is not among these at its place.
  package func hasJoinedOther(than tracks: [Track]) -> Bool {
    agreement(with: tracks.after(current?.track)) < joining.count
  }

  /// Replaces the tracks after the current one. Those that are the same as before, up to the first difference, stay.
  package mutating func stage(_ tracks: [Track]) -> [Source] {
    let wanted = tracks.after(current?.track)
    let kept = agreement(with: wanted)
    let dropped = staged.dropFirst(max(0, kept - joining.count))
    staged.removeLast(dropped.count)
    staged += wanted.dropFirst(kept).map { Staged(track: $0) }
    return dropped.compactMap(\.source)
  }

  /// How many tracks these have in common with the followers, from the first one on.
  private func agreement(with tracks: [Track]) -> Int {
    zip(followers, tracks).prefix { $0 == $1 }.count
  }

  /// The sources of the first staged tracks, as many as are ready without a gap.
  private func ready(_ count: Int) -> [Source] {
    staged.prefix(max(0, count)).prefix { $0.source?.isReady ?? false }.compactMap(\.source)
  }

  /// The track from `trackToOpen` was opened.
  /// - Parameter source: nil if it could not be.
  package mutating func opened(_ source: Source?) {
    guard let index = staged.firstIndex(where: { $0.source == nil && !$0.hasFailed }) else { return }
    staged[index].source = source
    staged[index].hasFailed = source == nil
  }

  /// The followers that the feeder may take before a staged source is withdrawn; nil if it is to be left alone.
  package func following(before source: Source) -> [Source]? {
    guard continuation == nil, let index = stagedIndex(of: source) else { return nil }
    return ready(index)
  }

  /// Takes the source from a track that stays staged, to be opened again at once, or when its turn comes if it has failed.
  /// - Returns: false if the source belongs to no staged track, or is fed by now.
  package mutating func withdraw(_ source: Source, hasFailed: Bool) -> Bool {
    guard let index = stagedIndex(of: source) else { return false }
    staged[index].source = nil
    staged[index].hasFailed = hasFailed
    return true
  }

  private func stagedIndex(of source: Source) -> Int? { staged.firstIndex { $0.source?.id == source.id } }
}

// MARK: - Joins

extension Lineup {
  package enum Adoption {
    case none
    case followers
    /// The feeder has gone on to the continuation, which takes the place of that source.
    case continuation(Source, former: Source?)
  }

  /// Takes note of the source that the feeder is at.
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

  /// The first sample of a follower will be heard at that time on the output's clock.
  /// - Returns: false if that is no news.
  package mutating func joined(_ id: Int, at runningTime: Int64) -> Bool {
    guard let index = joining.firstIndex(where: { $0.source.id == id }) else { return false }
    // The continuation of a follower that broke off comes later.
    joining[index].runningTime = joining[index].runningTime ?? runningTime
    return true
  }

  package enum Join {
    /// No follower is in the output's buffer.
    case none
    /// The next one is heard in so many nanoseconds; nil if that is not known yet.
    case later(Int64?)
    /// A follower is the current one now. Its first sample is heard in so many nanoseconds, if that is known.
    case heard(Source, former: Source?, remaining: Int64?)
  }

  /// Moves on to the next follower if it is heard.
  /// - Parameters:
  ///   - runningTime: what the output's clock shows.
  ///   - isForced: everything was heard.
  package mutating func nextJoin(at runningTime: Int64, isForced: Bool) -> Join {
    guard let next = joining.first else { return .none }
    // A follower without a single sample is over when the one after it begins.
    let remaining = joining.lazy.compactMap(\.runningTime).first.map { $0 - runningTime }
    guard isForced || isReportedEarly(next) || remaining.map({ $0 <= 0 }) == true else { return .later(remaining) }
    joining.removeFirst()
    defer { current = next.source }
    return .heard(next.source, former: current, remaining: remaining)
  }

  /// Whether a join is reported when the feeder gets to it instead of when it is heard, up to 0.3 s later. Controllers
  /// that know one next track set another when this one begins; a short one would be over before that is open.
  private func isReportedEarly(_ next: Joining) -> Bool {
    guard joining.count == 1, staged.isEmpty, next.runningTime != nil, next.source.isComplete else { return false }
    return next.source.length < Self.shortTrack
  }

  /// The time that a controller and a server need to answer, and the 0.3 s of the device and the feeder.
  private static var shortTrack: Duration { .milliseconds(500) }
}
