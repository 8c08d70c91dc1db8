import Glibc

/// The equalizer. A change of its settings fades from the old filter to the new one.
struct EqualizerStage: SampleStage {
  /// Duration of a fade in seconds: long enough for no click, short enough for a comparison.
  static let fade = 0.03

  /// The fade from another filter to `filter`.
  private struct Fade {
    /// Nil if the samples passed unchanged.
    var former: EqualizerFilter?
    var frame = 0
    let frames: Int
  }

  /// The settings that are to be heard; nil if they change nothing.
  private(set) var settings: EqualizerSettings?
  /// The settings that are heard, apart from a fade.
  private var heard: EqualizerSettings?
  /// The filter of `heard`; nil before its first samples.
  private var filter: EqualizerFilter?
  private var fade: Fade?
  /// Samples for the filter that ends.
  private var copy: [Double] = []

  var isNeutral: Bool { settings == nil && heard == nil && fade == nil }
  var effects: Set<SampleEffect> { settings == nil ? [] : [.equalizer] }

  /// - Parameter settings: nil to switch off.
  mutating func set(_ settings: EqualizerSettings?) {
    self.settings = settings.flatMap { $0.isNeutral ? nil : $0 }
  }

  mutating func reset() { (heard, filter, fade) = (settings, nil, nil) }

  mutating func process(_ block: inout SampleBlock) {
    guard !isNeutral else { return }
    let (rate, sides) = (block.rate, block.sides)
    // Filters have a sample rate, so their state ends with it.
    if [filter, fade?.former].contains(where: { $0.map { $0.rate != rate || $0.sides != sides } ?? false }) { reset() }
    block.withSamples { samples in
      EqualizerFilter.sanitize(samples)
      var rest = samples[...]
      while rest.count >= sides.count {
        adopt(rate, sides)
        let frames = min(rest.count / sides.count, fade.map { $0.frames - $0.frame } ?? .max)
        let end = rest.startIndex + frames * sides.count
        pass(UnsafeMutableBufferPointer(rebasing: rest[..<end]), channels: sides.count)
        rest = rest[end...]
      }
    }
  }

  /// Begins a fade if other settings are to be heard. A running fade ends first.
  private mutating func adopt(_ rate: Int, _ sides: [ChannelSide]) {
    guard fade == nil else { return }
    if filter == nil { filter = heard.map { EqualizerFilter($0, rate: rate, sides: sides) } }
    guard heard != settings else { return }
    fade = Fade(former: filter, frames: max(1, Int(Self.fade * Double(rate))))
    filter = settings.map { EqualizerFilter($0, rate: rate, sides: sides, continuing: filter) }
    heard = settings
  }

  private mutating func pass(_ samples: UnsafeMutableBufferPointer<Double>, channels: Int) {
    guard var fade else {
      filter?.process(samples)
      return
    }
    // Moves both, since a second reference would make the filter copy its state with every block.
    self.fade = nil
    var former = copy
    copy = []
    former.removeAll(keepingCapacity: true)
    former.append(contentsOf: samples)
    former.withUnsafeMutableBufferPointer { fade.former?.process($0) }
    filter?.process(samples)
    for frame in 0..<samples.count / channels {
      // Half a cosine has no corner at either end.
      let part = 0.5 - 0.5 * cos(.pi * Double(fade.frame + frame + 1) / Double(fade.frames))
      for index in frame * channels..<(frame + 1) * channels {
        samples[index] = former[index] + (samples[index] - former[index]) * part
      }
    }
    copy = former
    fade.frame += samples.count / channels
    self.fade = fade.frame < fade.frames ? fade : nil
  }
}

/// The filters of all channels at a sample rate, with their state, in transposed direct form II.
struct EqualizerFilter: Sendable {
  /// Larger samples, and those that are not a number, would spoil the state of the filters for good. Full scale is 1.
  private static let loudest = 1e9
  /// A smaller state is that of a filter whose sound has ended. It would become denormal, which is slow to compute.
  private static let silence = 1e-30

  private struct Section {
    /// The place of the band in the settings.
    let place: Int
    let kind: EqualizerBand.Kind
    let biquad: Biquad
    var first = 0.0
    var second = 0.0
  }

  let settings: EqualizerSettings
  let rate: Int
  let sides: [ChannelSide]
  /// The factor of the preamp.
  private let gain: Double
  /// The filters of each channel, in order.
  private var channels: [[Section]]

  /// - Parameter former: a filter of the same format that ends. A band of the same kind continues with its state, which is
  ///   close to the right one.
  init(_ settings: EqualizerSettings, rate: Int, sides: [ChannelSide], continuing former: EqualizerFilter? = nil) {
    self.settings = settings
    self.rate = rate
    self.sides = sides
    gain = pow(10, settings.preampInForce(rate: rate) / 20)
    channels = sides.indices.map { channel in
      settings.bands.enumerated().compactMap { place, band in
        guard band.channel.includes(sides[channel]), let biquad = Biquad(band, rate: rate) else { return nil }
        var section = Section(place: place, kind: band.kind, biquad: biquad)
        if let old = former?.channels[channel].first(where: { $0.place == place && $0.kind == band.kind }) {
          (section.first, section.second) = (old.first, old.second)
        }
        return section
      }
    }
  }

  /// Replaces samples that no filter can process by silence.
  static func sanitize(_ samples: UnsafeMutableBufferPointer<Double>) {
    for index in samples.indices where !(samples[index].magnitude <= loudest) { samples[index] = 0 }
  }

  /// - Parameter samples: interleaved, and sanitized.
  mutating func process(_ samples: UnsafeMutableBufferPointer<Double>) {
    if gain != 1 { for index in samples.indices { samples[index] *= gain } }
    for channel in channels.indices {
      for section in channels[channel].indices {
        Self.process(samples, channel, of: sides.count, &channels[channel][section])
      }
    }
  }

  private static func process(
    _ samples: UnsafeMutableBufferPointer<Double>, _ channel: Int, of channels: Int, _ section: inout Section
  ) {
    let biquad = section.biquad
    let (b0, b1, b2, a1, a2) = (biquad.b0, biquad.b1, biquad.b2, biquad.a1, biquad.a2)
    var (first, second) = (section.first, section.second)
    var index = channel
    while index < samples.count {
      let input = samples[index]
      let output = b0 * input + first
      first = b1 * input + second - a1 * output
      second = b2 * input - a2 * output
      samples[index] = output
      index += channels
    }
    section.first = first.magnitude < silence ? 0 : first
    section.second = second.magnitude < silence ? 0 : second
  }
}
