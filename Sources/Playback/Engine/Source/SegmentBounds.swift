import CGStreamer

/// Moves the bounds of a segment inwards by 10 ns.
///
/// Workaround: bounds are whole nanoseconds, rounded down, and audio decoders clip to whole samples, rounded down again.
/// Without this a sample too many is left at either end. Ten nanoseconds are less than half a sample at any rate.
/// - Affected: GStreamer 1.22.
/// - Upstream: gst_audio_buffer_clip in gst-libs/gst/audio/audio.c; no issue known.
/// - Test: EncoderGapTests.twoHalvesAreOneSound, FormatsTests.aSeekInWhatHasBeenReadIsExact.
/// - GStreamer 1.26: not checked.
enum SegmentBounds {
  /// - Parameter info: of the probe that a SEGMENT event passes.
  static func moveInwards(_ info: UnsafeMutablePointer<GstPadProbeInfo>) { swiftlet_probe_round_segment(info) }
}
