import CGStreamer
import PlaybackFormats
import PlaybackModel
import Synchronization

/// Implements the element `swiftletblocks`: a demuxer that outputs the blocks of a stream with their timestamps, and
/// seeks by block position.
///
/// The stream consists of raw samples described by its caps, or is a file whose header `BlockLayoutReader` parses. The
/// sink pad works in push mode. `seek` and `answer` may be called on any thread, all other methods only on the
/// streaming threads.
///
/// Workaround: GStreamer's parsers of AU, raw samples and ADPCM play wrong samples after a seek, or nothing.
/// - Upstream: gst/auparse/gstauparse.c, gst/rawparse/gstrawbaseparse.c, gst/wavparse/gstwavparse.c; no issues known.
/// - Test: BlockFormatsTests.
final class BlockDemuxer {
  /// A seek in progress: the data from `byte` on has the timestamp `nanoseconds`.
  private struct Seek {
    var byte: Int
    var nanoseconds: Int
  }

  private struct Shared {
    var layout: BlockLayout?
    var seek: Seek?
    var position = 0
  }

  private let element: UnsafeMutablePointer<GstElement>
  private let sinkPad: UnsafeMutablePointer<GstPad>
  private let sourcePad: UnsafeMutablePointer<GstPad>
  private let adapter = gst_adapter_new()
  private let shared = Mutex(Shared())
  private var reader = BlockLayoutReader()
  private var hasCaps = false
  /// Start time of the segment that has not been sent yet, in nanoseconds; nil if the segment was sent.
  private var segmentStart: Int? = 0
  private var isDiscontinuous = true
  /// Offset in the stream of the next bytes to arrive.
  private var position = 0
  /// The next block to output. Its bytes are next in the adapter.
  private var next = BlockLayout.Place(byte: 0, frame: 0)

  /// - Parameter element: the element that this object implements. It owns both pads.
  init(
    element: UnsafeMutablePointer<GstElement>, sinkPad: UnsafeMutablePointer<GstPad>,
    sourcePad: UnsafeMutablePointer<GstPad>
  ) {
    (self.element, self.sinkPad, self.sourcePad) = (element, sinkPad, sourcePad)
  }

  deinit { if let adapter { g_object_unref(UnsafeMutableRawPointer(adapter)) } }

  private var layout: BlockLayout? { shared.withLock(\.layout) }

  // MARK: Data

  /// Processes a buffer of the stream. Takes ownership.
  func take(_ buffer: UnsafeMutablePointer<GstBuffer>) -> GstFlowReturn {
    let size = Int(gst_buffer_get_size(buffer))
    let first = position
    position += size
    if layout == nil { readHeader(buffer, at: first) }
    guard let layout else {
      swiftlet_buffer_unref(buffer)
      guard reader.result == .unsupported else { return GST_FLOW_OK }
      swiftlet_post_damage(element)
      return GST_FLOW_ERROR
    }
    let wanted = next.byte + Int(gst_adapter_available(adapter))
    let range = max(wanted, first)..<max(wanted, first, min(first + size, layout.end ?? .max))
    if range.isEmpty {
      swiftlet_buffer_unref(buffer)
    } else {
      gst_adapter_push(
        adapter,
        gst_buffer_copy_region(
          buffer, GstBufferCopyFlags(rawValue: GST_BUFFER_COPY_MEMORY.rawValue), gsize(range.lowerBound - first),
          gsize(range.count)))
      swiftlet_buffer_unref(buffer)
    }
    let flow = pushBlocks(layout)
    // Data after the samples is not audio.
    if flow == GST_FLOW_OK, let end = layout.end, position >= end { return GST_FLOW_EOS }
    return flow
  }

