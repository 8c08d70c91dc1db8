import PlaybackModel

extension TrackSource: LineupSource {
  var isComplete: Bool { context.isComplete }
  var held: HeldSound { context.held }
  var length: Duration { end - start }
}

extension TrackSource {
  /// The source as the feeder gets it.
  var feedSource: FeedSource {
    FeedSource(
      id: id, trackID: track.id, samples: decoder, start: start, shift: shift, gap: gap,
      isLive: isLive && start == .zero)
  }

  /// The facts that decisions about broken and silent streams depend on.
  var recoveryFacts: Recovery.Fed {
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
