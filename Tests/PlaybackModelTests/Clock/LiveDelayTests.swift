import PlaybackTestKit
import Testing

@testable import PlaybackModel

@Suite struct LiveDelayTests {
  /// A server, a network that delivers everything in order, and an output that holds up to half a second. Times are in
  /// nanoseconds.
  struct Stream {
    static let rate = 44_100.0
    static let second: Int64 = 1_000_000_000

    var target: Int64 = 1_000_000_000
    /// How fast the server's clock is, in parts per million.
    var drift = 0.0
    /// Sound that the server sends at once at the beginning.
    var burst: Int64 = 0
    /// How much faster than real time it sends after that.
    var speed = 1.0
    var lump: Int64 = 50_000_000
    var jitter: Int64 = 5_000_000
    /// The network delivers nothing from here on for this long, and then everything.
    var outage: (at: Int64, length: Int64)?
    /// The server sends nothing from here on for this long, and then goes on.
    var silence: (at: Int64, length: Int64)?
    /// The device runs dry here for this long.
    var gap: (at: Int64, length: Int64)?
    var length: Int64 = 60_000_000_000
    var buffer: Int64 = 10_000_000_000

    struct Result {
      /// When the delay was measured, and how long it was.
      var delays: [(time: Int64, delay: Int64)] = []
      var skips: [(time: Int64, length: Int64)] = []
      var silences: [(time: Int64, length: Int64)] = []
      var largest = 0.0
      var isLive = false
    }

    /// The lumps with the place of their ends, and when they arrive.
    private func lumps() -> [(place: Int64, time: Int64)] {
      var random = SplitMix(state: 7)
      var (last, place): (Int64, Int64) = (0, burst)
      var lumps: [(place: Int64, time: Int64)] = burst > 0 ? [(place: burst, time: Int64(0))] : []
      while last < length {
        place += lump
        var sent = Double(place - burst) / speed / (1 + drift / 1e6)
        if let silence, sent >= Double(silence.at) { sent += Double(silence.length) }
        var arrival = Int64(sent) + Int64.random(in: 0...jitter, using: &random)
        if let outage, (outage.at..<outage.at + outage.length).contains(arrival) { arrival = outage.at + outage.length }
        last = max(last, arrival)
        lumps.append((place, last))
      }
      return lumps
    }

    func run() -> Result {
      let lumps = lumps()
      var result = Result()
      // The player starts with 0.4 s of sound.
      let first = lumps.first { $0.place >= 400_000_000 } ?? (0, 0)
      var live = LiveDelay(target: target, place: first.place, time: first.time)
      let start = first.time + 20_000_000
      var (next, place, arrived): (Int, Int64, Int64) = (0, 0, 0)
      // The output plays in true time, and what it holds ends here.
      var end = start
      let block = 23_000_000.0
      var gap = gap
      for now in stride(from: start, to: length, by: 5_000_000) {
        if let dry = gap, now >= dry.at {
          end += dry.length
          gap = nil
        }
        while next < lumps.count, lumps[next].time <= now, lumps[next].place - place < buffer {
          arrived = lumps[next].place
          live.arrived(arrived, at: max(lumps[next].time, 0), isFull: arrived - place > buffer / 10 * 8)
          next += 1
        }
        while end - now < 500_000_000 {
          guard arrived - place >= Int64(block) else {
            if end < now + 10_000_000 {
              live.interrupted()
              end = now + 15_000_000
            }
            break
          }
          switch live.next(place, heardAt: end, now: now) {
          case .pass:
            end += Int64(block)
            place += Int64(block)
          case .play(let ppm):
            if let delay = live.delay { result.delays.append((end, delay)) }
            result.largest = max(result.largest, abs(ppm))
            end += Int64(block * (1 + ppm / 1e6))
            place += Int64(block)
          case .silence(let time):
            result.silences.append((end, time))
            end += time
          case .skip(let time):
            result.skips.append((end, time))
            place += time
          }
        }
      }
      result.isLive = live.isLive
      return result
    }
  }

  @Test(arguments: [(-200.0, 1000, 3600), (200.0, 1000, 3600), (200.0, 600, 600), (-200.0, 10_000, 600)])
  func theDelayIsHeld(drift: Double, target: Int64, seconds: Int64) {
    let target = target * 1_000_000
    let result = Stream(target: target, drift: drift, length: seconds * Stream.second, buffer: 20 * Stream.second).run()
    #expect(result.isLive && result.largest < 1000)
    let begin = target + 15 * Stream.second
    let late = result.delays.filter { $0.time > begin }
    #expect(late.count > 10_000 && late.allSatisfy { abs($0.delay - target) < 20_000_000 })
    // Only the beginning is moved.
    #expect((result.skips + result.silences).allSatisfy { $0.time < begin })
  }

  @Test func aStreamThatBeginsAheadKeepsItsDelayAndItsSamples() throws {
    let result = Stream(drift: 200, burst: 3 * Stream.second, length: 900 * Stream.second).run()
    #expect(result.isLive && result.skips.isEmpty && result.silences.isEmpty)
    let late = result.delays.filter { $0.time > 60 * Stream.second }.map(\.delay)
    let (least, most) = try (#require(late.min()), #require(late.max()))
    #expect(most - least < 20_000_000 && least > 2 * Stream.second)
  }

  @Test(arguments: [1.5, 2, 100])
  func samplesOfAFilePassUntouched(speed: Double) {
    let result = Stream(speed: speed, length: 120 * Stream.second).run()
    #expect(!result.isLive && result.delays.isEmpty && result.skips.isEmpty && result.silences.isEmpty)
  }

  /// A server that is hardly faster than real time.
  @Test func aFileThatIsTakenForALiveStreamLosesNothing() {
    let result = Stream(speed: 1.2, length: 120 * Stream.second).run()
    #expect(!result.isLive && result.skips.isEmpty)
  }

  @Test func afterTheDeviceHasRunDryTheDelayIsTheSameAgain() {
    let result = Stream(gap: (at: 30 * Stream.second, length: 30_000_000)).run()
    let late = result.delays.filter { $0.time > 31 * Stream.second }
    #expect(result.isLive && late.allSatisfy { abs($0.delay - Stream.second) < 10_000_000 })
    // No more is skipped than was late.
    let skips = result.skips.filter { $0.time > 30 * Stream.second }.map(\.length)
    #expect(skips.count == 1 && skips.allSatisfy { (28_000_000...31_000_000).contains($0) })
  }

  @Test func afterAnOutageTheDelayIsTheSameAgain() {
    let result = Stream(outage: (at: 20 * Stream.second, length: 3 * Stream.second)).run()
    let late = result.delays.filter { $0.time > 26 * Stream.second }
    #expect(result.isLive && late.allSatisfy { abs($0.delay - Stream.second) < 20_000_000 })
    // What is late is skipped.
    #expect(result.skips.filter { $0.time > 20 * Stream.second }.reduce(0) { $0 + $1.length } > Stream.second)
  }

  @Test func afterASilenceOfTheServerTheDelayIsTheSameAgain() {
    let result = Stream(silence: (at: 20 * Stream.second, length: 3 * Stream.second)).run()
    let late = result.delays.filter { $0.time > 40 * Stream.second }
    #expect(result.isLive && late.allSatisfy { abs($0.delay - Stream.second) < 20_000_000 })
  }
}
