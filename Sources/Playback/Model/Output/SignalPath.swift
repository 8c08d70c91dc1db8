/// The format in which the audio device is open.
public struct OutputFormat: Sendable, Equatable {
  /// Frames per second.
  public let sampleRate: Int
  /// Significant bits of a sample: 24 for 24 bits in 32, and 32 or 64 for floating point.
  public let bitDepth: Int
  public let channels: Int
  /// Whether the device is a card that is opened directly. Other outputs, such as ALSA's `default` or a sound server,
  /// may mix and convert the samples.
  public let isDirect: Bool

  public init(sampleRate: Int, bitDepth: Int, channels: Int, isDirect: Bool) {
    self.sampleRate = sampleRate
    self.bitDepth = bitDepth
    self.channels = channels
    self.isDirect = isDirect
  }
}

/// Whether the decoded samples reach the card bit for bit, and if not, why.
///
/// A lossy codec is no reason: the verdict concerns the samples after decoding. Neither is a volume that the card's own
/// mixer applies, nor zero bits appended to each sample.
public struct SignalPath: Sendable, Equatable {
  /// Something that changes samples, or may change them.
  public enum Reason: String, Sendable, CaseIterable {
    case volume, balance, mute
    case replayGain = "replay_gain"
    case equalizer
    /// The limiter has attenuated a peak of the current track.
    case limiter
    /// The device has another sample rate, or the samples follow the clock of another room or of their server.
    case resampled
    /// The device's samples are too short for all bits.
    case depth
    /// The device has another number of channels.
    case channels
    /// The output is not a card that is opened directly.
    case shared
    /// The sleep timer or an alarm fades the sound.
    case fade
    /// An announcement is heard over the sound.
    case announcement
  }

  public let output: OutputFormat
  /// Why the path is not bit-perfect, in the order of `Reason.allCases`; empty if the samples pass bit for bit.
  public let reasons: [Reason]
  public var isBitPerfect: Bool { reasons.isEmpty }

  public init(output: OutputFormat, reasons: [Reason]) {
    self.output = output
    self.reasons = reasons
  }
}

/// The engine's facts about the samples on their way to the device.
package struct SignalFacts: Sendable, Equatable {
  /// The format of the decoded samples.
  package var input: AudioFormat
  /// The format that the device gets.
  package var output: AudioFormat
  /// See `OutputFormat.isDirect`.
  package var isDirect: Bool
  /// The effects of the stages on the samples.
  package var effects: Set<SampleEffect>

  package init(input: AudioFormat, output: AudioFormat, isDirect: Bool, effects: Set<SampleEffect> = []) {
    self.input = input
    self.output = output
    self.isDirect = isDirect
    self.effects = effects
  }

  package var outputFormat: OutputFormat {
    OutputFormat(
      sampleRate: output.rate, bitDepth: output.depth, channels: output.channels, isDirect: isDirect)
  }

  /// Derives the path and the reasons why it is not bit-perfect.
  /// - Parameters:
  ///   - bitDepth: the significant bits of an input sample, if fewer than its format holds.
  ///   - followsClock: whether the samples follow the clock of another room or of their server.
  package func path(bitDepth: Int? = nil, followsClock: Bool = false) -> SignalPath {
    SignalPath(output: outputFormat, reasons: SignalPath.Reason.allCases.filter { applies($0, bitDepth, followsClock) })
  }

  private func applies(_ reason: SignalPath.Reason, _ bitDepth: Int?, _ followsClock: Bool) -> Bool {
    switch reason {
    case .volume: effects.contains(.volume)
    // A single channel counts as the middle, which balance does not change.
    case .balance: effects.contains(.balance) && output.channels > 1
    case .mute: effects.contains(.mute)
    case .replayGain: effects.contains(.replayGain)
    case .equalizer: effects.contains(.equalizer)
    case .limiter: effects.contains(.limiter)
    case .resampled: followsClock || output.rate != input.rate
    case .depth: output.name != input.name && output.exactBits < min(input.exactBits, bitDepth ?? .max)
    case .channels: output.channels != input.channels
    case .shared: !isDirect
    case .fade: effects.contains(.fade)
    case .announcement: effects.contains(.announcement)
    }
  }
}
