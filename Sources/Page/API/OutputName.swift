import PlaybackModel

extension OutputDescription {
  /// For the page. A GStreamer bin may contain passwords and paths, which are the owner's business.
  var shown: String { if case .bin = self { "a GStreamer bin" } else { description } }
}
