/// Decides what of a `ClockedInput` is played next, so that every sample is heard when `ClockFollower` wants it.
///
/// The output holds little sound: the less it holds, the longer a late packet can be waited for. What does not arrive in
/// time is replaced by silence, and keeps its place. Times are in nanoseconds of one clock. Pure.
package struct ClockedPlayout {
  package typealias Block = ClockedInput.Block

  package enum Step: Equatable {
    /// The output holds enough. Ask again when something arrives, or after this time in nanoseconds.
    case wait(Int64)
    /// Play this many frames of silence between two samples.
    case silence(frames: Int64)
    /// Play these samples at this ratio: output frames per input frame, minus 1, in parts per million.
    case play([Int32], ppm: Double)
    /// The next samples belong to another stream.
    case begin(rate: Int, channels: Int)
    /// The sender is silent or gone, and everything was played.
    case end
  }

  /// When the next sample will be heard, and when the device takes it: it holds what it has taken for a while.
  package struct Lead: Equatable, Sendable {
    package var heard: Int64
    package var taken: Int64

    package init(heard: Int64, taken: Int64) { (self.heard, self.taken) = (heard, taken) }
  }

  /// Samples are placed this long before the device takes them, and at least half as long.
  package static let fill: Int64 = 40_000_000
  /// Silence with which the device starts, at most: it starts with a full buffer.
  private static let longestStart: Int64 = 100_000_000
  /// Silence is inserted in steps of this.
  private static let step: Int64 = 5_000_000
  /// A sender that has sent nothing for this time is gone.
  private static let patience: Int64 = 1_000_000_000
  /// Frames over which sound fades at a gap.
  private static let fade = 128

  /// Frames that the resampler holds back.
  private let delay: Int64
  private var pieces: [ClockedInput.Piece] = []
  private var follower = ClockFollower(latency: 0)
  /// The stream that is played.
  private var format: (rate: Int, channels: Int, latency: Int64)?
  /// A latency that changes by less from block to block is followed within the stream.
  private static let latencyStep: Int64 = 1_000_000
  /// Silence before the output has started.
  private var startSilence: Int64 = 0
  /// The number of pieces whose arrival the follower knows.
  private var known = 0
  /// The next frame of the stream.
  private var next: Int64 = 0
  /// Whether samples of the stream were played or skipped.
  private var hasPlayed = false
  private var ppm = 0.0
  /// When samples of the stream were last played or skipped.
  private var playedAt: Int64?
  /// The last frame before a gap.
  private var last: [Int32] = []
  private var isInGap = false
  /// Frames of the stream that were replaced by silence.
  package private(set) var concealed: Int64 = 0

  /// - Parameter delay: frames that the resampler holds back.
  package init(delay: Int) { self.delay = Int64(delay) }

  package mutating func add(_ new: [ClockedInput.Piece]) { pieces += new }

  /// - Parameter lead: of the next sample that is placed, from now; nil if the output has not started.
  package mutating func next(lead: Lead?, now: Int64) -> Step {
    if let begin = beginStream() { return begin }
    guard let format else { return pieces.isEmpty ? .wait(Self.patience) : .end }
    noteArrivals()
    guard let lead else { return start() }
    // A short latency leaves less time to wait for packets.
    let fill = min(Self.fill, max(format.latency / 4, 2 * Self.step))
    guard lead.taken < fill else { return .wait(lead.taken - fill + Self.step) }
    while true {
      dropOld()
      guard case .block(let block) = pieces.first, block.start <= next || !hasPlayed else {
        return without(lead, fill: fill, now: now)
      }
      if !hasPlayed { next = block.start }
      switch follower.decide(next: time(next - delay), heardAt: now + lead.heard, now: now) {
      case .wait: return .silence(frames: frames(Self.step))
      case .pad(let time): return .silence(frames: max(1, frames(min(time, Self.patience))))
      case .drop(let time):
        next += max(1, frames(time))
        (hasPlayed, playedAt) = (true, now)
      case .play(let ppm):
        self.ppm = ppm
        return play(block, now: now)
      }
    }
  }

  // MARK: Streams

  /// Enters the stream of the first piece, if it is another one.
  private mutating func beginStream() -> Step? {
    guard case .block(let block) = pieces.first else { return nil }
    let isSame = isOfThisStream(block)
    guard !isSame || block.isFirst, !isSame || hasPlayed else { return nil }
    if format?.latency == block.latency {
      follower.restart()
    } else {
      follower = ClockFollower(latency: block.latency)
    }
    format = (block.rate, block.channels, block.latency)
    (known, hasPlayed, isInGap, playedAt) = (0, false, false, nil)
    last = [Int32](repeating: 0, count: block.channels)
    return .begin(rate: block.rate, channels: block.channels)
  }

  /// Tells the follower about the packets of this stream that have arrived.
  private mutating func noteArrivals() {
    while known < pieces.count {
      guard case .block(let block) = pieces[known], isOfThisStream(block),
        !block.isFirst || (known == 0 && !hasPlayed)
      else { return }
      if let arrival = block.arrival { follower.receive(sent: time(block.start), at: arrival) }
      known += 1
    }
  }

  private func isOfThisStream(_ block: Block) -> Bool {
    guard let format, format.rate == block.rate, format.channels == block.channels else { return false }
    return abs(format.latency - block.latency) < Self.latencyStep
  }

  private mutating func removeFirst() {
    pieces.removeFirst()
    known = max(0, known - 1)
  }

  /// Removes blocks whose time is over.
  private mutating func dropOld() {
    while hasPlayed, case .block(let block) = pieces.first, !block.isFirst, block.end <= next { removeFirst() }
  }

  private mutating func start() -> Step {
    guard startSilence < Self.longestStart else { return .wait(Self.step) }
    startSilence += Self.step
    return .silence(frames: frames(Self.step))
  }

  // MARK: Samples

  private mutating func play(_ block: Block, now: Int64) -> Step {
    let skipped = Int(max(0, next - block.start)) * block.channels
    var samples = Array(block.samples.dropFirst(skipped))
    removeFirst()
    if isInGap { fadeIn(&samples, channels: block.channels) }
    format?.latency = block.latency
    follower.latency = block.latency
    next = max(next, block.end)
    (hasPlayed, isInGap, playedAt) = (true, false, now)
    last = samples.suffix(block.channels)
    return .play(samples, ppm: ppm)
  }

  /// The next sample is not there.
  private mutating func without(_ lead: Lead, fill: Int64, now: Int64) -> Step {
    if case .pause = pieces.first {
      removeFirst()
      format = nil
      return .end
    }
    // Silence before the first sample moves nothing.
    if !hasPlayed { return .silence(frames: frames(Self.step)) }
    if case .block(let block) = pieces.first {
      // The frames before it are lost for certain. More than a second of them is no gap but a jump.
      if block.start - next > frames(Self.patience) { next = block.start }
      return conceal(min(max(1, block.start - next), frames(Self.step)))
    }
    if lead.taken > fill / 2 { return .wait(lead.taken - fill / 2) }
    if let playedAt, now - playedAt > Self.patience {
      format = nil
      return .end
    }
    return conceal(frames(Self.step))
  }

  private mutating func conceal(_ count: Int64) -> Step {
    let channels = last.count
    var samples = [Int32](repeating: 0, count: Int(count) * channels)
    if !isInGap {
      for frame in 0..<min(Self.fade, Int(count)) {
        let gain = 1 - Double(frame + 1) / Double(Self.fade)
        for channel in 0..<channels { samples[frame * channels + channel] = Int32(Double(last[channel]) * gain) }
      }
    }
    isInGap = true
    next += count
    concealed += count
    return .play(samples, ppm: ppm)
  }

  private func fadeIn(_ samples: inout [Int32], channels: Int) {
    for index in 0..<min(Self.fade * channels, samples.count) {
      samples[index] = Int32(Double(samples[index]) * Double(index / channels + 1) / Double(Self.fade))
    }
  }

  // MARK: Units

  private func frames(_ nanoseconds: Int64) -> Int64 {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let rate = Int64(format?.rate ?? 0)
    return seconds * rate + rest * rate / 1_000_000_000
  }

  /// The sender's time of a frame.
  private func time(_ frame: Int64) -> Int64 {
    guard let rate = format.map({ Int64($0.rate) }) else { return 0 }
    let (seconds, rest) = frame.quotientAndRemainder(dividingBy: rate)
    return seconds * 1_000_000_000 + rest * 1_000_000_000 / rate
  }
}
