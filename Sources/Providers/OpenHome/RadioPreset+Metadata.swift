import Playback

extension RadioPreset {
  /// What controllers are told of it, as DIDL-Lite. Kazoo wants the address in there.
  public var metadata: String {
    DIDLLite.item(
      title: title.isEmpty ? DIDLLite.title(ofURI: uri) : title, uri: uri, class: .audioBroadcast,
      artwork: artwork ?? "")
  }
}
