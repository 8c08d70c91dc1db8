import PlaybackModel

/// A device format that takes effect at a position on the output's timeline.
struct PlannedFormat: Sendable {
  /// Nanoseconds of the output's running time.
  var start: Int64
  var input: AudioFormat
  var change: DeviceFormatPlan.Change
}

/// An announcement, and how it is added to the sound.
struct Overlay: Sendable {
  let reader: AnnouncementReader
  /// The factor on the announcement's samples.
  var gain: Double
  /// The factor on the other samples.
  var music: Double
  var place = Place.atOnce

  enum Place: Sendable {
    /// It begins with the next samples.
    case atOnce
    /// The feeder provides a place between the samples of the music.
    case ofItsOwn
    /// The feeder says where it begins, so that listeners elsewhere hear it at the same time.
    case inStep
  }

}

/// State of `OutputConverter`: the formats of the samples and of the device, and the decisions that follow from them.
struct ConversionState {
  /// The format in which the stages process samples.
  enum ProcessingFormat: String {
    /// Unchanged: the samples pass bit for bit.
    case asDecoded = "ANY"
    case wide = "audio/x-raw,format=F64LE,layout=interleaved"
    /// Mono on two channels, for two loudspeakers that get different sound.
    case wideStereo = "audio/x-raw,format=F64LE,layout=interleaved,channels=2,channel-mask=(bitmask)0x3"
  }

  var stages = SampleStages()
  /// ReplayGain factors of the tracks that are being read; `defaultTrackGain` applies to all other tracks.
  private var trackGains: [Int: Double?] = [:]
  /// The track that the last samples belong to.
  private var track = 0
  var defaultTrackGain: Double?
  /// The formats found by probing the device; nil to rely on its element's caps.
  var deviceFormats: Set<DeviceFormat>?
  /// See `OutputFormat.isDirect`.
  var isDirect = false
  var isServer = false
  /// The effects of the stages at the last buffer.
  private var effects: Set<SampleEffect> = []
  private(set) var processingFormat = ProcessingFormat.asDecoded
  private var dither = Dither()
  /// End of the last samples that an announcement was added to, in nanoseconds of the output's running time.
  private(set) var announcedEnd: Int64 = 0
  /// Where the announcement begins, in nanoseconds of the output's running time, if the feeder has said so.
  private var insertion: Int64?
  /// The announcement that waits for its place.
  private var pending: Overlay?
  /// Planned formats for samples that have not arrived yet, in order.
  private var planned: [PlannedFormat] = []
  /// The format of the decoded samples, and the format that the device gets.
  private(set) var input: AudioFormat?
  private(set) var output: AudioFormat?

  /// Called when the next samples do not continue the previous ones.
  mutating func reset() {
    stages.reset()
    planned = []
    input = nil
    output = nil
    announcedEnd = 0
    insertion = nil
    if pending?.place != .inStep { beginPending() }
  }

  /// Sets the factors of the tracks that are being read. That of the track before them stays: its last samples may still
  /// be on their way here.
  mutating func setTrackGains(_ gains: [Int: Double?]) {
    let former = trackGains[track]
    trackGains = gains
    if gains[track] == nil { trackGains[track] = former }
  }

  mutating func plan(_ format: PlannedFormat) { planned.append(format) }

  mutating func set(input: AudioFormat, output: AudioFormat?) { (self.input, self.output) = (input, output) }

  enum FormatChange {
    case none
    /// The plan to apply first.
    case planned(PlannedFormat)
    /// The format is that of the previous run.
    case stale
  }

  /// Called before the first samples of a format.
  mutating func change(to input: AudioFormat) -> FormatChange {
    if self.input == input { return .none }
    return planned.first?.input == input ? .planned(planned.removeFirst()) : .stale
  }

  /// Removes and returns the format planned for samples of the current input format at this time or earlier.
  mutating func takePlanned(upTo time: Int64) -> PlannedFormat? {
    guard let first = planned.first, first.start <= time, first.input == input else { return nil }
    return planned.removeFirst()
  }

  /// Called before each buffer.
  /// - Parameter time: nanoseconds of the output's running time.
  /// - Returns: the new processing format, if it changes.
  mutating func enter(track: Int, at time: Int64) -> ProcessingFormat? {
    takeInsertion(at: time)
    self.track = track
    stages.enter(track: track, gain: gain(of: track))
    guard processingFormat != wantedFormat else { return nil }
    processingFormat = wantedFormat
    return processingFormat
  }

  /// The ReplayGain factor of a track.
  func gain(of track: Int) -> Double? { trackGains[track] ?? defaultTrackGain }

  /// Whether the effects of the stages have changed since the last call.
  mutating func takeNewEffects() -> Bool {
    let former = effects
    effects = stages.effects
    return effects != former
  }

  /// The path of the samples to the device; nil before the first samples of a run.
  var signal: SignalFacts? {
    guard let input, let output else { return nil }
    return SignalFacts(input: input, output: output, isDirect: isDirect, effects: stages.effects)
  }

  private var wantedFormat: ProcessingFormat {
    if stages.isNeutral, !isLossy { return .asDecoded }
    return stages.separatesSides && input?.channels == 1 && output?.channels == 2 ? .wideStereo : .wide
  }

  /// Whether the device gets a lower rate, channel count or precision than the samples have.
  private var isLossy: Bool {
    guard let input, let output else { return false }
    return output.rate != input.rate || output.channels < input.channels
      || output.precision < input.precision && !output.isFloat
  }

  var isResampled: Bool { input?.rate != output?.rate }

  /// - Parameter end: the end of the samples, in nanoseconds of the output's running time.
  mutating func process(_ samples: UnsafeMutableBufferPointer<Double>, _ format: AudioFormat, end: Int64) {
    if stages.announcement.isActive { announcedEnd = end }
    stages.process(samples, sides: format.sides, rate: format.rate)
  }

  // MARK: Announcements

  /// - Parameter isInPlace: whether the place of its own has begun.
  mutating func begin(_ overlay: Overlay, isInPlace: Bool = false) {
    pending = overlay
    if overlay.place == .atOnce || isInPlace { beginPending() }
    if isInPlace { stages.announcement.insert() }
  }

  private mutating func beginPending() {
    guard let pending else { return }
    stages.announcement.begin(pending.reader, gain: pending.gain, music: pending.music)
    self.pending = nil
  }

  mutating func setAnnouncementGain(_ gain: Double) {
    pending?.gain = gain
    stages.announcement.setGain(gain)
  }

  mutating func endAnnouncement() {
    pending = nil
    stages.announcement.end()
  }

  /// The announcement begins at this running time.
  mutating func insert(at time: Int64) { insertion = time }

  /// Called before each buffer.
  private mutating func takeInsertion(at time: Int64) {
    guard let insertion, insertion <= time else { return }
    self.insertion = nil
    let isPlace = pending?.place == .ofItsOwn
    beginPending()
    if isPlace { stages.announcement.insert() }
  }

  /// Whether dither is added to processed samples before they are rounded.
  var isDithered: Bool {
    guard processingFormat != .asDecoded, let output else { return false }
    return !output.isFloat && output.depth <= Dither.deepest
  }

  mutating func dither(_ samples: UnsafeMutableBufferPointer<Double>) {
    if let output { dither.apply(to: samples, depth: output.depth) }
  }
}
