import PlaybackModel

/// A form that the device gets from a place on the output's timeline on.
struct PlannedForm: Sendable {
  /// Nanoseconds of the output's running time.
  var start: Int64
  var input: AudioFormat
  var change: DeviceFormPlan.Change
}

/// What `OutputConverter` knows about the samples and the device's form, and what follows from it.
struct ConversionState {
  /// The form of samples where the stages change them.
  enum ProcessingForm: String {
    /// Unchanged: the samples pass bit for bit.
    case asDecoded = "ANY"
    case wide = "audio/x-raw,format=F64LE,layout=interleaved"
    /// Mono on two channels, for a balance between two loudspeakers.
    case wideStereo = "audio/x-raw,format=F64LE,layout=interleaved,channels=2,channel-mask=(bitmask)0x3"
  }

  /// Rounding to more bits than that stays below the noise of any converter.
  private static let deepestDither = 20

  var stages = SampleStages()
  /// Factors of the tracks that are being read, and of tracks without tags.
  var trackGains: [Int: Double?] = [:]
  var defaultTrackGain: Double?
  /// The forms that the device was found to take; nil to rely on its element.
  var deviceForms: Set<DeviceForm>?
  private(set) var form = ProcessingForm.asDecoded
  private var dither = Dither()
  /// Forms for samples that are still on their way, in order.
  private var planned: [PlannedForm] = []
  /// The samples as decoded, and as the device gets them.
  private(set) var input: AudioFormat?
  private(set) var output: AudioFormat?

  /// The next samples are unrelated to those before.
  mutating func reset() {
    stages.reset()
    planned = []
    input = nil
    output = nil
  }

  mutating func plan(_ form: PlannedForm) { planned.append(form) }

  mutating func set(input: AudioFormat, output: AudioFormat?) { (self.input, self.output) = (input, output) }

  /// Samples of this format are about to come.
  /// - Returns: whether the format was planned, and the plan to apply first.
  mutating func begins(_ input: AudioFormat) -> (isPlanned: Bool, due: PlannedForm?) {
    if self.input == input { return (true, nil) }
    guard planned.first?.input == input else { return (false, nil) }
    return (true, planned.removeFirst())
  }

  /// Takes the form that was planned for samples of the current format at this time or before.
  mutating func takePlanned(upTo time: Int64) -> PlannedForm? {
    guard let first = planned.first, first.start <= time, first.input == input else { return nil }
    return planned.removeFirst()
  }

  /// The next samples belong to this track.
  /// - Returns: the form to process them in, if it changes.
  mutating func enter(track: Int) -> ProcessingForm? {
    stages.enter(track: track, gain: trackGains[track] ?? defaultTrackGain)
    guard form != wantedForm else { return nil }
    form = wantedForm
    return form
  }

  private var wantedForm: ProcessingForm {
    if stages.isNeutral, !isLossy { return .asDecoded }
    return stages.isBalanced && input?.channels == 1 && output?.channels == 2 ? .wideStereo : .wide
  }

  /// Whether the device gets less than the samples hold.
  private var isLossy: Bool {
    guard let input, let output else { return false }
    return output.rate != input.rate || output.channels < input.channels
      || output.precision < input.precision && !output.isFloat
  }

  var isResampled: Bool { input?.rate != output?.rate }

  mutating func process(_ samples: UnsafeMutableBufferPointer<Double>, _ format: AudioFormat) {
    stages.process(samples, sides: format.sides, rate: format.rate)
  }

  /// Whether processed samples get dither before they are rounded.
  var isDithered: Bool {
    guard form != .asDecoded, let output else { return false }
    return !output.isFloat && output.depth <= Self.deepestDither
  }

  mutating func dither(_ samples: UnsafeMutableBufferPointer<Double>) {
    if let output { dither.apply(to: samples, depth: output.depth) }
  }
}
