import CGStreamer

/// Moves both bounds of a segment inwards by 10 ns.
///
/// Workaround: segment bounds are rounded down to whole nanoseconds, and audio decoders clip to whole samples, again
/// rounded down. Without this, one sample too many remains at each end. 10 ns are less than half a sample at any rate.
/// - Upstream: gst_audio_buffer_clip in gst-libs/gst/audio/audio.c; no issue known.
/// - Test: EncoderGapTests.twoHalvesJoinIntoOneSound, FormatsTests.aSeekIntoThePartAlreadyReadIsExact.
enum SegmentBounds {
  /// - Parameter info: info of the probe that a SEGMENT event passes.
  static func moveInwards(_ info: UnsafeMutablePointer<GstPadProbeInfo>) { swiftlet_probe_round_segment(info) }
}
