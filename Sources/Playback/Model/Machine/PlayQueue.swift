/// The tracks in playing order: the current one, the rest of its item, and the items after it.
///
/// An item is one track until its address turns out to be a playlist; `expandFollower` then inserts the listed tracks.
struct PlayQueue {
  /// One playback of one track. The same item twice in a row is two entries with different track ids.
  struct Entry: Equatable {
    let track: Track
    let item: MediaItem
    /// The playlist at the item's address, at this track; nil for an item that is audio itself.
    var list: TrackList?
  }

  /// Number of tracks announced to the pipeline: short tracks must be opened long before the one before them ends.
  static let lookahead = 12

  private(set) var current: Entry?
  /// The entries after `current` of the same item: the next tracks of its playlist, or its repetitions.
  private(set) var continuation: [Entry] = []
  /// The items after the current one. They wait while the current item repeats.
  private(set) var upcoming: [Entry] = []
  private(set) var repeatsOne = false
  /// The last track id in use. Ids are unique over all sources: `SourceSwitch` carries this counter from one to
  /// another.
  var lastTrackID = 0

  // MARK: Reads

  /// Number of tracks of the current item; 0 without one.
  var trackCount: Int { current.map { $0.list?.tracks.count ?? 1 } ?? 0 }
  /// Number of the current track, from 1; 0 without an item.
  var trackNumber: Int { current.map { ($0.list?.index ?? 0) + 1 } ?? 0 }

  /// The known entries after the current one. An upcoming playlist is the last of them: its other tracks are added once
  /// it is current.
  var followers: [Entry] {
    if repeatsOne { return continuation }
    let hasUnlistedTracks = (continuation.last ?? current)?.list.map { $0.index + 1 < $0.tracks.count } ?? false
    if hasUnlistedTracks { return continuation }
    let firstList = upcoming.firstIndex { $0.list.map { $0.tracks.count > 1 } ?? false }
    return Array((continuation + upcoming.prefix(1 + (firstList ?? upcoming.count))).prefix(Self.lookahead))
  }

  // MARK: Entries

  mutating func nextTrackID() -> Int {
    lastTrackID += 1
    return lastTrackID
  }

  mutating func makeEntry(_ item: MediaItem, list: TrackList? = nil) -> Entry {
    let track = Track(
      id: nextTrackID(), uri: list?.track.address ?? item.uri, duration: list == nil ? item.duration : nil,
      isProgram: item.isProgram)
    return Entry(track: track, item: item, list: list)
  }

  /// A new entry for a track of the entry's playlist.
  /// - Parameter number: from 1.
  /// - Returns: nil if the list has no such track.
  mutating func makeEntry(forTrack number: Int, of entry: Entry) -> Entry? {
    entry.list?.at(number - 1).map { makeEntry(entry.item, list: $0) }
  }

  /// Creates the continuation of an entry, up to `lookahead` entries.
  /// - Parameter kept: the first entries of the continuation, which exist already.
  private mutating func makeContinuation(of entry: Entry, keeping kept: [Entry] = []) -> [Entry] {
    var entries = kept
    while entries.count < Self.lookahead {
      let last = entries.last ?? entry
      let next =
        repeatsOne
        ? makeEntry(entry.item, list: entry.list)
        : last.list.flatMap { makeEntry(forTrack: $0.index + 2, of: last) }
      guard let next else { break }
      entries.append(next)
    }
    return entries
  }

  // MARK: Changes

  mutating func setCurrent(_ entry: Entry?) { setCurrent(entry, keeping: []) }

  private mutating func setCurrent(_ entry: Entry?, keeping kept: [Entry]) {
    current = entry
    continuation = entry.map { makeContinuation(of: $0, keeping: kept) } ?? []
  }

  /// Replaces the upcoming items. The leading items that stay the same keep their tracks, which may be open already.
  mutating func setUpcoming(_ items: [MediaItem]) {
    let kept = zip(upcoming, items).prefix { $0.item == $1 }.map(\.0)
    upcoming = kept + items[kept.count...].map { makeEntry($0) }
  }

  mutating func setRepeatsOne(_ repeatsOne: Bool) {
    guard repeatsOne != self.repeatsOne else { return }
    self.repeatsOne = repeatsOne
    continuation = current.map { makeContinuation(of: $0) } ?? []
  }

  /// Makes the next entry of the current item the current one, else the next item.
  /// - Returns: false at the end of the queue.
  mutating func advance() -> Bool {
    guard !continuation.isEmpty else { return skipToNextItem() }
    let entry = continuation.removeFirst()
    setCurrent(entry, keeping: continuation)
    return true
  }

  /// Makes the next item the current one.
  /// - Returns: false if there is none.
  mutating func skipToNextItem() -> Bool {
    guard !upcoming.isEmpty else { return false }
    setCurrent(upcoming.removeFirst())
    return true
  }

  /// Replaces a follower whose address is a playlist by the listed tracks. Lists nested too deep stay as they are and
  /// fail when they become current.
  mutating func expandFollower(_ trackID: Int, to tracks: [ListedTrack]) {
    if let index = continuation.firstIndex(where: { $0.track.id == trackID }) {
      guard let list = continuation[index].list?.expanded(by: tracks) else { return }
      let before = continuation[..<index].map { entry in
        Entry(track: entry.track, item: entry.item, list: entry.list.flatMap { list.at($0.index) })
      }
      let first = makeEntry(continuation[index].item, list: list)
      if let entry = current { current?.list = entry.list.flatMap { list.at($0.index) } }
      continuation = current.map { makeContinuation(of: $0, keeping: before + [first]) } ?? []
    } else if let index = upcoming.firstIndex(where: { $0.track.id == trackID }) {
      upcoming[index] = makeEntry(upcoming[index].item, list: TrackList(tracks))
    }
  }
}

/// The followers last sent to the pipeline.
struct SentFollowers {
  private(set) var latest: [PlayQueue.Entry] = []
  /// Replaced followers. They may still become audible if the pipeline joined them before it received the replacement.
  private var superseded: [PlayQueue.Entry] = []

  private static let maximumSuperseded = 4 * PlayQueue.lookahead

  /// Records the followers that are sent.
  /// - Parameter isNewGeneration: whether the pipeline drops everything sent before.
  /// - Returns: the tracks to send.
  mutating func send(_ followers: [PlayQueue.Entry], isNewGeneration: Bool) -> [Track] {
    let replaced = latest.filter { old in !followers.contains { $0.track.id == old.track.id } }
    superseded = isNewGeneration ? [] : (superseded + replaced).suffix(Self.maximumSuperseded)
    latest = followers
    return followers.map(\.track)
  }

  /// The replaced follower with the id.
  func superseded(_ trackID: Int) -> PlayQueue.Entry? { superseded.first { $0.track.id == trackID } }

  /// Removes a follower that has become the current track.
  mutating func remove(_ trackID: Int) { latest.removeAll { $0.track.id == trackID } }
}
