/// The state and the track of the current player, as the services of the stand-in OpenHome device show them.
struct StandInDeck {
  enum State { case stopped, buffering, playing, paused }

  private(set) var state = State.stopped
  private(set) var uri = ""
  private(set) var metadata = ""
  private(set) var duration = Duration.zero
  private(set) var position = Duration.zero
  /// Whether the properties of the stream are known.
  private(set) var hasFormat = false

  init(_ transport: StandInTransport) {
    switch transport.state {
    case .noMedia, .stopped: state = .stopped
    case .transitioning: state = .buffering
    case .playing: state = .playing
    case .paused: state = .paused
    }
    guard let track = transport.current else { return }
    (uri, metadata, hasFormat) = (track.uri, track.metadata, track.format != nil)
    duration = track.duration ?? .zero
    position = transport.position
  }

  /// The deck for a Songcast sender. Its audio is not received.
  init(sender: (uri: String, metadata: String), isPlaying: Bool) {
    (uri, metadata) = sender
    if isPlaying { state = .playing }
  }
}
