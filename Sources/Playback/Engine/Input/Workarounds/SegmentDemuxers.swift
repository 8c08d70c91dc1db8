import CGStreamer

/// Selects the demuxers for HLS that read with `HTTPSource`.
///
/// Workaround: GStreamer's newer demuxers rank higher and read with libsoup themselves. They fail outside of
/// uridecodebin3, so that decodebin then takes the older ones, but libsoup stays loaded.
/// - Affected: GStreamer 1.22.
/// - Upstream: gst_adaptive_demux_change_state in ext/adaptivedemux2; no issue known.
/// - Test: test_stream_servers.py::test_hls_loads_no_libsoup.
/// - GStreamer 1.26: not checked.
enum SegmentDemuxers {
  /// Keeps GStreamer from choosing the newer demuxers, if they are installed.
  static func prefer() {
    for name in ["dashdemux2", "hlsdemux2", "mssdemux2"] {
      guard let feature = gst_registry_lookup_feature(gst_registry_get(), name) else { continue }
      gst_plugin_feature_set_rank(feature, guint(GST_RANK_NONE.rawValue))
      gst_object_unref(UnsafeMutableRawPointer(feature))
    }
  }
}
