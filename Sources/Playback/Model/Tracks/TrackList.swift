/// An entry of a playlist document.
public struct ListedTrack: Sendable, Equatable {
  /// Absolute in what the player reports.
  public let address: String
  /// Nil if the list has none, or in an unknown encoding.
  public let title: String?

  /// Longer titles are cut off, in characters.
  private static let longestTitle = 500

  package init(address: String, title: String? = nil) {
    self.address = address
    self.title = title.flatMap { title in
      let kept = String(title.prefix(Self.longestTitle)).trimmingSpaces()
      return kept.isEmpty || kept.contains("\u{FFFD}") ? nil : kept
    }
  }

  package func titled(_ title: String?) -> ListedTrack { ListedTrack(address: address, title: title) }
}

/// The entries of a playlist document, and the current one.
struct TrackList: Equatable {
  /// Lists within lists.
  private static let maximumDepth = 8
  private static let maximumCount = 1000

  let tracks: [ListedTrack]
  /// From 0.
  let index: Int
  /// Lists that led here.
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

  /// Replaces the current entry by the entries of the list that it turned out to be; nil beyond the maximum depth.
  func expanded(by inner: [ListedTrack]) -> TrackList? {
    guard depth < Self.maximumDepth else { return nil }
    let all = tracks[..<index] + inner + tracks[(index + 1)...]
    return TrackList(tracks: Array(all.prefix(Self.maximumCount)), index: index, depth: depth + 1)
  }
}
