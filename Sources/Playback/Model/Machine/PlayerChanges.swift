/// The properties of the player that a notice reports as changed.
public struct PlayerChanges: OptionSet, Sendable, CustomStringConvertible {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  // Properties of one source.
  /// `Deck.state` or `Deck.isWaiting`.
  public static let state = PlayerChanges(rawValue: 1 << 0)
  /// The current item or its current track is another one, or its tracks have become known.
  public static let item = PlayerChanges(rawValue: 1 << 1)
  /// The next item.
  public static let next = PlayerChanges(rawValue: 1 << 2)
  public static let duration = PlayerChanges(rawValue: 1 << 3)
  /// The position jumped: by a seek, a stop or the start of a track. Its steady advance is not reported.
  public static let position = PlayerChanges(rawValue: 1 << 4)
  public static let streamInfo = PlayerChanges(rawValue: 1 << 7)
  /// `Deck.title`, `Deck.metatext` or `Deck.tags`.
  public static let title = PlayerChanges(rawValue: 1 << 8)
  /// `Deck.failure`, `Deck.skipped` or `Deck.failedItems`.
  public static let error = PlayerChanges(rawValue: 1 << 9)
  /// `Deck.abilities`.
  public static let capabilities = PlayerChanges(rawValue: 1 << 10)
  public static let repeatsOne = PlayerChanges(rawValue: 1 << 11)
  /// The source stopped by itself: the last item has ended or failed. Not set when the audio device failed.
  public static let finished = PlayerChanges(rawValue: 1 << 12)

  // Properties of the speaker.
  public static let volume = PlayerChanges(rawValue: 1 << 5)
  public static let mute = PlayerChanges(rawValue: 1 << 6)
  /// Another source is current.
  public static let source = PlayerChanges(rawValue: 1 << 13)
  public static let standby = PlayerChanges(rawValue: 1 << 14)
  public static let balance = PlayerChanges(rawValue: 1 << 15)
  public static let volumeLimit = PlayerChanges(rawValue: 1 << 16)
  /// The result of `Player.readList` has arrived.
  public static let list = PlayerChanges(rawValue: 1 << 17)
  /// The audio device was found or lost.
  public static let output = PlayerChanges(rawValue: 1 << 18)
  /// `Player.outputFormat` or `Player.signalPath`.
  public static let signalPath = PlayerChanges(rawValue: 1 << 19)
  /// `Player.announcements`: an announcement begins, ends, waits or has failed.
  public static let announcement = PlayerChanges(rawValue: 1 << 20)

  /// The properties in `SavedSpeaker`.
  public static let ofSpeaker: PlayerChanges = [.volume, .mute, .balance, .source, .standby]
  /// The properties of a source: all of them may differ when another source becomes current.
  package static let ofDeck: PlayerChanges = [
    .state, .item, .next, .duration, .position, .streamInfo, .title, .error, .capabilities, .repeatsOne,
  ]

  public var description: String {
    let names = [
      "state", "item", "next", "duration", "position", "volume", "mute", "streamInfo", "title", "error", "capabilities",
      "repeatsOne", "finished", "source", "standby", "balance", "volumeLimit", "list", "output", "signalPath",
      "announcement",
    ]
    return names.enumerated().filter { rawValue & (1 << $0.offset) != 0 }.map(\.element).joined(separator: "+")
  }
}

/// The observable state of a source. Comparing two snapshots yields the changes of a step.
struct PlayerSnapshot: Equatable {
  var state: TransportState
  var isWaiting: Bool
  var trackID: Int
  var trackCount: Int
  var nextID: Int?
  var duration: Duration?
  var repeatsOne: Bool
  var streamInfo: StreamInfo?
  var title: String?
  var metatext: String?
  var tags: TrackTags
  var failure: TrackFailure?
  var skipped: TrackFailure?
  var failedItems: Int
  var abilities: TransportAbilities
}

extension PlayerChanges {
  init(from old: PlayerSnapshot, to new: PlayerSnapshot) {
    self = []
    if old.state != new.state || old.isWaiting != new.isWaiting { insert(.state) }
    if old.trackID != new.trackID || old.trackCount != new.trackCount { insert(.item) }
    if old.nextID != new.nextID { insert(.next) }
    if old.duration != new.duration { insert(.duration) }
    if old.repeatsOne != new.repeatsOne { insert(.repeatsOne) }
    if old.streamInfo != new.streamInfo { insert(.streamInfo) }
    if old.title != new.title || old.metatext != new.metatext || old.tags != new.tags { insert(.title) }
    if old.failure != new.failure || old.skipped != new.skipped || old.failedItems != new.failedItems {
      insert(.error)
    }
    if old.abilities != new.abilities { insert(.capabilities) }
  }
}

/// The result of a step of a machine: a command for the pipeline or a notice for observers.
package enum PlayerAction: Equatable {
  case pipeline(PipelineCommand)
  /// Comes last, at most once.
  case notify(PlayerChanges)
}
