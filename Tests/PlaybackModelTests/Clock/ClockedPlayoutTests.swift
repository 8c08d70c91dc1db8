import Testing

@testable import PlaybackModel

@Suite struct ClockedPlayoutTests {
  /// A sender, a network, and an output with a clock of its own. Each sample is its place in the stream.
  struct Output {
    static let rate = 48_000
    static let latency: Int64 = 150_000_000
    static let network: Int64 = 3_000_000
    static let packet: Int64 = 240
    /// Time from the device's taking a sample to its being heard.
    static let delay: Int64 = 40_000_000

    var drift = 0.0
    /// When the output starts, and how much silence it takes until then.
    var start: Int64 = 100_000_000
    var end: Int64 = 4_000_000_000
    /// Changes what the network delivers: the packet with its arrival; nil for a lost one.
    var network: (ClockedInput.Block) -> ClockedInput.Block? = { $0 }
    /// Pieces that the sender sends after a time.
    var sends: (Int64) -> Bool = { _ in true }

    struct Heard: Equatable {
      var place: Int64
      /// How late it is, in nanoseconds.
      var late: Int64
      var at: Int64
    }

    struct Result {
      var heard: [Heard] = []
      var concealed: Int64 = 0
      var begins = 0
      var ended: Int64?
    }

    func run() -> Result {
      var result = Result()
      var playout = ClockedPlayout(delay: 0)
      var packets: [(at: Int64, piece: ClockedInput.Piece)] = []
      var wasSilent = false
      for number in 0..<end / 5_000_000 {
        let time = number * 5_000_000
        guard sends(time) else {
          if !wasSilent { packets.append((time, .pause)) }
          wasSilent = true
          continue
        }
        let first = number * Self.packet
        let block = ClockedInput.Block(
          rate: Self.rate, channels: 1, samples: (first..<first + Self.packet).map { Int32($0) }, start: first,
          isFirst: number == 0 || wasSilent, arrival: time + Self.network, latency: Self.latency)
        wasSilent = false
        if let block = network(block) { packets.append((block.arrival ?? time + Self.network, .block(block))) }
      }
      packets.sort { $0.at < $1.at }
      var (played, written, next) = (0.0, 0.0, 0)
      for now in stride(from: 0, to: end, by: 1_000_000) {
        let isRunning = now >= start
        if isRunning { played += 1_000_000 * (1 + drift / 1e6) }
        while next < packets.count, packets[next].at <= now {
          playout.add([packets[next].piece])
          next += 1
        }
        while result.ended == nil {
          let heard = Int64(written - played)
          let lead = isRunning ? ClockedPlayout.Lead(heard: heard, taken: heard - Self.delay) : nil
          let step = playout.next(lead: lead, now: now)
          if case .wait = step { break }
          switch step {
          case .wait: break
          case .silence(let frames): written += Double(frames) / Double(Self.rate) * 1e9
          case .play(let samples, let ppm):
            if let place = samples.first, samples.count > 1, samples[1] == place + 1, place >= 0 {
              let heardAt = now + Int64(written - played)
              let sent = Int64(Double(place) / Double(Self.rate) * 1e9)
              result.heard.append(
                Heard(place: Int64(place), late: heardAt - sent - Self.network - Self.latency, at: now))
            }
            written += Double(samples.count) / Double(Self.rate) * 1e9 * (1 + ppm / 1e6)
          case .begin: result.begins += 1
          case .end: result.ended = now
          }
        }
      }
      result.concealed = playout.concealed
      return result
    }
  }

