import CGStreamer
import PlaybackModel

/// Follows another clock: makes samples more or fewer by parts per million, without clicks.
///
/// It keeps the format of the samples. While the ratio is exactly 1 they pass bit for bit. Both ways have the same delay,
/// so that the ratio can change at any time: the resampler starts with the samples that passed before, and when the ratio
/// returns to 1, it glides to a whole sample first. One format per instance; used by one thread at a time.
final class AdaptiveResampler {
  /// Input frames that are held back.
  static let delay = VariableRateResampler.delay
  /// Change of the ratio in ppm by which a position between two samples is left.
  private static let glide = 50.0
  /// Distance in frames from a whole sample that counts as none: 110 dB below the steepest signal.
  private static let nearly = 1e-6

  let format: AudioFormat
  private var samples: WideSamples
  private var outputRate = ResamplingPosition.inputRate
  /// The next output frame, in input frames.
  private var position = ResamplingPosition()
  /// Input frames so far.
  private var end = 0
  /// The last input frames as they came: those after `position`, and `delay` before it.
  private var held: [UInt8] = []
  /// Nil while samples pass.
  private var resampler: VariableRateResampler?
  private var caps: UnsafeMutablePointer<GstCaps>?
  /// Stream time of an input frame.
  private var time: (frame: Int, nanoseconds: Int64)?

  /// Nil if the format is not one of raw samples.
  init?(format: AudioFormat) {
    guard let samples = WideSamples(format: format) else { return nil }
    self.format = format
    self.samples = samples
  }

  deinit { if let caps { swiftlet_caps_unref(caps) } }

  /// Whether samples pass bit for bit.
  var isTransparent: Bool { resampler == nil }

  /// Sets the ratio for the next samples.
  /// - Parameter ppm: output frames per input frame, minus 1, in parts per million; at most 2000 in either direction.
  func setRatio(ppm: Double) { outputRate = ResamplingPosition.outputRate(ppm: ppm) }

  /// Takes samples, and returns those that can be computed; nil if there are none.
  func process(_ buffer: SampleBuffer) -> SampleBuffer? {
    swiftlet_caps_ref(buffer.caps)
    if let caps { swiftlet_caps_unref(caps) }
    caps = buffer.caps
    if let streamTime = buffer.streamTime { time = (end, streamTime) }
    buffer.withBytes { held += $0 }
    end += Int(buffer.frames)
    return output { compute(new: Int(buffer.frames), into: &$0) }
  }

  /// Returns the last samples; nil if there are none. The next samples are those of another stream.
  func finish() -> SampleBuffer? {
    let last = output { bytes in
      guard let resampler else { return pass(upTo: end, into: &bytes) }
      let silence = [Double](repeating: 0, count: (Self.delay + 1) * format.channels)
      append(resampler.resample(silence, outputFrames: position.outputFrames(before: end)), to: &bytes)
    }
    resampler = nil
    (position, end, held, time) = (ResamplingPosition(), 0, [], nil)
    return last
  }

  // MARK: Computing

  private var isWholeWanted: Bool { outputRate == ResamplingPosition.inputRate }

  private func compute(new: Int, into bytes: inout [UInt8]) {
    var remaining = new
    if resampler == nil, !isWholeWanted, end - position.frame > Self.delay {
      remaining = end - position.frame - Self.delay
      start()
    }
    while let resampler, remaining > 0 {
      let frames: Int
      if isWholeWanted {
        frames = min(remaining, glide(resampler))
      } else {
        frames = remaining
        setOutputRate(outputRate, of: resampler)
      }
      let input = samples.unpack(held, frames: heldCount - remaining..<heldCount - remaining + frames)
      remaining -= frames
      append(resampler.resample(input, outputFrames: resampler.outputFrames(for: frames)), to: &bytes)
      guard isWholeWanted, abs(position.distanceFromFrame) < Self.nearly else { continue }
      self.resampler = nil
      position = position.nearestFrame
    }
    if resampler == nil { pass(upTo: end - Self.delay, into: &bytes) }
  }

  /// Starts the resampler at the next output frame, which is a whole sample.
  private func start() {
    guard let new = VariableRateResampler(channels: format.channels) else { return }
    let history = heldCount - (end - position.frame)
    var input = [Double](repeating: 0, count: (Self.delay - history) * format.channels)
    input += samples.unpack(held, frames: 0..<history + Self.delay)
    // The samples before are computed only to get there.
    let frames = Double(Self.delay)
    new.setOutputRate(ResamplingPosition.outputRate(ppm: (frames / (frames - VariableRateResampler.offset) - 1) * 1e6))
    _ = new.resample(input, outputFrames: Self.delay)
    resampler = new
  }

  /// Sets the ratio so that a whole sample is reached.
  /// - Returns: the input frames until then.
  private func glide(_ resampler: VariableRateResampler) -> Int {
    let distance = position.distanceFromFrame
    let frames = max(1, (abs(distance) / Self.glide * 1e6).rounded(.up))
    setOutputRate(ResamplingPosition.outputRate(ppm: distance / frames * 1e6), of: resampler)
    return Int(frames)
  }

  private func setOutputRate(_ rate: Int, of resampler: VariableRateResampler) {
    guard rate != position.outputRate else { return }
    position.setOutputRate(rate)
    resampler.setOutputRate(rate)
  }

  private func append(_ output: [Double], to bytes: inout [UInt8]) {
    position.advance(outputFrames: output.count / format.channels)
    samples.pack(output, to: &bytes)
  }

  private func pass(upTo frame: Int, into bytes: inout [UInt8]) {
    let frames = frame - position.frame
    guard frames > 0 else { return }
    let first = heldCount - (end - position.frame)
    bytes += held[first * format.bytesPerFrame..<(first + frames) * format.bytesPerFrame]
    position = ResamplingPosition(frame: frame)
  }

  // MARK: Buffers

  private var heldCount: Int { held.count / format.bytesPerFrame }

  private func output(_ body: (inout [UInt8]) -> Void) -> SampleBuffer? {
    var bytes: [UInt8] = []
    let first = position.frame
    body(&bytes)
    held.removeFirst(max(0, heldCount - (end - position.frame) - Self.delay) * format.bytesPerFrame)
    guard !bytes.isEmpty, let caps else { return nil }
    let streamTime = time.map { $0.nanoseconds + format.nanoseconds(frames: Int64(first - $0.frame)) }
    return bytes.withUnsafeBytes { SampleBuffer(copying: $0, caps: caps, streamTime: streamTime) }
  }
}
