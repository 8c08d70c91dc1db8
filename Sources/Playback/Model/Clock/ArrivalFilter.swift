/// Estimates when a sender sends, from the arrival times of its packets.
///
/// A network delays packets by different times, but never sends them early. So the packets with the shortest delay show
/// the sender's clock: the estimate is the line that supports them from below, an edge of their lower convex hull. In a
/// simulation (docs/architecture.md), a Kalman filter over all arrivals followed the average delay, and every burst pulled
/// a regression through the minima up.
///
/// Times are in nanoseconds. Pure.
struct ArrivalFilter {
  /// The packet with the shortest delay in an interval of the sender's time.
  private struct Minimum {
    var interval: Int64
    var sent: Int64
    var delay: Int64
  }

  /// Packets that contradict the estimate: the path or a clock has changed if they go on.
  private struct Challenge {
    var isEarly: Bool
    var since: Int64
    var packets = 0
    var shortest: Int64
    var minima: [Minimum] = []
  }

  private static let interval: Int64 = 250_000_000
  /// 16 s. Longer windows are not more accurate, and shorter ones let the estimate move.
  private static let longestHistory = 64
  /// Minima from which the difference in rate is computed. With fewer it is the last known one.
  private static let shortestHistory = 8
  /// Deviation from the estimate that counts as a contradiction.
  private static let tolerance: Int64 = 5_000_000
  /// Packets are not sent earlier than others by more than this.
  private static let earliness: Int64 = 1_000_000
  /// A packet that was overtaken may be late by this much, but a useful one is not.
  private static let longestDelay: Int64 = 500_000_000
  /// Packets that come early, or impossibly late, are believed after this time.
  private static let shortChallenge: Int64 = 100_000_000
  private static let fewestPackets = 5
  /// Packets that are late are believed after this time: bursts of Wi-Fi are shorter.
  private static let longChallenge: Int64 = 3_000_000_000

  /// The rates of two clocks differ by less.
  private static let largestSlope = 1e-3

  private var minima: [Minimum] = []
  private var challenge: Challenge?
  /// The line: its delay at a time of the sender, and what it gains per nanosecond.
  private var origin: (sent: Int64, delay: Double) = (0, 0)
  private var slope = 0.0

  /// When the last packet arrived that agrees with the estimate.
  private(set) var confirmedAt = Int64.min

  /// The local time at which the sender sent; nil before the first packet.
  func localTime(of sent: Int64) -> Int64? {
    guard !minima.isEmpty else { return nil }
    return sent &+ delay(at: sent)
  }

  mutating func receive(sent: Int64, at arrival: Int64) {
    let delay = arrival &- sent
    let packet = Minimum(interval: sent / Self.interval, sent: sent, delay: delay)
    let deviation = minima.isEmpty ? 0 : delay &- self.delay(at: sent)
    // At first, the shortest delay is not known yet.
    let isYoung = minima.count < Self.shortestHistory
    if deviation < -Self.earliness, deviation >= (isYoung ? -Self.longestDelay : -Self.tolerance) {
      // The path has become shorter: the packets before tell the difference between the rates only.
      minima = []
    } else if deviation.magnitude > Self.tolerance.magnitude {
      let isEarly = deviation < 0
      if challenge(by: packet, deviation: deviation, isEarly: isEarly, at: arrival) || isEarly { return }
      Self.add(packet, to: &minima)
      return fit()
    }
    challenge = nil
    confirmedAt = arrival
    Self.add(packet, to: &minima)
    fit()
  }

  private func delay(at sent: Int64) -> Int64 {
    Int64(origin.delay + slope * Double(sent &- origin.sent)) &+ minima[0].delay
  }

  /// - Returns: whether the packets that contradict the estimate have replaced it.
  private mutating func challenge(by packet: Minimum, deviation: Int64, isEarly: Bool, at arrival: Int64) -> Bool {
    var current =
      challenge.flatMap { $0.isEarly == isEarly ? $0 : nil }
      ?? Challenge(isEarly: isEarly, since: arrival, shortest: deviation)
    current.packets += 1
    current.shortest = min(current.shortest, deviation)
    Self.add(packet, to: &current.minima)
    let isShort = isEarly || current.shortest > Self.longestDelay
    let time = isShort ? Self.shortChallenge : Self.longChallenge
    challenge = current
    guard arrival &- current.since >= time, current.packets >= Self.fewestPackets else { return false }
    minima = current.minima
    challenge = nil
    fit()
    return true
  }

  private static func add(_ packet: Minimum, to minima: inout [Minimum]) {
    guard let last = minima.last, packet.interval <= last.interval else {
      minima.append(packet)
      minima.removeAll { packet.interval - $0.interval >= longestHistory }
      return
    }
    // Packets that were overtaken belong to an interval that is over.
    if packet.interval == last.interval, packet.delay < last.delay { minima[minima.count - 1] = packet }
  }

  /// Fits the line to the minima.
  private mutating func fit() {
    let first = minima[0]
    let points = minima.map { (x: Double($0.sent &- first.sent), y: Double($0.delay &- first.delay)) }
    if points.count >= Self.shortestHistory { slope = Self.slope(under: points) }
    origin = (first.sent, points.map { $0.y - slope * $0.x }.min() ?? 0)
  }

  /// The slope of the edge of the lower convex hull below the mean of the points.
  private static func slope(under points: [(x: Double, y: Double)]) -> Double {
    var hull: [(x: Double, y: Double)] = []
    for point in points {
      while hull.count >= 2, !turnsLeft(hull[hull.count - 2], hull[hull.count - 1], point) { hull.removeLast() }
      hull.append(point)
    }
    let center = points.reduce(0) { $0 + $1.x } / Double(points.count)
    let end = max(1, hull.firstIndex { $0.x >= center } ?? 1)
    let (left, right) = (hull[end - 1], hull[end])
    return min(max((right.y - left.y) / (right.x - left.x), -largestSlope), largestSlope)
  }

  private static func turnsLeft(
    _ a: (x: Double, y: Double), _ b: (x: Double, y: Double), _ c: (x: Double, y: Double)
  ) -> Bool { (b.x - a.x) * (c.y - b.y) > (b.y - a.y) * (c.x - b.x) }
}
