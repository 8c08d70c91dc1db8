import PlaybackModel

extension OutputDescription {
  /// The notation for the page. It hides a GStreamer bin, which may contain passwords and paths.
  var shown: String { if case .bin = self { "bin" } else { description } }
}
