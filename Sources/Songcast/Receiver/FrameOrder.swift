import NIOCore

/// A frame in its place in the stream.
package struct ReceivedFrame: Sendable, Hashable {
  /// What comes before the frame.
  package enum Joint: Sendable, Hashable {
    /// The frame before it, or a gap that was reported.
    case continues
    /// Sound of another position, track or format, without a gap.
    case newStream
    /// Nothing that belongs to it: the first frame, or one of a restarted sender.
    case restart
  }

  package var frame: AudioFrame
  /// When it was received. Resent frames tell nothing about the sender's clock.
  package var arrival: NIODeadline
  package var joint: Joint
}

/// Puts the frames of a sender in order, and asks for those that are missing.
///
/// Pure: time goes in with every call.
struct FrameOrder {
  enum Output: Hashable {
    case play(ReceivedFrame)
    /// Frames that did not arrive in time.
    case lost(Int)
  }

  /// Frames that are held while earlier ones are missing. A sender that is further ahead has restarted.
  static let longestBacklog = 200
  /// Frames per request.
  static let longestRequest = 20
  static let longestFirstDelay = TimeAmount.milliseconds(10)
  static let repeatDelay = TimeAmount.milliseconds(30)
  /// Frames are waited for at least this long.
  private static let shortestWindow = TimeAmount.milliseconds(20)
  /// Requests of others that may postpone one of ours, so that a flood of them cannot prevent the repair.
  private static let longestPatience = 2
  /// Frames that are recognised when they arrive again.
  private static let memory = 64

  private struct Repair {
    var requestAt: NIODeadline
    var patience = FrameOrder.longestPatience
    /// When the first gap is given up.
    var giveUpAt: NIODeadline
  }

  private struct Held {
    var frame: AudioFrame
    var arrival: NIODeadline
  }

  /// How long before its time to play a frame must be there.
  private let lead: TimeAmount
  /// The number of the next frame to play; nil before the first.
  private var expected: UInt32?
  private var held: [UInt32: Held] = [:]
  /// The highest number that is held.
  private var highest: UInt32 = 0
  private var repair: Repair?
  /// The last frames played or lost, by their number modulo the size.
  private var recent = [(number: UInt32, start: UInt64?)?](repeating: nil, count: FrameOrder.memory)
  private var format: AudioFormat?
  /// Position in the track after the last frame.
  private var end: UInt64 = 0
  private var hasLost = false

  init(lead: TimeAmount) { self.lead = lead }

  /// When `due` next has something to do.
  var next: NIODeadline? { repair.map { min($0.requestAt, $0.giveUpAt) } }

  /// Forgets the stream. The next frame starts a new one.
  mutating func reset() { self = FrameOrder(lead: lead) }

  mutating func receive(
    _ frame: AudioFrame, arrival: NIODeadline, now: NIODeadline, random: inout any RandomNumberGenerator
  ) -> [Output] {
    guard let expected else { return frame.isResent ? [] : [start(frame, arrival)] }
    let distance = Int32(bitPattern: frame.number &- expected)
    switch distance {
    case 0: return [play(Held(frame: frame, arrival: arrival))] + playHeld()
    case 1...Int32(Self.longestBacklog):
      if held[frame.number] == nil {
        if held.isEmpty || Int32(bitPattern: frame.number &- highest) > 0 { highest = frame.number }
        held[frame.number] = Held(frame: frame, arrival: arrival)
      }
      if repair == nil {
        let delay = TimeAmount.nanoseconds(.random(in: 0...Self.longestFirstDelay.nanoseconds, using: &random))
        repair = Repair(requestAt: now + delay, giveUpAt: giveUpTime)
      }
      return []
    case ..<0 where frame.isResent || isKnown(frame): return []
    default: return flush() + [start(frame, arrival)]
    }
  }

  /// - Returns: the frames to ask for, and what follows a gap that is given up.
  mutating func due(_ now: NIODeadline) -> (request: [UInt32], outputs: [Output]) {
    var outputs: [Output] = []
    while let repair, repair.giveUpAt <= now { outputs += skipGap() + playHeld() }
    guard let requestAt = repair?.requestAt, requestAt <= now else { return ([], outputs) }
    repair?.requestAt = now + Self.repeatDelay
    repair?.patience = Self.longestPatience
    return (missing, outputs)
  }

  /// Another receiver has asked for frames, which the sender sends to all.
  mutating func heardRequest(_ now: NIODeadline) {
    guard let repair, repair.patience > 0 else { return }
    self.repair?.patience -= 1
    self.repair?.requestAt = now + Self.repeatDelay
  }

  /// The first missing frames.
  private var missing: [UInt32] {
    guard let expected, !held.isEmpty else { return [] }
    var missing: [UInt32] = []
    var number = expected
    while number != highest, missing.count < Self.longestRequest {
      if held[number] == nil { missing.append(number) }
      number &+= 1
    }
    return missing
  }

  /// The first number that is held.
  private var firstHeld: UInt32? {
    guard let expected else { return nil }
    return held.keys.min { $0 &- expected < $1 &- expected }
  }

  /// When the frame after the first gap is needed.
  private var giveUpTime: NIODeadline {
    guard let first = firstHeld.flatMap({ held[$0] }) else { return .distantPast }
    return first.arrival + max(TimeAmount(first.frame.latency) - lead, Self.shortestWindow)
  }

  /// Whether a frame was sent before, or is too late. A restarted sender uses the number for other sound.
  private func isKnown(_ frame: AudioFrame) -> Bool {
    guard let known = recent[Int(frame.number) % Self.memory], known.number == frame.number else { return false }
    return known.start.map { $0 == frame.sampleStart } ?? true
  }

  private mutating func start(_ frame: AudioFrame, _ arrival: NIODeadline) -> Output {
    reset()
    return play(Held(frame: frame, arrival: arrival), joint: .restart)
  }

  private mutating func play(_ held: Held, joint: ReceivedFrame.Joint? = nil) -> Output {
    let frame = held.frame
    expected = frame.number &+ 1
    recent[Int(frame.number) % Self.memory] = (frame.number, frame.sampleStart)
    // Frames without samples may be at any position.
    guard frame.sampleCount > 0 || joint != nil else {
      return .play(ReceivedFrame(frame: frame, arrival: held.arrival, joint: .continues))
    }
    let continues = format == frame.format && (hasLost ? frame.sampleStart >= end : frame.sampleStart == end)
    (format, end, hasLost) = (frame.format, frame.sampleStart &+ UInt64(frame.sampleCount), false)
    return .play(
      ReceivedFrame(frame: frame, arrival: held.arrival, joint: joint ?? (continues ? .continues : .newStream)))
  }

  /// Plays what is held up to the next gap.
  private mutating func playHeld() -> [Output] {
    var outputs: [Output] = []
    while let number = expected, let next = held.removeValue(forKey: number) { outputs.append(play(next)) }
    let time = giveUpTime
    if held.isEmpty { repair = nil } else { repair?.giveUpAt = time }
    return outputs
  }

  private mutating func skipGap() -> [Output] {
    guard let expected, let first = firstHeld, first != expected else { return [] }
    let count = first &- expected
    for number in 0..<min(count, UInt32(Self.memory)) {
      let lost = first &- 1 &- number
      recent[Int(lost) % Self.memory] = (lost, nil)
    }
    self.expected = first
    hasLost = true
    return [.lost(Int(count))]
  }

  /// Plays all that is held, with its gaps.
  private mutating func flush() -> [Output] {
    var outputs: [Output] = []
    while !held.isEmpty { outputs += skipGap() + playHeld() }
    return outputs
  }
}
