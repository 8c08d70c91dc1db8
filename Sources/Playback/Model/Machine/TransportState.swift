/// The state of a source, in the terms of AVTransport's TransportState.
public enum TransportState: Sendable, Equatable, CaseIterable {
  /// There is no item.
  case noMedia
  case stopped
  /// Playback was requested and waits for data: the item is being opened, or it ran dry.
  case transitioning
  case playing
  case paused

  /// Whether sound is heard or expected. A stream that is buffering counts as playing.
  public var isActive: Bool { self == .playing || self == .transitioning }

  /// Whether a stop would end something.
  public var isOn: Bool { isActive || self == .paused }

  /// The name of the state for programs.
  public var word: String {
    switch self {
    case .noMedia: "empty"
    case .stopped: "stopped"
    case .transitioning: "buffering"
    case .playing: "playing"
    case .paused: "paused"
    }
  }

  /// The name for hooks, status and MQTT, which do not distinguish an empty source from a stopped one.
  public var shortWord: String { self == .noMedia ? Self.stopped.word : word }
}
