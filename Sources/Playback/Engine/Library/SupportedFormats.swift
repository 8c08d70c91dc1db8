import CGStreamer

/// The formats that the installed decoders can play.
public enum SupportedFormats {
  /// A kind of file: the media types that GStreamer must parse and decode, and its MIME types.
  private struct Format {
    /// Media types that each need an element: a demuxer or parser for the file, a decoder for its sound.
    var needs: [String]
    var mimeTypes: [String]
  }

  /// Includes both spellings of a type that has two, since control points compare them exactly
  /// (hzeller/gmrender-resurrect#231).
  private static let formats = [
    Format(needs: ["audio/x-flac, framed=(boolean)true"], mimeTypes: ["audio/flac", "audio/x-flac"]),
    Format(needs: ["audio/x-wav"], mimeTypes: ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"]),
    Format(
      needs: ["audio/mpeg, mpegversion=(int)1, layer=(int)3, parsed=(boolean)true"],
      mimeTypes: ["audio/mpeg", "audio/mp3", "audio/x-mp3", "audio/x-mpeg"]),
    Format(
      needs: ["audio/ogg", "audio/x-vorbis"],
      mimeTypes: ["audio/ogg", "audio/x-ogg", "application/ogg", "audio/vorbis"]),
    Format(needs: ["audio/ogg", "audio/x-opus"], mimeTypes: ["audio/opus"]),
    Format(
      needs: ["audio/mpeg, mpegversion=(int)4, stream-format=(string)adts"],
      mimeTypes: ["audio/aac", "audio/x-aac", "audio/aacp", "audio/vnd.dlna.adts"]),
    Format(
      needs: ["video/quicktime", "audio/mpeg, mpegversion=(int)4, stream-format=(string)raw, framed=(boolean)true"],
      mimeTypes: ["audio/mp4", "audio/x-m4a", "audio/m4a"]),
    Format(needs: ["audio/x-aiff"], mimeTypes: ["audio/aiff", "audio/x-aiff"]),
    Format(needs: ["application/x-ape"], mimeTypes: ["audio/x-ape", "audio/ape", "audio/x-monkeys-audio"]),
    Format(needs: ["audio/x-wavpack"], mimeTypes: ["audio/x-wavpack", "audio/wavpack"]),
    Format(needs: ["video/x-ms-asf", "audio/x-wma, wmaversion=(int)2"], mimeTypes: ["audio/x-ms-wma"]),
    Format(
      needs: [BlockDemuxerElement.streamType], mimeTypes: ["audio/x-au", "audio/basic", "audio/x-w64", "audio/x-caf"]),
    Format(needs: [BlockDemuxerElement.streamType, "audio/x-alaw", "audio/x-mulaw"], mimeTypes: ["audio/x-aifc"]),
    Format(needs: ["audio/ogg", "audio/x-speex"], mimeTypes: ["audio/speex", "audio/x-speex"]),
    // Samples without a header (`LinearPCMType`).
    Format(
      needs: [BlockDemuxerElement.streamType],
      mimeTypes: ["audio/L16", "audio/L24"].flatMap { type in
        [type] + [44_100, 48_000, 88_200, 96_000, 176_400, 192_000].map { "\(type);rate=\($0);channels=2" }
          + [44_100, 48_000].map { "\(type);rate=\($0);channels=1" }
      }),
    Format(
      needs: ["application/x-hls", "video/mpegts", "audio/mpeg, mpegversion=(int)4, stream-format=(string)adts"],
      mimeTypes: ["application/vnd.apple.mpegurl", "application/x-mpegurl"]),
    // Playlists that `PlaylistDocument` reads.
    Format(needs: [], mimeTypes: ["audio/x-mpegurl", "audio/mpegurl", "audio/x-scpls", "application/xspf+xml"]),
  ]

  /// The playable MIME types, such as `audio/flac`, in order of preference.
  public static func mimeTypes() -> [String] {
    GStreamerLibrary.start()
    let elements = gst_element_factory_list_get_elements(swiftlet_decodable(), GST_RANK_MARGINAL)
    defer { gst_plugin_feature_list_free(elements) }
    return formats.filter { $0.needs.allSatisfy { canTake($0, elements) } }.flatMap(\.mimeTypes)
  }

  private static func canTake(_ type: String, _ elements: UnsafeMutablePointer<GList>?) -> Bool {
    guard let caps = gst_caps_from_string(type) else { return false }
    defer { swiftlet_caps_unref(caps) }
    return swiftlet_any_takes(elements, caps) != 0
  }
}
