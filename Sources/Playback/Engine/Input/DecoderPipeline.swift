import CGStreamer
import PlaybackModel

/// A GStreamer pipeline that reads and decodes one address. The feeder pulls the samples from its appsink.
///
/// All methods may be called on any thread: the elements have their own locks.
final class DecoderPipeline: SampleSource {
  /// State shared with GStreamer's streaming threads.
  let context: SourceContext
  private let pipeline: ElementReference
  private let reader: ElementReference
  private let decoder: ElementReference
  private let queue: ElementReference
  private let sink: ElementReference

  /// - Parameter isWithoutRanges: whether the server is known to ignore range requests.
  init(
    uri: String, isWithoutRanges: Bool, settings: PlayerSettings, mailbox: Mailbox
  ) throws(PlaybackError) {
    guard let reader = gst_element_make_from_uri(GST_URI_SRC, uri, nil, nil).map(ElementReference.init) else {
      throw .badAddress
    }
    guard let pipeline = ElementReference(factory: "pipeline"),
      let decoder = ElementReference(factory: "decodebin"), let convert = ElementReference(factory: "audioconvert"),
      let layout = ElementReference(factory: "capsfilter"), let queue = ElementReference(factory: "queue"),
      let sink = ElementReference(factory: "appsink")
    else { throw .failed("GStreamer's base plugins are not installed") }
    self.pipeline = pipeline
    self.reader = reader
    self.decoder = decoder
    self.queue = queue
    self.sink = sink
    context = SourceContext(mailbox: mailbox, input: convert, settings: settings, isWithoutRanges: isWithoutRanges)

    for element in [reader, decoder, convert, layout, queue, sink] { element.add(to: pipeline) }
    gst_element_link(convert.pointer, layout.pointer)
    gst_element_link(layout.pointer, queue.pointer)
    gst_element_link(queue.pointer, sink.pointer)

    Self.setCaps(decoder, "audio/x-raw(ANY)")
    swiftlet_set_bool(decoder.pointer, "expose-all-streams", 0)
    // Keeps the decoder's format. Only planar samples are interleaved, which does not change their values.
    Self.setCaps(layout, "audio/x-raw,layout=interleaved")
    // Suppresses signals, since nothing is connected to them.
    swiftlet_set_bool(queue.pointer, "silent", 1)
    swiftlet_set_uint(queue.pointer, "max-size-buffers", 0)
    swiftlet_set_uint(queue.pointer, "max-size-bytes", guint(settings.bufferBytes))
    swiftlet_set_uint64(queue.pointer, "max-size-time", guint64(settings.sourceDepth.nanoseconds))
    swiftlet_set_bool(sink.pointer, "sync", 0)
    swiftlet_set_uint(sink.pointer, "max-buffers", 2)
    swiftlet_set_bool(sink.pointer, "wait-on-eos", 0)
    connectCallbacks(input: convert)
    connectReader()
  }

  private static func setCaps(_ element: ElementReference, _ text: String) {
    guard let caps = gst_caps_from_string(text) else { return }
    swiftlet_set_caps(element.pointer, "caps", caps)
    swiftlet_caps_unref(caps)
  }

