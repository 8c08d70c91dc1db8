import CGStreamer

/// Inserts a ring buffer in front of the Ogg demuxer, so that it can read at random positions.
///
/// Workaround: the duration of an Ogg file is known only from its last page. In push mode, oggdemux reports durations
/// up to a second short, and refuses seeks until it has searched the end.
/// - Upstream: push mode of ext/ogg/gstoggdemux.c; no issue known.
/// - Test: DurationsTests.theDurationIsRight.
enum OggRingBuffer {
  private static let size: guint64 = 2 << 20

  /// - Returns: the ring buffer, which the pipeline owns and the caller starts; nil if GStreamer's base plugins are not
  ///   installed.
  static func insert(before decoder: UnsafeMutablePointer<GstElement>) -> UnsafeMutablePointer<GstElement>? {
    guard let pipeline = gst_object_get_parent(swiftlet_object(decoder)) else { return nil }
    defer { gst_object_unref(pipeline) }
    guard let buffer = gst_element_factory_make("queue2", nil) else { return nil }
    swiftlet_set_uint64(buffer, "ring-buffer-max-size", size)
    swiftlet_set_uint(buffer, "max-size-buffers", 0)
    gst_bin_add(swiftlet_bin(pipeline), buffer)
    gst_element_link(buffer, decoder)
    return buffer
  }
}
