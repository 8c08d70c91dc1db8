import DeviceStack
import Playback
import PlaybackModel

/// Time:1: position and duration of the current track.
///
/// An alarm sends an event every second, but only during playback and while there is a subscriber.
public final class TimeProvider: Time1.Provider {
  private static let presentChanges: PlayerChanges = [.state, .item, .duration, .position, .source]

  private let player: Player
  private let tracks: TrackCounter
  private let alarm: Alarm
  private let variables: Time1.Variables

  /// Call it on the player's executor, like all members of this class.
  /// - Parameters:
  ///   - tracks: the counter, shared with Info.
  ///   - alarm: on the same event loop; used by this object only.
  package init(player: Player, tracks: TrackCounter, alarm: Alarm) {
    self.player = player
    self.tracks = tracks
    self.alarm = alarm
    let deck = player.immediately { $0.deck() }
    variables = Time1.Variables(Self.values(deck, tracks))
    alarm.onElapsed = { [weak self] in self?.update() }
    variables.store.onWatched = { [weak self] in self?.update() }
    update()
  }

  /// The service for a device to host.
  public var service: HostedService { Time1.hosted(by: self, variables) }

  /// Updates the evented variables after a change in the player.
  public func update(_ changes: PlayerChanges) {
    if !changes.isDisjoint(with: Self.presentChanges) { update() }
  }

  private func update() {
    let deck = player.immediately { $0.deck() }
    variables.apply(Self.values(deck, tracks))
    alarm.cancel()
    if variables.store.isWatched, deck.state == .playing {
      let (seconds, _) = deck.position.components
      alarm.arm(in: .seconds(seconds + 1) - deck.position)
    }
  }

  public func time() -> Time1.TimeOutput {
    let values = Self.values(player.immediately { $0.deck() }, tracks)
    return Time1.TimeOutput(trackCount: values.trackCount, duration: values.duration, seconds: values.seconds)
  }

  private static func values(_ deck: Deck, _ tracks: TrackCounter) -> Time1.Values {
    Time1.Values(
      trackCount: tracks.count(deck), duration: UInt32(clamping: deck.duration?.components.seconds ?? 0),
      seconds: UInt32(clamping: deck.position.components.seconds))
  }
}

/// TrackCount of Info and Time: the number of tracks that have been current. Controllers reload the track when it
/// changes.
public final class TrackCounter {
  private var trackID = 0
  private(set) var count: UInt32 = 0

  public init() {}

  /// - Returns: the count including the deck's current track.
  func count(_ deck: Deck) -> UInt32 {
    if deck.trackID != trackID {
      trackID = deck.trackID
      count &+= 1
    }
    return count
  }
}
