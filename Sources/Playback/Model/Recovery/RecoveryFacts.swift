/// What `Recovery` needs to know about the sources.
extension Recovery {
  /// Facts about the source that the feeder takes from.
  package struct Fed: Equatable {
    /// Why no more comes.
    package var failure: PlaybackError?
    /// `failure` is a guess until its cause is found.
    package var isUnderDiagnosis = false
    package var isPrerolled = true
    /// All that came is decoded.
    package var isComplete = false
    package var isSeekable = true
    /// It may have no end.
    package var isLive = false
    /// It has no end, so that an end means that the connection was lost.
    package var isStation = false
    /// Little is held, and more is to come.
    package var isLow = false
    /// It is read without being heard, up to the position that is wanted.
    package var isReadingToPosition = false
    /// Where in the track it begins, and where its decoded sound ends.
    package var (start, end) = (Duration.zero, Duration.zero)
    /// When it delivered last.
    package var lastArrival: Instant

    package init(lastArrival: Instant) { self.lastArrival = lastArrival }

    /// The connection was lost, and everything that came before is decoded.
    package var isBroken: Bool { failure?.isOfConnection == true && !isUnderDiagnosis && isComplete }

    /// The stream was continued where it ends, and delivered nothing.
    var endsWhereItBegan: Bool { failure == .truncated && start > .zero && isComplete && end == start }
  }

  package enum Continuation {
    case none
    case opening
    case prerolled
    /// The feeder may go on to it.
    case ready
  }

  package struct Facts: Equatable {
    package var fed: Fed?
    package var continuation = Continuation.none
    /// Why the current source failed.
    package var currentFailure: PlaybackError?
    /// Whether the current source has delivered sound from the position that is wanted.
    package var isCurrentPositioned = true
    /// Whether all followers come from the fed track's server.
    package var staysOnServer = true

    package init(fed: Fed?) { self.fed = fed }
  }

  /// The part of a source that failed.
  package enum Role: Equatable {
    case current(isFed: Bool)
    /// Fed, but not heard yet.
    case fed
    case continuation
  }
}
