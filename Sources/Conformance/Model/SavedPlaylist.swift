import UPnP

/// The state of OpenHome's Playlist that checks change.
struct SavedPlaylist: Sendable, Hashable {
  /// Longer lists are left alone: restoring them would take long, and control points would lose their ids.
  static let maximumTracks = 100

  struct Track: Sendable, Hashable {
    var uri: String
    var metadata: String
  }

  var repeats: String
  var shuffles: String
  /// The position of the current track; nil for none.
  var current: Int?
  var tracks: [Track]

  // MARK: As text

  /// The values, separated by NUL, which neither URIs nor XML contain.
  var text: String {
    ([repeats, shuffles, current.map(String.init) ?? ""] + tracks.flatMap { [$0.uri, $0.metadata] })
      .joined(separator: "\0")
  }

  init(repeats: String, shuffles: String, current: Int?, tracks: [Track]) {
    (self.repeats, self.shuffles, self.current, self.tracks) = (repeats, shuffles, current, tracks)
  }

  init?(text: String) {
    let parts = text.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 3, parts.count % 2 == 1 else { return nil }
    self.init(
      repeats: parts[0], shuffles: parts[1], current: Int(parts[2]),
      tracks: stride(from: 3, to: parts.count, by: 2).map { Track(uri: parts[$0], metadata: parts[$0 + 1]) })
  }

  // MARK: On the device

  static func read(_ playlist: PlaylistDriver) async throws(Finding) -> SavedPlaylist {
    // Some devices fill an empty list with zeros.
    let ids = try await playlist.ids().filter { $0 != 0 }
    guard ids.count <= maximumTracks || playlist.context.isForced else {
      throw .skip("the playlist has \(ids.count) tracks, too many to be restored without --force")
    }
    var tracks: [Track] = []
    for id in ids {
      let track = try await playlist.read(id)
      tracks.append(Track(uri: track.uri, metadata: track.metadata))
    }
    let current = try await playlist.currentID()
    return SavedPlaylist(
      repeats: try await playlist.value("Repeat"), shuffles: try await playlist.value("Shuffle"),
      current: ids.firstIndex(of: current), tracks: tracks)
  }

  /// Inserts the tracks again, and selects the current one. It is audible for a moment at most.
  func write(_ playlist: PlaylistDriver) async throws(Finding) {
    _ = try await playlist.answer("Stop")
    try await playlist.deleteAll()
    var ids: [UInt32] = []
    for track in tracks { ids.append(try await playlist.insert(track.uri, track.metadata, after: ids.last ?? 0)) }
    try await playlist.call("SetRepeat", [("Value", repeats)])
    try await playlist.call("SetShuffle", [("Value", shuffles)])
    guard let current, try await playlist.currentID() != ids[current] else { return }
    try await playlist.seek(id: ids[current])
    try await playlist.call("Stop")
  }
}
