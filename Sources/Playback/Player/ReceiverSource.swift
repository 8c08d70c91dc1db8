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
  private var kept: ReceiverState

  /// - Parameters:
  ///   - sender: the saved sender. It is joined again if it was when the speaker ended.
  ///   - tidy: makes metadata well-formed.
  ///   - texts: the parts of a sender's text.
  ///   - save: called with every new sender, and when it is joined or left.
  public init(
    player: Player, sender: ReceiverState? = nil, tidy: @escaping (_ metadata: String, _ uri: String) -> String,
    texts: @escaping (_ metatext: String) -> TrackTags, save: @escaping (ReceiverState) -> Void = { _ in }
  ) {
    self.player = player
    self.tidy = tidy
    self.texts = texts
    self.save = save
    kept = sender ?? ReceiverState()
    guard let sender else { return }
    player.immediately { player in
      player.setItem(Self.item(sender), of: .receiver)
      if sender.isJoined, player.source == .receiver { try? player.play(.receiver) }
    }
  }

  /// Notes whether the sender is joined. Must be called after each change of the source.
  public func update(_: PlayerChanges) {
    keep { $0.isJoined = player.immediately { $0.deck(.receiver).state.isActive } }
  }

  private func keep(_ change: (inout ReceiverState) -> Void) {
    let former = kept
    change(&kept)
    if kept != former { save(kept) }
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
    keep { ($0.uri, $0.metadata) = (new.uri, new.metadata) }
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
    // D-Bus and the environment of a command cannot hold all that a datagram can.
    let uri = String(String.UnicodeScalarView(uri.unicodeScalars.filter { $0.properties.generalCategory != .control }))
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

  /// Packets of sound did not arrive in time.
  public func lost(_ count: Int) { player.immediately { $0.countLostPackets(count) } }

  /// Sound has begun or ceased to arrive. Whether it is heard is known to the engine.
  public func sound(isArriving: Bool) { player.immediately { $0.handle(.sound(isArriving: isArriving)) } }
}
