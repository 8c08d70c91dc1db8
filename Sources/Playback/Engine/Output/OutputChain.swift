import CGStreamer
import PlaybackModel

/// The output pipeline: converts samples and plays them on the device. It exists as long as the player, and keeps the
/// device open from READY on.
///
/// Used on the pipeline's thread, except for `clock` and `appSource`, which the feeder's thread uses too.
final class OutputChain: Sendable {
  let context: OutputContext
  /// Applies the volume, and converts samples where the device needs it.
  let converter: OutputConverter
  let clock: DeviceClock
  private let pipeline: ElementReference
  private let source: ElementReference
  private let sink: ElementReference
  /// Name of the ALSA device that the sink plays on, if any.
  private let alsaDevice: String?
  /// The connection that the sink sends to, if it does.
  private let connection: SnapcastConnection?

  /// Receives the samples.
  var appSource: UnsafeMutablePointer<GstAppSrc> { swiftlet_app_src(source.pointer) }

  /// Capacity of the appsrc queue in nanoseconds, in addition to the device's own buffer. It is larger than that
  /// buffer: at the start, the device fills its buffer at once and cannot wait for the next track after that.
  private static let queueLength: guint64 = 300_000_000

  init(_ description: OutputDescription, mailbox: Mailbox) throws(OutputError) {
    GStreamerLibrary.start()
    let device = try OutputDevice.make(description)
    guard let pipeline = ElementReference(factory: "pipeline"), let source = ElementReference(factory: "appsrc") else {
      throw .incomplete
    }
    alsaDevice = if case .alsa(let name) = description { name } else { nil }
    connection = if case .snapcast(let stream) = description { SnapcastConnection(stream) } else { nil }
    context = OutputContext(mailbox: mailbox)
    self.pipeline = pipeline
    self.source = source
    sink = OutputDevice.sink(in: device)
    clock = DeviceClock(pipeline: pipeline, sink: sink, context: context)
    converter = try OutputConverter(source: source, device: device, sink: sink, context: context)

    let chain = [source] + converter.elements.chain + [device]
    switch description {
    case .snapcast(let stream): converter.setDevice(formats: [stream.format])
    case .pulse, .pipewire: converter.setDevice(formats: nil, isServer: true)
    default: break
    }
    for element in chain { element.add(to: pipeline) }
    for (upper, lower) in zip(chain, chain.dropFirst()) where gst_element_link(upper.pointer, lower.pointer) == 0 {
      throw OutputError("The output “\(description)” accepts no audio.")
    }
    swiftlet_set_int(source.pointer, "format", gint(GST_FORMAT_TIME.rawValue))
    swiftlet_set_bool(source.pointer, "block", 1)
    swiftlet_set_uint64(source.pointer, "max-bytes", 0)
    swiftlet_set_uint64(source.pointer, "max-time", Self.queueLength)

    let data = Unmanaged.passUnretained(self).toOpaque()
    _ = device.withPad("sink") { pad in
      gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, onOutputBuffer, data, nil)
    }
    if let bus = gst_element_get_bus(pipeline.pointer) {
      gst_bus_set_sync_handler(bus, onOutputMessage, data, nil)
      gst_object_unref(bus)
    }
    observeUnderruns()
  }

  /// Reports underruns of an ALSA card. After an underrun caused by a late writer thread, the sink restarts the card by
  /// itself and notifies only a custom slave method. The sink's clock is the pipeline's clock, so the slave method has
  /// no other use.
  private func observeUnderruns() {
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
    let abilities: ALSADevice.Abilities
    do throws(ALSADevice.Failure) {
      abilities = try ALSADevice.abilities(alsaDevice)
    } catch {
      throw PlaybackError(alsa: error)
    }
    if abilities.formats.isEmpty { throw .deviceFailed("it supports no format that Swiftlet can produce") }
    converter.setDevice(formats: abilities.formats, isDirect: abilities.isDirect, isServer: abilities.isServer)
  }

  /// Whether the output is a server on the network.
  var isRemote: Bool { connection != nil }

  /// Begins to connect to the output's server. `OutputEvent.connected` follows.
  /// - Returns: false if the output has no server, or is connected to it.
  func connect() -> Bool {
    guard let connection, !connection.isConnected else { return false }
    connection.connect { [context] in context.post(.connected(failure: $0)) }
    return true
  }

  /// Opens the device, unless it is open already.
  /// - Returns: false if it cannot be opened; `OutputEvent.failed` reports the reason.
  func open() -> Bool {
    if let descriptor = connection?.descriptor, state == GST_STATE_NULL.rawValue {
      swiftlet_set_int(sink.pointer, "fd", descriptor)
    }
    return gst_element_set_state(pipeline.pointer, GST_STATE_READY) != GST_STATE_CHANGE_FAILURE
  }

  /// Starts a run at running time zero. The device must be open.
  /// - Parameter buffer: length of the device's buffer in microseconds.
  func begin(_ run: RunID, isHeld: Bool = false, buffer: Int64 = DeviceBuffer.longest) {
    context.setRun(run, isHeld: isHeld)
    converter.reset()
    if swiftlet_is_audio_sink(sink.pointer) != 0 { swiftlet_set_int64(sink.pointer, "buffer-time", gint64(buffer)) }
    // A server's buffer is filled by sending ahead. snapserver plays what comes later at once, with a gap.
    if isRemote { swiftlet_set_int64(sink.pointer, "ts-offset", gint64(-buffer * 1_000)) }
    gst_element_set_state(pipeline.pointer, isHeld ? GST_STATE_PAUSED : GST_STATE_PLAYING)
  }

  func hold() {
    context.watch(false)
    context.setHeld(true)
    gst_element_set_state(pipeline.pointer, GST_STATE_PAUSED)
  }

  func resume() {
    clock.skipSent()
    InterruptedStart.play(pipeline)
    context.setHeld(false)
  }

  /// Discards samples that have not been heard and ends the run. The device stays open.
  /// - Parameter next: the run that is next.
  func silence(before next: RunID) {
    context.watch(false)
    if state > GST_STATE_READY.rawValue { gst_element_set_state(pipeline.pointer, GST_STATE_READY) }
    // Only now: a thread that is interrupted while it negotiates a format reports an error, which belongs to the old run.
    context.setRun(next)
    guard let connection else { return }
    var sent: gint64 = 0
    _ = sink.withPad("sink") { gst_pad_query_position($0, GST_FORMAT_BYTES, &sent) }
    connection.fill(after: Int64(sent))
  }

  func close() {
    gst_element_set_state(pipeline.pointer, GST_STATE_NULL)
    connection?.disconnect()
    converter.reset()
  }

  private var state: UInt32 {
    var now = GST_STATE_NULL
    var pending = GST_STATE_VOID_PENDING
    gst_element_get_state(pipeline.pointer, &now, &pending, 0)
    return max(now.rawValue, pending.rawValue)
  }

  func recalculateLatency() { gst_bin_recalculate_latency(swiftlet_bin(pipeline.pointer)) }

  // MARK: On the streaming threads

  fileprivate func arrived(_ buffer: UnsafeMutablePointer<GstBuffer>) {
    let start = UInt64(swiftlet_buffer_pts(buffer))
    let (end, hasNoTime) = start.addingReportingOverflow(UInt64(swiftlet_buffer_duration(buffer)))
    guard !hasNoTime else { return }
    // Always read the clock. If a sink was reopened for another rate and its clock was not read since, it places the
    // next samples wrongly for a second (GStreamer 1.22).
    let reading = clock.reading
    // A ring buffer that is still being filled cannot underrun.
    let ahead: Int64? =
      if clock.isRunning, case .time(let now) = reading {
        Int64(clamping: end) - now - clock.delay
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
    case GST_MESSAGE_STREAM_STATUS:
      // Sent by each thread of the pipeline. They are lent: others use them afterwards.
      var status = GST_STREAM_STATUS_TYPE_CREATE
      gst_message_parse_stream_status(message, &status, nil)
      if status == GST_STREAM_STATUS_TYPE_ENTER { RealTime.begin() }
      if status == GST_STREAM_STATUS_TYPE_LEAVE { RealTime.end() }
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
