import PlaybackModel

/// The tracks of a playlist that failed when they were last tried, by id.
public struct PlaylistFailures: Sendable {
  private var failures: [UInt32: TrackFailure] = [:]
  /// Changes with the contents.
  public private(set) var revision = 0

  /// Why a track failed; nil if it did not.
  public subscript(id: UInt32) -> TrackFailure? { failures[id] }

  /// Follows a change of the playlist's deck. A failure stays until the track plays.
  /// - Returns: whether the failures have changed.
  mutating func update(_ deck: Deck, _ changes: PlayerChanges, of list: Playlist) -> Bool {
    let before = failures
    if changes.contains(.error), let failure = deck.failure ?? deck.skipped, !failure.error.isDeviceFailure,
      list.track(failure.tag) != nil
    {
      failures[failure.tag] = failure
    }
    if deck.state == .playing, let tag = deck.item?.tag { failures[tag] = nil }
    return note(before)
  }

  /// Forgets tracks that were deleted.
  mutating func prune(to list: Playlist) {
    guard !failures.isEmpty else { return }
    let before = failures
    failures = failures.filter { list.track($0.key) != nil }
    _ = note(before)
  }

  private mutating func note(_ before: [UInt32: TrackFailure]) -> Bool {
    guard failures != before else { return false }
    revision += 1
    return true
  }
}
