import PlaybackTestKit
import Testing

@testable import PlaybackEngine
@testable import PlaybackFormats
@testable import PlaybackModel

@Suite(.timeLimit(.minutes(1))) struct FeederTests {
  /// The output of a run, and what the feeder reported.
  private struct Run {
    var frames: [Int16] = []
    var events: [String] = []
  }

  /// Feeds an output that writes to a file, until everything has been written.
  private func play(_ first: FeedSource, _ following: [FeedSource] = []) throws -> Run {
    let folder = try TemporaryFolder()
    let mailbox = Mailbox()
    let output = try OutputChain(.bin("filesink location=\(folder.path)/heard"), mailbox: mailbox)
    let feeder = Feeder(output: output, mailbox: mailbox)
    defer {
      feeder.quit()
      output.close()
    }
    #expect(output.open())
    output.begin(RunID(1))
    feeder.begin(RunID(1), source: first, following: following)
    var run = Run()
    var hasEnded = false
    while !hasEnded || run.events.last != "finished", let work = mailbox.next(timeout: .seconds(20)) {
      switch work {
      case .feeder(_, .joined(let id, _)): run.events.append("joined \(id)")
      case .feeder(_, .finished): run.events.append("finished")
      case .feeder(_, .starving): run.events.append("starving")
      case .output(_, .ended):
        let bytes = try folder.read("heard")
        run.frames = stride(from: 0, to: bytes.count - 3, by: 4).map {
          Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)
        }
        hasEnded = true
      default: break
      }
    }
    try #require(hasEnded, "the output did not end: \(run.events)")
    return run
  }

  private static func ramp(_ range: Range<Int>) -> [Int16] { range.map { Int16($0) } }

  @Test func joinsAreSampleExact() throws {
    let parts = [0..<1_001, 1_001..<1_002, 1_002..<5_000].map { Self.ramp($0) }
    let sources = parts.enumerated().map { index, part in
      MemorySource([.frames(Array(part.prefix(700))), .frames(Array(part.dropFirst(700)))]).fed(id: index + 1)
    }
    let run = try play(sources[0], Array(sources.dropFirst()))
    #expect(run.frames == Self.ramp(0..<5_000))
    #expect(run.events.filter { $0 != "starving" } == ["joined 2", "joined 3", "finished"])
  }

  /// Sources without samples, such as one after a seek to its end, are left like others.
  @Test(arguments: 1...3) func joinsAfterSourcesWithoutSamplesAreReported(_ count: Int) throws {
    let empty = (1...count).map { MemorySource([]).fed(id: $0) }
    let run = try play(empty[0], empty.dropFirst() + [MemorySource([.frames(Self.ramp(0..<900))]).fed(id: 9)])
    #expect(run.frames == Self.ramp(0..<900))
    #expect(run.events.filter { $0 != "starving" } == ["joined 9", "finished"])
  }

  @Test func encoderDelayAndPaddingAreCutOff() throws {
    let gap = try #require(EncoderGap(delay: 529, length: 2_000, rate: 44_100))
    let source = MemorySource([.frames(Self.ramp(0..<1_152)), .frames(Self.ramp(1_152..<3_456))])
    // Without timestamps, frames count from the sound. Timestamps count from the beginning of the delay.
    #expect(try play(source.fed(id: 1, gap: gap)).frames == Self.ramp(0..<3_456).dropLast(3_456 - 2_000))
    let timed = MemorySource([.frames(Self.ramp(0..<3_456), streamTime: 0)])
    #expect(try play(timed.fed(id: 1, gap: gap)).frames == Self.ramp(529..<2_529))
  }

  @Test func soundBeforeTheStartIsDropped() throws {
    let source = MemorySource([.frames(Self.ramp(0..<4_410), streamTime: 0), .frames(Self.ramp(4_410..<8_820))])
    #expect(try play(source.fed(id: 1, start: .milliseconds(50))).frames == Self.ramp(2_205..<8_820))
  }

  @Test func aSourceWithoutSamplesStarvesTheOutput() throws {
    let source = MemorySource(
      [.frames(Self.ramp(0..<100))] + Array(repeating: .nothing, count: 3) + [.frames(Self.ramp(100..<200)), .nothing])
    let run = try play(source.fed(id: 1))
    #expect(run.frames == Self.ramp(0..<200))
    #expect(run.events == ["starving", "starving", "finished"])
  }

  /// Regression: halted between two samples, the thread waited for work without reporting that it was idle, and random
  /// commands hung.
  @Test func stopsWheneverItIsHalted() throws {
    let mailbox = Mailbox()
    // This output accepts samples without limit, so the feeder never waits for space.
    let output = try OutputChain(.bin("fakesink"), mailbox: mailbox)
    let feeder = Feeder(output: output, mailbox: mailbox)
    defer { feeder.quit() }
    let frames = Array(repeating: MemorySource.Pull.frames([0]), count: 100)
    for run in 1...20_000 {
      feeder.begin(RunID(run), source: MemorySource(frames).fed(id: run))
      feeder.halt()
      try #require(feeder.waitUntilIdle(timeout: .seconds(10)), "run \(run)")
    }
  }
}
