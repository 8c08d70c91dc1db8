import Playback
import PlaybackModel
import UPnP

extension ReceiverSource {
  /// A source that reads what senders announce as DIDL-Lite.
  /// - Parameters: see the designated initializer.
  public convenience init(
    player: Player, sender: ReceiverState? = nil, save: @escaping (ReceiverState) -> Void = { _ in }
  ) {
    self.init(
      player: player, sender: sender, tidy: { DIDLLite.wellFormed($0, uri: $1) }, texts: Self.texts(ofMetatext:),
      save: save)
  }

  /// The parts of a Metatext, which come before those of the track.
  static func texts(ofMetatext text: String) -> TrackTags {
    let texts = DIDLLite.texts(of: ["artist", "creator", "album"], in: text)
    let title = DIDLLite.Title(in: text)?.text
    let tags = TrackTags(title: title, artist: texts["artist"] ?? texts["creator"], album: texts["album"], isLive: true)
    return tags.isEmpty ? TrackTags() : tags
  }
}
