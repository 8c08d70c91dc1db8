import PlaybackModel
import Testing

@testable import SpeakerCore

/// What a command of a person means for an alarm that plays the radio.
@Suite struct PersonalActTests {
  private typealias Glimpse = PersonalAct.Glimpse

  private static let rings = Glimpse(source: .radio, trackID: 1, state: .playing)
  private static let paused = Glimpse(source: .radio, trackID: 1, state: .paused)
  private static let stopped = Glimpse(source: .radio, trackID: 1, state: .stopped)
  private static let standby = Glimpse(source: .radio, trackID: 1, state: .stopped, isStandby: true)
  private static let music = Glimpse(source: .playlist, trackID: 2, state: .transitioning)
  private static let otherTrack = Glimpse(source: .radio, trackID: 2, state: .playing)

  @Test(
    arguments: [
      (SpeakerCommand.pause, paused, .stopped), (.stop, stopped, .stopped), (.toggle, paused, .stopped),
      (.standby(true), standby, .stopped), (.source(.playlist), music, .stopped), (.preset(1), rings, .replaced),
      (.pin(1), rings, .replaced), (.transport(.play, of: .playlist), music, .replaced),
      (.queue(.play(1)), music, .replaced), (.radio(.play(1)), rings, .replaced),
      (.radio(.setChannel(uri: "http://radio/", metadata: "")), otherTrack, .replaced),
      (.sender(uri: "", metadata: ""), stopped, nil),
      // The alarm goes on.
      (.play, rings, nil), (.next, otherTrack, nil), (.seek(to: .zero), rings, nil), (.setVolume(3), rings, nil),
      (.mute(true), rings, nil), (.stop, rings, .stopped), (.transport(.stop, of: .upnpAV), rings, nil),
      (.transport(.pause, of: .playlist), rings, nil), (.standby(false), rings, nil), (.source(.radio), rings, nil),
      (.queue(.clear), rings, nil), (.shuffle(true), rings, nil), (.item(.set(nil)), rings, nil),
      (.sleep(.minutes(5)), rings, nil), (.alarm(.dismiss), stopped, nil),
    ] as [(SpeakerCommand, PersonalAct.Glimpse, AlarmMachine.Event?)])
  func aCommandMeans(command: SpeakerCommand, after: PersonalAct.Glimpse, event: AlarmMachine.Event?) {
    #expect(PersonalAct.event(of: command, from: Self.rings, to: after) == event)
  }

  /// The queue that an alarm plays is cleared, or another track of it is chosen.
  @Test func changesOfTheAlarmsOwnQueueCount() {
    let before = Glimpse(source: .playlist, trackID: 1, state: .playing)
    let cleared = Glimpse(source: .playlist, trackID: 0, state: .noMedia)
    let chosen = Glimpse(source: .playlist, trackID: 2, state: .transitioning)
    #expect(PersonalAct.event(of: .queue(.clear), from: before, to: cleared) == .stopped)
    #expect(PersonalAct.event(of: .queue(.play(2)), from: before, to: chosen) == .replaced)
  }
}
