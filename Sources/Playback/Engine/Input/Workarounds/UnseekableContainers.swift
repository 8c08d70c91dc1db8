import CGStreamer

/// Containers whose demuxers cannot seek. A seek in them reads from the beginning (`SourceContext.isReadThrough`).
///
/// Workaround: in push mode, matroskademux does not return from a seek, oggdemux fails at the end of a link in a chain
/// (`OggChain`), qtdemux refuses seeks in fragmented files, and flacparse loses count of frames of varying size
/// (`FLACFrameTimes`).
/// - Upstream: gst/matroska/matroska-demux.c, ext/ogg/gstoggdemux.c, gst/isomp4/qtdemux.c; no issues known.
/// - Test: ReadThroughTests.
enum UnseekableContainer {
  /// Whether the element is such a demuxer. Other unseekable files are recognized by their head.
  static func isDemuxed(by element: UnsafeMutablePointer<GstElement>) -> Bool {
    swiftlet_is_a(element, "GstMatroskaDemux") != 0
  }
}
