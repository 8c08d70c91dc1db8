import PlaybackModel

extension TrackSource: LineupSource {
  var isComplete: Bool { context.isComplete }
  var held: HeldSound { context.held }
  var length: Duration { end - start }
}

extension TrackSource {
  /// The source in the form that the feeder needs.
  var feedSource: FeedSource {
    FeedSource(
      id: id, trackID: track.id, samples: decoder, start: start, shift: shift, gap: gap,
      isLive: isLive && start == .zero)
  }

  /// The facts that decisions about broken and stalled streams depend on.
  fileprivate var recoveryFacts: Recovery.Fed {
    var facts = Recovery.Fed(lastArrival: context.lastArrival)
    facts.failure = failure
    facts.isUnderDiagnosis = isUnderDiagnosis
    facts.isPrerolled = isPrerolled
    facts.isComplete = isComplete
    facts.isSeekable = isSeekable
    facts.isLive = isLive
    facts.isStation = nature.kind == .station
    facts.isLow = context.isLow
    facts.isReadingToPosition = isReadingToPosition
    facts.start = start
    facts.end = end
    return facts
  }
}

extension Lineup<TrackSource> {
  /// The facts about all sources.
  var recoveryFacts: Recovery.Facts {
    var facts = Recovery.Facts(fed: fed.map(\.recoveryFacts))
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
