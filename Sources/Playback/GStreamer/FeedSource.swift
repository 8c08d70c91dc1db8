/// What the feeder needs of a source.
struct FeedSource: Sendable {
  let id: Int
  /// The appsink that the samples are taken from.
  let sink: ElementReference
  let context: SourceContext
  /// Where in the track the first sample lies that is wanted.
  let start: Duration
}
