import CGStreamer

/// Stops the threads that push data into a decoder's demuxer, before the demuxer itself is stopped.
///
/// Workaround: aiffparse frees its buffered data when it is stopped, although the pushing thread may still use that
/// data.
/// - Upstream: gst_aiff_parse_change_state in gst/aiff/aiffparse.c; no issue known.
/// - Test: NetworkTroubleTests.tracksCanBeAbandonedWhileTheyArrive, which crashes without it now and then.
enum AIFFParserStop {
  /// - Parameter decoder: a uridecodebin.
  static func stopInput(of decoder: UnsafeMutablePointer<GstElement>) { swiftlet_stop_reading(decoder) }
}
