@testable import PlaybackModel
@testable import Providers
@testable import SpeakerCore
@testable import UPnP

/// A controller's description of an item: its URI, a stream title, then the metadata.
enum DIDLTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    var input = Input(input)
    let uri = input.line() ?? ""
    let liveTitle = input.line() ?? ""
    let metadata = input.text()
    if let duration = DIDLLite.duration(in: metadata, uri: uri) { check(duration >= .zero, "\(duration)") }
    let item = MediaItem(uri: uri, metadata: metadata)
    for title in [nil, liveTitle] {
      var track = TrackMetadata()
      let text = track.text(for: item, liveTitle: title)
      check(DIDLLite.isReadable(text), "no controller can read \(text)")
    }
    if let title = DIDLLite.Title(in: metadata) {
      check(title.text?.isEmpty != true, "an empty title")
      let replaced = title.replaced(by: liveTitle)
      check(replaced.utf8.count <= 2 * metadata.utf8.count + 6 * liveTitle.utf8.count + 64, "grown to \(replaced)")
    }
  }
}
