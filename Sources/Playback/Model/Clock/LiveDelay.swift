/// Holds the delay of a live stream of samples: the time from the arrival of a sample to its being heard.
///
/// The server sends in real time by a clock of its own, so without this the delay would grow until the buffers are full, or
/// shrink until they are empty. Servers of files send ahead; their samples pass untouched. A stream that sends its first part
/// ahead and then in real time keeps the delay that this gives it.
///
/// Samples are skipped, or silence inserted, only where the sound begins or was interrupted, or after the device ran dry. A delay
/// that changes meanwhile, because the path through the network has changed, is accepted, and glides back. Times are in
/// nanoseconds of one clock, and places in nanoseconds of the stream. Pure.
package struct LiveDelay: Sendable {
  package enum Step: Equatable, Sendable {
    /// The server may be ahead of real time: play the next samples as they come.
    case pass
    /// Play the next samples at this ratio: output frames per input frame, minus 1, in parts per million.
    case play(ppm: Double)
    /// Play this much silence before the next samples.
    case silence(Int64)
    /// Skip samples of this duration.
    case skip(Int64)
  }

  private enum Pace {
    /// Measured from a place that arrived at a time.
    case unknown(since: (place: Int64, time: Int64)?)
    case live
    case file
  }

  /// Time over which the pace is measured, and how much faster than real time a live stream may be in it.
  private static let window: Int64 = 2_000_000_000
  private static let tolerance = 1.05
  /// The same for the first samples: they come in lumps.
  private static let firstTolerance = 1.35
  /// A stream whose delay has grown by this much is no live stream.
  private static let longestGrowth: Int64 = 500_000_000
  /// How fast an accepted change of the delay glides back, in parts per million.
  private static let glide = 500.0
  private static let step: Int64 = 5_000_000
  /// How long after an interruption the sound may jump. `ClockFollower` waits so long before it believes a large error.
  private static let settling: Int64 = 4_000_000_000

  private var pace: Pace
  private var arrivals = ArrivalFilter()
  private var follower: ClockFollower?
  /// The delay to hold; nil until it is known, for a stream that began ahead of real time.
  private var target: Int64?
  private var lastPlace = Int64.min
  private var lastStep: Int64?
  /// When a sample is heard minus its place, before the delay changed.
  private var formerDevice: Int64?
  private enum Joint {
    /// The sound begins.
    case start
    case interrupted
    /// The sound may jump until then.
    case settling(until: Int64)
  }

  private var joint = Joint.start
  private var ppm = 0.0
  /// The delay of the last samples; nil unless the stream is live.
  package private(set) var delay: Int64?

  /// - Parameters:
  ///   - target: the delay to hold.
  ///   - place: the end of the sound that has arrived before.
  ///   - time: in which it arrived.
  package init(target: Int64, place: Int64, time: Int64) {
    let isLive = Double(place) <= Double(time) * Self.firstTolerance
    pace = isLive ? .live : .unknown(since: nil)
    if isLive {
      self.target = target
      follower = ClockFollower(latency: target)
    }
  }

  /// Whether the server sends in real time.
  package var isLive: Bool { if case .live = pace { true } else { false } }
  /// Whether it has done so from the beginning.
  package var isPaced: Bool { isLive && target != nil }

  /// Sound up to a place has arrived.
  /// - Parameter isFull: whether the buffer is nearly full, so that the server waits for it.
  package mutating func arrived(_ place: Int64, at time: Int64, isFull: Bool) {
    guard place > lastPlace else { return }
    lastPlace = place
    switch pace {
    case .file: return
    case _ where isFull: becomeFile()
    case .live: follower?.receive(sent: place, at: time)
    case .unknown(let since):
      arrivals.receive(sent: place, at: time)
      guard let since else {
        pace = .unknown(since: (place, time))
        return
      }
      guard time - since.time >= Self.window else { return }
      let isLive = Double(place - since.place) <= Double(time - since.time) * Self.tolerance
      pace = isLive ? .live : .unknown(since: (place, time))
    }
  }

  /// The sound was interrupted, so that a jump is not heard as one.
  package mutating func interrupted() { joint = .interrupted }

  /// Decides about the next samples. Call it before each write to the output.
  /// - Parameters:
  ///   - place: of the next sample.
  ///   - heardAt: when it will be heard if it is written now.
  package mutating func next(_ place: Int64, heardAt: Int64, now: Int64) -> Step {
    guard isLive else { return .pass }
    if follower == nil {
      guard let arrived = arrivals.localTime(of: place) else { return .pass }
      follower = ClockFollower(latency: heardAt - arrived, arrivals: arrivals)
    }
    guard var follower else { return .pass }
    defer { self.follower = follower }
    glide(&follower, now: now)
    // The sound of a stream that began ahead of real time is music: nothing of it is skipped.
    let mayJump = target != nil && isAtJoint(now: now)
    let device = heardAt - place
    let decision = follower.decide(next: place, heardAt: heardAt, now: now)
    delay = follower.arrival(of: place).map { heardAt - $0 }
    switch decision {
    case .wait: return .silence(Self.step)
    case .play(let ppm):
      self.ppm = ppm
      if case .start = joint { joint = .settling(until: now) }
      if !follower.isInDoubt { formerDevice = device }
      return .play(ppm: ppm)
    case .pad(let time) where mayJump: return .silence(time)
    case .drop(let time) where mayJump: return .skip(time)
    // The device ran dry. The network did not change, and the sound was interrupted anyway.
    case .drop(let time) where target != nil && device - (formerDevice ?? device) > time / 2: return .skip(time)
    case .pad(let time): follower.latency -= time
    case .drop(let time): follower.latency += time
    }
    if follower.latency - (target ?? follower.latency) > Self.longestGrowth {
      becomeFile()
      return .pass
    }
    return .play(ppm: ppm)
  }

  private mutating func isAtJoint(now: Int64) -> Bool {
    switch joint {
    case .start: return true
    case .interrupted:
      joint = .settling(until: now + Self.settling)
      return true
    case .settling(let end): return now < end
    }
  }

  private mutating func glide(_ follower: inout ClockFollower, now: Int64) {
    defer { lastStep = now }
    guard let target, let lastStep, follower.latency != target else { return }
    let most = Int64(Double(now - lastStep) * Self.glide / 1e6)
    follower.latency += min(max(target - follower.latency, -most), most)
  }

  private mutating func becomeFile() {
    pace = .file
    delay = nil
  }
}
