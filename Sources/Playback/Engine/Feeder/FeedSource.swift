import PlaybackFormats

/// What the feeder needs of a source.
struct FeedSource: Sendable {
  let id: Int
  /// The track that it is a source of. One that broke off has another source for its rest.
  let trackID: Int
  /// The appsink that the samples are taken from.
  let sink: ElementReference
  let context: SourceContext
  /// Place in the track of the first sample to play.
  let start: Duration
  /// True time minus stream time.
  let shift: Duration
  /// Encoder delay and padding, which are cut off.
  let gap: EncoderGap?
  /// Whether the stream is live, so that it has no position of its own.
  let isLive: Bool
}
