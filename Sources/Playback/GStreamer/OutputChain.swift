import CGStreamer

/// From samples to the device: volume, and conversion where the device needs it. A pipeline that lives as long as the
/// player; its device is open from READY on.
///
/// Used on the pipeline's thread, but for what says otherwise.
final class OutputChain: Sendable {
  let context: OutputContext
  private let pipeline: ElementReference
  private let source: ElementReference
  private let convertIn: ElementReference
  private let processing: ElementReference
  private let volume: ElementReference
  private let convertOut: ElementReference
  private let device: ElementReference
  private let sink: ElementReference
  /// Whether the sink keeps the time of a clock; a file written as fast as can be does not.
  private let isClocked: Bool

  /// For the feeder's thread, too.
  var appSource: UnsafeMutablePointer<GstAppSrc> { swiftlet_app_src(source.pointer) }

  /// How much may wait in front of the device, beside the device's own buffer.
  private static let lead: guint64 = 100_000_000

  init(_ description: OutputDescription, mailbox: Mailbox) throws(OutputError) {
    GStreamerLibrary.start()
    let device = try OutputDevice.make(description)
    guard let pipeline = ElementReference(factory: "pipeline"), let source = ElementReference(factory: "appsrc"),
      let convertIn = ElementReference(factory: "audioconvert"),
      let processing = ElementReference(factory: "capsfilter"), let volume = ElementReference(factory: "volume"),
      let resample = ElementReference(factory: "audioresample"),
      let convertOut = ElementReference(factory: "audioconvert"),
      let format = ElementReference(factory: "capsfilter")
    else { throw OutputError("GStreamer's base plugins are not installed (gstreamer1.0-plugins-base).") }
    context = OutputContext(mailbox: mailbox)
    self.pipeline = pipeline
    self.source = source
    self.convertIn = convertIn
    self.processing = processing
    self.volume = volume
    self.convertOut = convertOut
    self.device = device
    sink = OutputDevice.sink(in: device)
    isClocked =
      swiftlet_has_property(sink.pointer, "sync") == 0 || swiftlet_get_bool(sink.pointer, "sync") != 0

    let chain = [source, convertIn, processing, volume, resample, convertOut, format, device]
    for element in chain { element.add(to: pipeline) }
    for (upper, lower) in zip(chain, chain.dropFirst()) where gst_element_link(upper.pointer, lower.pointer) == 0 {
      throw OutputError("The output “\(description)” takes no audio.")
    }
    swiftlet_set_int(source.pointer, "format", gint(GST_FORMAT_TIME.rawValue))
    swiftlet_set_bool(source.pointer, "block", 1)
    swiftlet_set_uint64(source.pointer, "max-bytes", 0)
    swiftlet_set_uint64(source.pointer, "max-time", Self.lead)
    swiftlet_set_int(convertOut.pointer, "dithering", 0)

    let data = Unmanaged.passUnretained(self).toOpaque()
    _ = convertIn.withPad("sink") { pad in
      gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, onOutputFormat, data, nil)
    }
    _ = device.withPad("sink") { pad in
      gst_pad_add_probe(
        pad, GST_PAD_PROBE_TYPE_BUFFER, onOutputBuffer, Unmanaged.passUnretained(context).toOpaque(), nil)
    }
    if let bus = gst_element_get_bus(pipeline.pointer) {
      gst_bus_set_sync_handler(bus, onOutputMessage, data, nil)
      gst_object_unref(bus)
    }
  }

  // MARK: States

  /// Opens the device; does nothing if it is open.
  /// - Returns: false if it cannot be opened; `OutputEvent.failed` says why.
  func open() -> Bool {
    gst_element_set_state(pipeline.pointer, GST_STATE_READY) != GST_STATE_CHANGE_FAILURE
  }

  /// Begins a run from running time zero. The device must be open.
  func begin(epoch: Int, paused: Bool) {
    context.setEpoch(epoch)
    gst_element_set_state(pipeline.pointer, paused ? GST_STATE_PAUSED : GST_STATE_PLAYING)
  }

  func pause() { gst_element_set_state(pipeline.pointer, GST_STATE_PAUSED) }

  func resume() { gst_element_set_state(pipeline.pointer, GST_STATE_PLAYING) }

  /// Throws away what is not yet heard and ends the run; the device stays open.
  func silence(epoch: Int) {
    context.setEpoch(epoch)
    if state > GST_STATE_READY.rawValue { gst_element_set_state(pipeline.pointer, GST_STATE_READY) }
  }

  /// Closes the device.
  func close() { gst_element_set_state(pipeline.pointer, GST_STATE_NULL) }

  private var state: UInt32 {
    var now = GST_STATE_NULL
    var pending = GST_STATE_VOID_PENDING
    gst_element_get_state(pipeline.pointer, &now, &pending, 0)
    return max(now.rawValue, pending.rawValue)
  }

  func recalculateLatency() { gst_bin_recalculate_latency(swiftlet_bin(pipeline.pointer)) }

  /// What is heard now, in nanoseconds since the run began. For every thread.
  var runningTime: Int64 {
    guard isClocked else { return Int64(clamping: context.end) }
    var position: gint64 = 0
    guard gst_element_query_position(pipeline.pointer, GST_FORMAT_TIME, &position) != 0 else { return 0 }
    return max(0, Int64(position))
  }

  /// How far ahead of the ear the device has taken its sound already. For every thread.
  var deviceLead: Int64 { Int64(swiftlet_audio_sink_lead(sink.pointer)) }

  /// Lets a sound begin that is shorter than the device's buffer, which waits to be full. For every thread.
  func startShortSound() { swiftlet_audio_sink_start(sink.pointer) }

  /// Whether the device is closed and opened between the two formats. For the feeder's thread.
  func reopens(from old: AudioFormat?, to new: AudioFormat, like caps: UnsafeMutablePointer<GstCaps>) -> Bool {
    guard let old, swiftlet_is_audio_sink(sink.pointer) != 0 else { return false }
    return device.withPad("sink") { pad in
      guard let allowed = gst_pad_query_caps(pad, nil) else { return false }
      defer { swiftlet_caps_unref(allowed) }
      guard let before = OutputFormat.choose(old, like: caps, allowed: allowed) else { return false }
      defer { swiftlet_caps_unref(before) }
      guard let after = OutputFormat.choose(new, like: caps, allowed: allowed) else { return false }
      defer { swiftlet_caps_unref(after) }
      return gst_caps_is_equal(before, after) == 0
    } ?? false
  }

  // MARK: Volume

  /// The factor on every sample. At exactly 1 they pass as they are.
  func setGain(_ gain: Double) {
    let isProcessing = gain != 1
    // Dither where 32-bit samples are cut down after the volume has made use of all their bits, and nowhere else.
    swiftlet_set_int(convertOut.pointer, "dithering", isProcessing ? 2 : 0)
    swiftlet_set_double(volume.pointer, "volume", gain)
    guard isProcessing != context.isProcessing else { return }
    context.isProcessing = isProcessing
    if let caps = gst_caps_from_string(isProcessing ? "audio/x-raw,format=S32LE,layout=interleaved" : "ANY") {
      swiftlet_set_caps(processing.pointer, "caps", caps)
      swiftlet_caps_unref(caps)
    }
  }

  func setMuted(_ isMuted: Bool) {
    swiftlet_set_bool(volume.pointer, "mute", isMuted ? 1 : 0)
  }

  // MARK: On the streaming thread

  /// Samples of another form are about to come: chooses the form in which the device gets them, and lets the device
  /// play what it has of the old form first.
  fileprivate func changeFormat(to caps: UnsafeMutablePointer<GstCaps>) {
    guard let input = AudioFormat(caps: caps) else { return }
    _ = device.withPad("sink") { pad in
      guard let allowed = gst_pad_query_caps(pad, nil) else { return }
      defer { swiftlet_caps_unref(allowed) }
      guard let chosen = OutputFormat.choose(input, like: caps, allowed: allowed) else { return }
      defer { swiftlet_caps_unref(chosen) }
      let current = gst_pad_get_current_caps(pad)
      defer { if let current { swiftlet_caps_unref(current) } }
      if let current, gst_caps_is_equal(current, chosen) == 0 { drain() }
      guard let filter = gst_pad_get_peer(pad) else { return }
      defer { gst_object_unref(filter) }
      guard let element = gst_pad_get_parent_element(filter) else { return }
      defer { gst_object_unref(element) }
      swiftlet_set_caps(element, "caps", chosen)
    }
  }

  /// Waits until the device has played what it was given. A sink on a ring buffer throws the rest away when the format
  /// changes; it waits for a GAP event as it waits for the end of the stream, interrupted by pause and flush alike.
  private func drain() {
    guard swiftlet_is_audio_sink(sink.pointer) != 0 else { return }
    _ = sink.withPad("sink") { pad in
      gst_pad_send_event(pad, gst_event_new_gap(GstClockTime(context.end), 0))
    }
  }

  fileprivate func received(_ message: UnsafeMutablePointer<GstMessage>) {
    switch swiftlet_message_type(message) {
    case GST_MESSAGE_ERROR: context.post(.failed(ElementFailure(message: message)))
    case GST_MESSAGE_EOS: context.post(.ended)
    case GST_MESSAGE_LATENCY: context.post(.latencyChanged)
    case GST_MESSAGE_STATE_CHANGED:
      guard let source = swiftlet_message_source(message), source == UnsafeMutableRawPointer(pipeline.pointer) else {
        return
      }
      var state = GST_STATE_NULL
      gst_message_parse_state_changed(message, nil, &state, nil)
      if state == GST_STATE_PLAYING { context.post(.playing) }
    default: break
    }
  }
}

