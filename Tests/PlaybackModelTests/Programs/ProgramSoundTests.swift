import Testing

@testable import PlaybackModel

@Suite struct ProgramSoundTests {
  private static let rate: Int64 = 44_100
  private static let millisecond: Int64 = 1_000_000

  /// A program that writes pieces of a length, by its own clock, and a reader that is never late.
  struct Program {
    var sound = ProgramSound(format: ProgramFormat(), latency: .milliseconds(120))
    var blocks: [ClockedInput.Block] = []

    mutating func write(frames: Int64, at now: Int64) {
      let bytes = [UInt8](repeating: 1, count: Int(frames) * 4)
      for case .block(let block) in sound.add(bytes, now: now) { blocks.append(block) }
    }
  }

  @Test func realTimeKeepsTheTimeOfArrival() {
    var program = Program()
    // 20 ms each, by a clock that is 100 ppm fast.
    for piece in 0..<500 as Range<Int64> { program.write(frames: 882, at: piece * 19_998_000) }
    #expect(program.sound.isPaced == false)
    #expect(program.blocks.count == 500)
    #expect(program.blocks.enumerated().allSatisfy { $1.arrival == Int64($0) * 19_998_000 })
    #expect(program.blocks.map(\.start) == (0..<500).map { $0 * 882 })
    #expect(program.blocks.map(\.isFirst) == [true] + [Bool](repeating: false, count: 499))
    #expect(program.sound.demand(now: 0) == .read(bytes: 1 << 16))
    #expect(program.sound.latency == 120 * Self.millisecond)
  }

  @Test func aProgramWithoutAClockIsPaced() {
    var program = Program()
    var now: Int64 = 5_000
    while now < 3_000 * Self.millisecond {
      switch program.sound.demand(now: now) {
      case .read(let bytes):
        program.write(frames: Int64(min(bytes, 4096) / 4), at: now)
        now += 10_000
      case .wait(let time):
        #expect(time > now)
        now = time
      }
    }
    #expect(program.sound.isPaced == true)
    let first = program.blocks[0]
    #expect(first.isFirst)
    for block in program.blocks {
      #expect(block.arrival == 5_000 + ProgramFormat().time(frames: block.start))
      #expect(!block.isFirst || block.start == 0)
    }
    let frames = program.blocks.reduce(0) { $0 + $1.samples.count / 2 }
    #expect(abs(frames - 3 * 44_100) < 44_100 / 2)
  }

  @Test func aPauseBeginsAnotherRun() {
    var program = Program()
    for piece in 0..<10 as Range<Int64> { program.write(frames: 882, at: piece * 20 * Self.millisecond) }
    for piece in 0..<10 as Range<Int64> { program.write(frames: 882, at: (5_000 + piece * 20) * Self.millisecond) }
    #expect(program.blocks.filter(\.isFirst).map(\.arrival) == [0, 5_000 * Self.millisecond])
    #expect(program.blocks.last?.start == 7_938)
  }

  @Test func theLatencyGrowsWithThePieces() {
    var program = Program()
    // 200 ms in pieces of 20 ms, all at once.
    for piece in 0..<30 as Range<Int64> {
      for _ in 0..<10 { program.write(frames: 882, at: piece * 200 * Self.millisecond) }
    }
    #expect(program.sound.isPaced == false)
    #expect((200...500).contains(program.sound.latency / Self.millisecond))
    #expect(program.blocks.filter(\.isFirst).count < 4)
    #expect(program.blocks.last?.latency == program.sound.latency)
  }

  @Test func theLatencyGlidesBack() throws {
    let format = try #require(ProgramFormat("8000:16:1"))
    var program = Program(sound: ProgramSound(format: format, latency: .milliseconds(120)))
    var now: Int64 = 0
    for _ in 0..<30 {
      // 120 ms in pieces of 20 ms, all at once.
      for _ in 0..<6 { program.write(frames: 80, at: now) }
      now += 120 * Self.millisecond
    }
    let grown = program.sound.latency
    let begin = program.blocks.count
    for _ in 0..<24_000 {
      program.write(frames: 80, at: now)
      now += 20 * Self.millisecond
    }
    #expect(grown > 160 * Self.millisecond && program.sound.latency == 120 * Self.millisecond)
    let later = program.blocks[begin...].map(\.latency)
    // It is long enough while pieces may still be large, and never jumps.
    #expect(later.prefix(1000).allSatisfy { $0 == grown })
    #expect(zip(later, later.dropFirst()).allSatisfy { (0...4_000).contains($0 - $1) })
    #expect(program.blocks[begin...].allSatisfy { !$0.isFirst })
  }

  @Test(
    arguments: [
      ("44100:16:2", [0x01, 0x80, 0xFF, 0x7F], [-0x7FFF_0000, 0x7FFF_0000]),
      ("48000:24:1", [0x01, 0x02, 0x83], [Int32(bitPattern: 0x8302_0100)]),
      ("96000:32:1", [0x01, 0x02, 0x03, 0x84], [Int32(bitPattern: 0x8403_0201)]),
    ] as [(String, [UInt8], [Int32])])
  func samplesAreUnpacked(format: String, bytes: [UInt8], samples: [Int32]) {
    #expect(ProgramFormat(format)?.samples(of: bytes) == samples)
  }

  @Test(arguments: ["", "44100", "44100:16", "44100:16:3", "44100:20:2", "4000:16:2", "x:16:2", "44100:16:2:1"])
  func otherFormatsAreRefused(format: String) { #expect(ProgramFormat(format) == nil) }

  @Test func bytesThatAreNoFrameWait() {
    var sound = ProgramSound(format: ProgramFormat(), latency: .milliseconds(120))
    var frames = 0
    for byte in 0..<4000 as Range<Int64> {
      for case .block(let block) in sound.add([UInt8(truncatingIfNeeded: byte)], now: byte * Self.millisecond) {
        frames += block.samples.count / 2
      }
    }
    #expect(frames == 1000)
  }
}

@Suite struct SoundGateTests {
  private static let second: Int64 = 1_000_000_000

  @Test func soundBeginsWithASampleAndEndsWithAPause() {
    var gate = SoundGate()
    #expect(gate.add(isSilent: true, now: 0) == nil)
    #expect(gate.deadline == nil)
    #expect(gate.add(isSilent: false, now: Self.second) == .began)
    #expect(gate.add(isSilent: false, now: 2 * Self.second) == nil)
    #expect(gate.check(now: 3 * Self.second) == nil)
    #expect(gate.deadline == 4 * Self.second)
    #expect(gate.check(now: 4 * Self.second) == .ended)
    #expect(gate.add(isSilent: false, now: 5 * Self.second) == .began)
    #expect(gate.close() == .ended)
    #expect(gate.close() == nil)
  }

  @Test func aQuietPassageIsSound() {
    var gate = SoundGate()
    _ = gate.add(isSilent: false, now: 0)
    for second in 1..<20 as Range<Int64> {
      _ = gate.add(isSilent: true, now: second * Self.second)
      #expect(gate.check(now: second * Self.second) == nil)
    }
    _ = gate.add(isSilent: true, now: 20 * Self.second)
    #expect(gate.check(now: 20 * Self.second) == .ended)
  }
}
