import PlaybackModel

/// The lineup with open sources: opens those that `Lineup` asks for, and disposes of those that it removes.
///
/// Only `PlaybackSession` uses it.
final class TrackSources {
  private(set) var lineup = Lineup<TrackSource>()
  private let opener: SourceOpener

  init(opener: SourceOpener) { self.opener = opener }

  private func dispose(_ sources: [TrackSource]) {
    for source in sources { source.dispose() }
  }

  /// The gain of each track. It is known before the first sample, since tags come first.
  var gains: [Int: Double?] {
    Dictionary(lineup.sources.map { ($0.track.id, $0.facts.gainFactor) }, uniquingKeysWith: { $1 })
  }

  /// Sets ReplayGain for tracks that the feeder has not reached.
  func setReplayGain(_ replayGain: ReplayGainSettings) {
    opener.setReplayGain(replayGain)
    for source in lineup.stagedSources { source.facts.setReplayGain(replayGain) }
  }

  // MARK: The current track

  /// Starts a track. A source that was opened ahead and could not be joined is used instead of a new one.
  func start(_ track: Track, at position: Duration) throws(PlaybackError) {
    let former = lineup.current
    dispose(lineup.start(track, fromBeginning: position == .zero))
    guard lineup.current == nil else { return }
    let source = try opener.open(track, at: position)
    if former?.track == track { source.facts.formerBeginning = former?.facts.beginning }
    lineup.setCurrent(source)
  }

  /// Replaces the current source, which delivered nothing, by a new one.
  func reopenCurrent() throws(PlaybackError) {
    guard let former = lineup.current else { return }
    former.dispose()
    let source = try opener.open(former.track, at: former.start)
    source.facts.formerBeginning = former.facts.formerBeginning
    lineup.setCurrent(source)
  }

  func endCurrent() { dispose(lineup.endCurrent()) }

  func removeAll() { dispose(lineup.removeAll()) }

  // MARK: The continuation of a broken stream

  /// Opens another source for the fed track where the decoded sound of the broken one ends.
  func openContinuation() throws(PlaybackError) {
    guard let broken = lineup.fed, broken.failure != nil else { return }
    // A live stream ignores the position.
    let source = try opener.open(broken.track, at: max(broken.end, broken.start))
    source.facts.continues(broken.facts)
    lineup.setContinuation(source)
  }

  func discardContinuation() { dispose(lineup.removeContinuation()) }

  // MARK: Followers

  /// Replaces the tracks after the current one.
  func stage(_ tracks: [Track]) { dispose(lineup.stage(tracks)) }

  /// Removes everything after the current track, including tracks in the output's buffer.
  func removeFollowers() { dispose(lineup.removeFollowers()) }

  /// Opens the next follower ahead of time, if it is due.
  func openNext() {
    let settings = opener.settings
    let track = lineup.trackToOpen(limit: settings.bufferDepth / 2, bytes: settings.bufferBytes / 2)
    if let track { lineup.opened(try? opener.open(track)) }
  }

  /// Removes the source of a track that stays staged. See `Lineup.withdraw`.
  func withdraw(_ source: TrackSource, hasFailed: Bool) -> Bool {
    guard lineup.withdraw(source, hasFailed: hasFailed) else { return false }
    source.dispose()
    return true
  }

  // MARK: Joins

  /// Updates the lineup with the source that the feeder takes from.
  func adopt(_ fedID: Int?) -> Lineup<TrackSource>.Adoption {
    let adoption = lineup.adopt(fedID)
    if case .continuation(_, let former) = adoption { former?.dispose() }
    return adoption
  }

  func joined(_ id: Int, at runningTime: Int64) -> Bool { lineup.joined(id, at: runningTime) }

  /// Makes the next follower current if it is heard.
  func nextJoin(at runningTime: Int64, isForced: Bool) -> Lineup<TrackSource>.Join {
    let join = lineup.nextJoin(at: runningTime, isForced: isForced)
    if case .heard(_, let former, _) = join { former?.dispose() }
    return join
  }
}
