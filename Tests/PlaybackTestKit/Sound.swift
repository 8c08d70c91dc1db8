import PlaybackModel

/// PCM samples for tests: noise, so that a few samples identify a position.
package struct Sound: Equatable {
  package var rate = 44_100
  package var channels = 2
  /// Bits per sample: 8, 16, 24 or 32; also 64 for floating point.
  package var depth = 16
  /// Whether samples are floating-point numbers from -1 to 1.
  package var isFloat = false
  package var samples: [UInt8]

  package init(
    seconds: Double, rate: Int = 44_100, channels: Int = 2, depth: Int = 16, isFloat: Bool = false, seed: UInt64
  ) {
    self.rate = rate
    self.channels = channels
    self.depth = depth
    self.isFloat = isFloat
    var generator = SplitMix(state: seed)
    let count = Int(seconds * Double(rate)) * channels * (depth / 8)
    samples = []
    samples.reserveCapacity(count + 8)
    while samples.count < count { withUnsafeBytes(of: generator.next()) { samples.append(contentsOf: $0) } }
    samples.removeLast(samples.count - count)
    if isFloat {
      samples = stride(from: 0, to: count, by: depth / 8).flatMap { index in
        let value = Double(Int16(truncatingIfNeeded: Int(samples[index]) << 8 | Int(samples[index + 1]))) / 32_768
        return depth == 64 ? withUnsafeBytes(of: value) { Array($0) } : withUnsafeBytes(of: Float(value)) { Array($0) }
      }
    }
  }

  /// Noise with a peak relative to full scale.
  package init(
    seconds: Double, rate: Int = 44_100, channels: Int = 2, depth: Int = 16, peak: Double, seed: UInt64
  ) {
    self.init(seconds: 0, rate: rate, channels: channels, depth: depth, seed: seed)
    var generator = SplitMix(state: seed)
    let most = Int(peak * Double((1 << (depth - 1)) - 1))
    for _ in 0..<Int(seconds * Double(rate)) * channels {
      let value = Int.random(in: -most...most, using: &generator)
      for byte in 0..<depth / 8 { samples.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
    }
  }

  package var bytesPerFrame: Int { channels * depth / 8 }
  package var frames: Int { samples.count / bytesPerFrame }

  /// The samples from a position on.
  package func from(_ position: Duration) -> [UInt8] {
    let frame = Int((Double(position.nanoseconds) * Double(rate) / 1e9).rounded())
    return Array(samples[min(samples.count, frame * bytesPerFrame)...])
  }

  /// The samples, widened to 24 bits if they have fewer.
  package var samplesOf24Bits: [UInt8] {
    guard depth == 16 else { return samples }
    return stride(from: 0, to: samples.count, by: 2).flatMap { [0, samples[$0], samples[$0 + 1]] }
  }
}

extension [UInt8] {
  /// Equality without a diff in the failure message, which would fill screens.
  package func isSame(as other: [UInt8]) -> Bool { self == other }

  package func ends(with other: [UInt8]) -> Bool {
    count >= other.count && self[(count - other.count)...].elementsEqual(other)
  }
}
