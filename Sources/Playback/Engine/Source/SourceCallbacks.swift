import CGStreamer
import PlaybackFormats
import PlaybackModel

// What GStreamer calls on its own threads for a source. Each reads or writes the source's context and returns at once.

/// The context that a callback was registered with; the source keeps it alive until its pipeline is down.
private func context(_ data: UnsafeMutableRawPointer?) -> SourceContext? {
  data.map { Unmanaged<SourceContext>.fromOpaque($0).takeUnretainedValue() }
}

/// The decoder shows a stream: the first audio stream is ours.
func onDecodedPad(
  _ element: UnsafeMutablePointer<GstElement>?, _ pad: UnsafeMutablePointer<GstPad>?, _ data: gpointer?
) {
  guard let pad, let context = context(data) else { return }
  context.isRaw = swiftlet_is_decoded(pad) == 0
  _ = context.input.withPad("sink") { sink in
    if gst_pad_is_linked(sink) == 0 { gst_pad_link(pad, sink) }
  }
}

/// The element that reads the address was made: what its requests are to carry.
func onSourceSetup(
  _ element: UnsafeMutablePointer<GstElement>?, _ source: UnsafeMutablePointer<GstElement>?, _ data: gpointer?
) {
  guard let source, let context = context(data) else { return }
  if let pad = gst_element_get_static_pad(source, "src") {
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, onFirstData, data, nil)
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, onAnswer, data, nil)
    if context.isWithoutRanges { gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM, onQuery, nil, nil) }
    gst_object_unref(pad)
  }
  guard swiftlet_is_a(source, "GstSoupHTTPSrc") != 0 else { return }
  swiftlet_set_string(source, "user-agent", context.settings.userAgent)
  // Sends `Icy-MetaData: 1`.
  swiftlet_set_bool(source, "iradio-mode", 1)
  let headers = swiftlet_request_headers("transferMode.dlna.org", "Streaming")
  swiftlet_set_structure(source, "extra-headers", headers)
  gst_structure_free(headers)
  // Ours comes first: after its own, all that it says is that there is no connection.
  swiftlet_set_uint(source, "timeout", guint(context.settings.openTimeout.components.seconds + 2))
}

/// The server sends the beginning.
private func onFirstData(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let pad, let info, let context = context(data), let buffer = swiftlet_probe_buffer(info) else {
    return GST_PAD_PROBE_REMOVE
  }
  if !context.hasReceived, gst_buffer_memcmp(buffer, 0, "OggS", 4) == 0 { readAtWill(from: pad) }
  if !context.hasReceived, let interval = titleInterval(pad) { context.setTitleInterval(interval) }
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
  let (changes, endsHead, isEnough) = context.received(bytes, at: position)
  gst_buffer_unmap(buffer, &map)
  if !changes.isEmpty { change(swiftlet_probe_writable_buffer(info), changes) }
  if endsHead { context.post(.documentEnded) }
  return isEnough ? GST_PAD_PROBE_REMOVE : GST_PAD_PROBE_OK
}

/// The server's answer comes as an event: a radio station's has headers of its own. The caps of samples without a header
/// are made of their content type, which GStreamer reads in part: it knows `audio/L16` only, with two channels by default.
private func onAnswer(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let info, let context = context(data), let event = swiftlet_probe_event(info) else { return GST_PAD_PROBE_OK }
  if swiftlet_event_has_header(event, "icy-") != 0 || swiftlet_event_has_header(event, "ice-") != 0 {
    context.setStationHeaders()
  }
  guard let pad, let text = context.linearPCM?.headerlessCaps, let caps = gst_caps_from_string(text) else {
    return GST_PAD_PROBE_OK
  }
  if swiftlet_event_type(event) == GST_EVENT_CAPS, swiftlet_event_has_media_type(event, "audio/x-unaligned-raw") != 0 {
    swiftlet_probe_set_caps(info, caps)
    return GST_PAD_PROBE_OK
  }
  if swiftlet_event_type(event) == GST_EVENT_CUSTOM_DOWNSTREAM_STICKY { swiftlet_source_offer_caps(pad, caps) }
  swiftlet_caps_unref(caps)
  return GST_PAD_PROBE_OK
}

/// What reads HTTP takes every server that tells a length for one that sends ranges.
private func onQuery(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let info, swiftlet_probe_refuse_seeking(info) != 0 else { return GST_PAD_PROBE_OK }
  return GST_PAD_PROBE_HANDLED
}

