import CGStreamer
import PlaybackFormats
import PlaybackModel

// Callbacks that GStreamer calls on a source's streaming threads. Each reads or updates the source's context and
// returns without blocking.

/// The decoder has exposed a stream. The first audio stream is played.
func onDecodedPad(
  _ element: UnsafeMutablePointer<GstElement>?, _ pad: UnsafeMutablePointer<GstPad>?, _ data: gpointer?
) {
  guard let pad, let context = SourceContext.from(data) else { return }
  context.isRaw = swiftlet_is_decoded(pad) == 0
  _ = context.input.withPad("sink") { sink in
    if gst_pad_is_linked(sink) == 0 { gst_pad_link(pad, sink) }
  }
}

extension SourceContext {
  /// Configures the requests of the element that reads the address, and observes the data that it receives. The
  /// callbacks get the context unretained.
  func observe(_ reader: ElementReference) {
    let data = Unmanaged.passUnretained(self).toOpaque()
    _ = reader.withPad("src") { pad in
      gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, onReceivedData, data, nil)
      gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, onBodyEnd, data, nil)
    }
    guard let source = HTTPSourceElement.reader(reader.pointer) else { return }
    httpReader = reader
    source.configure { options in
      options.userAgent = settings.userAgent
      options.timeout = settings.openTimeout + .seconds(2)
      options.ignoresRanges = isWithoutRanges
      options.removesDotSegments = false
      options.onAnswer = { [weak self] answer in self?.answered(answer) }
    }
  }
}

/// Links the reader to the decoder when the first bytes, or the end of an empty body, leave the reader. These decide
/// whether the decoder needs a ring buffer.
/// - Parameter data: the decoder.
func onFirstData(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let pad, let info, let decoder = data?.assumingMemoryBound(to: GstElement.self) else {
    return GST_PAD_PROBE_REMOVE
  }
  if let event = swiftlet_probe_event(info), swiftlet_event_type(event) != GST_EVENT_EOS { return GST_PAD_PROBE_PASS }
  let isOgg = swiftlet_probe_buffer(info).map { gst_buffer_memcmp($0, 0, "OggS", 4) == 0 } ?? false
  let ringBuffer = isOgg && isReadableAnywhere(pad) ? OggRingBuffer.insert(before: decoder) : nil
  swiftlet_link(pad, ringBuffer ?? decoder)
  gst_element_set_locked_state(decoder, 0)
  // The decoder first: it then activates the ring buffer for random access.
  gst_element_sync_state_with_parent(decoder)
  if let ringBuffer { gst_element_sync_state_with_parent(ringBuffer) }
  return GST_PAD_PROBE_REMOVE
}

private func onReceivedData(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let pad, let info, let context = SourceContext.from(data), let buffer = swiftlet_probe_buffer(info) else {
    return GST_PAD_PROBE_REMOVE
  }
  if !context.hasReceived {
    var size: gint64 = -1
    if gst_pad_query_duration(pad, GST_FORMAT_BYTES, &size) != 0, !UnknownSize.contains(Int(size)) {
      context.setSize(Int64(size))
    }
    context.isReadableAnywhere = isReadableAnywhere(pad)
  }
  let position = swiftlet_buffer_offset(buffer)
  guard context.wants(position..<position + Int(gst_buffer_get_size(buffer))) else { return GST_PAD_PROBE_OK }
  var map = GstMapInfo()
  guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return GST_PAD_PROBE_OK }
  let bytes = UnsafeRawBufferPointer(start: map.data, count: Int(map.size))
  let reading = context.received(bytes, at: position)
  gst_buffer_unmap(buffer, &map)
  if !reading.changes.isEmpty { change(swiftlet_probe_writable_buffer(info), reading.changes) }
  if reading.endsHead { context.post(.documentEnded) }
  return reading.isDone ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_OK
}

private func onBodyEnd(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let info, let context = SourceContext.from(data), let event = swiftlet_probe_event(info) else {
    return GST_PAD_PROBE_OK
  }
  if swiftlet_event_type(event) == GST_EVENT_EOS { context.bodyEnded() }
  return GST_PAD_PROBE_OK
}

