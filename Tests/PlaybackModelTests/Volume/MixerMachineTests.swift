import Glibc
import PlaybackTestKit
import Testing

@testable import PlaybackModel

@Suite struct MixerMachineTests {
  private typealias Position = MixerMachine.Position

  private static let scale = MixerScale(minimum: -2_500, maximum: 0)
  private let chosen = Level(volume: 75, isMuted: false, revision: 1)

  private func machine(at position: MixerMachine.Position, level: Level? = nil) throws -> MixerMachine {
    var machine = MixerMachine()
    _ = machine.set(level ?? chosen)
    _ = machine.found(try #require(Self.scale), at: position)
    _ = machine.settled(at: position)
    return machine
  }

  @Test func withoutACardTheSamplesAreScaled() {
    var machine = MixerMachine()
    #expect(machine.set(chosen) == [.samples(gain: VolumeScale.gain(step: 75), isMuted: false)])
    #expect(machine.set(Level(volume: 100, isMuted: true, revision: 2)) == [.samples(gain: 1, isMuted: true)])
  }

  @Test func aCardThatComesTakesOver() throws {
    var machine = MixerMachine()
    _ = machine.set(chosen)
    let actions = machine.found(try #require(Self.scale), at: Position(level: 0, isOn: false))
    #expect(actions == [.move(Position(level: -1_499, isOn: true)), .samples(gain: 1, isMuted: false)])
    #expect(machine.lost() == [.samples(gain: VolumeScale.gain(step: 75), isMuted: false)])
  }

  @Test func theCardsLevelIsAdoptedIfTheVolumeWasNeverSet() throws {
    var machine = MixerMachine()
    _ = machine.set(Level(volume: 100, isMuted: false))
    let actions = machine.found(try #require(Self.scale), at: Position(level: -1_500, isOn: false))
    #expect(actions == [.samples(gain: 1, isMuted: false), .report(Level(volume: 75, isMuted: true))])
    // The player's initial level may arrive after the card was found.
    #expect(machine.set(Level(volume: 100, isMuted: false)).isEmpty)
  }

  @Test func theSamplesCoverWhatTheCardLacks() throws {
    var machine = try machine(at: Position(level: -1_500, isOn: nil))
    let soft = machine.set(Level(volume: 0, isMuted: true, revision: 2))
    #expect(soft == [.move(Position(level: -2_500, isOn: nil)), .samples(gain: 0, isMuted: true)])
  }

  @Test func changesByOtherProgramsAreReported() throws {
    var machine = try machine(at: Position(level: -1_500, isOn: true))
    #expect(machine.moved(to: Position(level: -1_500, isOn: true)).isEmpty)
    #expect(
      machine.moved(to: Position(level: -600, isOn: true)) == [
        .samples(gain: 1, isMuted: false), .report(Level(volume: 90, isMuted: false, revision: 1)),
      ])
    #expect(
      machine.moved(to: Position(level: nil, isOn: false)) == [
        .samples(gain: 0, isMuted: false), .report(Level(volume: 0, isMuted: true, revision: 1)),
      ])
  }

  // MARK: Announcements

  /// A machine at step 75 (-15 dB), with an announcement at step 100 that the card has been raised for.
  private func raisedMachine() throws -> MixerMachine {
    var machine = try machine(at: Position(level: -1_500, isOn: true))
    #expect(
      machine.announce(100) == [
        .samples(gain: Self.factor(-1_500), isMuted: false), .raise(Position(level: 0, isOn: true)),
      ])
    _ = machine.settled(at: Position(level: 0, isOn: true))
    #expect(machine.cardGain == 1)
    return machine
  }

  private static func factor(_ level: Int) -> Double { pow(10, Double(level) / 2_000) }

  @Test func anAnnouncementRaisesTheCardAndLowersTheSamples() throws {
    var machine = try raisedMachine()
    #expect(machine.announce(nil) == [.restore, .samples(gain: 1, isMuted: false)])
    #expect(machine.settled(at: Position(level: -1_500, isOn: true)).isEmpty)
  }

  @Test func theSamplesFollowTheLevelThatTheCardReaches() throws {
    var machine = try machine(at: Position(level: -1_500, isOn: true))
    _ = machine.announce(100)
    #expect(
      machine.settled(at: Position(level: -100, isOn: true)) == [.samples(gain: Self.factor(-1_400), isMuted: false)])
  }

  @Test func aMutedCardIsSwitchedOnAndTheMusicMutedInTheSamples() throws {
    var machine = try machine(
      at: Position(level: -1_500, isOn: false), level: Level(volume: 75, isMuted: true, revision: 1))
    #expect(machine.cardGain == 0)
    let actions = machine.announce(75)
    guard case .samples(let gain, isMuted: true) = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(abs(gain - Self.factor(-1)) < 1e-9)
    #expect(actions.dropFirst() == [.raise(Position(level: -1_499, isOn: true))])
    _ = machine.settled(at: Position(level: -1_500, isOn: true))
    #expect(machine.announce(nil) == [.restore, .samples(gain: 1, isMuted: false)])
  }

  @Test func aVolumeThatIsSetMeanwhileStays() throws {
    var machine = try raisedMachine()
    let softer = Level(volume: 50, isMuted: false, revision: 2)
    let actions = machine.set(softer)
    // -30 dB: 5 less than the card has.
    #expect(actions.first == .move(Position(level: 0, isOn: true)))
    guard case .samples(let gain, false)? = actions.last else {
      Issue.record("\(actions)")
      return
    }
    #expect(abs(gain - Self.factor(-3_000)) < 0.001)
    let end = machine.announce(nil)
    #expect(end.prefix(2) == [.forget, .move(Position(level: -2_500, isOn: true))])
  }

  @Test func whatAnotherProgramSetsMeanwhileStays() throws {
    var machine = try raisedMachine()
    #expect(
      machine.moved(to: Position(level: -600, isOn: true)) == [
        .forget, .samples(gain: 1, isMuted: false), .report(Level(volume: 90, isMuted: false, revision: 1)),
      ])
    #expect(machine.announce(95).isEmpty)
    #expect(machine.announce(nil) == [.samples(gain: 1, isMuted: false)])
  }

  @Test func aCardThatIsLostEndsIt() throws {
    var machine = try raisedMachine()
    #expect(machine.lost() == [.samples(gain: VolumeScale.gain(step: 75), isMuted: false)])
    #expect(machine.announce(nil).isEmpty)
    #expect(machine.cardGain == nil)
  }

  @Test func aMuteSwitchKeepsTheVolume() throws {
    // A card with coarse steps is at its own nearest position, which is not the exact level of a volume step.
    var machine = try machine(at: Position(level: -1_600, isOn: true))
    #expect(
      machine.moved(to: Position(level: -1_600, isOn: false)) == [
        .samples(gain: 1, isMuted: false), .report(Level(volume: 75, isMuted: true, revision: 1)),
      ])
  }
}
