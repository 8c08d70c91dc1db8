import CGStreamer
import PlaybackModel

/// From samples to the device: a pipeline that lives as long as the player; its device is open from READY on.
///
/// Used on the pipeline's thread, but for what says otherwise.
final class OutputChain: Sendable {
  let context: OutputContext
  /// Volume, and conversion where the device needs it.
  let converter: OutputConverter
  private let pipeline: ElementReference
  private let source: ElementReference
  private let sink: ElementReference
  /// Whether the sink keeps the time of a clock; a file written as fast as can be does not.
  private let isClocked: Bool
  /// The device that samples go to as they leave the converter, if it is one of ALSA's.
  private let alsaDevice: String?

  /// For the feeder's thread, too.
  var appSource: UnsafeMutablePointer<GstAppSrc> { swiftlet_app_src(source.pointer) }

  /// How much may wait in front of the device, beside the device's own buffer: more than that buffer holds, since at the
  /// start it takes all that it has room for at once, and cannot wait for the track after that.
  private static let lead: guint64 = 300_000_000

  init(_ description: OutputDescription, mailbox: Mailbox) throws(OutputError) {
    GStreamerLibrary.start()
    let device = try OutputDevice.make(description)
    guard let pipeline = ElementReference(factory: "pipeline"), let source = ElementReference(factory: "appsrc") else {
      throw .incomplete
    }
    alsaDevice = if case .alsa(let name) = description { name } else { nil }
    context = OutputContext(mailbox: mailbox)
    self.pipeline = pipeline
    self.source = source
    sink = OutputDevice.sink(in: device)
    isClocked =
      swiftlet_has_property(sink.pointer, "sync") == 0 || swiftlet_get_bool(sink.pointer, "sync") != 0
    converter = try OutputConverter(source: source, device: device, sink: sink, context: context)

    let chain = [source] + converter.elements.chain + [device]
    for element in chain { element.add(to: pipeline) }
    for (upper, lower) in zip(chain, chain.dropFirst()) where gst_element_link(upper.pointer, lower.pointer) == 0 {
      throw OutputError("The output “\(description)” takes no audio.")
    }
    swiftlet_set_int(source.pointer, "format", gint(GST_FORMAT_TIME.rawValue))
    swiftlet_set_bool(source.pointer, "block", 1)
    swiftlet_set_uint64(source.pointer, "max-bytes", 0)
    swiftlet_set_uint64(source.pointer, "max-time", Self.lead)

    let data = Unmanaged.passUnretained(self).toOpaque()
    _ = device.withPad("sink") { pad in
      gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, onOutputBuffer, data, nil)
    }
    if let bus = gst_element_get_bus(pipeline.pointer) {
      gst_bus_set_sync_handler(bus, onOutputMessage, data, nil)
      gst_object_unref(bus)
    }
    hearOfRecoveries()
  }

  /// A card that ran out of samples, since the thread that writes to it was late, is got going again by the sink, which
  /// tells nobody but a slave method. As the sink's clock is the pipeline's, none of them has anything else to do.
  private func hearOfRecoveries() {
    guard swiftlet_is_a(sink.pointer, "GstAlsaSink") != 0, swiftlet_get_bool(sink.pointer, "provide-clock") != 0 else {
      return
    }
    let sink = swiftlet_audio_base_sink(sink.pointer)
    gst_audio_base_sink_set_slave_method(sink, GST_AUDIO_BASE_SINK_SLAVE_CUSTOM)
    gst_audio_base_sink_set_custom_slaving_callback(
      sink, onDiscontinuity, Unmanaged.passUnretained(context).toOpaque(), nil)
  }

  // MARK: States

  /// Asks an ALSA device what it takes, which is done while it is not open.
  func probe() throws(PlaybackError) {
    guard let alsaDevice else { return }
    let forms: Set<DeviceForm>
    do throws(ALSADevice.Failure) {
      forms = try ALSADevice.forms(alsaDevice)
    } catch {
      throw PlaybackError(alsa: error)
    }
    if forms.isEmpty { throw .deviceFailed("it takes sound in no form that is known here") }
    converter.setForms(forms)
  }

  /// Opens the device; does nothing if it is open.
  /// - Returns: false if it cannot be opened; `OutputEvent.failed` says why.
  func open() -> Bool {
    gst_element_set_state(pipeline.pointer, GST_STATE_READY) != GST_STATE_CHANGE_FAILURE
  }

  /// Begins a run from running time zero. The device must be open.
  func begin(epoch: Int, paused: Bool) {
    context.setEpoch(epoch)
    converter.reset()
    gst_element_set_state(pipeline.pointer, paused ? GST_STATE_PAUSED : GST_STATE_PLAYING)
  }

  func pause() {
    context.watch(false)
    gst_element_set_state(pipeline.pointer, GST_STATE_PAUSED)
  }

  func resume() { gst_element_set_state(pipeline.pointer, GST_STATE_PLAYING) }

  /// Throws away what is not yet heard and ends the run; the device stays open.
  func silence(epoch: Int) {
    context.watch(false)
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

  /// What the device's clock shows, which goes on where nothing is left to be heard. For every thread.
  var clockTime: Int64 {
    switch reading {
    case .time(let time): time
    case .none, .nonsense: runningTime
    }
  }

  /// What is heard now, in nanoseconds since the run began. For every thread.
  var runningTime: Int64 {
    guard isClocked else { return Int64(clamping: context.end) }
    if case .nonsense = reading { return roughTime }
    var position: gint64 = 0
    guard gst_element_query_position(pipeline.pointer, GST_FORMAT_TIME, &position) != 0 else { return 0 }
    return max(0, Int64(position))
  }

  /// Whether the device's clock has lost its way, for the rest of the run. PulseAudio's client reckons the time from what it
  /// last heard of the server, and has been seen to go on by centuries when the machine had stood still. For every thread.
  var hasLostTime: Bool { if case .nonsense = reading { true } else { false } }

  private enum Reading {
    case none
    case time(Int64)
    case nonsense
  }

  /// No device is faster than real time by more than a hundredth; a minute is for what is not known of clocks.
  private var reading: Reading {
    let time = gst_element_get_current_running_time(pipeline.pointer)
    guard isClocked, time != swiftlet_clock_time_none() else { return .none }
    let latest = context.age * 1.01 + .seconds(60)
    guard let time = Int64(exactly: time), time < latest.nanoseconds else { return .nonsense }
    return .time(time)
  }

  /// What is heard now as far as can be told without a clock.
  private var roughTime: Int64 { max(0, Int64(clamping: context.end) - min(max(0, deviceLead), 1_000_000_000)) }

  /// How far ahead of the ear the device has taken its sound already. For every thread.
  var deviceLead: Int64 { Int64(swiftlet_audio_sink_lead(sink.pointer)) }

  /// Whether the device does not play, and will not until it has got more: it begins with a full buffer. For every thread.
  var awaitsMore: Bool {
    swiftlet_is_audio_sink(sink.pointer) != 0 && swiftlet_audio_sink_runs(sink.pointer) == 0
  }

  // MARK: On the streaming threads

  fileprivate func arrived(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    let start = UInt64(swiftlet_buffer_pts(buffer))
    let (end, hasNoTime) = start.addingReportingOverflow(UInt64(swiftlet_buffer_duration(buffer)))
    guard !hasNoTime else { return }
    // Asked for in any case: a sink that was opened for another rate and whose clock nobody has asked since puts what comes
    // next where it does not belong, and corrects that after a second (GStreamer 1.22).
    let reading = reading
    // A ring buffer that is still being filled does not run out.
    let ahead: Int64? =
      if swiftlet_audio_sink_runs(sink.pointer) != 0, case .time(let now) = reading {
        Int64(clamping: end) - now - deviceLead
      } else {
        nil
      }
    context.arrived(start: start, end: end, ahead: ahead)
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
      if state == GST_STATE_PLAYING {
        context.watch(true)
        context.post(.playing)
      }
    default: break
    }
  }
}

// All callbacks get their object unretained: the chain outlives its pipeline's threads, since `close` ends them before it
// goes.

private func onDiscontinuity(
  _ sink: UnsafeMutablePointer<GstAudioBaseSink>?, _ external: GstClockTime, _ internal: GstClockTime,
  _ skew: UnsafeMutablePointer<GstClockTimeDiff>?, _ reason: GstAudioBaseSinkDiscontReason, _ data: gpointer?
) {
  guard let data, reason == GST_AUDIO_BASE_SINK_DISCONT_REASON_DEVICE_FAILURE else { return }
  Unmanaged<OutputContext>.fromOpaque(data).takeUnretainedValue().post(.xrun)
}

private func onOutputBuffer(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let info, let data, let buffer = swiftlet_probe_buffer(info) else { return GST_PAD_PROBE_OK }
  Unmanaged<OutputChain>.fromOpaque(data).takeUnretainedValue().arrived(buffer)
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
