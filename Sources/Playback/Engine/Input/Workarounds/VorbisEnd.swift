import CGStreamer
import PlaybackModel
import Synchronization

/// Cuts the sound of a Vorbis stream where its last packet ends.
///
/// Workaround: vorbisdec outputs the whole last packet, although the packet's duration ends with the sound. The segment
/// ends there too only in files with random access. Each link of a chained stream has its own decoder and is decoded
/// ahead, so each decoder has its own end.
/// - Upstream: vorbis_dec_handle_frame in ext/vorbis/gstvorbisdec.c; no issue known.
/// - Test: ChainedOggTests.linksAreDecodedAheadToTheirLastSample.
final class VorbisEnd: Sendable {
  /// End of the last packet in nanoseconds; nil if it has no timestamps.
  private let end = Mutex<Int64?>(nil)

  /// Cuts the output of a decoder.
  static func cut(_ decoder: UnsafeMutablePointer<GstElement>) {
    let end = VorbisEnd()
    for (name, callback) in [("sink", onPacket), ("src", onSound)] {
      guard let pad = gst_element_get_static_pad(decoder, name) else { continue }
      gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, callback, Unmanaged.passRetained(end).toOpaque()) { data in
        if let data { Unmanaged<VorbisEnd>.fromOpaque(data).release() }
      }
      gst_object_unref(pad)
    }
  }

  fileprivate static func from(_ data: gpointer) -> VorbisEnd {
    Unmanaged<VorbisEnd>.fromOpaque(data).takeUnretainedValue()
  }

  fileprivate func packet(_ times: Range<Int64>?) { end.withLock { $0 = times?.upperBound } }

  /// The number of frames to keep of a buffer; nil for all.
  fileprivate func frames(of times: Range<Int64>, in format: AudioFormat) -> Int64? {
    guard let end = end.withLock({ $0 }), times.upperBound > end else { return nil }
    return max(0, format.frames(nanoseconds: end) - format.frames(nanoseconds: times.lowerBound))
  }
}

private let onPacket: GstPadProbeCallback = { _, info, data in
  guard let info, let data, let buffer = swiftlet_probe_buffer(info) else { return GST_PAD_PROBE_OK }
  VorbisEnd.from(data).packet(times(of: buffer))
  return GST_PAD_PROBE_OK
}

private let onSound: GstPadProbeCallback = { pad, info, data in
  guard let pad, let info, let data, let buffer = swiftlet_probe_buffer(info), let times = times(of: buffer),
    let caps = gst_pad_get_current_caps(pad)
  else { return GST_PAD_PROBE_OK }
  defer { swiftlet_caps_unref(caps) }
  guard let format = AudioFormat(caps: caps), let frames = VorbisEnd.from(data).frames(of: times, in: format),
    frames * Int64(format.bytesPerFrame) < Int64(gst_buffer_get_size(buffer))
  else { return GST_PAD_PROBE_OK }
  guard frames > 0, let writable = swiftlet_probe_writable_buffer(info) else { return GST_PAD_PROBE_DROP }
  gst_buffer_set_size(writable, gssize(frames) * gssize(format.bytesPerFrame))
  writable.pointee.duration = GstClockTime(format.nanoseconds(frames: frames))
  return GST_PAD_PROBE_OK
}

/// Timestamps in nanoseconds. Packets and sound of a decoder have the same segment, so they can be compared.
private func times(of buffer: UnsafeMutablePointer<GstBuffer>) -> Range<Int64>? {
  let time = swiftlet_buffer_pts(buffer)
  let duration = swiftlet_buffer_duration(buffer)
  let none = swiftlet_clock_time_none()
  guard time != none, duration != none else { return nil }
  let begin = Int64(clamping: time)
  return begin..<begin + min(Int64(clamping: duration), .max - begin)
}
