/// The facts about the sources that `Recovery` bases its decisions on.
extension Recovery {
  /// Facts about the source that the feeder takes from.
  package struct Fed: Equatable {
    /// The failure that ended the source.
    package var failure: PlaybackError?
    package var isPrerolled = true
    /// Whether everything received is decoded.
    package var isComplete = false
    package var isSeekable = true
    /// Whether the stream may be endless.
    package var isLive = false
    /// Whether the end of the stream means a lost connection.
    package var isBrokenOff = false
    /// Whether little is buffered and more is expected.
    package var isLow = false
    /// Whether the source is being read up to the wanted position; nothing is audible yet.
    package var isReadingToPosition = false
    /// Positions in the track of its beginning and of the end of its decoded sound.
    package var (start, end) = (Duration.zero, Duration.zero)
    /// When the source last delivered sound.
    package var lastArrival: Instant

    package init(lastArrival: Instant) { self.lastArrival = lastArrival }

    /// The connection was lost, and everything received before is decoded.
    package var isBroken: Bool { failure?.isConnectionFailure == true && isComplete }

    /// The stream was reopened at its end and delivered nothing.
    var endsWhereItBegan: Bool { failure == .truncated && start > .zero && isComplete && end == start }
  }

  package enum Continuation {
    case none
    case opening
    case prerolled
    /// The feeder may take from it.
    case ready
  }

  package struct Facts: Equatable {
    package var fed: Fed?
    package var continuation = Continuation.none
    /// Why the current source failed.
    package var currentFailure: PlaybackError?
    /// Whether the current source has delivered sound from the wanted position.
    package var isCurrentPositioned = true
    /// Whether all followers come from the fed track's server.
    package var staysOnServer = true
    /// Whether playback waits for the output's server, which needs no sound until then.
    package var isOutputAway = false

    package init(fed: Fed?) { self.fed = fed }
  }

  /// The role of a source that failed.
  package enum Role: Equatable {
    case current(isFed: Bool)
    /// Fed, but not heard yet.
    case fed
    case continuation
  }
}
