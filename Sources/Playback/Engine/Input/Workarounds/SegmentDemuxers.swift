import CGStreamer

/// Selects the demuxers for HLS that read with `HTTPSource`.
///
/// Workaround: GStreamer's newer demuxers rank higher and read with libsoup themselves. They fail outside of
/// uridecodebin3. decodebin then takes the older ones, but libsoup stays loaded.
/// - Upstream: adaptivedemux2_base_element_init in ext/adaptivedemux2/gstadaptivedemuxelement.c; no issue known.
/// - Test: test_stream_servers.py::test_hls_loads_no_libsoup.
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
