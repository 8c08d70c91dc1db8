/// Volume, balance and a track's own gain, as one factor on the samples of each side.
///
/// Volume and balance glide to what they are set to, since a jump is heard as a click; a track begins with its own gain
/// on its first sample.
package struct GainStage {
  /// Where a channel is heard from.
  package enum Side: Sendable, Equatable {
    case left, middle, right
  }

  /// A factor for each side.
  private struct Gains: Equatable {
    var left = 1.0
    var middle = 1.0
    var right = 1.0

    static let unity = Gains()
    static let silence = Gains(left: 0, middle: 0, right: 0)

    subscript(side: Side) -> Double {
      switch side {
      case .left: left
      case .middle: middle
      case .right: right
      }
    }

    static func * (gains: Gains, factor: Double) -> Gains {
      Gains(left: gains.left * factor, middle: gains.middle * factor, right: gains.right * factor)
    }

    /// A part of the way to others.
    func approaching(_ other: Gains, by part: Double) -> Gains {
      Gains(
        left: left + (other.left - left) * part, middle: middle + (other.middle - middle) * part,
        right: right + (other.right - right) * part)
    }
  }

  /// How long a glide takes, in seconds.
  static let glide = 0.01

  package var volume = 1.0
  package var isMuted = false
  /// Steps, see `BalanceScale`.
  package var balance = 0

  private var track = (id: 0, gain: 1.0)
  private var limiter = Limiter()
  /// Whether the limiter watches.
  private var limits = false
  /// The gains of the last sample, and where they come from if they are on their way: so much of it is done.
  private var current = Gains.unity
  private var origin = Gains.unity
  private var destination = Gains.unity
  private var progress = 1.0

  package init() {}

  private var target: Gains {
    if isMuted { return .silence }
    let sides = BalanceScale.gains(step: balance)
    return Gains(left: sides.left, middle: 1, right: sides.right) * volume * track.gain
  }

  /// Nothing sounds, and what follows begins with the gains that are set.
  package mutating func reset() {
    track = (0, 1)
    limiter.reset()
    settle()
  }

  private mutating func settle() {
    current = target
    destination = current
    progress = 1
  }

  /// The samples that follow are of that track.
  /// - Parameter gain: the track's own; nil where tracks have none, and what is above full scale is left to be clipped.
  package mutating func enter(track id: Int, gain: Double?) {
    limits = gain != nil
    let gain = gain ?? 1
    guard id != track.id || gain != track.gain else { return }
    let former = track
    track = (id, gain)
    guard id != former.id else { return }
    // One that continues the former at the same gain continues everything.
    if gain != former.gain || !limits { limiter.reset() }
    guard progress < 1 else { return settle() }
    let factor = gain / former.gain
    current = current * factor
    origin = origin * factor
    destination = destination * factor
  }

  /// Whether the next samples are left alone.
  package var isNeutral: Bool { progress == 1 && current == .unity && target == .unity && limiter.gain == 1 }

  /// Multiplies.
  /// - Parameters:
  ///   - samples: interleaved; 1 is full scale.
  ///   - sides: of each channel.
  package mutating func process(_ samples: UnsafeMutableBufferPointer<Double>, sides: [Side], rate: Int) {
    let channels = sides.count
    guard channels > 0, rate > 0 else { return }
    if destination != target {
      origin = current
      destination = target
      progress = 0
    }
    let frames = samples.count / channels
    var frame = 0
    let step = 1 / (Self.glide * Double(rate))
    while progress < 1, frame < frames {
      progress = min(1, progress + step)
      current = progress == 1 ? destination : origin.approaching(destination, by: progress)
      for channel in 0..<channels { samples[frame * channels + channel] *= current[sides[channel]] }
      frame += 1
    }
    for channel in 0..<channels {
      let gain = current[sides[channel]]
      if gain == 1 { continue }
      for index in stride(from: frame * channels + channel, to: frames * channels, by: channels) {
        samples[index] *= gain
      }
    }
    if limits { limiter.process(samples, channels: channels, rate: rate) }
  }
}