/// Overwrites single bytes.
private func change(_ buffer: UnsafeMutablePointer<GstBuffer>?, _ changes: [(index: Int, value: UInt8)]) {
  var map = GstMapInfo()
  guard let buffer, gst_buffer_map(buffer, &map, GST_MAP_WRITE) != 0 else { return }
  let bytes = UnsafeMutableRawBufferPointer(start: map.data, count: Int(map.size))
  for change in changes where bytes.indices.contains(change.index) { bytes[change.index] = change.value }
  gst_buffer_unmap(buffer, &map)
}

/// An element was created inside the decoder. Some elements identify the container; the input of decoders gets a probe.
func onElementAdded(
  _ bin: UnsafeMutablePointer<GstBin>?, _ inner: UnsafeMutablePointer<GstBin>?,
  _ element: UnsafeMutablePointer<GstElement>?, _ data: gpointer?
) {
  guard let element, let context = SourceContext.from(data) else { return }
  if swiftlet_is_a(element, "GstAdaptiveDemux") != 0 { context.isSegmented = true }
  if swiftlet_is_a(element, "GstFlacParse") != 0 { context.flacParser = ElementReference(element) }
  if swiftlet_is_a(element, "GstWavParse") != 0 { context.container = .wav }
  if swiftlet_is_a(element, "GstAiffParse") != 0 { context.container = .aiff }
  if UnseekableContainer.isDemuxed(by: element) { context.breakSeeking() }
  // opusdec by default ignores the phase of stereo for the benefit of mono; no other decoder does.
  if swiftlet_is_a(element, "GstOpusDec") != 0 { swiftlet_set_bool(element, "phase-inversion", 1) }
  if swiftlet_is_a(element, "GstVorbisDec") != 0 { VorbisEnd.cut(element) }
  MP3Decoder.configure(element)
  guard swiftlet_is_a(element, "GstAudioDecoder") != 0, let pad = gst_element_get_static_pad(element, "sink") else {
    return
  }
  let kinds = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
  gst_pad_add_probe(pad, GstPadProbeType(rawValue: kinds), onEncodedData, data, nil)
  gst_object_unref(pad)
}

/// An encoded buffer or an event enters the decoder.
private func onEncodedData(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let info, let context = SourceContext.from(data) else { return GST_PAD_PROBE_OK }
  if let buffer = swiftlet_probe_buffer(info) {
    if swiftlet_buffer_is_clipped(buffer) != 0 { context.setClipped() }
    let duration = swiftlet_buffer_duration(buffer)
    if duration != swiftlet_clock_time_none() {
      context.decodes(bytes: Int(gst_buffer_get_size(buffer)), nanoseconds: Int64(clamping: duration))
    }
    if let layout = context.headFacts.flac, layout.isVarying { FLACFrameTimes.setTime(of: buffer, info, layout) }
  } else if let event = swiftlet_probe_event(info) {
    switch swiftlet_event_type(event) {
    case GST_EVENT_CAPS: context.encodedDepth = encodedDepth(event)
    case GST_EVENT_SEGMENT: SegmentBounds.moveInwards(info)
    default: break
    }
  }
  return GST_PAD_PROBE_OK
}

/// The bit depth in the caps of an encoded stream; nil if they do not contain it.
private func encodedDepth(_ event: UnsafeMutablePointer<GstEvent>) -> Int? {
  var caps: UnsafeMutablePointer<GstCaps>?
  gst_event_parse_caps(event, &caps)
  guard let caps, let structure = gst_caps_get_structure(caps, 0) else { return nil }
  if swiftlet_event_has_media_type(event, "audio/x-alac") != 0 {
    guard let buffer = swiftlet_structure_buffer(structure, "codec_data") else { return nil }
    var map = GstMapInfo()
    guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return nil }
    defer { gst_buffer_unmap(buffer, &map) }
    return ALACCookie(Array(UnsafeRawBufferPointer(start: map.data, count: Int(map.size))))?.bitDepth
  }
  var depth: gint = 0
  return gst_structure_get_int(structure, "depth", &depth) != 0 && depth > 0 ? Int(depth) : nil
}

