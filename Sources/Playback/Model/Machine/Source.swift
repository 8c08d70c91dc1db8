/// What can have the speaker: each gives the player its own items, and one of them is current.
public enum Source: Int, Sendable, Equatable, CaseIterable {
  /// The list of tracks that the speaker keeps itself.
  case playlist
  /// A station, or any other single stream.
  case radio
  /// What a UPnP AV controller handed over, item by item.
  case upnpAV
}
