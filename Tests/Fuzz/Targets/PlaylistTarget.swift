@testable import PlaybackEngine
@testable import PlaybackModel

/// The address that a list came from, then the list.
enum PlaylistTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    var input = Input(input)
    let base = input.line() ?? ""
    // Only what was fetched is read.
    guard HTTPAddress(base) != nil, let document = PlaylistDocument(input.bytes(), base: base) else { return }
    check((1...PlaylistDocument.maximumEntries).contains(document.tracks.count), "\(document.tracks.count) tracks")
    for track in document.tracks {
      check(["http", "https"].contains(track.address.uriScheme), "the track \(track)")
      check(track.title?.isEmpty != true, "the track \(track)")
    }
  }
}
