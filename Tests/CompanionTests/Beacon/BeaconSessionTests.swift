import PlaybackModel
import SpeakerCore
import Testing

@testable import Companion

@Suite struct BeaconSessionTests {
  private static let start = ContinuousClock.now

  private static func moment(
    _ state: TransportState, _ source: Source = .playlist, track: Int = 1, position: Double = 0, at time: Double = 0,
    duration: Duration? = nil
  ) -> SpeakerState {
    var moment = SpeakerState()
    (moment.state, moment.source, moment.trackID) = (state, source, track)
    (moment.position, moment.duration, moment.time) = (.seconds(position), duration, start + .seconds(time))
    return moment
  }

  /// Each row: a moment, and whether it begins a session.
  @Test func sessionsBeginWithPlaybackAnew() {
    let rows: [(SpeakerState, Bool, String)] = [
      (Self.moment(.noMedia), false, "nothing yet"),
      (Self.moment(.stopped), false, "loaded"),
      (Self.moment(.transitioning), true, "the first start"),
      (Self.moment(.playing), false, "buffered"),
      (Self.moment(.playing, track: 2), false, "the next track"),
      (Self.moment(.paused, track: 2), false, "paused"),
      (Self.moment(.playing, track: 2), false, "resumed"),
      (Self.moment(.stopped, track: 2), false, "stopped"),
      (Self.moment(.playing, track: 2), true, "started again"),
      (Self.moment(.playing, .radio, track: 3), true, "another source"),
      (Self.moment(.stopped, .upnpAV), false, "the source is changed without playing"),
      (Self.moment(.paused, .upnpAV), false, "paused from the start"),
      (Self.moment(.playing, .upnpAV), false, "resumed from there"),
      (Self.moment(.noMedia), false, "all gone"),
      (Self.moment(.playing), true, "and anew"),
    ]
    var session = BeaconSession(after: 41)
    var expected: UInt16 = 42
    for (moment, begins, name) in rows {
      #expect(session.note(moment) == begins, "\(name)")
      if begins { expected += 1 }
      #expect(session.major == expected, "\(name)")
    }
  }

  @Test func theSessionWrapsAndIsNeverZero() {
    var session = BeaconSession(after: .max - 1)
    #expect(session.major == .max)
    _ = session.note(Self.moment(.playing))
    #expect(session.major == 1)
    #expect(BeaconSession(after: .max).major == 1)
  }

  /// Regression: after a kill, a session that had not been saved yet got its number again.
  @Test func aRestartSkipsSessionsThatMayNotHaveBeenSaved() {
    var killed = BeaconSession(after: 41)
    let saved = killed.major
    for _ in 0..<3 {
      _ = killed.note(Self.moment(.playing))
      _ = killed.note(Self.moment(.stopped))
    }
    #expect(BeaconSession(after: BeaconSession.lastUsed(saved: saved)).major > killed.major)
    #expect(BeaconSession.lastUsed(saved: .max) == 16)
    #expect((1...UInt16.max).allSatisfy { BeaconSession.lastUsed(saved: $0) > 0 })
  }

  /// State, position, seconds since that position, duration, and the expected minor. A declared duration may be too short.
  @Test(arguments: [
    (TransportState.playing, 12.0, 0.0, nil as Int?, 12), (.playing, 12, 3.5, nil, 15), (.playing, 12, 3.5, 14, 15),
    (.paused, 12, 3.5, nil, 12), (.transitioning, 12, 3.5, nil, 12), (.stopped, 12, 0, nil, 0),
    (.noMedia, 12, 0, nil, 0),
    (.playing, 65535, 0, nil, 65535), (.playing, 65535, 1, nil, 0), (.playing, 65540, 0, nil, 4),
  ])
  func theMinorIsThePosition(
    _ state: TransportState, _ position: Double, _ later: Double, _ duration: Int?, _ minor: UInt16
  ) {
    var session = BeaconSession(after: 1)
    _ = session.note(Self.moment(state, position: position, duration: duration.map { .seconds($0) }))
    #expect(session.minor(at: Self.start + .seconds(later)) == minor)
  }

  @Test func theNextChangeIsTheNextSecond() {
    var session = BeaconSession(after: 1)
    _ = session.note(Self.moment(.playing, position: 12.25, at: 0, duration: .seconds(14)))
    #expect(session.nextChange(after: Self.start) == Self.start + .milliseconds(750))
    #expect(session.nextChange(after: Self.start + .milliseconds(1000)) == Self.start + .milliseconds(1750))
    // The stream is longer than it declares.
    #expect(session.nextChange(after: Self.start + .seconds(2)) == Self.start + .milliseconds(2750))
    _ = session.note(Self.moment(.paused, position: 12.25))
    #expect(session.nextChange(after: Self.start) == nil)
  }
}
