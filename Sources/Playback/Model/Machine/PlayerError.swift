/// Why a command is refused. Nothing has changed then.
public enum PlayerError: Error, Sendable, Equatable {
  /// The command means nothing in the present state (UPnP 701).
  case transitionNotAvailable
  /// There is nothing to play (UPnP 702).
  case noContents
  /// The item can be played but not moved about in, a live stream for one (UPnP 710).
  case seekNotAvailable
  /// The position lies outside the item (UPnP 711).
  case illegalSeekTarget
}
