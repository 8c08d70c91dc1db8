import PlaybackModel
import UPnP

extension PlaylistTrack {
  /// The duration in the metadata (`res@duration`).
  public var duration: Duration? { DIDLLite.duration(in: metadata, uri: uri)?.asLength }
}

extension RadioPreset {
  /// DIDL-Lite with the address, which Kazoo needs.
  public var metadata: String {
    DIDLLite.item(
      title: title.isEmpty ? DIDLLite.title(ofURI: uri) : title, uri: uri, class: .audioBroadcast,
      artwork: artwork ?? "")
  }
}