private func change(_ buffer: UnsafeMutablePointer<GstBuffer>?, _ changes: [(index: Int, value: UInt8)]) {
  var map = GstMapInfo()
  guard let buffer, gst_buffer_map(buffer, &map, GST_MAP_WRITE) != 0 else { return }
  let bytes = UnsafeMutableRawBufferPointer(start: map.data, count: Int(map.size))
  for change in changes where bytes.indices.contains(change.index) { bytes[change.index] = change.value }
  gst_buffer_unmap(buffer, &map)
}

/// An element was made somewhere within: what kind of stream it is shows in some, and what goes into a decoder is looked
/// at.
func onElementAdded(
  _ bin: UnsafeMutablePointer<GstBin>?, _ inner: UnsafeMutablePointer<GstBin>?,
  _ element: UnsafeMutablePointer<GstElement>?, _ data: gpointer?
) {
  guard let element, let context = context(data) else { return }
  if swiftlet_is_a(element, "GstAdaptiveDemux") != 0 { context.isSegmented = true }
  if swiftlet_is_a(element, "GstFlacParse") != 0 { context.flacParser = ElementReference(element) }
  if swiftlet_is_a(element, "GstWavParse") != 0 { context.container = .wav }
  if swiftlet_is_a(element, "GstAiffParse") != 0 { context.container = .aiff }
  if swiftlet_is_a(element, "GstMatroskaDemux") != 0 { context.breakSeeking() }
  // Without, stereo is decoded as what is mixed to one channel needs it: as nobody else's decoder does by default.
  if swiftlet_is_a(element, "GstOpusDec") != 0 { swiftlet_set_bool(element, "phase-inversion", 1) }
  guard swiftlet_is_a(element, "GstAudioDecoder") != 0, let pad = gst_element_get_static_pad(element, "sink") else {
    return
  }
  let kinds = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
  gst_pad_add_probe(pad, GstPadProbeType(rawValue: kinds), onEncodedData, data, nil)
  gst_object_unref(pad)
}

/// Encoded sound goes into the decoder, or an event about it.
private func onEncodedData(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let pad, let info, let context = context(data) else { return GST_PAD_PROBE_OK }
  if let buffer = swiftlet_probe_buffer(info) {
    if swiftlet_buffer_is_clipped(buffer) != 0 { context.setClipped() }
    let duration = swiftlet_buffer_duration(buffer)
    if duration != swiftlet_clock_time_none() {
      context.decodes(bytes: Int(gst_buffer_get_size(buffer)), nanoseconds: Int64(clamping: duration))
    }
    if let layout = context.flac, layout.isVarying { setTime(of: buffer, info, layout) }
    // The last packet's duration tells where the sound ends; the decoder gives all that the packet has room for.
    if swiftlet_pad_has_media_type(pad, "audio/x-vorbis") != 0, let end = end(of: buffer, on: pad) {
      context.packetsEnd = end
    }
  } else if let event = swiftlet_probe_event(info), swiftlet_event_type(event) == GST_EVENT_SEGMENT {
    swiftlet_probe_round_segment(info)
  }
  return GST_PAD_PROBE_OK
}

