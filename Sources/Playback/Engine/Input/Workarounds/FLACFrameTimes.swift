import CGStreamer
import PlaybackFormats

/// Sets the timestamps of FLAC frames of varying block size from their frame headers.
///
/// Workaround: flacparse treats every such frame as the first, so that frames have no timestamps and seeks fail. Seeks
/// in such files read from the beginning (`SourceContext.isReadThrough`).
/// - Upstream: gst_flac_parse_parse_frame in gst/audioparsers/gstflacparse.c; no issue known.
/// - Test: FLACSeekTests.aSeekAmongFramesOfVaryingSizeFindsTheSample.
enum FLACFrameTimes {
  /// - Parameter info: info of the probe that the buffer passes.
  static func setTime(
    of buffer: UnsafeMutablePointer<GstBuffer>, _ info: UnsafeMutablePointer<GstPadProbeInfo>, _ layout: FLACLayout
  ) {
    var header = [UInt8](repeating: 0, count: FLACFrame.longestHeader)
    let count = gst_buffer_extract(buffer, 0, &header, gsize(header.count))
    guard count == header.count, let sample = FLACFrame.firstSample(header[...], of: layout),
      let time = layout.nanoseconds(ofSample: sample), let buffer = swiftlet_probe_writable_buffer(info)
    else { return }
    buffer.pointee.pts = GstClockTime(time)
    buffer.pointee.dts = buffer.pointee.pts
  }
}
