import CGStreamer

/// Selects mpg123's decoder for MP3, and lets it decode to floating point.
///
/// libavcodec's decoder has the same rank. It loads all of libav, which costs 9 MB of private memory during playback,
/// and does not decode free format.
enum MP3Decoder {
  /// Gives mpg123's decoder the highest rank, if it is installed.
  static func prefer() {
    guard let feature = gst_registry_lookup_feature(gst_registry_get(), "mpg123audiodec") else { return }
    gst_plugin_feature_set_rank(feature, guint(GST_RANK_PRIMARY.rawValue))
    gst_object_unref(UnsafeMutableRawPointer(feature))
  }

  /// Lets an element decode to floating point, if it is mpg123's decoder. By default it chooses the first accepted
  /// format, which has 16 bits.
  static func configure(_ element: UnsafeMutablePointer<GstElement>) {
    guard swiftlet_is_a(element, "GstMpg123AudioDec") != 0, let pad = gst_element_get_static_pad(element, "src") else {
      return
    }
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM, onCapsQuery, nil, nil)
    gst_object_unref(pad)
  }
}

private func onCapsQuery(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let pad, let info, swiftlet_probe_offer_float(pad, info) != 0 else { return GST_PAD_PROBE_OK }
  return GST_PAD_PROBE_HANDLED
}
