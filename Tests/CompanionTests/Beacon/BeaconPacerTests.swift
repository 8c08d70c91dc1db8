import PlaybackTestKit
import SpeakerCore
import Testing

@testable import Companion

@Suite struct BeaconPacerTests {
  private static let start = ContinuousClock.now

  private static func time(_ seconds: Double) -> ContinuousClock.Instant { start + duration(seconds) }

  private static func duration(_ seconds: Double) -> Duration { .microseconds(Int64((seconds * 1_000_000).rounded())) }

  private static func playing(position: Double, at time: Double, track: Int = 1) -> SpeakerState {
    var moment = SpeakerState()
    (moment.state, moment.trackID, moment.position, moment.time) = (
      .playing, track, duration(position), Self.time(time)
    )
    return moment
  }

  private static func advertised() -> BeaconPacer {
    var pacer = BeaconPacer(BeaconSession(after: 1))
    pacer.isAdvertised = true
    return pacer
  }

  /// Timers fire up to a millisecond late. The moments in between are changes such as that of the volume.
  @Test(arguments: [0.0, 0.4, 0.96]) func aSecondOfPlaybackTakesOneWakeUp(phase: Double) throws {
    var random = SplitMix(state: 1)
    var pacer = Self.advertised()
    _ = pacer.note(Self.playing(position: phase, at: 0))
    var output = pacer.update(at: Self.start)
    var now = Self.start
    var minors: [UInt16] = []
    for _ in 0..<1000 {
      if Bool.random(using: &random) {
        let later = now + .milliseconds(Int.random(in: 1...900, using: &random))
        let seconds = (later - Self.start) / .seconds(1)
        _ = pacer.note(Self.playing(position: phase + seconds, at: seconds))
        output = pacer.update(at: later)
        #expect(!output.hasChanged)
      }
      now = try #require(output.next) + .microseconds(Int.random(in: 0...1000, using: &random))
      output = pacer.update(at: now)
      #expect(output.hasChanged)
      minors.append(pacer.minor)
    }
    #expect(minors == Array(1...1000))
    #expect(abs((now - Self.start) / .seconds(1) + phase - 1000) < 0.01)
  }

  /// After a change between two seconds, the steps come late at first, and then approach the seconds again.
  @Test func theStepsReturnToTheirPhase() throws {
    var pacer = Self.advertised()
    _ = pacer.note(Self.playing(position: 0, at: 0))
    _ = pacer.update(at: Self.start)
    _ = pacer.note(Self.playing(position: 90, at: 1.5, track: 2))
    var output = pacer.update(at: Self.time(1.5))
    #expect(output == .init(hasChanged: true, next: Self.time(2.5)))
    _ = pacer.note(Self.playing(position: 10.9, at: 2.4, track: 3))
    output = pacer.update(at: Self.time(2.4))
    // The limit delays the change.
    #expect(output == .init(hasChanged: false, next: Self.time(2.45)))
    for step in 1...20 {
      let now = try #require(output.next)
      output = pacer.update(at: now)
      #expect(output.hasChanged && Int(pacer.minor) == 9 + step)
    }
    #expect(output.next == Self.time(21.5))
  }

  @Test func withoutAnAdvertisementThereIsNoTimer() {
    var pacer = BeaconPacer(BeaconSession(after: 1))
    #expect(pacer.update(at: Self.start) == .init(hasChanged: false))
    #expect(pacer.note(Self.playing(position: 0, at: 0)) == true)
    #expect(pacer.update(at: Self.time(7.5)) == .init(hasChanged: true))
    #expect((pacer.major, pacer.minor) == (3, 7))
    pacer.isAdvertised = true
    #expect(pacer.update(at: Self.time(7.6)) == .init(hasChanged: false, next: Self.time(8.45)))
    var paused = Self.playing(position: 7.7, at: 7.7)
    paused.state = .paused
    _ = pacer.note(paused)
    #expect(pacer.update(at: Self.time(7.7)) == .init(hasChanged: false))
  }
}
