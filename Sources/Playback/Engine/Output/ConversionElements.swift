import CGStreamer
import PlaybackModel

/// The elements between the output's appsrc and the device: audioconvert ▸ capsfilter ▸ audioresample ▸ audioconvert ▸
/// capsfilter. Elements lock themselves: every method may be called on any thread.
final class ConversionElements: Sendable {
  /// Holds the form in which samples are processed. They are at its source pad.
  let processing: ElementReference
  /// Samples are about to be rounded at its source pad.
  let resample: ElementReference
  private let convertIn: ElementReference
  private let convertOut: ElementReference
  /// Holds the form that was chosen for the device.
  private let format: ElementReference
  private let device: ElementReference
  private let sink: ElementReference

  /// - Parameters:
  ///   - device: follows these elements.
  ///   - sink: the element within the device that plays.
  init(device: ElementReference, sink: ElementReference) throws(OutputError) {
    guard let convertIn = ElementReference(factory: "audioconvert"),
      let processing = ElementReference(factory: "capsfilter"),
      let resample = ElementReference(factory: "audioresample"),
      let convertOut = ElementReference(factory: "audioconvert"),
      let format = ElementReference(factory: "capsfilter")
    else { throw .incomplete }
    self.convertIn = convertIn
    self.processing = processing
    self.resample = resample
    self.convertOut = convertOut
    self.format = format
    self.device = device
    self.sink = sink
    swiftlet_set_int(convertOut.pointer, "dithering", gint(GST_AUDIO_DITHER_NONE.rawValue))
    // The best quality. The default loses 1.2 dB at 20 kHz from 44.1 to 48 kHz.
    swiftlet_set_int(resample.pointer, "quality", 10)
  }

  /// In the order of the flow.
  var chain: [ElementReference] { [convertIn, processing, resample, convertOut, format] }

  /// Whether the device is closed and reopened for another form.
  var isCard: Bool { swiftlet_is_audio_sink(sink.pointer) != 0 }

  /// The form closest to that of the samples that the device takes; nil for none.
  /// - Parameter forms: the device's forms beside what its element says; nil for all.
  func choose(
    for input: AudioFormat, _ wishes: DeviceForm.Wishes, from forms: Set<DeviceForm>?,
    like caps: UnsafeMutablePointer<GstCaps>
  ) -> DeviceForm? {
    device.withPad("sink") { pad in
      guard let allowed = gst_pad_query_caps(pad, nil) else { return nil }
      defer { swiftlet_caps_unref(allowed) }
      return DeviceForm.choose(for: input.deviceForm, precision: input.precision, wishes) { form in
        guard forms?.contains(form) ?? true, let candidate = Self.caps(of: form, like: caps) else { return false }
        defer { swiftlet_caps_unref(candidate) }
        return gst_caps_can_intersect(candidate, allowed) != 0
      }
    } ?? nil
  }

  /// - Returns: caps that the caller owns.
  static func caps(
    of form: DeviceForm, like caps: UnsafeMutablePointer<GstCaps>
  ) -> UnsafeMutablePointer<GstCaps>? {
    swiftlet_audio_caps(form.format, gint(form.rate), gint(form.channels), caps)
  }

  func setProcessingForm(_ form: ConversionState.ProcessingForm) {
    guard let caps = gst_caps_from_string(form.rawValue) else { return }
    swiftlet_set_caps(processing.pointer, "caps", caps)
    swiftlet_caps_unref(caps)
  }

  func setDeviceCaps(_ caps: UnsafeMutablePointer<GstCaps>) { swiftlet_set_caps(format.pointer, "caps", caps) }

  /// Starts a device that waits for a full buffer.
  func startDevice() { swiftlet_audio_sink_start(sink.pointer) }

  /// Makes the resampler deliver what it retains, as it does before a new segment. At EOS it does so by itself, but too
  /// late for the device.
  func flushResampler() {
    _ = resample.withPad("sink") { pad in
      guard let segment = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0) else { return }
      gst_pad_send_event(pad, segment)
    }
  }

  /// Waits until the device has played what it got, up to `end` in running time. A sink with a ring buffer drops the rest
  /// when the format changes; it handles a GAP event like EOS, and pause and flush interrupt it.
  func drain(upTo end: UInt64) {
    _ = sink.withPad("sink") { gst_pad_send_event($0, gst_event_new_gap(GstClockTime(end), 0)) }
  }
}
