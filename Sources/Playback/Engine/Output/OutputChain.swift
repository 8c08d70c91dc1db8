import CGStreamer
import PlaybackModel

/// The output pipeline: converts samples and plays them on the device. It exists as long as the player, and keeps the
/// device open from READY on.
///
/// Used on the pipeline's thread, except for members marked "any thread".
final class OutputChain: Sendable {
  let context: OutputContext
  /// Applies the volume, and converts samples where the device needs it.
  let converter: OutputConverter
  private let pipeline: ElementReference
  private let source: ElementReference
  private let sink: ElementReference
  /// Whether the sink is synchronized to a clock. A file that is written as fast as possible is not.
  private let isClocked: Bool
  /// Name of the ALSA device that the sink plays on, if any.
  private let alsaDevice: String?

  /// May also be used on the feeder's thread.
  var appSource: UnsafeMutablePointer<GstAppSrc> { swiftlet_app_src(source.pointer) }

  /// Capacity of the appsrc queue in nanoseconds, in addition to the device's own buffer. It is larger than that
  /// buffer: at the start, the device fills its buffer at once and cannot wait for the next track after that.
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

  /// Reports underruns of an ALSA card. After an underrun caused by a late writer thread, the sink restarts the card by
  /// itself and notifies only a custom slave method. The sink's clock is the pipeline's clock, so the slave method has
  /// no other use.
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

  /// Probes the formats of an ALSA device. The device must be closed.
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

  /// Opens the device, unless it is open already.
  /// - Returns: false if it cannot be opened; `OutputEvent.failed` says why.
  func open() -> Bool {
    gst_element_set_state(pipeline.pointer, GST_STATE_READY) != GST_STATE_CHANGE_FAILURE
  }

  /// Starts a run at running time zero. The device must be open.
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

  /// Discards samples that have not been heard and ends the run. The device stays open.
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

  /// The device's clock, which advances even when there is nothing left to play. Any thread.
  var clockTime: Int64 {
    switch reading {
    case .time(let time): time
    case .none, .nonsense: runningTime
    }
  }

  /// Position that is heard now, in nanoseconds since the run began. Any thread.
  var runningTime: Int64 {
    guard isClocked else { return Int64(clamping: context.end) }
    if case .nonsense = reading { return roughTime }
    var position: gint64 = 0
    guard gst_element_query_position(pipeline.pointer, GST_FORMAT_TIME, &position) != 0 else { return 0 }
    return max(0, Int64(position))
  }

  /// Whether the device's clock reports impossible times, for the rest of the run. PulseAudio's client extrapolates the
  /// time from the server's last report; after a suspend of the machine it has been seen to jump ahead by centuries.
  /// Any thread.
  var hasLostTime: Bool { if case .nonsense = reading { true } else { false } }

  private enum Reading {
    case none
    case time(Int64)
    case nonsense
  }

  /// No device is faster than real time by more than 1 %. One minute is added for unknown clock errors.
  private var reading: Reading {
    let time = gst_element_get_current_running_time(pipeline.pointer)
    guard isClocked, time != swiftlet_clock_time_none() else { return .none }
    let latest = context.age * 1.01 + .seconds(60)
    guard let time = Int64(exactly: time), time < latest.nanoseconds else { return .nonsense }
    return .time(time)
  }

  /// Position that is heard now, estimated without a clock.
  private var roughTime: Int64 { max(0, Int64(clamping: context.end) - min(max(0, deviceLead), 1_000_000_000)) }

  /// Samples that the device has accepted but not played, in nanoseconds. Any thread.
  var deviceLead: Int64 { Int64(swiftlet_audio_sink_lead(sink.pointer)) }

  /// Whether the device waits for more samples before it starts: it starts with a full buffer. Any thread.
  var awaitsMore: Bool {
    swiftlet_is_audio_sink(sink.pointer) != 0 && swiftlet_audio_sink_runs(sink.pointer) == 0
  }

  // MARK: On the streaming threads

  fileprivate func arrived(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    let start = UInt64(swiftlet_buffer_pts(buffer))
    let (end, hasNoTime) = start.addingReportingOverflow(UInt64(swiftlet_buffer_duration(buffer)))
    guard !hasNoTime else { return }
    // Always read the clock. A sink that was reopened for another rate places the next samples wrongly if nobody has
    // read its clock since, and corrects that only after a second (GStreamer 1.22).
    let reading = reading
    // A ring buffer that is still being filled cannot underrun.
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

// All callbacks get their object unretained. The chain outlives the pipeline's threads: `close` ends them before the
// chain is released.

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
