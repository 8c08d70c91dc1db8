import PlaybackFormats

/// What the feeder needs of a source.
struct FeedSource: Sendable {
  let id: Int
  /// The track that it is a source of. One that broke off has another source for its rest.
  let trackID: Int
  /// The appsink that the samples are taken from.
  let sink: ElementReference
  let context: SourceContext
  /// Where in the track the first sample lies that is wanted.
  let start: Duration
  /// By how much later its samples lie in the track than the stream says.
  let shift: Duration
  /// What lies around the track's samples and is not to be heard.
  let gap: EncoderGap?
  /// Whether it delivers what a server sends at present: it has no place in a track of its own.
  let isLive: Bool
}