  /// Callbacks get the context unretained: `end` keeps it alive until the last callback has returned.
  private func connectCallbacks(input: ElementReference) {
    let data = Unmanaged.passUnretained(context).toOpaque()
    swiftlet_on_pad_added(decoder.pointer, onDecodedPad, data)
    swiftlet_on_element_added(decoder.pointer, onElementAdded, data)
    _ = input.withPad("sink") { gst_pad_add_probe($0, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, onDecodedEvent, nil, nil) }
    _ = queue.withPad("sink") { pad in
      let kinds =
        GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
        | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue
      gst_pad_add_probe(pad, GstPadProbeType(rawValue: kinds), onBufferInput, data, nil)
      gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, onBufferQuery, nil, nil)
    }
    if let bus = gst_element_get_bus(pipeline.pointer) {
      gst_bus_set_sync_handler(bus, onSourceMessage, data, nil)
      gst_object_unref(bus)
    }
  }

  /// Links the reader to the decoder; over HTTP, only once the first bytes have arrived.
  private func connectReader() {
    context.observe(reader)
    guard context.httpReader != nil else {
      gst_element_link(reader.pointer, decoder.pointer)
      return
    }
    gst_element_set_locked_state(decoder.pointer, 1)
    _ = reader.withPad("src") { pad in
      gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM, onFirstData, decoder.pointer, nil)
    }
  }

  // MARK: SampleSource

  func open() { gst_element_set_state(pipeline.pointer, GST_STATE_PLAYING) }

  func pull(timeout: Duration, lead: () -> ClockedPlayout.Lead?) -> SamplePull {
    let appSink = swiftlet_app_sink(sink.pointer)
    guard let sample = gst_app_sink_try_pull_sample(appSink, guint64(timeout.nanoseconds)) else {
      if context.isDrained { return .end }
      // A failed stream ends with EOS, too.
      return gst_app_sink_is_eos(appSink) != 0 && context.awaitVerdict(timeout: timeout) ? .end : .nothing
    }
    defer { swiftlet_sample_unref(sample) }
    guard let caps = gst_sample_get_caps(sample), let buffer = gst_sample_get_buffer(sample),
      let samples = SampleBuffer(
        taking: swiftlet_buffer_ref(buffer), caps: caps, streamTime: Self.streamTime(of: buffer, in: sample))
    else { return .nothing }
    context.taken(bytes: Int(gst_buffer_get_size(buffer)))
    return .samples(samples)
  }

  private static func streamTime(of buffer: UnsafeMutablePointer<GstBuffer>, in sample: OpaquePointer) -> Int64? {
    let time = swiftlet_buffer_pts(buffer)
    guard time != swiftlet_clock_time_none(), let segment = gst_sample_get_segment(sample) else { return nil }
    let position = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, time)
    return position == swiftlet_clock_time_none() ? nil : min(Int64(clamping: position), AudioFormat.longest)
  }

  func end() {
    Disposal.end(pipeline, context) { [reader, queue, sink] in
      // Stop the sinks first, so that no streaming thread blocks in them.
      swiftlet_stop(sink.pointer)
      swiftlet_stop(queue.pointer)
      AIFFParserStop.stopInput(reader.pointer)
    }
  }

  /// Reads the rest of a document that the decoder refused, on the same connection. Posts `documentRead` at the end.
  /// - Returns: false if the address is not HTTP.
  func readDocument() -> Bool {
    guard let reader = context.httpReader else { return false }
    NamedThread.start("document") { [context] in
      HTTPSourceElement.reader(reader.pointer)?.readOn { bytes, position in
        _ = context.received(bytes, at: position)
        return !context.isHeadComplete
      }
      context.post(.documentRead)
    }
    return true
  }

  // MARK: The stream

  /// The format of the decoded sound; nil before the first samples.
  var format: AudioFormat? {
    sink.withPad("sink") { pad in
      guard let caps = gst_pad_get_current_caps(pad) else { return nil }
      defer { swiftlet_caps_unref(caps) }
      return AudioFormat(caps: caps)
    } ?? nil
  }

  /// Size of the whole file in bytes, if known.
  var size: Int? {
    var size: gint64 = 0
    return gst_element_query_duration(pipeline.pointer, GST_FORMAT_BYTES, &size) != 0 && size > 0 ? Int(size) : nil
  }

  /// Offset in the file of the next byte that the decoder gets.
  var bytesRead: Int {
    var position: gint64 = 0
    return gst_element_query_position(reader.pointer, GST_FORMAT_BYTES, &position) != 0 ? Int(position) : 0
  }

  /// Duration of the stream as the container declares or the parser estimates it. Nil for fragmented files, since the
  /// demuxer counts only the fragments it has read.
  var parserDuration: Duration? {
    var nanoseconds: gint64 = -1
    guard !context.headFacts.isFragmented,
      gst_element_query_duration(pipeline.pointer, GST_FORMAT_TIME, &nanoseconds) != 0,
      nanoseconds > 0
    else { return nil }
    return .nanoseconds(min(Int64(nanoseconds), AudioFormat.longest))
  }

  /// Whether the demuxer claims to be seekable. Some claim this without asking whether the server supports ranges.
  var claimsToSeek: Bool {
    guard let query = gst_query_new_seeking(GST_FORMAT_TIME) else { return false }
    defer { gst_query_unref(query) }
    var seekable: gboolean = 0
    if gst_element_query(pipeline.pointer, query) != 0 { gst_query_parse_seeking(query, nil, &seekable, nil, nil) }
    return seekable != 0
  }

  /// Flushes buffered samples and continues at a position in the stream.
  /// - Returns: false if the stream refuses.
  func seek(to place: Duration, _ flags: GstSeekFlags) -> Bool {
    gst_element_seek_simple(pipeline.pointer, GST_FORMAT_TIME, flags, gint64(place.nanoseconds)) != 0
  }
}