/// The parser has no time for frames that vary in size (GStreamer 1.22), but their headers do.
private func setTime(
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

/// After how many bytes of sound a title comes; nil if the stream has none.
private func titleInterval(_ pad: UnsafeMutablePointer<GstPad>) -> Int? {
  guard swiftlet_pad_has_media_type(pad, "application/x-icy") != 0, let caps = gst_pad_get_current_caps(pad) else {
    return nil
  }
  defer { swiftlet_caps_unref(caps) }
  var interval: gint = 0
  gst_structure_get_int(gst_caps_get_structure(caps, 0), "metadata-interval", &interval)
  return interval > 0 ? Int(interval) : nil
}

/// A decoder is about to be chosen: libavcodec's does not know MP3 in free format, mpg123 does.
func onDecoderChoice(
  _ bin: UnsafeMutablePointer<GstElement>?, _ pad: UnsafeMutablePointer<GstPad>?,
  _ caps: UnsafeMutablePointer<GstCaps>?,
  _ factory: OpaquePointer?, _ data: gpointer?
) -> SwiftletDecoderChoice {
  guard let factory, let context = context(data), context.isFreeFormat,
    String(cString: swiftlet_factory_name(factory)).hasPrefix("avdec_mp3")
  else { return SWIFTLET_DECODER_TRY }
  return SWIFTLET_DECODER_SKIP
}

/// Whether the element with this pad thinks that it can begin to read anywhere.
private func isReadableAnywhere(_ pad: UnsafeMutablePointer<GstPad>) -> Bool {
  guard let query = gst_query_new_seeking(GST_FORMAT_BYTES) else { return false }
  defer { gst_query_unref(query) }
  var seekable: gboolean = 0
  if gst_pad_query(pad, query) != 0 { gst_query_parse_seeking(query, nil, &seekable, nil, nil) }
  return seekable != 0
}

/// Ogg has its length at its end: read as it comes, it gives durations that are up to a second short, and does not seek
/// until it has found them. With a ring buffer in between, the demuxer reads where it likes.
private func readAtWill(from pad: UnsafeMutablePointer<GstPad>) {
  guard isReadableAnywhere(pad), let source = gst_pad_get_parent_element(pad) else { return }
  defer { gst_object_unref(source) }
  guard let decoder = gst_object_get_parent(swiftlet_object(source)) else { return }
  defer { gst_object_unref(decoder) }
  if swiftlet_has_property(decoder, "ring-buffer-max-size") != 0 {
    swiftlet_set_uint64(decoder, "ring-buffer-max-size", 2 << 20)
  }
}

/// The form of the decoded sound is told. WAV and raw samples need not say where each channel is heard from.
func onDecodedEvent(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  if let pad, let info, let event = swiftlet_probe_event(info), swiftlet_event_type(event) == GST_EVENT_CAPS {
    swiftlet_probe_set_positions(info)
    swiftlet_probe_limit_channels(pad, info)
  }
  return GST_PAD_PROBE_OK
}

/// Sound goes into the buffer, or an event about it.
func onBufferInput(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let info, let context = context(data) else { return GST_PAD_PROBE_OK }
  if let buffer = swiftlet_probe_buffer(info) {
    let place = pad.flatMap { times(of: buffer, on: $0) }
    context.filled(
      bytes: Int(gst_buffer_get_size(buffer)), end: place?.end, segmentDelay: place.map { $0.begin - $0.segment })
  } else if let event = swiftlet_probe_event(info) {
    switch swiftlet_event_type(event) {
    case GST_EVENT_CAPS:
      var caps: UnsafeMutablePointer<GstCaps>?
      gst_event_parse_caps(event, &caps)
      if let caps, let format = AudioFormat(caps: caps) { context.setBytesPerSecond(format.bytesPerSecond) }
    case GST_EVENT_EOS: context.completed()
    case GST_EVENT_FLUSH_STOP: context.flushed()
    default: break
    }
  }
  return GST_PAD_PROBE_OK
}

/// Where in the track the buffer ends, if it says so.
private func end(of buffer: UnsafeMutablePointer<GstBuffer>, on pad: UnsafeMutablePointer<GstPad>) -> Int64? {
  times(of: buffer, on: pad)?.end
}

/// Where in the track the buffer and its segment lie, in nanoseconds, if it says so.
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

/// A message of the source's pipeline. Everything of use is taken out of it here.
func onSourceMessage(
  _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?, _ data: gpointer?
) -> GstBusSyncReply {
  guard let message, let context = context(data) else { return GST_BUS_PASS }
  switch swiftlet_message_type(message) {
  case GST_MESSAGE_ERROR: context.post(.failed(ElementFailure(message: message)))
  case GST_MESSAGE_ASYNC_DONE: context.post(.prerolled)
  case GST_MESSAGE_EOS: context.post(.documentEnded)
  case GST_MESSAGE_ELEMENT:
    // Told before the caps that are made of it.
    if let type = swiftlet_message_header(message, "content-type") {
      context.linearPCM = LinearPCMType.layout(String(cString: type))
    }
  case GST_MESSAGE_DURATION_CHANGED: context.post(.durationChanged)
  case GST_MESSAGE_TAG:
    if let tags = StreamTags(message: message, titled: context.isTitled) { context.post(.tags(tags)) }
  default: break
  }
  swiftlet_message_unref(message)
  return GST_BUS_DROP
}