// Both callbacks get the chain unretained: it outlives its pipeline's threads, since `close` ends them before it goes.

private func onOutputFormat(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let info, let data, let event = swiftlet_probe_event(info), swiftlet_event_type(event) == GST_EVENT_CAPS
  else { return GST_PAD_PROBE_OK }
  var caps: UnsafeMutablePointer<GstCaps>?
  gst_event_parse_caps(event, &caps)
  if let caps { Unmanaged<OutputChain>.fromOpaque(data).takeUnretainedValue().changeFormat(to: caps) }
  return GST_PAD_PROBE_OK
}

private func onOutputBuffer(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let info, let data, let buffer = swiftlet_probe_buffer(info) else { return GST_PAD_PROBE_OK }
  Unmanaged<OutputContext>.fromOpaque(data).takeUnretainedValue().end =
    UInt64(swiftlet_buffer_pts(buffer) + swiftlet_buffer_duration(buffer))
  return GST_PAD_PROBE_OK
}

private func onOutputMessage(
  _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?, _ data: gpointer?
) -> GstBusSyncReply {
  guard let message, let data else { return GST_BUS_PASS }
  Unmanaged<OutputChain>.fromOpaque(data).takeUnretainedValue().received(message)
  swiftlet_message_unref(message)
  return GST_BUS_DROP
}
