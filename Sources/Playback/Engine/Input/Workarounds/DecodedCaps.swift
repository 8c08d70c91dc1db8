import CGStreamer

/// Corrects the channels of decoded sound, at the sink pad of the converter behind the decoder.
///
/// WAV and raw samples may have no channel positions, and audioconvert does not mix channels without positions. They
/// get the positions of FLAC (RFC 9639 §9.1.3).
///
/// Workaround: audioconvert aborts the program when it mixes 64 channels or more. Such streams are rejected like
/// streams that decodebin cannot decode.
/// - Upstream: gst-libs/gst/audio/audio-channel-mixer.c; no issue known.
/// - Test: FailuresTests.anErrorIsReportedAndTheNextItemPlays, "64 channels".
func onDecodedEvent(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  if let pad, let info, let event = swiftlet_probe_event(info), swiftlet_event_type(event) == GST_EVENT_CAPS {
    swiftlet_probe_set_positions(info)
    swiftlet_probe_limit_channels(pad, info)
  }
  return GST_PAD_PROBE_OK
}