  private func readHeader(_ buffer: UnsafeMutablePointer<GstBuffer>, at offset: Int) {
    var map = GstMapInfo()
    guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return }
    reader.read(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)), at: offset)
    gst_buffer_unmap(buffer, &map)
    if case .layout(let layout) = reader.result { begin(layout) }
  }

  private func begin(_ layout: BlockLayout) {
    shared.withLock { $0.layout = layout }
    next = layout.place(ofBlockAt: layout.start)
  }

  /// Pushes all complete blocks: raw samples in one buffer, other blocks one by one, as decoders expect.
  private func pushBlocks(_ layout: BlockLayout) -> GstFlowReturn {
    while true {
      let available = Int(gst_adapter_available(adapter)) / layout.bytesPerBlock
      guard available > 0 else { return GST_FLOW_OK }
      announce(layout)
      let blocks = layout.framesPerBlock == 1 ? available : 1
      let end = next.frame + blocks * layout.framesPerBlock
      let time = layout.nanoseconds(ofFrame: next.frame)
      let duration = layout.nanoseconds(ofFrame: end) - time
      guard
        let buffer = swiftlet_adapter_take(
          adapter, gsize(blocks * layout.bytesPerBlock), guint64(time), guint64(duration))
      else { return GST_FLOW_ERROR }
      next = BlockLayout.Place(byte: next.byte + blocks * layout.bytesPerBlock, frame: end)
      if isDiscontinuous { swiftlet_buffer_mark_discontinuity(buffer) }
      isDiscontinuous = false
      shared.withLock { $0.position = time + duration }
      let flow = gst_pad_push(sourcePad, buffer)
      guard flow == GST_FLOW_OK else { return flow }
    }
  }

  /// Sends the caps, segment and tags that must precede samples.
  private func announce(_ layout: BlockLayout) {
    if !hasCaps, let caps = gst_caps_from_string(layout.caps) {
      hasCaps = true
      gst_pad_push_event(sourcePad, gst_event_new_caps(caps))
      swiftlet_caps_unref(caps)
    }
    guard let start = segmentStart else { return }
    segmentStart = nil
    var segment = GstSegment()
    gst_segment_init(&segment, GST_FORMAT_TIME)
    segment.start = guint64(start)
    segment.time = segment.start
    segment.position = segment.start
    // Makes the decoder cut off the padding in the last block.
    if layout.framesPerBlock > 1, let frames = layout.frames(inStreamOf: size) {
      segment.stop = max(segment.start, guint64(layout.nanoseconds(ofFrame: frames)))
    }
    gst_pad_push_event(sourcePad, gst_event_new_segment(&segment))
    if let name = layout.codecName {
      gst_pad_push_event(sourcePad, swiftlet_codec_event(name, guint(clamping: layout.bitRate)))
    }
  }

  // MARK: Events of the stream

  /// Handles an event of the stream. Takes ownership.
  func handle(_ event: UnsafeMutablePointer<GstEvent>, on pad: UnsafeMutablePointer<GstPad>) -> gboolean {
    switch swiftlet_event_type(event) {
    case GST_EVENT_CAPS:
      var caps: UnsafeMutablePointer<GstCaps>?
      gst_event_parse_caps(event, &caps)
      if let caps, let layout = BlockLayout(caps: caps), layout != self.layout { begin(layout) }
      swiftlet_event_unref(event)
      return 1
    case GST_EVENT_SEGMENT:
      var segment = GstSegment()
      gst_event_copy_segment(event, &segment)
      swiftlet_event_unref(event)
      begin(at: segment.format == GST_FORMAT_BYTES ? Int(clamping: segment.start) : 0)
      return 1
    case GST_EVENT_FLUSH_STOP:
      gst_adapter_clear(adapter)
      isDiscontinuous = true
    case GST_EVENT_EOS:
      if let layout { announce(layout) } else { swiftlet_post_no_sound(element) }
    default: break
    }
    return gst_pad_event_default(pad, swiftlet_object(element), event)
  }

  /// Continues at this offset, where the next data to arrive begins.
  private func begin(at byte: Int) {
    gst_adapter_clear(adapter)
    position = byte
    isDiscontinuous = true
    let (layout, seek) = shared.withLock { shared in
      defer { shared.seek = nil }
      return (shared.layout, shared.seek)
    }
    guard let layout else {
      segmentStart = 0
      return
    }
    next = layout.place(ofBlockAt: byte)
    segmentStart = seek?.byte == byte ? seek?.nanoseconds : layout.nanoseconds(ofFrame: next.frame)
  }

  // MARK: Requests

  /// Handles a seek event. Takes ownership.
  func seek(_ event: UnsafeMutablePointer<GstEvent>) -> gboolean {
    defer { swiftlet_event_unref(event) }
    var (rate, format, flags) = (1.0, GST_FORMAT_TIME, GST_SEEK_FLAG_NONE)
    var (startType, stopType, start, stop) = (GST_SEEK_TYPE_SET, GST_SEEK_TYPE_NONE, gint64(0), gint64(0))
    gst_event_parse_seek(event, &rate, &format, &flags, &startType, &start, &stopType, &stop)
    guard rate == 1, format == GST_FORMAT_TIME, startType == GST_SEEK_TYPE_SET, start >= 0, let layout else { return 0 }
    let place = layout.place(atNanoseconds: Int(start))
    // Raw samples start exactly at the target. With other blocks, the decoder cuts off the earlier samples.
    let time = layout.nanoseconds(ofFrame: max(place.frame, layout.frame(atNanoseconds: Int(start))))
    shared.withLock { $0.seek = Seek(byte: place.byte, nanoseconds: time) }
    let request = gst_event_new_seek(
      1, GST_FORMAT_BYTES, GstSeekFlags(rawValue: flags.rawValue & GST_SEEK_FLAG_FLUSH.rawValue), GST_SEEK_TYPE_SET,
      gint64(place.byte), GST_SEEK_TYPE_NONE, -1)
    gst_event_set_seqnum(request, gst_event_get_seqnum(event))
    return gst_pad_push_event(sinkPad, request)
  }

  /// Answers a query; nil for queries that are not about the samples.
  func answer(_ query: UnsafeMutablePointer<GstQuery>) -> gboolean? {
    var format = GST_FORMAT_UNDEFINED
    let (layout, position) = shared.withLock { ($0.layout, $0.position) }
    switch swiftlet_query_type(query) {
    case GST_QUERY_DURATION:
      gst_query_parse_duration(query, &format, nil)
      guard format == GST_FORMAT_TIME else { return nil }
      guard let layout, let frames = layout.frames(inStreamOf: size) else { return 0 }
      gst_query_set_duration(query, GST_FORMAT_TIME, gint64(layout.nanoseconds(ofFrame: frames)))
    case GST_QUERY_POSITION:
      gst_query_parse_position(query, &format, nil)
      guard format == GST_FORMAT_TIME else { return nil }
      gst_query_set_position(query, GST_FORMAT_TIME, gint64(position))
    case GST_QUERY_SEEKING:
      gst_query_parse_seeking(query, &format, nil, nil, nil)
      guard format == GST_FORMAT_TIME else { return nil }
      gst_query_set_seeking(query, GST_FORMAT_TIME, layout != nil && isReadableAnywhere ? 1 : 0, 0, -1)
    default: return nil
    }
    return 1
  }

  /// Size of the whole stream in bytes; nil if the upstream element does not know it, or reports one of the
  /// `UnknownSize` values.
  private var size: Int? {
    var size: gint64 = -1
    guard gst_pad_peer_query_duration(sinkPad, GST_FORMAT_BYTES, &size) != 0, !UnknownSize.contains(Int(size)) else {
      return nil
    }
    return Int(size)
  }

  private var isReadableAnywhere: Bool {
    guard let query = gst_query_new_seeking(GST_FORMAT_BYTES) else { return false }
    defer { gst_query_unref(query) }
    var seekable: gboolean = 0
    if gst_pad_peer_query(sinkPad, query) != 0 { gst_query_parse_seeking(query, nil, &seekable, nil, nil) }
    return seekable != 0
  }
}
