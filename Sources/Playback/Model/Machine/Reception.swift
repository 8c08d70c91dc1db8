/// What a Songcast sender or a program says and sends while its stream is received.
package struct Reception: Sendable, Equatable {
  package enum Event: Sendable {
    /// The sender plays another track. Parts that are empty are unknown.
    case track(MediaItem)
    /// The sender's text about its track, as it was sent and in parts. Empty for none.
    case metatext(String, TrackTags)
    /// Sound has begun or ceased to arrive.
    case sound(isArriving: Bool)
    /// The position of what is heard now in the sender's track, and the track's length.
    case progress(Duration, of: Duration?)
  }

  /// The sender's track: its address and metadata.
  private(set) var track: MediaItem?
  /// The id of the track, which is unique like those of all tracks.
  private(set) var trackID: Int?
  /// The text about the track, as it was sent; nil for none.
  private(set) var metatext: String?
  /// Whether sound arrives, even if it is not heard yet.
  private(set) var hasSound = false
  /// Whether the sender has said where it is in its track.
  private(set) var hasPosition = false

  /// - Parameters:
  ///   - sender: the item that is received. It describes a sender that plays no track.
  ///   - newID: makes the id of a track.
  mutating func handle(_ event: Event, of sender: MediaItem, newID: () -> Int) {
    switch event {
    case .track(let track):
      let isEmpty = track.uri.isEmpty && track.metadata.isEmpty
      self.track = MediaItem(
        uri: track.uri.isEmpty ? sender.uri : track.uri, metadata: isEmpty ? sender.metadata : track.metadata)
      trackID = newID()
      metatext = nil
      hasPosition = false
    case .metatext(let text, _): metatext = text.isEmpty ? nil : text
    case .sound(let isArriving): hasSound = isArriving
    case .progress: hasPosition = true
    }
  }
}
