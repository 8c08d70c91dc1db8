/// The tracks that a play list names, and the one of them that is meant.
struct TrackList: Equatable {
  /// How often one list may lead to another.
  private static let maximumDepth = 8
  private static let maximumCount = 1000

  let addresses: [String]
  /// From 0.
  let index: Int
  /// How many lists led here.
  private let depth: Int

  /// The first track of a list.
  /// - Parameter addresses: at least one.
  init(_ addresses: [String]) {
    self.init(addresses: Array(addresses.prefix(Self.maximumCount)), index: 0, depth: 1)
  }

  private init(addresses: [String], index: Int, depth: Int) {
    self.addresses = addresses
    self.index = index
    self.depth = depth
  }

  var address: String { addresses[index] }

  /// The same list at another track; nil beyond its ends.
  func at(_ index: Int) -> TrackList? {
    addresses.indices.contains(index) ? TrackList(addresses: addresses, index: index, depth: depth) : nil
  }

  /// The track turned out to be a list itself, whose tracks take its place; nil if that has happened too often.
  func expanded(by inner: [String]) -> TrackList? {
    guard depth < Self.maximumDepth else { return nil }
    let all = addresses[..<index] + inner + addresses[(index + 1)...]
    return TrackList(addresses: Array(all.prefix(Self.maximumCount)), index: index, depth: depth + 1)
  }
}
