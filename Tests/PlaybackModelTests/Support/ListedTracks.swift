@testable import PlaybackModel

extension [String] {
  /// Tracks with these addresses and without titles.
  var listed: [ListedTrack] { map { ListedTrack(address: $0) } }
}
