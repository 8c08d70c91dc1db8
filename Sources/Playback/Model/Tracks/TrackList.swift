/// The tracks that a play list names, and the one of them that is meant.
struct TrackList: Equatable {
  /// How often one list may lead to another.
  private static let maximumDepth = 8
  private static let maximumCount = 1000

  let tracks: [ListedTrack]
  /// From 0.
  let index: Int
  /// How many lists led here.
  private let depth: Int

  /// The first track of a list.
  /// - Parameter tracks: at least one.
  init(_ tracks: [ListedTrack]) {
    self.init(tracks: Array(tracks.prefix(Self.maximumCount)), index: 0, depth: 1)
  }

  private init(tracks: [ListedTrack], index: Int, depth: Int) {
    self.tracks = tracks
    self.index = index
    self.depth = depth
  }

  var track: ListedTrack { tracks[index] }

  /// The same list at another track; nil beyond its ends.
  func at(_ index: Int) -> TrackList? {
    tracks.indices.contains(index) ? TrackList(tracks: tracks, index: index, depth: depth) : nil
  }

  /// The track turned out to be a list itself, whose tracks take its place; nil if that has happened too often.
  func expanded(by inner: [ListedTrack]) -> TrackList? {
    guard depth < Self.maximumDepth else { return nil }
    let all = tracks[..<index] + inner + tracks[(index + 1)...]
    return TrackList(tracks: Array(all.prefix(Self.maximumCount)), index: index, depth: depth + 1)
  }
}
