import Testing

@testable import PlaybackModel

@Suite struct VolumeScaleTests {
  @Test func isLinearInDecibels() throws {
    #expect(VolumeScale.gain(step: 100) == 1)
    #expect(VolumeScale.gain(step: 0) == 0)
    #expect(VolumeScale.decibels(step: 0) == nil)
    let half = try #require(VolumeScale.decibels(step: 50))
    #expect(abs(half + 29.98) < 0.01)
    for step in 2...100 {
      let ratio = VolumeScale.gain(step: step) / VolumeScale.gain(step: step - 1)
      // 0.6 dB is a factor of 1.0715.
      #expect(abs(ratio - 1.0715) < 0.0005)
    }
  }
}
