import CGStreamer
import PlaybackModel
import Synchronization

/// Converts samples between the feeder and the device: applies the stages (`SampleStages`), and changes the format if
/// the device needs another one.
///
/// Samples that need no change pass bit for bit. Others are converted to 64-bit floating point, processed by the
/// stages, and rounded to the device's format, with dither at 20 bits or fewer. The decision is made for each buffer.
final class OutputConverter: Sendable {
  let elements: ConversionElements
  private let context: OutputContext
  private let state = Mutex(ConversionState())

  /// Track number of an empty marker buffer. When it arrives, everything before it has passed, and no samples follow
  /// for now: the resampler is flushed and the device is started.
  static let endMark = guint64.max - 1

  /// - Parameter source: the appsrc that provides the samples.
  init(
    source: ElementReference, device: ElementReference, sink: ElementReference, context: OutputContext
  ) throws(OutputError) {
    elements = try ConversionElements(device: device, sink: sink)
    self.context = context
    // Unretained: the chain that owns this object ends the streaming threads before releasing it.
    let data = Unmanaged.passUnretained(self).toOpaque()
    // GStreamer resends events that were dropped at the source pad before the next samples.
    _ = source.withPad("src") { pad in
      let kinds = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
      gst_pad_add_probe(pad, GstPadProbeType(rawValue: kinds), onConverterInput, data, nil)
    }
    _ = elements.processing.withPad("src") { pad in
      gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, onProcessing, data, nil)
    }
    _ = elements.resample.withPad("src") { pad in
      gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, onConverterOutput, data, nil)
    }
  }

  // MARK: Settings (any thread)

  /// Called when the next samples do not continue the previous ones.
  func reset() { state.withLock { $0.reset() } }

  /// Sets the factor that every sample is multiplied by.
  func setVolume(_ gain: Double) { state.withLock { $0.stages.setVolume(gain) } }

  func setMuted(_ isMuted: Bool) { state.withLock { $0.stages.setMuted(isMuted) } }

  func start(_ fade: Fade) { state.withLock { $0.stages.start(fade) } }

  /// The fade so far, for another converter that continues it.
  var fade: FadeStage {
    get { state.withLock(\.stages.fade) }
    set { state.withLock { $0.stages.fade = newValue } }
  }

  /// - Parameter step: see `BalanceScale`.
  func setBalance(_ step: Int) { state.withLock { $0.stages.setBalance(step) } }

  /// - Parameter settings: nil to switch the equalizer off.
  func setEqualizer(_ settings: EqualizerSettings?) { state.withLock { $0.stages.setEqualizer(settings) } }

  /// Sets the ReplayGain factors by track; nil for tracks that have none.
  func setTrackGains(_ gains: [Int: Double?]) { state.withLock { $0.setTrackGains(gains) } }

  /// Sets the ReplayGain factor of all other tracks; nil if ReplayGain is off.
  func setDefaultTrackGain(_ gain: Double?) { state.withLock { $0.defaultTrackGain = gain } }

  /// The ReplayGain factor of a track; nil if ReplayGain is off.
  func trackGain(of track: Int) -> Double? { state.withLock { $0.gain(of: track) } }

  /// Adds an announcement to the samples.
  /// - Parameter isInPlace: whether its place has begun.
  func begin(_ overlay: Overlay, isInPlace: Bool = false) { state.withLock { $0.begin(overlay, isInPlace: isInPlace) } }

  func setAnnouncementGain(_ gain: Double) { state.withLock { $0.setAnnouncementGain(gain) } }

  func endAnnouncement() { state.withLock { $0.endAnnouncement() } }

  /// The announcement begins at this running time. Called on the feeder's thread.
  func insert(at time: Int64) { state.withLock { $0.insert(at: time) } }

  /// End of the last samples that an announcement was added to, in nanoseconds of the output's running time.
  var announcedEnd: Int64 { state.withLock(\.announcedEnd) }

  /// Goes back in an announcement by sound that was read and not heard. No samples pass meanwhile.
  func rewind(_ overlay: Overlay, by nanoseconds: Int64) {
    state.withLock { state in
      overlay.reader.rewind(by: nanoseconds)
      state.begin(overlay)
    }
  }

  /// Sets the results of probing the device.
  /// - Parameters:
  ///   - formats: the supported formats; nil to rely on the caps of the device's element.
  ///   - isDirect: see `OutputFormat.isDirect`.
  ///   - isServer: whether the samples go to a sound server.
  func setDevice(formats: Set<DeviceFormat>?, isDirect: Bool = false, isServer: Bool = false) {
    state.withLock { ($0.deviceFormats, $0.isDirect, $0.isServer) = (formats, isDirect, isServer) }
  }

  /// Whether the samples go to a sound server, which gets the processor on its own terms.
  var isServer: Bool { state.withLock(\.isServer) }

  /// The path of the samples to the device; nil before the first samples of a run.
  var signal: SignalFacts? { state.withLock(\.signal) }

  /// The conditions that the choice of the device's format depends on.
  var situation: DeviceFormatPlan.Situation {
    state.withLock { state in
      DeviceFormatPlan.Situation(
        isCard: elements.isCard, isChanged: !state.stages.isSettled || state.defaultTrackGain != nil,
        isStereo: state.stages.separatesSides)
    }
  }

  /// The device format closest to the format of the samples; nil if the device supports none.
  func choose(
    for input: AudioFormat, _ conditions: DeviceFormat.Conditions, like caps: UnsafeMutablePointer<GstCaps>
  ) -> DeviceFormat? {
    elements.choose(for: input, conditions, from: state.withLock(\.deviceFormats), like: caps)
  }

  /// Plans a format for the device. Called on the feeder's thread, before the first sample at `start` is pushed.
  func plan(_ format: PlannedFormat) { state.withLock { $0.plan(format) } }

  // MARK: On the streaming thread

  /// Called before the first samples of another format.
  /// - Returns: false to drop the caps. A run begins with the caps of the previous run; if they passed, the device
  ///   would be opened for those first, and the beginning of the sound would be lost.
  fileprivate func changeFormat(to caps: UnsafeMutablePointer<GstCaps>) -> Bool {
    guard let input = AudioFormat(caps: caps) else { return true }
    switch state.withLock({ $0.change(to: input) }) {
    case .none: return true
    case .planned(let format):
      apply(format, like: caps)
      return true
    case .stale: return false
    }
  }

  /// Sets the device's format. If the device must be reopened, it first plays the samples it holds.
  private func apply(_ planned: PlannedFormat, like caps: UnsafeMutablePointer<GstCaps>) {
    let (before, present) = state.withLock { ($0.input, $0.output) }
    // Without a format, caps negotiation fails and reports the error.
    guard let format = planned.change.format, let chosen = ConversionElements.caps(of: format, like: caps) else {
      return
    }
    defer { swiftlet_caps_unref(chosen) }
    let input = planned.input
    if let before, let present, before.rate != present.rate, before.rate != input.rate || present.deviceFormat != format
    {
      elements.flushResampler()
    }
    if planned.change.reopens {
      context.ignoreUnderrun()
      elements.drain(upTo: context.end)
    }
    elements.setDeviceCaps(chosen)
    state.withLock { $0.set(input: input, output: AudioFormat(caps: chosen)) }
    context.post(.signalChanged)
  }

  /// Applies the planned format and the track's settings before the next buffer.
  /// - Returns: false for the end mark, which is dropped.
  fileprivate func prepare(_ buffer: UnsafeMutablePointer<GstBuffer>, on pad: UnsafeMutablePointer<GstPad>) -> Bool {
    let track = swiftlet_buffer_track(buffer)
    if track == Self.endMark {
      if state.withLock(\.isResampled) { elements.flushResampler() }
      elements.startDevice()
      return false
    }
    let time = Int64(clamping: swiftlet_buffer_pts(buffer))
    if let due = state.withLock({ $0.takePlanned(upTo: time) }), let caps = gst_pad_get_current_caps(pad) {
      apply(due, like: caps)
      swiftlet_caps_unref(caps)
    }
    let (newFormat, hasNewEffects) = state.withLock { state in
      (state.enter(track: Int(truncatingIfNeeded: track), at: time), state.takeNewEffects())
    }
    if let newFormat { elements.setProcessingFormat(newFormat) }
    if hasNewEffects { context.post(.signalChanged) }
    return true
  }

  /// Passes samples through the stages.
  fileprivate func process(_ info: UnsafeMutablePointer<GstPadProbeInfo>, on pad: UnsafeMutablePointer<GstPad>) {
    let hasAnnounced = state.withLock { state in
      guard state.processingFormat != .asDecoded else { return false }
      Self.withWideSamples(info, on: pad) { samples, format in
        let buffer = swiftlet_probe_buffer(info)
        let (begin, length) = buffer.map { (swiftlet_buffer_pts($0), swiftlet_buffer_duration($0)) } ?? (0, 0)
        state.process(samples, format, end: Int64(clamping: begin.addingReportingOverflow(length).partialValue))
      }
      return state.stages.announcement.takeEnd()
    }
    if hasAnnounced { context.post(.announced) }
  }

  /// Adds dither before samples are rounded.
  fileprivate func finish(_ info: UnsafeMutablePointer<GstPadProbeInfo>, on pad: UnsafeMutablePointer<GstPad>) {
    state.withLock { state in
      guard state.isDithered else { return }
      Self.withWideSamples(info, on: pad) { samples, _ in state.dither(samples) }
    }
  }

  private static func withWideSamples(
    _ info: UnsafeMutablePointer<GstPadProbeInfo>, on pad: UnsafeMutablePointer<GstPad>,
    _ body: (UnsafeMutableBufferPointer<Double>, AudioFormat) -> Void
  ) {
    guard let caps = gst_pad_get_current_caps(pad) else { return }
    defer { swiftlet_caps_unref(caps) }
    // Samples of another format pass while negotiation fails.
    guard let format = AudioFormat(caps: caps), format.name == "F64LE",
      let buffer = swiftlet_probe_writable_buffer(info)
    else { return }
    var map = GstMapInfo()
    let access = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
    guard gst_buffer_map(buffer, &map, access) != 0 else { return }
    defer { gst_buffer_unmap(buffer, &map) }
    let bytes = UnsafeMutableRawBufferPointer(start: map.data, count: Int(map.size))
    body(bytes.bindMemory(to: Double.self), format)
  }
}

