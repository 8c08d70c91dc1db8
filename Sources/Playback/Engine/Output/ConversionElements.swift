import CGStreamer
import PlaybackModel

/// The elements between the output's appsrc and the device: audioconvert ▸ capsfilter ▸ audioresample ▸ audioconvert ▸
/// capsfilter. Elements lock themselves: every method may be called on any thread.
final class ConversionElements: Sendable {
  /// Capsfilter that fixes the format in which samples are processed. `onProcessing` probes its source pad.
  let processing: ElementReference
  /// Resampler. Dither is added at its source pad, just before samples are rounded.
  let resample: ElementReference
  private let convertIn: ElementReference
  private let convertOut: ElementReference
  /// Capsfilter that fixes the format chosen for the device.
  private let format: ElementReference
  private let device: ElementReference
  private let sink: ElementReference

  /// - Parameters:
  ///   - device: the element that these elements are linked to.
  ///   - sink: the sink element inside the device.
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
    // Best quality. The default loses 1.2 dB at 20 kHz when converting 44.1 to 48 kHz.
    swiftlet_set_int(resample.pointer, "quality", 10)
  }

  /// The elements in the order of the data flow.
  var chain: [ElementReference] { [convertIn, processing, resample, convertOut, format] }

  /// Whether the sink is an audio device, which is closed and reopened to change its format.
  var isCard: Bool { swiftlet_is_audio_sink(sink.pointer) != 0 }

  /// The device format closest to the format of the samples; nil if the device supports none.
  /// - Parameter formats: the formats found by probing the device, in addition to its element's caps; nil for no
  ///   restriction.
  func choose(
    for input: AudioFormat, _ conditions: DeviceFormat.Conditions, from formats: Set<DeviceFormat>?,
    like caps: UnsafeMutablePointer<GstCaps>
  ) -> DeviceFormat? {
    device.withPad("sink") { pad in
      guard let allowed = gst_pad_query_caps(pad, nil) else { return nil }
      defer { swiftlet_caps_unref(allowed) }
      return DeviceFormat.choose(for: input.deviceFormat, precision: input.precision, conditions) { format in
        guard formats?.contains(format) ?? true, let candidate = Self.caps(of: format, like: caps) else { return false }
        defer { swiftlet_caps_unref(candidate) }
        return gst_caps_can_intersect(candidate, allowed) != 0
      }
    } ?? nil
  }

  /// - Returns: caps owned by the caller.
  static func caps(
    of format: DeviceFormat, like caps: UnsafeMutablePointer<GstCaps>
  ) -> UnsafeMutablePointer<GstCaps>? {
    swiftlet_audio_caps(format.format, gint(format.rate), gint(format.channels), caps)
  }

  func setProcessingFormat(_ format: ConversionState.ProcessingFormat) {
    guard let caps = gst_caps_from_string(format.rawValue) else { return }
    swiftlet_set_caps(processing.pointer, "caps", caps)
    swiftlet_caps_unref(caps)
  }

  func setDeviceCaps(_ caps: UnsafeMutablePointer<GstCaps>) { swiftlet_set_caps(format.pointer, "caps", caps) }

  /// Starts a device that is waiting for a full buffer.
  func startDevice() { swiftlet_audio_sink_start(sink.pointer) }

  /// Makes the resampler output the samples it retains, by resending its segment. At EOS it does so by itself, but too
  /// late for the device.
  func flushResampler() {
    _ = resample.withPad("sink") { pad in
      guard let segment = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0) else { return }
      gst_pad_send_event(pad, segment)
    }
  }

  /// Waits until the device has played everything up to `end` in running time. A sink with a ring buffer would drop the
  /// remaining samples when the format changes. It handles a GAP event like EOS; pause and flush interrupt the wait.
  func drain(upTo end: UInt64) {
    _ = sink.withPad("sink") { gst_pad_send_event($0, gst_event_new_gap(GstClockTime(end), 0)) }
  }
}
