import PlaybackModel

/// Songcast as a source of the player: one sender, whose stream is the item of the source's deck.
///
/// The player's own commands play and stop it. Until the sender sends sound, the deck is transitioning. Lives on the
/// player's executor.
public final class ReceiverSource {
  private let player: Player
  private let tidy: (_ metadata: String, _ uri: String) -> String
  private let texts: (_ metatext: String) -> TrackTags
  private let save: (ReceiverState) -> Void

  /// - Parameters:
  ///   - sender: the saved sender, cued but not played.
  ///   - tidy: makes metadata well-formed.
  ///   - texts: the parts of a sender's text.
  ///   - save: called with every new sender.
  public init(
    player: Player, sender: ReceiverState? = nil, tidy: @escaping (_ metadata: String, _ uri: String) -> String,
    texts: @escaping (_ metatext: String) -> TrackTags, save: @escaping (ReceiverState) -> Void = { _ in }
  ) {
    self.player = player
    self.tidy = tidy
    self.texts = texts
    self.save = save
    if let sender { cue(sender) }
  }

  /// The sender as an item; nil if there is none.
  public var sender: MediaItem? { player.immediately { $0.deck(.receiver) }.item }

  /// Sets the sender and makes the source current. A source that plays goes on with the new sender; if it is the same
  /// one, nothing changes.
  /// - Parameter uri: empty for no sender, which stops the source and does not make it current.
  public func setSender(uri: String, metadata: String) {
    let new = ReceiverState(uri: uri, metadata: uri.isEmpty ? "" : tidy(metadata, uri))
    let item = Self.item(new)
    player.immediately { player in
      player.transaction { player in
        if item != nil { player.selectSource(.receiver) }
        let deck = player.deck(.receiver)
        if !(deck.state.isActive && deck.item == item) { player.setItem(item, of: .receiver) }
      }
    }
    save(new)
  }

  private func cue(_ sender: ReceiverState) {
    player.immediately { $0.setItem(Self.item(sender), of: .receiver) }
  }

  private static func item(_ sender: ReceiverState) -> MediaItem? {
    sender.uri.isEmpty ? nil : MediaItem(uri: sender.uri, metadata: sender.metadata)
  }
}

// MARK: - What the sender says

/// Without effect unless the source plays.
extension ReceiverSource {
  /// The sender plays another track (OHM Track).
  /// - Parameters:
  ///   - uri: the track's address; empty while the sender plays none.
  ///   - metadata: DIDL-Lite of the track, or of the sender.
  public func announced(uri: String, metadata: String) {
    let track = MediaItem(uri: uri, metadata: tidy(metadata, uri))
    player.immediately { $0.handle(.track(track)) }
  }

  /// The sender sends a text about its track, usually another title (OHM Metatext).
  /// - Parameter text: DIDL-Lite; empty for none.
  public func announced(text: String) {
    let text = tidy(text, "")
    let tags = texts(text)
    player.immediately { $0.handle(.metatext(text, tags)) }
  }

  /// Sound has begun or ceased to arrive. Whether it is heard is known to the engine.
  public func sound(isArriving: Bool) { player.immediately { $0.handle(.sound(isArriving: isArriving)) } }
}
