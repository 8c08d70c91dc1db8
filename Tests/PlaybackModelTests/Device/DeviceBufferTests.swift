import Testing

@testable import PlaybackModel

@Suite struct DeviceBufferTests {
  @Test func eachRunThatRunsDryDoublesTheBufferOfTheNext() {
    var buffer = DeviceBuffer(isRealTime: true)
    var lengths: [Int64] = []
    for _ in 0..<5 {
      lengths.append(buffer.begin(isPrompt: false))
      _ = buffer.ranDry()
      _ = buffer.ranDry()
    }
    #expect(lengths == [20_000, 40_000, 80_000, 160_000, 200_000])
  }

  @Test func theThirdUnderrunEndsARunThatCanHaveALongerBuffer() {
    var buffer = DeviceBuffer(isRealTime: true)
    _ = buffer.begin(isPrompt: false)
    #expect((0..<5).map { _ in buffer.ranDry() } == [false, false, true, false, false])
    #expect(buffer.begin(isPrompt: false) == 40_000)
  }

  @Test func aSoundServerHasALongerBuffer() {
    var buffer = DeviceBuffer(isRealTime: true)
    #expect(buffer.begin(isPrompt: false, isServer: true) == 40_000)
    #expect((0..<5).allSatisfy { _ in !buffer.ranDry() })
    #expect(buffer.begin(isPrompt: false, isServer: true) == 80_000)
  }

  @Test func withoutRealTimePriorityTheBufferIsLong() {
    var buffer = DeviceBuffer(isRealTime: false)
    #expect(buffer.begin(isPrompt: false) == 200_000)
    #expect((0..<5).allSatisfy { _ in !buffer.ranDry() })
  }

  @Test func soundThatMustBeHeardAtItsTimeKeepsItsBuffer() {
    for isRealTime in [true, false] {
      var buffer = DeviceBuffer(isRealTime: isRealTime)
      #expect(buffer.begin(isPrompt: true) == 40_000)
      #expect((0..<5).allSatisfy { _ in !buffer.ranDry() })
      #expect(buffer.begin(isPrompt: true) == 40_000)
    }
  }
}
