@testable import PlaybackModel

extension [String] {
  /// Tracks of these addresses, without titles.
  var listed: [ListedTrack] { map { ListedTrack(address: $0) } }
}
