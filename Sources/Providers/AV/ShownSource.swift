import PlaybackModel

/// The source that AVTransport shows and controls: the current one, so that UPnP AV controllers can see and stop any source.
///
/// After an AV controller has set an item, UPnP AV is shown until the current source begins to play: setting an item does not
/// interrupt the current source, and Play must then start the item. A pure value.
struct ShownSource: Sendable {
  /// The current source at one moment.
  struct Moment: Sendable, Equatable {
    var source: Source
    var state: TransportState
    /// `Deck.trackID`.
    var trackID: Int

    fileprivate var isPlaying: Bool { state.isActive }
  }

  private var current: Moment
  /// Whether the source UPnP AV is shown although another one is current.
  private var showsItem = false

  init(_ current: Moment) { self.current = current }

  /// UPnP AV also if the current source has no item.
  var source: Source { showsItem || current.state == .noMedia ? .upnpAV : current.source }

  /// An AV controller has set an item, or removed it. Without an item, sound that can be heard is shown.
  mutating func setItem(isEmpty: Bool) { showsItem = !isEmpty || !current.isPlaying }

  /// Follows a change of the current source.
  mutating func follow(_ moment: Moment) {
    if begins(moment) { showsItem = false }
    current = moment
  }

  /// Whether a source was selected, started, resumed or moved to another track. A gapless join does not count: it may
  /// come between SetAVTransportURI and Play.
  private func begins(_ moment: Moment) -> Bool {
    if moment.source != current.source { return true }
    guard moment.isPlaying else { return false }
    return !current.isPlaying || moment.state == .transitioning && moment.trackID != current.trackID
  }
}
