import CGStreamer
import PlaybackModel

extension StreamTags {
  /// Reads a TAG message; nil if it has no relevant tags.
  /// - Parameter titled: whether the server sends titles (ICY). Artist and album then do not describe what is heard.
  init?(message: UnsafeMutablePointer<GstMessage>, titled: Bool) {
    var list: UnsafeMutablePointer<GstTagList>?
    gst_message_parse_tag(message, &list)
    guard let list else { return nil }
    defer { gst_tag_list_unref(list) }
    self.init()
    codec = Self.string(list, GST_TAG_AUDIO_CODEC)
    bitRate = Self.number(list, GST_TAG_BITRATE)
    nominalBitRate = Self.number(list, GST_TAG_NOMINAL_BITRATE)
    texts = TrackTags(
      title: Self.string(list, GST_TAG_TITLE), artist: titled ? nil : Self.string(list, GST_TAG_ARTIST),
      album: titled ? nil : Self.string(list, GST_TAG_ALBUM))
    replayGain =
      ReplayGainTags(
        trackGain: Self.decimal(list, GST_TAG_TRACK_GAIN), trackPeak: Self.decimal(list, GST_TAG_TRACK_PEAK),
        albumGain: Self.decimal(list, GST_TAG_ALBUM_GAIN), albumPeak: Self.decimal(list, GST_TAG_ALBUM_PEAK),
        reference: Self.decimal(list, GST_TAG_REFERENCE_LEVEL))
      ?? ReplayGainTags(r128: Self.strings(list, GST_TAG_EXTENDED_COMMENT))
    if self == StreamTags() { return nil }
  }

  private static func string(_ list: UnsafeMutablePointer<GstTagList>, _ name: String) -> String? {
    var value: UnsafeMutablePointer<gchar>?
    guard gst_tag_list_get_string(list, name, &value) != 0, let value else { return nil }
    defer { g_free(value) }
    return String(cString: value)
  }

  private static func strings(_ list: UnsafeMutablePointer<GstTagList>, _ name: String) -> [String] {
    (0..<gst_tag_list_get_tag_size(list, name)).compactMap { index in
      var value: UnsafePointer<gchar>?
      return gst_tag_list_peek_string_index(list, name, index, &value) != 0 ? value.map { String(cString: $0) } : nil
    }
  }

  private static func decimal(_ list: UnsafeMutablePointer<GstTagList>, _ name: String) -> Double? {
    var value = 0.0
    return gst_tag_list_get_double(list, name, &value) != 0 ? value : nil
  }

  private static func number(_ list: UnsafeMutablePointer<GstTagList>, _ name: String) -> Int? {
    var value: guint = 0
    return gst_tag_list_get_uint(list, name, &value) != 0 && value > 0 ? Int(value) : nil
  }
}
