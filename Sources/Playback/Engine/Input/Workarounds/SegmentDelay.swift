/// Corrects positions in HLS.
///
/// Workaround: the clock of an MPEG-TS segment starts before its first sample (0.7 s in FFmpeg's files). GStreamer
/// counts this time as part of the track, but the playlist counts from the first sample.
/// - Upstream: gst/mpegtsdemux/tsdemux.c; no issue known.
/// - Test: HLSTests.aSeekIsExact.
enum SegmentDelay {
  /// True time minus stream time.
  /// - Parameter delay: time of the first sample minus the requested position.
  static func shift(for delay: Duration) -> Duration { .zero - delay }
}
