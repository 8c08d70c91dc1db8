/// The state of a source, in the terms of AVTransport's TransportState.
public enum TransportState: Sendable, Equatable, CaseIterable {
  /// There is no item.
  case noMedia
  case stopped
  /// Playback was requested and waits for data: the item is being opened, or it ran dry.
  case transitioning
  case playing
  case paused
}

/// The reason for refusing a command. A refused command changes nothing.
public enum PlayerError: Error, Sendable, Equatable {
  /// The command is not possible in the present state (UPnP 701).
  case transitionNotAvailable
  /// There is nothing to play (UPnP 702).
  case noContents
  /// The item is not seekable, such as a live stream (UPnP 710).
  case seekNotAvailable
  /// The position or track number is outside the item (UPnP 711).
  case illegalSeekTarget
}
