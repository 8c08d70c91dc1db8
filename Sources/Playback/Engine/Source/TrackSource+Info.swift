import CGStreamer
import PlaybackModel

extension TrackSource {
  /// Whether the stream ends, and how to get to a place in it. Final once the first sound is there.
  var nature: StreamNature {
    var nature = context.nature
    nature.isSeekable = isSeekable
    nature.hasDuration = duration != nil
    nature.reopening = reopening
    return nature
  }

  /// A stream without an end, as far as is known.
  var isLive: Bool { isPrerolled && nature.kind != .file }

  /// Whether the stream is known to have no end.
  var isStation: Bool { isPrerolled && (nature.kind == .station || nature.kind == .liveList) }

  /// Whether the stream is read without being heard, up to the position that is wanted.
  var isReadingToPosition: Bool { isPrerolled && nature.access == .readThrough && end < start }

  /// What is known of the stream; nil as long as nothing has come of it.
  var streamInfo: StreamInfo? {
    guard isPrerolled else { return nil }
    var info = StreamInfo(
      codecName: tags.codec, container: context.container,
      bitRate: tags.nominalBitRate ?? tags.bitRate ?? tags.measuredBitRate, isSeekable: nature.access != .none,
      isLive: isStation)
    if context.isRaw { info.codecName = tags.codec ?? "Uncompressed PCM audio" }
    info.lossless = info.codecName.map(LosslessCodecs.contains) ?? false
    guard let format else { return info }
    info.sampleRate = format.rate
    info.channels = format.channels
    info.bitDepth = info.lossless ? format.depth : nil
    if info.lossless, context.isRaw {
      info.bitRate = info.bitRate ?? format.rate * format.channels * format.depth
    }
    return info
  }

  var format: AudioFormat? { decoder.format }

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

extension TrackSource: LineupSource {
  var isComplete: Bool { context.isComplete }
  var held: HeldSound { context.held }
  var length: Duration { end - start }
}
