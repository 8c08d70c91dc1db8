/// A step that changes samples on their way to the device, such as volume or the limiter.
///
/// `SampleStages` lists all of them in order. Samples pass untouched while every stage is neutral.
package protocol SampleStage: Sendable {
  /// Whether the stage leaves the next samples as they are.
  var isNeutral: Bool { get }
  /// Forgets the samples so far. The next ones are unrelated to them: nothing glides or lingers.
  mutating func reset()
  /// Changes samples: either multiplies them through `SampleBlock.scale`, which costs no pass of its own, or accesses them
  /// with `SampleBlock.withSamples`.
  mutating func process(_ block: inout SampleBlock)
}

/// The side that a channel is heard from.
package enum ChannelSide: Sendable, Equatable {
  case left, middle, right
}

/// A factor for the channels of each side.
package struct SideGains: Sendable, Equatable {
  var left: Double
  var middle: Double
  var right: Double

  static let unity = SideGains(1)
  static let silence = SideGains(0)

  init(_ gain: Double) { self.init(left: gain, middle: gain, right: gain) }

  init(left: Double, middle: Double = 1, right: Double) {
    (self.left, self.middle, self.right) = (left, middle, right)
  }

  subscript(side: ChannelSide) -> Double {
    switch side {
    case .left: left
    case .middle: middle
    case .right: right
    }
  }

  static func * (a: SideGains, b: SideGains) -> SideGains {
    SideGains(left: a.left * b.left, middle: a.middle * b.middle, right: a.right * b.right)
  }

  /// The gains on the straight line to `other`, from 0 (self) to 1 (other).
  func interpolated(to other: SideGains, _ part: Double) -> SideGains {
    SideGains(
      left: left + (other.left - left) * part, middle: middle + (other.middle - middle) * part,
      right: right + (other.right - right) * part)
  }
}

/// Consecutive samples that pass the stages.
///
/// Gains are gathered and applied in one pass: when a stage accesses the samples, or at the end.
package struct SampleBlock {
  /// One side's channel after the other, per frame; 1 is full scale.
  private let samples: UnsafeMutableBufferPointer<Double>
  package let sides: [ChannelSide]
  package let rate: Int
  private var gains = SideGains.unity
  private var glides: [GainGlide.Segment] = []

  package init(_ samples: UnsafeMutableBufferPointer<Double>, sides: [ChannelSide], rate: Int) {
    self.samples = samples
    self.sides = sides
    self.rate = rate
  }

  var channels: Int { sides.count }
  var frames: Int { samples.count / sides.count }

  /// Multiplies all samples.
  mutating func scale(by gains: SideGains) { self.gains = self.gains * gains }

  /// Multiplies the samples by gains that change from frame to frame.
  mutating func scale(along glide: GainGlide.Segment) { glides.append(glide) }

  /// Gives access to the samples, interleaved, after applying the gains so far.
  mutating func withSamples(_ body: (UnsafeMutableBufferPointer<Double>) -> Void) {
    applyGains()
    body(samples)
  }

  /// Multiplies the samples by the gains so far.
  mutating func applyGains() {
    let gliding = min(frames, glides.map(\.frames).max() ?? 0)
    for frame in 0..<gliding {
      let gains = glides.reduce(gains) { $0 * $1.gains(at: frame) }
      for channel in 0..<channels { samples[frame * channels + channel] *= gains[sides[channel]] }
    }
    let rest = glides.reduce(gains) { $0 * $1.end }
    multiply(from: gliding, by: rest)
    gains = .unity
    glides = []
  }

  private func multiply(from frame: Int, by gains: SideGains) {
    if let gain = sides.first.map({ gains[$0] }), sides.allSatisfy({ gains[$0] == gain }) {
      if gain == 1 { return }
      for index in frame * channels..<frames * channels { samples[index] *= gain }
      return
    }
    for channel in 0..<channels {
      let gain = gains[sides[channel]]
      if gain == 1 { continue }
      for index in stride(from: frame * channels + channel, to: frames * channels, by: channels) {
        samples[index] *= gain
      }
    }
  }
}
