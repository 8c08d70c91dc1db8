import CGStreamer

/// Selects mpg123's decoder for MP3 in free format.
///
/// Workaround: decodebin prefers libavcodec's decoder, which does not support free format.
/// - Affected: GStreamer 1.22 with FFmpeg 5.1.
/// - Upstream: libavcodec/mpegaudiodec_template.c; no issue known.
/// - Test: MP3KindsTests.freeFormatIsPlayed.
/// - GStreamer 1.26: not needed: the test passes without it (1.26.2 with FFmpeg 7.1).
func onDecoderChoice(
  _ bin: UnsafeMutablePointer<GstElement>?, _ pad: UnsafeMutablePointer<GstPad>?,
  _ caps: UnsafeMutablePointer<GstCaps>?, _ factory: OpaquePointer?, _ data: gpointer?
) -> SwiftletDecoderChoice {
  guard let factory, let context = SourceContext.from(data), context.isFreeFormat,
    String(cString: swiftlet_factory_name(factory)).hasPrefix("avdec_mp3")
  else { return SWIFTLET_DECODER_TRY }
  return SWIFTLET_DECODER_SKIP
}
