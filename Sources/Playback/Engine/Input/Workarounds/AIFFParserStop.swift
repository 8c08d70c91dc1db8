import CGStreamer

/// Stops the thread that pushes data into a demuxer, before the demuxer itself is stopped.
///
/// Workaround: aiffparse frees its buffered data when it is stopped, although the pushing thread may still use that
/// data.
/// - Upstream: gst_aiff_parse_change_state in gst/aiff/aiffparse.c; no issue known.
/// - Test: NetworkTroubleTests.tracksCanBeAbandonedWhileTheyArrive, which crashes without it now and then.
enum AIFFParserStop {
  /// - Parameter reader: the element that reads the address.
  static func stopInput(_ reader: UnsafeMutablePointer<GstElement>) { swiftlet_stop(reader) }
}
