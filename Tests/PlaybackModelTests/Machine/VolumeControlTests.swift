import Testing

@testable import PlaybackModel

@Suite struct VolumeControlTests {
  @Test func volumeIsClampedAndReportedOnce() {
    var control = VolumeControl()
    #expect(control.initialCommand == .setLevel(Level(volume: 100, isMuted: false)))
    #expect(control.setVolume(100).isEmpty)
    #expect(
      control.setVolume(50) == [
        .pipeline(.setLevel(Level(volume: 50, isMuted: false, revision: 1))), .notify(.volume),
      ])
    #expect(
      control.setVolume(-5) == [.pipeline(.setLevel(Level(volume: 0, isMuted: false, revision: 2))), .notify(.volume)])
    #expect(control.volume == 0)
    #expect(
      control.setMuted(true) == [.pipeline(.setLevel(Level(volume: 0, isMuted: true, revision: 3))), .notify(.mute)])
    #expect(control.setMuted(true).isEmpty)
  }

  @Test func volumeStaysWithinLimit() {
    var control = VolumeControl(volume: 90, limit: 60)
    #expect(control.initialCommand == .setLevel(Level(volume: 60, isMuted: false)))
    #expect(control.setVolume(100).isEmpty)
    #expect(
      control.setVolume(59) == [.pipeline(.setLevel(Level(volume: 59, isMuted: false, revision: 1))), .notify(.volume)])
    #expect(
      control.setLimit(40) == [
        .notify(.volumeLimit), .pipeline(.setLevel(Level(volume: 40, isMuted: false, revision: 2))), .notify(.volume),
      ])
    #expect(control.setLimit(40).isEmpty)
    // Raising the limit does not raise the volume.
    #expect(control.setLimit(200) == [.notify(.volumeLimit)])
    #expect(control.limit == 100)
    #expect(control.volume == 40)
  }

  @Test func fixedVolumeDoesNotChange() {
    var control = VolumeControl(volume: 30, limit: 60, isFixed: true)
    #expect(control.initialCommand == .setLevel(Level(volume: 100, isMuted: false)))
    #expect(control.setVolume(20).isEmpty)
    #expect(control.setLimit(20).isEmpty)
    #expect(control.limit == 100)
    #expect(
      control.setMuted(true) == [.pipeline(.setLevel(Level(volume: 100, isMuted: true, revision: 1))), .notify(.mute)])
  }

  @Test func mixerBeyondLimitIsSetBack() {
    var control = VolumeControl(volume: 40, limit: 60)
    #expect(
      control.follow(Level(volume: 90, isMuted: false)) == [
        .pipeline(.setLevel(Level(volume: 60, isMuted: false, revision: 1))), .notify(.volume),
      ])
    #expect(control.volume == 60)
    var fixed = VolumeControl(isFixed: true)
    #expect(
      fixed.follow(Level(volume: 90, isMuted: false)) == [
        .pipeline(.setLevel(Level(volume: 100, isMuted: false, revision: 1)))
      ])
  }

  @Test func staleMixerEventsAreIgnored() {
    var control = VolumeControl(volume: 40)
    #expect(control.follow(Level(volume: 70, isMuted: true)) == [.notify([.volume, .mute])])
    #expect(control.volume == 70 && control.isMuted)
    #expect(control.follow(Level(volume: 70, isMuted: true)).isEmpty)
    _ = control.setVolume(20)
    #expect(control.follow(Level(volume: 90, isMuted: false)).isEmpty)
    #expect(control.volume == 20)
    #expect(control.follow(Level(volume: 30, isMuted: true, revision: 1)) == [.notify(.volume)])
  }

  @Test func balanceIsClampedAndReportedOnce() {
    var control = VolumeControl()
    #expect(control.setBalance(0).isEmpty)
    #expect(control.setBalance(-7) == [.pipeline(.setBalance(-7)), .notify(.balance)])
    #expect(control.setBalance(99) == [.pipeline(.setBalance(15)), .notify(.balance)])
    #expect(control.balance == 15)
  }
}
