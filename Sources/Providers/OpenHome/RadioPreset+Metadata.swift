import PlaybackModel
import UPnP

extension RadioPreset {
  /// DIDL-Lite for controllers. Kazoo needs the address in it.
  public var metadata: String {
    DIDLLite.item(
      title: title.isEmpty ? DIDLLite.title(ofURI: uri) : title, uri: uri, class: .audioBroadcast,
      artwork: artwork ?? "")
  }
}
