/// The format in which a device may be opened: sample format, rate and number of channels.
package struct DeviceFormat: Sendable, Hashable {
  /// GStreamer's name of the sample format, such as `S16LE`.
  package var format: String
  /// Frames per second.
  package var rate: Int
  package var channels: Int

  package init(format: String, rate: Int, channels: Int) {
    self.format = format
    self.rate = rate
    self.channels = channels
  }

  /// Sample formats from the most to the least precise, each with the bits that it carries.
  static let formats: [(name: String, depth: Int)] = [
    ("F64LE", 53), ("S32LE", 32), ("F32LE", 25), ("S24_32LE", 24), ("S24LE", 24), ("S16LE", 16), ("S8", 8), ("U8", 8),
  ]
  /// Formats for processed samples, which have more bits than before; best first.
  private static let wideFormats = ["S32LE", "S24_32LE", "S24LE"]
  package static let rates = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000, 176_400, 192_000,
    352_800, 384_000, 705_600, 768_000,
  ]
  package static let maximumChannels = 8
  /// Lower rates cut off audible frequencies.
  private static let lowestFullRate = 44_100

  /// The inputs of the choice besides the format of the samples.
  package struct Conditions: Sendable, Equatable {
    /// Whether processed samples get the device's widest format.
    var isWideIfChanged = false
    /// Whether stages process the samples.
    var isChanged = false
    /// Whether a single channel must be played on two.
    var isStereo = false
    /// The device's current format. Another format requires reopening the device.
    var current: DeviceFormat?

    package init(
      isWideIfChanged: Bool = false, isChanged: Bool = false, isStereo: Bool = false, current: DeviceFormat? = nil
    ) {
      self.isWideIfChanged = isWideIfChanged
      self.isChanged = isChanged
      self.isStereo = isStereo
      self.current = current
    }
  }

  /// The best supported format for samples: the current format or the samples' own, else another lossless one, else the one
  /// that loses least. Nil if the device supports none.
  /// - Parameters:
  ///   - input: the samples' format, which need not be in `formats`.
  ///   - precision: bits needed to hold the samples.
  ///   - isSupported: whether the device supports a format.
  package static func choose(
    for input: DeviceFormat, precision: Int, _ conditions: Conditions, isSupported: (DeviceFormat) -> Bool
  ) -> DeviceFormat? {
    for channels in channelsByCloseness(to: input.channels, inStereo: conditions.isStereo) {
      for rate in ratesByCloseness(to: input.rate) {
        let isWide = conditions.isWideIfChanged && (conditions.isChanged || rate != input.rate)
        var formats = formatsByCloseness(to: input.format, precision: precision, isWide: isWide)
        if let current = conditions.current, current.rate == rate, current.channels == channels,
          depth(of: current.format) >= precision
        {
          formats.insert(current.format, at: 0)
        }
        for format in formats {
          let candidate = DeviceFormat(format: format, rate: rate, channels: channels)
          if isSupported(candidate) { return candidate }
        }
      }
    }
    return nil
  }

  private static func depth(of format: String) -> Int { formats.first { $0.name == format }?.depth ?? 0 }

  /// The same number, then two, then higher numbers, which are lossless, then lower ones.
  private static func channelsByCloseness(to channels: Int, inStereo: Bool) -> [Int] {
    let own = inStereo && channels == 1 ? 2 : channels
    let more = own < maximumChannels ? Array(own + 1...maximumChannels) : []
    return ([own, 2] + more + (1..<max(own, 2)).reversed()).reduce(into: []) { list, count in
      if !list.contains(count) { list.append(count) }
    }
  }

  /// The rate itself, then rates of the same family (44.1 or 48 kHz): higher ones in ascending order, then lower ones
  /// in descending order down to `lowestFullRate`. Then the other family likewise, and last the rates below.
  private static func ratesByCloseness(to rate: Int) -> [Int] {
    let isRelated = { (other: Int) in [11_025, 4_000].contains { rate % $0 == 0 && other % $0 == 0 } }
    func ordered(_ rates: [Int]) -> [Int] {
      rates.filter { $0 > rate } + rates.filter { $0 < rate && $0 >= lowestFullRate }.reversed()
    }
    let lowest = rates.filter { $0 < rate && $0 < lowestFullRate }.reversed()
    return [rate] + ordered(rates.filter(isRelated)) + ordered(rates.filter { !isRelated($0) }) + lowest
  }

  /// The format itself, then lossless ones from small to large, then the others from large to small.
  /// - Parameter isWide: whether formats of 24 bits and more come first.
  private static func formatsByCloseness(to format: String, precision: Int, isWide: Bool) -> [String] {
    let others = formats.filter { $0.name != format }
    let holding = others.filter { $0.depth >= precision }.reversed().map(\.name)
    let losing = others.filter { $0.depth < precision }.map(\.name)
    return (isWide ? wideFormats : []) + [format] + holding + losing
  }
}

/// Decides before each buffer of a run whether the device must change its format.
///
/// The feeder owns the plan, since it knows where on the output's timeline the format changes, and reserves time there
/// to reopen the device. Nothing else chooses the format.
package struct DeviceFormatPlan: Sendable {
  /// The inputs of the decision besides the samples.
  package struct Situation: Sendable, Equatable {
    /// Whether the device must be closed and reopened to change its format.
    package var isCard = false
    /// Whether stages process the samples.
    package var isChanged = false
    /// Whether the sides are treated differently, which needs two channels.
    package var isStereo = false

    package init(isCard: Bool = false, isChanged: Bool = false, isStereo: Bool = false) {
      self.isCard = isCard
      self.isChanged = isChanged
      self.isStereo = isStereo
    }
  }

  package struct Change: Sendable, Equatable {
    /// Nil if the device supports no format that we can produce.
    package var format: DeviceFormat?
    /// Whether the device must be closed and reopened.
    package var reopens = false
  }

  /// The device's format after the buffers so far; nil at the start of a run.
  private var format: DeviceFormat?
  private var input: AudioFormat?
  /// Whether the sides were treated differently when the format was chosen.
  private var isChosenInStereo = false

  package init() {}

  /// The change before the next buffer; nil for none. A new volume alone does not justify the gap of a reopening.
  /// - Parameter choose: called only if a choice is due; see `DeviceFormat.choose`.
  package mutating func next(
    _ input: AudioFormat, _ situation: Situation, choose: (DeviceFormat.Conditions) -> DeviceFormat?
  ) -> Change? {
    let isNew = input != self.input
    let needsSecondChannel =
      situation.isStereo && !isChosenInStereo && input.channels == 1 && format?.channels == 1
    guard isNew || needsSecondChannel else { return nil }
    let former = format
    self.input = input
    isChosenInStereo = situation.isStereo
    format = choose(
      DeviceFormat.Conditions(
        isWideIfChanged: situation.isCard, isChanged: situation.isChanged, isStereo: situation.isStereo,
        current: situation.isCard ? former : nil))
    guard isNew || format != former else { return nil }
    return Change(format: format, reopens: situation.isCard && former != nil && format != former)
  }
}
