import PlaybackModel

extension OutputDescription {
  /// The text for the page. It hides a GStreamer bin, which may contain passwords and paths.
  var shown: String { if case .bin = self { "a GStreamer bin" } else { description } }
}
