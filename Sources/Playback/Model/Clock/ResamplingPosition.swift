/// The position of a resampler in its input, exact for any number of ratio changes.
///
/// It counts as GStreamer's resampler does: in fractions of an input frame whose denominator is the output rate.
package struct ResamplingPosition: Equatable, Sendable {
  /// The input rate, in a unit of its own: a step of the output rate is 0.017 ppm. The resampler multiplies the output
  /// rate by up to 32 in 32 bits.
  package static let inputRate = 60_000_000

  /// Frames per `inputRate` of the input.
  package private(set) var outputRate = ResamplingPosition.inputRate
  /// The next output frame is between this input frame and the following one.
  package private(set) var frame: Int
  /// How far it is between them, in units of 1/`outputRate`.
  package private(set) var phase = 0

  package init(frame: Int = 0) { self.frame = frame }

  /// Frames from the nearest input frame; negative if that one follows.
  package var distanceFromFrame: Double {
    Double(phase * 2 > outputRate ? phase - outputRate : phase) / Double(outputRate)
  }

  package var nearestFrame: ResamplingPosition { ResamplingPosition(frame: phase * 2 > outputRate ? frame + 1 : frame) }

  /// The output rate for a ratio; `inputRate` if it is 1.
  package static func outputRate(ppm: Double) -> Int {
    inputRate + Int((Double(inputRate) * min(max(ppm, -2_000), 2_000) / 1e6).rounded())
  }

  package mutating func setOutputRate(_ rate: Int) {
    phase = phase * rate / outputRate
    outputRate = rate
  }

  package mutating func advance(outputFrames: Int) {
    let (frames, rest) = (phase + outputFrames * Self.inputRate).quotientAndRemainder(dividingBy: outputRate)
    frame += frames
    phase = rest
  }

  /// Output frames whose input frame is before `end`.
  package func outputFrames(before end: Int) -> Int {
    guard frame < end else { return 0 }
    return ((end - frame) * outputRate - phase + Self.inputRate - 1) / Self.inputRate
  }
}
