/// A format, rate and number of channels that a device may take.
package struct DeviceForm: Sendable, Hashable {
  /// GStreamer's name, such as `S16LE`.
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
  /// Formats for samples that processing gave more bits, best first.
  private static let wideFormats = ["S32LE", "S24_32LE", "S24LE"]
  package static let rates = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000, 176_400, 192_000,
    352_800, 384_000, 705_600, 768_000,
  ]
  package static let mostChannels = 8
  /// Lower rates lose audible sound.
  private static let leastFullRate = 44_100

  /// What the choice depends on besides the samples' own form.
  package struct Wishes: Sendable, Equatable {
    /// Samples that are processed get all bits that the device has.
    var isWideIfChanged = false
    /// The samples are processed: by volume, balance or ReplayGain.
    var isChanged = false
    /// One channel is to be played on two.
    var isStereo = false
    /// The present form, which a change would close and reopen the device for.
    var current: DeviceForm?

    package init(
      isWideIfChanged: Bool = false, isChanged: Bool = false, isStereo: Bool = false, current: DeviceForm? = nil
    ) {
      self.isWideIfChanged = isWideIfChanged
      self.isChanged = isChanged
      self.isStereo = isStereo
      self.current = current
    }
  }

  /// The form closest to the samples' among those that a device takes: the present one or the samples' own, else another
  /// lossless one, else the one that loses least. Nil if none fits.
  /// - Parameters:
  ///   - input: the samples' form, whose format need not be in `formats`.
  ///   - precision: bits needed to hold the samples.
  package static func choose(
    for input: DeviceForm, precision: Int, _ wishes: Wishes, takes: (DeviceForm) -> Bool
  ) -> DeviceForm? {
    for channels in channelsByCloseness(to: input.channels, inStereo: wishes.isStereo) {
      for rate in ratesByCloseness(to: input.rate) {
        let isWide = wishes.isWideIfChanged && (wishes.isChanged || rate != input.rate)
        var formats = formatsByCloseness(to: input.format, precision: precision, isWide: isWide)
        if let current = wishes.current, current.rate == rate, current.channels == channels,
          depth(of: current.format) >= precision
        {
          formats.insert(current.format, at: 0)
        }
        for format in formats {
          let form = DeviceForm(format: format, rate: rate, channels: channels)
          if takes(form) { return form }
        }
      }
    }
    return nil
  }

  private static func depth(of format: String) -> Int { formats.first { $0.name == format }?.depth ?? 0 }

  /// The same number, then two, then more, where all is heard, then fewer.
  private static func channelsByCloseness(to channels: Int, inStereo: Bool) -> [Int] {
    let own = inStereo && channels == 1 ? 2 : channels
    let more = own < mostChannels ? Array(own + 1...mostChannels) : []
    return ([own, 2] + more + (1..<max(own, 2)).reversed()).reduce(into: []) { list, count in
      if !list.contains(count) { list.append(count) }
    }
  }

  /// The rate itself, then multiples of the same base (44.1 or 48 kHz): higher ones upwards, then lower ones downwards as
  /// long as nothing audible is lost. Then the others in the same order, and last the lower rates.
  private static func ratesByCloseness(to rate: Int) -> [Int] {
    let isRelated = { (other: Int) in [11_025, 4_000].contains { rate % $0 == 0 && other % $0 == 0 } }
    func ordered(_ rates: [Int]) -> [Int] {
      rates.filter { $0 > rate } + rates.filter { $0 < rate && $0 >= leastFullRate }.reversed()
    }
    let lowest = rates.filter { $0 < rate && $0 < leastFullRate }.reversed()
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
