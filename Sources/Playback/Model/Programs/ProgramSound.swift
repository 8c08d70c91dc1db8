/// Turns the bytes of a program into sound for the player, with the time at which each piece was made. Pure.
///
/// Most programs write in real time, by their own clock, which the player follows. Others write as fast as they can, and are
/// slowed down here to the speed of real time: they are *paced*. Which one it is shows in the first 40 ms.
///
/// A program may write in larger pieces than the latency allows, or be late. The latency grows then, up to one second. It glides
/// back when the program has been early enough for a while. Times are in nanoseconds of CLOCK_MONOTONIC.
package struct ProgramSound {
  package enum Demand: Equatable {
    case read(bytes: Int)
    case wait(until: Int64)
  }

  /// Sound without a break.
  private struct Run {
    /// When its first frame arrived.
    let origin: Int64
    var frames: Int64 = 0
    var last: Int64
    /// The shortest delays in the present and the former two seconds.
    var windowStart: Int64
    var shortest: (now: Int64, former: Int64) = (.max, .max)

    init(at now: Int64, origin: Int64? = nil) {
      self.origin = origin ?? now
      (last, windowStart) = (now, now)
    }

    var shortestDelay: Int64 { min(shortest.now, shortest.former) }

    mutating func note(_ delay: Int64, at now: Int64) {
      if now - windowStart > 2_000_000_000 { (shortest, windowStart) = ((.max, shortest.now), now) }
      shortest.now = min(shortest.now, delay)
    }
  }

  private static let largestRead = 1 << 16
  private static let probeTime: Int64 = 40_000_000
  /// More sound than this in `probeTime` comes from a program that does not wait for the clock.
  private static let burst: Int64 = 250_000_000
  /// A paced program is read this long ahead.
  private static let ahead: Int64 = 20_000_000
  /// A longer pause ends a run.
  private static let longestPause: Int64 = 300_000_000
  /// The time that a sample needs from here to the device.
  private static let way: Int64 = 65_000_000
  private static let longestLatency: Int64 = 1_000_000_000
  /// More latency than the latest sound needed.
  private static let reserve: Int64 = 25_000_000
  /// How fast the latency glides back, in parts per million.
  private static let glide: Int64 = 200
  /// Sound of this length, and at most twice of it, decides how much latency is needed.
  private static let memory: Int64 = 30_000_000_000

  private let format: ProgramFormat
  private let leastLatency: Int64
  /// How late the latest sound was, in the present and the former `memory`.
  private var latest: (now: Int64, former: Int64, since: Int64?) = (0, 0, nil)
  /// The present latency.
  package private(set) var latency: Int64
  package private(set) var isPaced: Bool?
  private var run: Run?
  /// What arrived before it is known whether the program is paced.
  private var probed: [(samples: [Int32], arrival: Int64)] = []
  private var rest: [UInt8] = []

  package init(format: ProgramFormat, latency: Duration) {
    self.format = format
    leastLatency = latency.nanoseconds
    self.latency = leastLatency
  }

  /// How much to read now.
  package func demand(now: Int64) -> Demand {
    guard isPaced == true, let run else { return .read(bytes: Self.largestRead) }
    let due = run.origin + format.time(frames: run.frames) - Self.ahead
    guard due <= now else { return .wait(until: due) }
    return .read(bytes: max(1, format.rate / 50) * format.bytesPerFrame)
  }

  /// When `add` must be called even if nothing has arrived; nil for never.
  package var deadline: Int64? { probed.first.map { $0.arrival + Self.probeTime } }

  /// The next sound begins a new stream.
  package mutating func restart() { (run, probed, rest) = (nil, [], []) }

  package mutating func add(_ bytes: some Collection<UInt8>, now: Int64) -> [ClockedInput.Piece] {
    rest += bytes
    let whole = rest.count - rest.count % format.bytesPerFrame
    let samples = format.samples(of: rest.prefix(whole))
    rest.removeFirst(whole)
    if isPaced == nil { return probe(samples, now: now) }
    guard !samples.isEmpty else { return [] }
    return [place(samples, now: now)]
  }

  /// Waits until it is known whether the program is paced.
  private mutating func probe(_ samples: [Int32], now: Int64) -> [ClockedInput.Piece] {
    if !samples.isEmpty { probed.append((samples, now)) }
    guard let first = probed.first else { return [] }
    let time = format.time(frames: Int64(probed.reduce(0) { $0 + $1.samples.count } / format.channels))
    guard time > Self.burst || now - first.arrival >= Self.probeTime else { return [] }
    isPaced = time > Self.burst
    defer { probed = [] }
    return probed.map { place($0.samples, now: $0.arrival) }
  }

  private mutating func place(_ samples: [Int32], now: Int64) -> ClockedInput.Piece {
    if let run, now - run.last > Self.longestPause { self.run = nil }
    if isPaced == true { follow(now) } else { measure(now) }
    var run = run ?? Run(at: now)
    let start = run.frames
    let arrival = isPaced == true ? run.origin + format.time(frames: start) : now
    run.note(now - run.origin - format.time(frames: start), at: now)
    run.frames += Int64(samples.count / format.channels)
    run.last = now
    self.run = run
    return .block(
      .init(
        rate: format.rate, channels: format.channels, samples: samples, start: start, isFirst: start == 0,
        arrival: arrival, latency: latency))
  }

  /// A paced program that is late is none.
  private mutating func follow(_ now: Int64) {
    guard let run, now - run.origin - format.time(frames: run.frames) > Self.burst / 2 else { return }
    (isPaced, self.run) = (false, nil)
  }

  private mutating func measure(_ now: Int64) {
    guard let run, run.shortestDelay != .max else { return }
    let late = now - run.origin - format.time(frames: run.frames) - run.shortestDelay
    if late < -Self.burst {
      isPaced = true
      // Play the sound that has arrived before the new run.
      self.run = Run(at: now, origin: run.origin + format.time(frames: run.frames))
      return
    }
    remember(late, at: now)
    if late > latency - Self.way, latency < Self.longestLatency {
      latency = min(Self.longestLatency, late + Self.way + Self.reserve)
      self.run = nil
    } else {
      let needed = max(leastLatency, max(latest.now, latest.former) + Self.way + Self.reserve)
      latency -= min(max(0, latency - needed), (now - run.last) * Self.glide / 1_000_000)
    }
  }

  private mutating func remember(_ late: Int64, at now: Int64) {
    let since = latest.since ?? now
    latest = now - since < Self.memory ? (max(late, latest.now), latest.former, since) : (late, latest.now, now)
  }
}

/// Decides when a program is audible: it writes samples that are not silence. Pure.
package struct SoundGate {
  package enum Event: Equatable { case began, ended }

  /// Without samples, sound has ended after this time.
  private static let longestPause: Int64 = 2_000_000_000
  /// Digital silence may be part of the music.
  private static let longestSilence: Int64 = 20_000_000_000

  private var heardAt: Int64?
  private var arrivedAt: Int64 = 0

  package init() {}

  package var isOpen: Bool { heardAt != nil }

  /// When `check` must be called; nil for never.
  package var deadline: Int64? {
    heardAt.map { min(arrivedAt + Self.longestPause, $0 + Self.longestSilence) }
  }

  /// - Parameter isSilent: whether all samples are zero.
  package mutating func add(isSilent: Bool, now: Int64) -> Event? {
    arrivedAt = now
    guard !isSilent else { return nil }
    defer { heardAt = now }
    return heardAt == nil ? .began : nil
  }

  package mutating func check(now: Int64) -> Event? {
    guard let deadline, deadline <= now else { return nil }
    return close()
  }

  /// The program says that it has paused.
  package mutating func close() -> Event? {
    defer { heardAt = nil }
    return heardAt == nil ? nil : .ended
  }
}
