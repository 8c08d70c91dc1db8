/// What the player is doing, in the terms of AVTransport's TransportState.
public enum TransportState: Sendable, Equatable, CaseIterable {
  /// There is no item.
  case noMedia
  /// There is an item, and silence.
  case stopped
  /// Sound is wanted and not there yet: the item is being opened, or a stalled one waits for data.
  case transitioning
  /// Sound.
  case playing
  /// Silence in the middle of the item, which goes on from there.
  case paused
}
