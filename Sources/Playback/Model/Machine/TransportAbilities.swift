/// What can be done with a source now.
///
/// The only rule for it: the player refuses other commands, and AVTransport's table, OpenHome's flags, the page, MPRIS and
/// MQTT derive from this value.
public struct TransportAbilities: Sendable, Equatable {
  public var play = false
  public var pause = false
  public var seek = false
  public var next = false
  public var previous = false
  /// Whether a pause stops: a live stream cannot resume where it was paused.
  public var pauseStops = false
  /// Whether `next` and `previous` start a stopped source.
  public var skipsStart = false

  public init() {}

  /// The tracks or presets beside the current one that a source knows besides its deck.
  public enum Neighbours: Sendable, Equatable {
    /// Only the tracks and items of the deck.
    case ofDeck
    /// The playlist. Its first track has no predecessor: it starts again.
    case inPlaylist(isEmpty: Bool, hasSuccessor: Bool)
    /// The radio's presets. A channel that is not a preset has no neighbours.
    case inPresets(isPreset: Bool, hasNext: Bool, hasPrevious: Bool)
  }

  /// - Parameters:
  ///   - isReceived: whether it is the stream of a Songcast sender, which knows neither pause nor seek.
  ///   - isSeekable: whether the stream supports seeking, which is assumed until it says otherwise.
  ///   - hasNext: whether the deck has another track or item.
  ///   - hasPrevious: whether the item has a track before the current one.
  init(hasItem: Bool, isLive: Bool, isReceived: Bool, isSeekable: Bool, hasNext: Bool, hasPrevious: Bool) {
    (play, pause, seek) = (hasItem, hasItem && !isReceived, hasItem && isSeekable && !isReceived)
    (next, previous) = (hasNext, hasPrevious)
    pauseStops = isLive || isReceived
  }

  /// The abilities of a source whose deck has these.
  public func with(_ neighbours: Neighbours) -> TransportAbilities {
    var abilities = self
    switch neighbours {
    case .ofDeck: break
    case .inPlaylist(let isEmpty, let hasSuccessor):
      (abilities.next, abilities.previous, abilities.skipsStart) = (hasSuccessor, !isEmpty, true)
    case .inPresets(let isPreset, let hasNext, let hasPrevious):
      abilities.next = next || hasNext
      abilities.previous = previous || hasPrevious
      abilities.skipsStart = isPreset
    }
    return abilities
  }
}
