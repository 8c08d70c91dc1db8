import PlaybackModel

/// Lists of tracks that people keep on the speaker: favourites, saved queues, and the tracks that played last.
///
/// Lives on the event loop.
package final class TrackLists {
  /// Reads and writes the lists. The renderer provides it.
  package struct Storage {
    let saved: [(name: String, tracks: [PlaylistTrack])]
    let save: (String, [PlaylistTrack]) -> Void

    /// - Parameters:
    ///   - saved: the lists at the start.
    ///   - save: saves a list; an empty one is deleted.
    package init(
      saved: [(name: String, tracks: [PlaylistTrack])], save: @escaping (String, [PlaylistTrack]) -> Void
    ) {
      self.saved = saved
      self.save = save
    }
  }

  enum Failure: Error, Equatable {
    case unknown
    case unknownTrack
    /// A name is empty, longer than 100 characters, or one of the speaker's own.
    case badName
    /// Another list has the name.
    case exists
    case noTracks
    /// The lists hold the maximum number of tracks.
    case full
  }

  /// Names of lists that the speaker keeps by itself.
  static let favorites = "favorites"
  static let recent = "recent"
  private static let own: Set = [favorites, recent]

  static let maximumRecent = 100
  /// Of all lists together, which are in memory.
  static let maximumTracks = 20_000
  private static let maximumName = 100

  private let save: (String, [PlaylistTrack]) -> Void
  private var lists: [String: [PlaylistTrack]] = [:]
  /// Changes with the lists.
  private(set) var revision = 0

  package init(_ storage: Storage) {
    save = storage.save
    for (name, tracks) in storage.saved { lists[name] = tracks }
  }

  /// The names of the saved queues, sorted.
  var names: [String] {
    lists.keys.filter { !Self.own.contains($0) }.sorted { ($0.lowercased(), $0) < ($1.lowercased(), $1) }
  }

  /// The speaker's own lists exist always.
  func tracks(_ name: String) throws(Failure) -> [PlaylistTrack] {
    if let tracks = lists[name] { return tracks }
    guard Self.own.contains(name) else { throw .unknown }
    return []
  }

  /// Saves a queue.
  /// - Parameter replaces: whether it may take the place of a list with the same name.
  func keep(_ tracks: [PlaylistTrack], as name: String, replaces: Bool) throws(Failure) {
    try checkName(name)
    guard !tracks.isEmpty else { throw .noTracks }
    guard replaces || lists[name] == nil else { throw .exists }
    try checkSpace(for: tracks, as: name)
    change(name, tracks)
  }

  /// Renames a saved queue.
  func rename(_ name: String, to new: String) throws(Failure) {
    try checkName(name)
    try checkName(new)
    guard let tracks = lists[name] else { throw .unknown }
    guard name != new else { return }
    guard lists[new] == nil else { throw .exists }
    change(new, tracks)
    change(name, [])
  }

  func remove(_ name: String) throws(Failure) {
    guard lists[name] != nil || Self.own.contains(name) else { throw .unknown }
    change(name, [])
  }

  /// Removes one track.
  /// - Parameters:
  ///   - index: its place.
  ///   - uri: its address. If another track is at the place by now, nothing is removed.
  func remove(_ name: String, at index: Int, uri: String) throws(Failure) {
    var tracks = try tracks(name)
    guard tracks.indices.contains(index), tracks[index].uri == uri else { throw .unknownTrack }
    tracks.remove(at: index)
    change(name, tracks)
  }

  func isFavorite(_ track: PlaylistTrack) -> Bool {
    lists[Self.favorites]?.contains { $0.uri == track.uri } ?? false
  }

  /// Adds tracks to the front of the favourites, in their order and each once.
  func addFavorites(_ added: [PlaylistTrack]) throws(Failure) {
    var addresses: Set<String> = []
    let added = added.filter { addresses.insert($0.uri).inserted }
    let rest = (lists[Self.favorites] ?? []).filter { !addresses.contains($0.uri) }
    try checkSpace(for: added + rest, as: Self.favorites)
    change(Self.favorites, added + rest)
  }

  func removeFavorite(_ track: PlaylistTrack) {
    change(Self.favorites, (lists[Self.favorites] ?? []).filter { $0.uri != track.uri })
  }

  /// A track has begun to play. It comes first in the list, and is in it once.
  func played(_ track: PlaylistTrack) {
    var tracks = lists[Self.recent] ?? []
    guard tracks.first?.uri != track.uri else { return }
    tracks.removeAll { $0.uri == track.uri }
    tracks.insert(track, at: 0)
    change(Self.recent, Array(tracks.prefix(Self.maximumRecent)))
  }

  /// Whether people may give a list this name.
  private func checkName(_ name: String) throws(Failure) {
    guard !Self.own.contains(name), !name.isEmpty, name.count <= Self.maximumName,
      !name.unicodeScalars.contains(where: { $0.value < 0x20 })
    else { throw .badName }
  }

  private func checkSpace(for tracks: [PlaylistTrack], as name: String) throws(Failure) {
    let others = lists.reduce(0) { $0 + ($1.key == name ? 0 : $1.value.count) }
    guard others + tracks.count <= Self.maximumTracks else { throw .full }
  }

  private func change(_ name: String, _ tracks: [PlaylistTrack]) {
    lists[name] = tracks.isEmpty ? nil : tracks
    revision += 1
    save(name, tracks)
  }
}
