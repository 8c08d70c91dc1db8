import NIOCore

/// The last frames sent, for receivers that lost some.
struct ResendBuffer {
  static let size: UInt32 = 100
  /// Frames of one request that are answered.
  static let longestRequest = 20
  /// A frame is resent once in this time, however many ask for it.
  static let pause = TimeAmount.milliseconds(20)
  /// Frames resent per second, and at once. The stream at most doubles, whatever arrives.
  static let rate = 200
  static let burst = 100

  private var frames: [(frame: AudioFrame, resentAt: NIODeadline)?] = Array(
    repeating: nil, count: Int(ResendBuffer.size))
  private var budget = ResendBuffer.burst
  private var refilledAt = NIODeadline.distantPast

  mutating func store(_ frame: AudioFrame) { frames[Int(frame.number % Self.size)] = (frame, .distantPast) }

  mutating func clear() {
    frames = Array(repeating: nil, count: Int(Self.size))
  }

  /// - Returns: the frames to send again.
  mutating func answer(_ request: [UInt32], now: NIODeadline) -> [AudioFrame] {
    refill(now)
    var answer: [AudioFrame] = []
    for number in request.prefix(Self.longestRequest) where budget > 0 {
      let index = Int(number % Self.size)
      guard let (frame, resentAt) = frames[index], frame.number == number, now - resentAt >= Self.pause else {
        continue
      }
      frames[index]?.resentAt = now
      budget -= 1
      var resent = frame
      resent.flags.insert(.resent)
      answer.append(resent)
    }
    return answer
  }

  private mutating func refill(_ now: NIODeadline) {
    let milliseconds = min((now - refilledAt).nanoseconds / 1_000_000, 1000)
    let count = Int(milliseconds) * Self.rate / 1000
    guard count > 0 else { return }
    budget = min(budget + count, Self.burst)
    refilledAt = now
  }
}
