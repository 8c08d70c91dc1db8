import CGStreamer

/// In which form the device gets the samples.
enum OutputFormat {
  /// Sample formats from the most to the least precise, each with the bits that it carries.
  private static let formats: [(name: String, depth: Int)] = [
    ("F64LE", 53), ("S32LE", 32), ("F32LE", 25), ("S24_32LE", 24), ("S24LE", 24), ("S16LE", 16), ("S8", 8), ("U8", 8),
  ]
  private static let rates = [
    384_000, 352_800, 192_000, 176_400, 96_000, 88_200, 48_000, 44_100, 32_000, 22_050, 16_000, 8_000,
  ]

  /// The form closest to that of the samples among those that the device takes: the same if it can be, else another
  /// that loses nothing, else the one that loses least. Nil if none fits; then negotiation says what is wrong.
  /// - Parameter inStereo: whether one channel is better played by two.
  /// - Returns: caps that the caller owns.
  static func choose(
    _ input: AudioFormat, like caps: UnsafeMutablePointer<GstCaps>, allowed: UnsafeMutablePointer<GstCaps>,
    inStereo: Bool
  ) -> UnsafeMutablePointer<GstCaps>? {
    let asTheyAre = inStereo && input.channels == 1 ? [] : [input.channels]
    for channels in asTheyAre + [2, 1] {
      for rate in ratesByCloseness(to: input.rate) {
        for name in formatsByCloseness(to: input) {
          guard let candidate = swiftlet_audio_caps(name, gint(rate), gint(channels), caps) else { return nil }
          if gst_caps_can_intersect(candidate, allowed) != 0 { return candidate }
          swiftlet_caps_unref(candidate)
        }
      }
    }
    return nil
  }

  /// The rate itself, then multiples of it, then higher ones upwards, then lower ones downwards.
  static func ratesByCloseness(to rate: Int) -> [Int] {
    let multiples = rates.filter { $0 > rate && $0 % rate == 0 }.sorted()
    let higher = rates.filter { $0 > rate && $0 % rate != 0 }.sorted()
    return [rate] + multiples + higher + rates.filter { $0 < rate }
  }

  /// The format itself, then those that hold all its bits from small to large, then the others from large to small.
  static func formatsByCloseness(to input: AudioFormat) -> [String] {
    let depth = input.precision
    let holding = formats.filter { $0.name != input.name && $0.depth >= depth }.reversed()
    let losing = formats.filter { $0.name != input.name && $0.depth < depth }
    return [input.name] + holding.map(\.name) + losing.map(\.name)
  }
}
