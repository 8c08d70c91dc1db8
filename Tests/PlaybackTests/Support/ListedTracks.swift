@testable import Playback

extension [String] {
  /// Tracks of these addresses, without titles.
  var listed: [ListedTrack] { map { ListedTrack(address: $0) } }
}
