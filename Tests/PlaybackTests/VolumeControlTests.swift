import Testing

@testable import Playback

@Suite struct VolumeControlTests {
  @Test func volumeIsKeptWithinItsRangeAndToldOnce() {
    var control = VolumeControl()
    #expect(control.initialCommand == .setGain(1))
    #expect(control.setVolume(100).isEmpty)
    #expect(control.setVolume(50) == [.pipeline(.setGain(VolumeScale.gain(step: 50))), .notify(.volume)])
    #expect(control.setVolume(-5) == [.pipeline(.setGain(0)), .notify(.volume)])
    #expect(control.volume == 0)
    #expect(control.setMuted(true) == [.pipeline(.setMuted(true)), .notify(.mute)])
    #expect(control.setMuted(true).isEmpty)
  }
}
