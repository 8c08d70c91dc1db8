import CGStreamer
import PlaybackModel
import Synchronization

/// Between the samples of a track and the device: their level, and their form where the device takes another.
///
/// Samples that need no change pass as they are. Those that do are made 64-bit floating point, changed, and rounded to
/// the device's form, with dither where that has fewer than 20 bits. Which of both it is can differ from one buffer to
/// the next.
final class OutputConverter: Sendable {
  let elements: [ElementReference]
  /// Decides on the form in which samples are changed, or that they are not.
  private let processing: ElementReference
  private let resample: ElementReference
  /// Holds the form that was chosen for the device.
  private let format: ElementReference
  private let device: ElementReference
  private let sink: ElementReference
  private let context: OutputContext
  private let state = Mutex(State())

  /// The mark of a buffer that is none, but says that nothing follows for now: what a resampler holds back is due, and a
  /// device that waits for its buffer to be full is to begin. Before this has passed all others, that would be too early.
  static let endMark = guint64.max - 1

  /// What samples of more bits than that are rounded to is below the noise of any converter.
  private static let mostDitheredDepth = 20

  /// In which form samples pass the place where they are changed.
  private enum Form: String {
    case asTheyCome = "ANY"
    case wide = "audio/x-raw,format=F64LE,layout=interleaved"
    /// For a balance between two loudspeakers that play the same.
    case wideStereo = "audio/x-raw,format=F64LE,layout=interleaved,channels=2,channel-mask=(bitmask)0x3"
  }

  /// A form that the device is to have from a place on the output's timeline on.
  struct PlannedForm: Sendable {
    /// Nanoseconds of the output's running time.
    var start: Int64
    var input: AudioFormat
    var change: DeviceFormPlan.Change
  }

  private struct State {
    var gains = GainStage()
    /// Those of the tracks that are being read, and that of one that says nothing of itself.
    var trackGains: [Int: Double?] = [:]
    var defaultTrackGain: Double?
    var dither = Dither()
    var form = Form.asTheyCome
    /// What the device takes beside what its element says; nil for all of that.
    var forms: Set<DeviceForm>?
    /// The forms that were decided on for samples that are still on their way, in order.
    var planned: [PlannedForm] = []
    /// The form of the samples as they come, and as the device gets them.
    var input: AudioFormat?
    var output: AudioFormat?

    /// A balance needs two channels.
    var isStereoWanted: Bool { gains.balance != 0 }

    /// Whether the device gets less than there is in the samples, or something else.
    var isLossy: Bool {
      guard let input, let output else { return false }
      return output.rate != input.rate || output.channels < input.channels
        || output.precision < input.precision && !output.isFloat
    }

    var wantedForm: Form {
      if gains.isNeutral, !isLossy { return .asTheyCome }
      return isStereoWanted && input?.channels == 1 && output?.channels == 2 ? .wideStereo : .wide
    }
  }

