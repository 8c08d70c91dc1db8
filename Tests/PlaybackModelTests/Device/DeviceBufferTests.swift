import Testing

@testable import PlaybackModel

@Suite struct DeviceBufferTests {
  private static let now = DeviceBuffer.Instant.now

  @Test func eachRunThatRunsDryDoublesTheBufferOfTheNext() {
    var buffer = DeviceBuffer(isRealTime: true)
    var lengths: [Int64] = []
    for _ in 0..<5 {
      lengths.append(buffer.begin(isPrompt: false))
      _ = buffer.ranDry(at: Self.now)
      _ = buffer.ranDry(at: Self.now)
    }
    #expect(lengths == [25_000, 50_000, 100_000, 200_000, 200_000])
  }

  @Test func theThirdUnderrunEndsARunThatCanHaveALongerBuffer() {
    var buffer = DeviceBuffer(isRealTime: true)
    _ = buffer.begin(isPrompt: false)
    #expect((0..<5).map { _ in buffer.ranDry(at: Self.now) } == [false, false, true, true, true])
    #expect(buffer.begin(isPrompt: false) == 50_000)
  }

  @Test func underrunsNowAndThenDoNotEndARun() {
    var buffer = DeviceBuffer(isRealTime: true)
    _ = buffer.begin(isPrompt: false)
    #expect((0..<5).allSatisfy { !buffer.ranDry(at: Self.now + .seconds(15 * $0)) })
    let more = (0..<2).map { _ in buffer.ranDry(at: Self.now + .seconds(80)) }
    #expect(more == [false, true])
  }

  @Test func aSoundServerHasALongerBuffer() {
    var buffer = DeviceBuffer(isRealTime: true)
    #expect(buffer.begin(isPrompt: false, isServer: true) == 50_000)
    #expect((0..<5).allSatisfy { _ in !buffer.ranDry(at: Self.now) })
    #expect(buffer.begin(isPrompt: false, isServer: true) == 100_000)
  }

  @Test func withoutRealTimePriorityTheBufferIsLong() {
    var buffer = DeviceBuffer(isRealTime: false)
    #expect(buffer.begin(isPrompt: false) == 200_000)
    #expect((0..<5).allSatisfy { _ in !buffer.ranDry(at: Self.now) })
  }

  @Test func soundThatMustBeHeardAtItsTimeKeepsItsBuffer() {
    for isRealTime in [true, false] {
      var buffer = DeviceBuffer(isRealTime: isRealTime)
      #expect(buffer.begin(isPrompt: true) == 40_000)
      #expect((0..<5).allSatisfy { _ in !buffer.ranDry(at: Self.now) })
      #expect(buffer.begin(isPrompt: true) == 40_000)
    }
  }
}
