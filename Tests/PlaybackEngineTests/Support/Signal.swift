import PlaybackTestKit

/// A signal of two 16-bit channels.
struct Signal {
  /// The first channel.
  let left: [Int16]

  init(_ bytes: [UInt8]) {
    left = bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Int16.self)) }
    }
  }
}

extension [Int16] {
  /// The delay in samples relative to another signal around a position in that signal, found by correlation, since a
  /// codec changes the samples. Nil if the signals do not correlate.
  func lag(of original: [Int16], at place: Int, reach: Int = 40) -> Int? {
    let length = 1_000
    guard place >= 0, place + length <= original.count else { return nil }
    func likeness(_ lag: Int) -> Double {
      guard place + lag >= 0, place + lag + length <= count else { return 0 }
      var (product, own, other) = (0.0, 0.0, 0.0)
      for index in place..<place + length {
        let (a, b) = (Double(self[index + lag]), Double(original[index]))
        product += a * b
        own += a * a
        other += b * b
      }
      return own > 0 && other > 0 ? product / (own * other).squareRoot() : 0
    }
    let best = (-reach...reach).map { (lag: $0, likeness: likeness($0)) }.max { $0.likeness < $1.likeness }
    return best.flatMap { $0.likeness > 0.3 ? $0.lag : nil }
  }
}
