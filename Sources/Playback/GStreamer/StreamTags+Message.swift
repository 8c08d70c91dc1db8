import CGStreamer

extension StreamTags {
  /// Reads a TAG message; nil if there is nothing of interest in it.
  /// - Parameter titled: whether the stream is one whose title changes while it sounds; files have titles too.
  init?(message: UnsafeMutablePointer<GstMessage>, titled: Bool) {
    var list: UnsafeMutablePointer<GstTagList>?
    gst_message_parse_tag(message, &list)
    guard let list else { return nil }
    defer { gst_tag_list_unref(list) }
    codec = Self.string(list, GST_TAG_AUDIO_CODEC)
    bitRate = Self.number(list, GST_TAG_BITRATE)
    nominalBitRate = Self.number(list, GST_TAG_NOMINAL_BITRATE)
    if titled { liveTitle = Self.string(list, GST_TAG_TITLE) }
    if self == StreamTags() { return nil }
  }

  private static func string(_ list: UnsafeMutablePointer<GstTagList>, _ name: String) -> String? {
    var value: UnsafeMutablePointer<gchar>?
    guard gst_tag_list_get_string(list, name, &value) != 0, let value else { return nil }
    defer { g_free(value) }
    return String(cString: value)
  }

  private static func number(_ list: UnsafeMutablePointer<GstTagList>, _ name: String) -> Int? {
    var value: guint = 0
    return gst_tag_list_get_uint(list, name, &value) != 0 && value > 0 ? Int(value) : nil
  }
}
