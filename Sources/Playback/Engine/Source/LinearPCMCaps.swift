import CGStreamer
import PlaybackModel

/// Sets the caps of samples without a header according to their content type.
///
/// Workaround: souphttpsrc supports `audio/L16` but not `audio/L24`, and assumes two channels where RFC 2586 specifies
/// one. Its caps lead to a parser that reads everything before the target of a seek; ours lead to `swiftletblocks`.
/// - Affected: GStreamer 1.22.
/// - Upstream: gst_soup_http_src_got_headers in ext/soup/gstsouphttpsrc.c; no issue known.
/// - Test: SampleFormatsTests, BlockFormatsTests.playbackIsExact.
/// - GStreamer 1.26: needed. The main branch is unchanged (commit 074f8364).
enum LinearPCMCaps {
  /// - Parameters:
  ///   - event: an event that passes the source pad of the reading element.
  ///   - info: info of the probe.
  static func correct(
    _ event: UnsafeMutablePointer<GstEvent>, on pad: UnsafeMutablePointer<GstPad>,
    _ info: UnsafeMutablePointer<GstPadProbeInfo>, _ context: SourceContext
  ) {
    guard let text = context.linearPCM?.headerlessCaps, let caps = gst_caps_from_string(text) else { return }
    if swiftlet_event_type(event) == GST_EVENT_CAPS, swiftlet_event_has_media_type(event, "audio/x-unaligned-raw") != 0
    {
      swiftlet_probe_set_caps(info, caps)
      return
    }
    if swiftlet_event_type(event) == GST_EVENT_CUSTOM_DOWNSTREAM_STICKY { swiftlet_source_offer_caps(pad, caps) }
    swiftlet_caps_unref(caps)
  }
}