/// Whether the pad's element claims to support random access to bytes.
private func isReadableAnywhere(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
  guard let query = gst_query_new_seeking(GST_FORMAT_BYTES) else { return false }
  defer { gst_query_unref(query) }
  var seekable: gboolean = 0
  if gst_pad_query(pad, query) != 0 { gst_query_parse_seeking(query, nil, &seekable, nil, nil) }
  return seekable != 0
}

/// A buffer of decoded sound or an event enters the queue.
func onBufferInput(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let info, let context = SourceContext.from(data) else { return GST_PAD_PROBE_OK }
  if let buffer = swiftlet_probe_buffer(info) {
    let place = pad.flatMap { times(of: buffer, on: $0) }
    let isWanted = context.filled(
      bytes: Int(gst_buffer_get_size(buffer)), end: place?.end, segmentDelay: place.map { $0.begin - $0.segment })
    if !isWanted { return GST_PAD_PROBE_DROP }
  } else if let event = swiftlet_probe_event(info) {
    switch swiftlet_event_type(event) {
    case GST_EVENT_CAPS:
      var caps: UnsafeMutablePointer<GstCaps>?
      gst_event_parse_caps(event, &caps)
      if let caps, let format = AudioFormat(caps: caps) { context.setBytesPerSecond(format.bytesPerSecond) }
    case GST_EVENT_STREAM_START: context.linkDecoded()
    case GST_EVENT_EOS: context.completed()
    case GST_EVENT_FLUSH_STOP: context.flushed()
    default: break
    }
  }
  return GST_PAD_PROBE_OK
}

/// Refuses serialized queries. In the queue they would block the decoder until the feeder has taken all sound before
/// them, while a starving output waits for the decoder. Each link of a chained stream begins with one.
func onBufferQuery(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let info, swiftlet_probe_has_serialized_query(info) != 0 else { return GST_PAD_PROBE_OK }
  return GST_PAD_PROBE_DROP
}

/// Stream positions of the segment and the buffer in nanoseconds, if the buffer has timestamps.
private func times(
  of buffer: UnsafeMutablePointer<GstBuffer>, on pad: UnsafeMutablePointer<GstPad>
) -> (segment: Int64, begin: Int64, end: Int64)? {
  let time = swiftlet_buffer_pts(buffer)
  let duration = swiftlet_buffer_duration(buffer)
  let none = swiftlet_clock_time_none()
  guard time != none, duration != none, let event = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0) else {
    return nil
  }
  defer { gst_event_unref(event) }
  var segment: UnsafePointer<GstSegment>?
  gst_event_parse_segment(event, &segment)
  let position = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, time)
  let (end, isNone) = position.addingReportingOverflow(duration)
  guard position != none, !isNone, let start = segment?.pointee.time else { return nil }
  return (Int64(clamping: start), Int64(clamping: position), Int64(clamping: end))
}

/// Handles a message of the source's pipeline: converts it to plain values and drops it.
func onSourceMessage(
  _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?, _ data: gpointer?
) -> GstBusSyncReply {
  guard let message, let context = SourceContext.from(data) else { return GST_BUS_PASS }
  switch swiftlet_message_type(message) {
  case GST_MESSAGE_ERROR: context.post(.failed(ElementFailure(message: message)))
  case GST_MESSAGE_ASYNC_DONE: context.post(.prerolled)
  case GST_MESSAGE_EOS: context.post(.documentEnded)
  case GST_MESSAGE_DURATION_CHANGED: context.post(.durationChanged)
  case GST_MESSAGE_TAG:
    if let tags = StreamTags(message: message, titled: context.isTitled) { context.post(.tags(context.placed(tags))) }
  case GST_MESSAGE_STREAM_START: context.streamStarted()
  default: break
  }
  swiftlet_message_unref(message)
  return GST_BUS_DROP
}
