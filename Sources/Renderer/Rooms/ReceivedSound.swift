import NIOCore
import PlaybackModel
import Songcast

/// Turns the frames of a Songcast sender into sound for the player: counts their places in the stream, and unpacks samples.
struct ReceivedSound {
  /// A longer gap between two frames is a jump.
  private static let longestGap: Int64 = 2 << 20

  private var format: Songcast.AudioFormat?
  /// The next place in the stream.
  private var next: Int64 = 0
  /// The position in the track after the last frame.
  private var end: UInt64 = 0

  mutating func pieces(of received: ReceivedFrame) -> [ClockedInput.Piece] {
    let frame = received.frame
    let isFirst = received.joint == .restart || format != frame.format
    if isFirst { next = 0 }
    // Frames that were lost keep their places.
    if received.joint == .continues, !isFirst {
      let gap = Int64(clamping: frame.sampleStart) - Int64(clamping: end)
      if (0...Self.longestGap).contains(gap) { next += gap }
    }
    (format, end) = (frame.format, frame.sampleStart &+ UInt64(frame.sampleCount))
    var pieces: [ClockedInput.Piece] = []
    if frame.sampleCount > 0 {
      pieces.append(
        .block(
          .init(
            rate: Int(frame.sampleRate), channels: Int(frame.channels), samples: Self.samples(of: frame), start: next,
            isFirst: isFirst,
            arrival: frame.isResent ? nil : Int64(clamping: received.arrival.uptimeNanoseconds),
            latency: frame.latency.nanoseconds)))
      next += Int64(frame.sampleCount)
    }
    if frame.isHalt {
      pieces.append(.pause)
      format = nil
    }
    return pieces
  }

  /// The samples at full scale of 32 bits.
  static func samples(of frame: AudioFrame) -> [Int32] {
    frame.pcm.withUnsafeReadableBytes { bytes in
      let size = Int(frame.bitDepth) / 8
      return (0..<bytes.count / size).map { index in
        // Samples of 8 bits are unsigned.
        if size == 1 { return Int32(Int8(bitPattern: bytes[index] ^ 0x80)) << 24 }
        let value = (0..<size).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[index * size + $1]) }
        return Int32(bitPattern: value << UInt32(32 - 8 * size))
      }
    }
  }
}
