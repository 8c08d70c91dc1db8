import SpeakerCore
import Testing

@testable import Companion

@Suite struct MPRISPropertiesTests {
  private static func moment(
    _ track: Int, at position: Duration, after time: Duration = .zero, isPlaying: Bool = true,
    since start: ContinuousClock.Instant
  ) -> SpeakerState {
    var moment = SpeakerState()
    moment.state = isPlaying ? .playing : .paused
    (moment.trackID, moment.position, moment.time) = (track, position, start + time)
    moment.duration = .seconds(100)
    return moment
  }

  @Test(arguments: [
    // On time; half a second off; a seek forward; a seek back.
    (1, true, 10, false), (1, true, 10.5, false), (1, true, 12, true), (1, true, 8, true),
    // Paused.
    (1, false, 5, false), (1, false, 20, true),
    // The next track, from its beginning or within it.
    (2, true, 0, false), (2, true, 30, true),
    // No track.
    (0, true, 0, false),
  ]) func aJumpIsAChangeThatPlayingDoesNotExplain(
    _ track: Int, _ isPlaying: Bool, _ position: Double, _ isJump: Bool
  ) {
    let start = ContinuousClock.now
    var detector = JumpDetector()
    let first = detector.update(Self.moment(1, at: .seconds(5), isPlaying: isPlaying, since: start))
    #expect(!first)
    let next = Self.moment(track, at: .seconds(position), after: .seconds(5), isPlaying: isPlaying, since: start)
    let second = detector.update(next)
    #expect(second == isJump)
  }

  @Test(
    arguments: [
      (0, 0), (1, 100), (0.29, 29), (0.005, 1), (-1, 0), (7, 100), (.infinity, 100), (.nan, nil),
    ] as [(Double, Int?)]) func volumesAreSteps(_ volume: Double, _ step: Int?)
  {
    #expect(MPRISProperties.step(of: volume) == step)
  }

  @Test func metadataNamesOnlyWhatIsKnown() throws {
    let empty = MPRISProperties(moment: SpeakerState())
    #expect(
      empty.announced["Metadata"] == .options(["mpris:trackid": .path("/org/mpris/MediaPlayer2/TrackList/NoTrack")]))
    var moment = SpeakerState()
    (moment.trackID, moment.trackURI, moment.title) = (7, "http://192.0.2.1/a.flac", "Title")
    (moment.artist, moment.duration) = ("Artist", .milliseconds(1500))
    #expect(
      MPRISProperties(moment: moment).announced["Metadata"]
        == .options([
          "mpris:trackid": .path("/swiftlet/track/7"), "xesam:url": .string("http://192.0.2.1/a.flac"),
          "xesam:title": .string("Title"), "xesam:artist": .strings(["Artist"]), "mpris:length": .int64(1_500_000),
        ]))
  }
}
