import CGStreamer

/// Containers whose demuxers cannot seek. A seek in them reads from the beginning (`SourceContext.isReadThrough`).
///
/// Workaround: matroskademux does not return from a seek, oggdemux fails at the end of a link in a chain (`OggChain`),
/// qtdemux refuses seeks in fragmented files, and flacparse loses count of frames of varying size (`FLACFrameTimes`).
/// - Affected: GStreamer 1.22, when the stream is pushed to the demuxer.
/// - Upstream: gst/matroska/matroska-demux.c, ext/ogg/gstoggdemux.c, gst/isomp4/qtdemux.c; no issues known.
/// - Test: ReadThroughTests.
/// - GStreamer 1.26: needed for Matroska (1.26.2); not checked for the others.
enum UnseekableContainer {
  /// Whether the element is such a demuxer. Other unseekable files are recognized by their head.
  static func isDemuxed(by element: UnsafeMutablePointer<GstElement>) -> Bool {
    swiftlet_is_a(element, "GstMatroskaDemux") != 0
  }
}