  /// - Parameter source: the appsrc that its samples come from.
  init(
    source: ElementReference, device: ElementReference, sink: ElementReference, context: OutputContext
  ) throws(OutputError) {
    guard let convertIn = ElementReference(factory: "audioconvert"),
      let processing = ElementReference(factory: "capsfilter"),
      let resample = ElementReference(factory: "audioresample"),
      let convertOut = ElementReference(factory: "audioconvert"),
      let format = ElementReference(factory: "capsfilter")
    else { throw .incomplete }
    elements = [convertIn, processing, resample, convertOut, format]
    self.processing = processing
    self.resample = resample
    self.format = format
    self.device = device
    self.sink = sink
    self.context = context
    swiftlet_set_int(convertOut.pointer, "dithering", gint(GST_AUDIO_DITHER_NONE.rawValue))
    // The best there is: the default is 1.2 dB down at 20 kHz when it makes 48 kHz of 44.1.
    swiftlet_set_int(resample.pointer, "quality", 10)

    // Unretained: the chain that owns this ends the threads that call before it goes.
    let data = Unmanaged.passUnretained(self).toOpaque()
    // Not where they arrive: what is held back where they leave comes again by itself, in its order, before the samples.
    _ = source.withPad("src") { pad in
      let kinds = GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue
      gst_pad_add_probe(pad, GstPadProbeType(rawValue: kinds), onConverterInput, data, nil)
    }
    _ = processing.withPad("src") { pad in
      gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, onProcessing, data, nil)
    }
    _ = resample.withPad("src") { pad in
      gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, onConverterOutput, data, nil)
    }
  }

  /// What comes next has no connection with what came before.
  func reset() {
    state.withLock { state in
      state.gains.reset()
      state.planned = []
      state.input = nil
      state.output = nil
    }
  }

  // MARK: Levels. For every thread.

  /// The factor on every sample. At exactly 1 they pass as they are.
  func setVolume(_ gain: Double) { state.withLock { $0.gains.volume = gain } }

  func setMuted(_ isMuted: Bool) { state.withLock { $0.gains.isMuted = isMuted } }

  /// - Parameter step: see `BalanceScale`.
  func setBalance(_ step: Int) { state.withLock { $0.gains.balance = step } }

  /// The factors on the samples of single tracks; nil for those that have none.
  func setTrackGains(_ gains: [Int: Double?]) { state.withLock { $0.trackGains = gains } }

  /// The factor on the samples of all other tracks; nil where tracks have none.
  func setDefaultTrackGain(_ gain: Double?) { state.withLock { $0.defaultTrackGain = gain } }

  // MARK: Forms

  /// What the device was found to take; nil if its element knows all of it.
  func setForms(_ forms: Set<DeviceForm>?) { state.withLock { $0.forms = forms } }

  /// Whether the sink is one that is closed and opened for another form.
  private var isCard: Bool { swiftlet_is_audio_sink(sink.pointer) != 0 }

  /// What the device's form depends on at this moment. For every thread.
  var situation: DeviceFormPlan.Situation {
    state.withLock { state in
      DeviceFormPlan.Situation(
        isCard: isCard, isChanged: !state.gains.isNeutral || state.defaultTrackGain != nil,
        isStereo: state.isStereoWanted)
    }
  }

  /// The form closest to that of the samples that the device takes; nil if it takes none that we can make. For every
  /// thread.
  func choose(
    for input: AudioFormat, _ wishes: DeviceForm.Wishes, like caps: UnsafeMutablePointer<GstCaps>
  ) -> DeviceForm? {
    let forms = state.withLock(\.forms)
    return device.withPad("sink") { pad in
      guard let allowed = gst_pad_query_caps(pad, nil) else { return nil }
      defer { swiftlet_caps_unref(allowed) }
      return DeviceForm.choose(for: input.deviceForm, precision: input.precision, wishes) { form in
        guard forms?.contains(form) ?? true, let candidate = Self.caps(of: form, like: caps) else { return false }
        defer { swiftlet_caps_unref(candidate) }
        return gst_caps_can_intersect(candidate, allowed) != 0
      }
    } ?? nil
  }

  /// Plans a form for the device, from the first sample at `start` or later. Call it on the feeder's thread, before that
  /// sample is handed over.
  func plan(_ form: PlannedForm) { state.withLock { $0.planned.append(form) } }

  /// - Returns: caps that the caller owns.
  private static func caps(
    of form: DeviceForm, like caps: UnsafeMutablePointer<GstCaps>
  ) -> UnsafeMutablePointer<GstCaps>? {
    swiftlet_audio_caps(form.format, gint(form.rate), gint(form.channels), caps)
  }

  // MARK: On the streaming thread

  /// Samples of another form are about to come.
  /// - Returns: false if the caps are to be held back: a run begins with the caps of the last one, and the device would
  ///   be opened for those first, which costs the beginning of what it is to play.
  fileprivate func changeFormat(to caps: UnsafeMutablePointer<GstCaps>) -> Bool {
    guard let input = AudioFormat(caps: caps) else { return true }
    let (isKnown, next) = state.withLock { state -> (Bool, PlannedForm?) in
      if state.input == input { return (true, nil) }
      guard state.planned.first?.input == input else { return (false, nil) }
      return (true, state.planned.removeFirst())
    }
    if let next { apply(next, like: caps) }
    return isKnown
  }

  /// Applies the forms that were planned up to a time.
  private func applyPlanned(upTo time: Int64, on pad: UnsafeMutablePointer<GstPad>) {
    let due = state.withLock { state -> PlannedForm? in
      guard let first = state.planned.first, first.start <= time, first.input == state.input else { return nil }
      return state.planned.removeFirst()
    }
    guard let due, let caps = gst_pad_get_current_caps(pad) else { return }
    defer { swiftlet_caps_unref(caps) }
    apply(due, like: caps)
  }

  /// Sets the form that the device gets. Before it is reopened, it plays what it has of the old form.
  private func apply(_ planned: PlannedForm, like caps: UnsafeMutablePointer<GstCaps>) {
    let (before, present) = state.withLock { ($0.input, $0.output) }
    // Where none fits, negotiation says what is wrong.
    guard let form = planned.change.form, let chosen = Self.caps(of: form, like: caps) else { return }
    defer { swiftlet_caps_unref(chosen) }
    let input = planned.input
    if let before, let present, before.rate != present.rate, before.rate != input.rate || present.deviceForm != form {
      emptyResampler()
    }
    if planned.change.reopens { drain() }
    swiftlet_set_caps(format.pointer, "caps", chosen)
    state.withLock { state in
      state.input = input
      state.output = AudioFormat(caps: chosen)
    }
  }

  /// Has the resampler give out what it still holds, as it does before another segment. At the end of the stream it does
  /// so by itself, when it is too late for the device.
  private func emptyResampler() {
    _ = resample.withPad("sink") { pad in
      guard let segment = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0) else { return }
      gst_pad_send_event(pad, segment)
    }
  }

  /// Waits until the device has played what it was given. A sink on a ring buffer throws the rest away when the format
  /// changes; it waits for a GAP event as it waits for the end of the stream, interrupted by pause and flush alike.
  private func drain() {
    context.forgiveLapse()
    _ = sink.withPad("sink") { pad in
      gst_pad_send_event(pad, gst_event_new_gap(GstClockTime(context.end), 0))
    }
  }

  /// Decides what happens to the buffer that is about to come, and in which form.
  /// - Returns: whether it is one.
  fileprivate func prepare(_ buffer: UnsafeMutablePointer<GstBuffer>, on pad: UnsafeMutablePointer<GstPad>) -> Bool {
    if swiftlet_buffer_track(buffer) == Self.endMark {
      if state.withLock({ $0.input?.rate != $0.output?.rate }) { emptyResampler() }
      swiftlet_audio_sink_start(sink.pointer)
      return false
    }
    applyPlanned(upTo: Int64(clamping: swiftlet_buffer_pts(buffer)), on: pad)
    let newForm: Form? = state.withLock { state in
      let track = Int(truncatingIfNeeded: swiftlet_buffer_track(buffer))
      state.gains.enter(track: track, gain: state.trackGains[track] ?? state.defaultTrackGain)
      guard state.form != state.wantedForm else { return nil }
      state.form = state.wantedForm
      return state.form
    }
    guard let newForm, let caps = gst_caps_from_string(newForm.rawValue) else { return true }
    swiftlet_set_caps(processing.pointer, "caps", caps)
    swiftlet_caps_unref(caps)
    return true
  }

  /// Changes samples.
  fileprivate func process(_ info: UnsafeMutablePointer<GstPadProbeInfo>, on pad: UnsafeMutablePointer<GstPad>) {
    state.withLock { state in
      guard state.form != .asTheyCome else { return }
      Self.withWideSamples(info, on: pad) { samples, format in
        state.gains.process(samples, sides: format.sides, rate: format.rate)
      }
    }
  }

  /// Makes samples ready to be rounded.
  fileprivate func finish(_ info: UnsafeMutablePointer<GstPadProbeInfo>, on pad: UnsafeMutablePointer<GstPad>) {
    state.withLock { state in
      guard state.form != .asTheyCome, let output = state.output, !output.isFloat,
        output.depth <= Self.mostDitheredDepth
      else { return }
      Self.withWideSamples(info, on: pad) { samples, _ in state.dither.apply(to: samples, depth: output.depth) }
    }
  }

  private static func withWideSamples(
    _ info: UnsafeMutablePointer<GstPadProbeInfo>, on pad: UnsafeMutablePointer<GstPad>,
    _ body: (UnsafeMutableBufferPointer<Double>, AudioFormat) -> Void
  ) {
    guard let caps = gst_pad_get_current_caps(pad) else { return }
    defer { swiftlet_caps_unref(caps) }
    // Others pass while nobody agrees on these: then there is an error on its way.
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
    // It may only come behind caps.
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
