@testable import PlaybackEngine
@testable import PlaybackModel

/// The URI of a playlist, then the playlist.
enum PlaylistTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    var input = Input(input)
    let base = input.line() ?? ""
    // Playlists are read only after an HTTP fetch.
    guard HTTPAddress(base) != nil, let document = PlaylistDocument(input.bytes(), base: base) else { return }
    check((1...PlaylistDocument.maximumEntries).contains(document.tracks.count), "\(document.tracks.count) tracks")
    for track in document.tracks {
      check(["http", "https"].contains(track.address.uriScheme), "the track \(track)")
      check(track.title?.isEmpty != true, "the track \(track)")
    }
  }
}
