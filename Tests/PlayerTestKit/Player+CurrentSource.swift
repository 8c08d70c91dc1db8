import Playback
import PlaybackModel

/// Shorthands for properties of the current source's deck.
extension Player {
  public var state: TransportState { deck().state }
  public var error: PlaybackError? { deck().error }
  public var item: MediaItem? { deck().item }
  public var trackCount: Int { deck().trackCount }
  public var trackNumber: Int { deck().trackNumber }
  public var next: MediaItem? { deck().next }
  public var position: Duration { deck().position }
  public var duration: Duration? { deck().duration }
  public var streamInfo: StreamInfo? { deck().streamInfo }
  public var title: String? { deck().title }
  public var canSeek: Bool { deck().abilities.seek }
}