private func converter(_ data: gpointer) -> OutputConverter {
  Unmanaged<OutputConverter>.fromOpaque(data).takeUnretainedValue()
}

private func onConverterInput(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  guard let pad, let info, let data else { return GST_PAD_PROBE_OK }
  if let buffer = swiftlet_probe_buffer(info) {
    if !converter(data).prepare(buffer, on: pad) { return GST_PAD_PROBE_DROP }
  } else if let event = swiftlet_probe_event(info), swiftlet_event_type(event) == GST_EVENT_CAPS {
    var caps: UnsafeMutablePointer<GstCaps>?
    gst_event_parse_caps(event, &caps)
    if let caps, !converter(data).changeFormat(to: caps) { return GST_PAD_PROBE_DROP }
  } else if let event = swiftlet_probe_event(info), swiftlet_event_type(event) == GST_EVENT_SEGMENT {
    // A segment must not precede caps.
    guard let peer = gst_pad_get_peer(pad) else { return GST_PAD_PROBE_OK }
    defer { gst_object_unref(peer) }
    if gst_pad_has_current_caps(peer) == 0 { return GST_PAD_PROBE_DROP }
  }
  return GST_PAD_PROBE_OK
}

private func onProcessing(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  if let pad, let info, let data { converter(data).process(info, on: pad) }
  return GST_PAD_PROBE_OK
}

private func onConverterOutput(
  _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?, _ data: gpointer?
) -> GstPadProbeReturn {
  if let pad, let info, let data { converter(data).finish(info, on: pad) }
  return GST_PAD_PROBE_OK
}
