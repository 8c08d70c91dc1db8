import CGStreamer

/// Inserts a ring buffer in front of the Ogg demuxer, so that it can read at random positions.
///
/// Workaround: the duration of an Ogg file is known only from its last page. In push mode, oggdemux reports durations
/// up to a second short, and refuses seeks until it has searched the end.
/// - Upstream: push mode of ext/ogg/gstoggdemux.c; no issue known.
/// - Test: DurationsTests.theDurationIsRight.
enum OggRingBuffer {
  private static let size: guint64 = 2 << 20

  /// - Parameter pad: the source pad of the element that reads the stream.
  static func insert(after pad: UnsafeMutablePointer<GstPad>) {
    guard let source = gst_pad_get_parent_element(pad) else { return }
    defer { gst_object_unref(source) }
    guard let decoder = gst_object_get_parent(swiftlet_object(source)) else { return }
    defer { gst_object_unref(decoder) }
    if swiftlet_has_property(decoder, "ring-buffer-max-size") != 0 {
      swiftlet_set_uint64(decoder, "ring-buffer-max-size", size)
    }
  }
}
