import Testing

@testable import Playback

@Suite struct VolumeControlTests {
  @Test func volumeIsKeptWithinItsRangeAndToldOnce() {
    var control = VolumeControl()
    #expect(control.initialCommand == .setVolume(100))
    #expect(control.setVolume(100).isEmpty)
    #expect(control.setVolume(50) == [.pipeline(.setVolume(50)), .notify(.volume)])
    #expect(control.setVolume(-5) == [.pipeline(.setVolume(0)), .notify(.volume)])
    #expect(control.volume == 0)
    #expect(control.setMuted(true) == [.pipeline(.setMuted(true)), .notify(.mute)])
    #expect(control.setMuted(true).isEmpty)
  }

  @Test func nothingGoesBeyondTheLimit() {
    var control = VolumeControl(volume: 90, limit: 60)
    #expect(control.initialCommand == .setVolume(60))
    #expect(control.setVolume(100).isEmpty)
    #expect(control.setVolume(59) == [.pipeline(.setVolume(59)), .notify(.volume)])
    #expect(control.setVolume(61) == [.pipeline(.setVolume(60)), .notify(.volume)])
    #expect(VolumeControl(limit: 101).limit == 100)
  }

  @Test func balanceIsKeptWithinItsRangeAndToldOnce() {
    var control = VolumeControl()
    #expect(control.setBalance(0).isEmpty)
    #expect(control.setBalance(-7) == [.pipeline(.setBalance(-7)), .notify(.balance)])
    #expect(control.setBalance(99) == [.pipeline(.setBalance(15)), .notify(.balance)])
    #expect(control.balance == 15)
  }
}
