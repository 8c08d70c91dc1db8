import PlaybackModel

extension TrackSource: LineupSource {
  var isComplete: Bool { context.isComplete }
  var held: HeldSound { context.held }
  var length: Duration { end - start }
}

extension TrackSource {
  /// The source with the facts that the feeder needs.
  var feedSource: FeedSource {
    FeedSource(
      id: id, trackID: track.id, samples: samples, start: start, shift: shift, gap: facts.gap,
      isLive: facts.isLive && start == .zero, stream: facts.streamInfo, duration: facts.duration)
  }

  /// Whether the device should hold little sound, so that a short delay is possible.
  var isPrompt: Bool { facts.mayBePaced && context.settings.isLivePrompt }

  /// The facts that `Recovery` needs about the fed source.
  fileprivate var recoveryFacts: Recovery.Fed {
    var fed = Recovery.Fed(lastArrival: context.lastArrival)
    fed.failure = failure
    fed.isPrerolled = isPrerolled
    fed.isComplete = isComplete
    fed.isSeekable = facts.isSeekable
    fed.isLive = facts.isLive
    fed.isBrokenOff = facts.isBrokenOff
    fed.isLow = context.isLow
    fed.isReadingToPosition = isReadingToPosition
    fed.start = start
    fed.end = end
    return fed
  }
}

extension Lineup<TrackSource> {
  func recoveryFacts(isOutputAway: Bool) -> Recovery.Facts {
    var facts = Recovery.Facts(fed: fed.map(\.recoveryFacts))
    facts.isOutputAway = isOutputAway
    if let continuation {
      facts.continuation = continuation.isReady ? .ready : continuation.isPrerolled ? .prerolled : .opening
    }
    facts.currentFailure = current?.failure
    facts.isCurrentPositioned = current?.isPositioned ?? true
    facts.staysOnServer = staysOnServer
    return facts
  }

  /// The role of a source in the lineup; nil if it is neither played nor fed.
  func role(of source: TrackSource) -> Recovery.Role? {
    if source === continuation { return .continuation }
    if source === current { return .current(isFed: source === fed) }
    return source === fed ? .fed : nil
  }
}