  @Test(arguments: [-200.0, -100, 0, 100, 200])
  func samplesAreHeardInTime(drift: Double) {
    let result = Output(drift: drift, end: 20_000_000_000).run()
    #expect(result.concealed == 0 && result.begins == 1)
    let heard = result.heard.filter { $0.at > 1_000_000_000 }
    #expect(heard.allSatisfy { abs($0.late) < 1_000_000 })
    #expect(result.heard.filter { $0.at > 12_000_000_000 }.allSatisfy { abs($0.late) < 100_000 })
    // Nothing is skipped or repeated.
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $1.place - $0.place == Output.packet })
    #expect(result.heard.first.map { $0.at < 200_000_000 } == true)
  }

  @Test func aLatencyThatGlidesIsFollowedWithoutAGap() throws {
    let glide = { (start: Int64) in start * 1_000_000_000 / Int64(Output.rate) * 200 / 1_000_000 }
    let result = Output(end: 60_000_000_000) { block in
      var block = block
      block.latency -= glide(block.start)
      return block
    }.run()
    let heard = result.heard.filter { $0.at > 1_000_000_000 }
    #expect(result.concealed == 0 && result.begins == 1)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $1.place - $0.place == Output.packet })
    #expect(heard.allSatisfy { abs($0.late + glide($0.place)) < 2_000_000 })
    let last = try #require(heard.last)
    #expect(last.late < -10_000_000)
  }

  @Test func lostPacketsKeepTheirPlaces() {
    let result = Output(network: { $0.start / Output.packet % 50 == 49 ? nil : $0 }).run()
    #expect(result.concealed == Int64(result.heard.count / 49) * Output.packet)
    #expect(result.heard.filter { $0.at > 500_000_000 }.allSatisfy { abs($0.late) < 1_000_000 })
  }

  @Test func aPacketThatComesTooLateIsReplacedBySilence() {
    let late = Output.packet * 300
    let result = Output(network: { block in
      var block = block
      if block.start == late { block.arrival = block.arrival.map { $0 + 400_000_000 } }
      return block
    }).run()
    #expect(!result.heard.contains { $0.place == late } && result.concealed == Output.packet)
    #expect(result.heard.filter { $0.at > 500_000_000 }.allSatisfy { abs($0.late) < 1_000_000 })
  }

  @Test func anOutputThatStartsLateSkipsWhatIsOver() {
    let result = Output(start: 900_000_000).run()
    #expect(result.heard.filter { $0.at > 1_100_000_000 }.allSatisfy { abs($0.late) < 1_000_000 })
    #expect(result.concealed == 0)
  }

  @Test func aPauseOfTheSenderEndsTheSound() {
    let result = Output(sends: { $0 < 1_000_000_000 }).run()
    #expect(result.heard.last?.place == 199 * Output.packet && result.concealed == 0)
    #expect(result.ended.map { $0 > 1_000_000_000 && $0 < 1_300_000_000 } == true)
  }

  @Test func aSenderThatVanishesEndsTheSoundAfterASecond() {
    let result = Output(network: { $0.start < 200 * Output.packet ? $0 : nil }).run()
    #expect(result.heard.last?.place == 199 * Output.packet)
    #expect(result.ended.map { $0 > 2_000_000_000 && $0 < 2_500_000_000 } == true)
  }

  /// Regression: concealing before the first sample returned no samples, and ran ahead of the stream for ever.
  @Test func aSenderThatVanishesBeforeItsFirstSampleIsDueIsConcealedAndGone() {
    var playout = ClockedPlayout(delay: 0)
    playout.add([
      .block(
        .init(rate: 48_000, channels: 2, samples: [Int32](repeating: 1, count: 480), start: 0, arrival: 0, latency: 0))
    ])
    #expect(playout.next(lead: .init(heard: 0, taken: 0), now: 500_000_000) == .begin(rate: 48_000, channels: 2))
    #expect(
      playout.next(lead: .init(heard: 0, taken: 0), now: 500_000_000)
        == .play([Int32](repeating: 0, count: 480), ppm: 0))
    #expect(playout.next(lead: .init(heard: 0, taken: 0), now: 1_600_000_000) == .end)
  }

  @Test func anotherFormatBeginsAnotherStream() {
    var playout = ClockedPlayout(delay: 0)
    func block(_ rate: Int, start: Int64) -> ClockedInput.Piece {
      .block(
        .init(
          rate: rate, channels: 2, samples: [Int32](repeating: 1, count: 480), start: start, arrival: 0,
          latency: 100_000_000))
    }
    playout.add([block(44_100, start: 0), block(96_000, start: 240)])
    #expect(playout.next(lead: .init(heard: 0, taken: 0), now: 0) == .begin(rate: 44_100, channels: 2))
    guard case .silence(let frames) = playout.next(lead: .init(heard: 0, taken: 0), now: 0) else {
      Issue.record("The first sample is not early.")
      return
    }
    #expect(abs(frames - 4410) <= 1)
    guard case .play = playout.next(lead: .init(heard: 20_000_000, taken: 20_000_000), now: 80_000_000) else {
      Issue.record("The first samples are not played.")
      return
    }
    #expect(
      playout.next(lead: .init(heard: 20_000_000, taken: 20_000_000), now: 80_000_000)
        == .begin(rate: 96_000, channels: 2))
  }

  @Test func aGapHasNoClick() {
    var playout = ClockedPlayout(delay: 0)
    func block(start: Int64) -> ClockedInput.Piece {
      .block(
        .init(
          rate: 48_000, channels: 1, samples: [Int32](repeating: 1_000_000, count: 480), start: start,
          arrival: start * 1_000_000 / 48, latency: 0))
    }
    playout.add([block(start: 0), block(start: 960)])
    var samples: [Int32] = []
    for _ in 0..<5 {
      guard case .play(let more, _) = playout.next(lead: .init(heard: 0, taken: 0), now: 0) else { continue }
      samples += more
    }
    #expect(samples.count == 1440)
    let steps = zip(samples, samples.dropFirst()).map { abs($1 - $0) }
    #expect(steps.allSatisfy { $0 <= 1_000_000 / 128 + 1 } && samples[700] == 0)
  }
}
