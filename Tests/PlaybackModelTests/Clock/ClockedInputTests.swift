import Testing

@testable import PlaybackModel

@Suite struct ClockedInputTests {
  private static func block(_ start: Int64) -> ClockedInput.Piece {
    .block(
      .init(
        rate: 48_000, channels: 2, samples: [Int32](repeating: 0, count: 480), start: start, arrival: 0, latency: 0))
  }

  @Test func piecesAreTakenUpToAPause() {
    let input = ClockedInput()
    for piece in [Self.block(0), .pause, Self.block(240)] { input.add(piece) }
    #expect(input.take() == [Self.block(0), .pause])
    #expect(input.take() == [Self.block(240)])
    #expect(input.take().isEmpty)
  }

  @Test func soundIsAnnouncedOnce() {
    let input = ClockedInput()
    let count = Monitor(0)
    input.awaitSound { count.withLock { $0 += 1 } }
    input.add(.pause)
    #expect(count.withLock { $0 } == 0)
    input.add(Self.block(0))
    input.add(Self.block(240))
    #expect(count.withLock { $0 } == 1)
    input.awaitSound { count.withLock { $0 += 1 } }
    #expect(count.withLock { $0 } == 2)
  }

  @Test func nobodyWhoTakesNothingMakesItGrow() {
    let input = ClockedInput()
    for number in 0..<10_000 { input.add(Self.block(Int64(number) * 240)) }
    let taken = input.take()
    #expect(taken.count <= 402 && taken.last == Self.block(9_999 * 240))
  }

  @Test func aClosedInputTakesNothing() {
    let input = ClockedInput()
    let count = Monitor(0)
    input.add(Self.block(0))
    input.onClose { count.withLock { $0 += 1 } }
    input.close()
    input.close()
    input.add(Self.block(240))
    #expect(input.take().isEmpty && count.withLock { $0 } == 1)
    input.onClose { count.withLock { $0 += 1 } }
    #expect(count.withLock { $0 } == 2)
  }
}
