import PlaybackModel
import SpeakerCore
import Testing

@testable import Companion

@Suite struct PresencePlaybackTests {
  private static func moment(_ state: TransportState, track: Int = 1, source: Source = .playlist) -> SpeakerState {
    var moment = SpeakerState()
    (moment.state, moment.trackID, moment.source) = (state, track, source)
    return moment
  }

  private enum Step {
    case moment(SpeakerState)
    case leave(pauses: Bool)
    case failed
    case comeBack(plays: Bool)
  }

  private static func run(_ steps: [Step], _ name: String) {
    var playback = PresencePlayback()
    for (index, step) in steps.enumerated() {
      switch step {
      case .moment(let moment): playback.note(moment)
      case .leave(let pauses): #expect(playback.leave() == pauses, "\(name), step \(index)")
      case .failed: playback.pauseFailed()
      case .comeBack(let plays): #expect(playback.comeBack() == plays, "\(name), step \(index)")
      }
    }
  }

  @Test func onlyWhatPresencePausedResumes() {
    let (playing, paused) = (Self.moment(.playing), Self.moment(.paused))
    Self.run(
      [
        .moment(playing), .leave(pauses: true), .moment(playing), .moment(paused), .moment(paused),
        .comeBack(plays: true),
      ],
      "paused")
    Self.run([.moment(paused), .leave(pauses: false), .comeBack(plays: false)], "paused before by somebody")
    Self.run([.comeBack(plays: false)], "nothing")
    Self.run(
      [
        .moment(playing), .leave(pauses: true), .moment(paused), .moment(playing), .moment(paused),
        .comeBack(plays: false),
      ],
      "somebody plays and pauses meanwhile")
    Self.run(
      [
        .moment(playing), .leave(pauses: true), .moment(paused), .moment(Self.moment(.stopped)),
        .comeBack(plays: false),
      ],
      "somebody stops meanwhile")
    Self.run(
      [
        .moment(playing), .leave(pauses: true), .moment(paused), .moment(Self.moment(.paused, source: .radio)),
        .comeBack(plays: false),
      ], "another source")
    Self.run(
      [.moment(Self.moment(.playing)), .leave(pauses: true), .moment(Self.moment(.stopped)), .comeBack(plays: true)],
      "a live stream is stopped")
    Self.run([.moment(playing), .leave(pauses: true), .comeBack(plays: true)], "back before the pause is seen")
    Self.run([.moment(playing), .leave(pauses: true), .failed, .comeBack(plays: false)], "the pause fails")
    Self.run(
      [.moment(playing), .leave(pauses: true), .moment(paused), .comeBack(plays: true), .comeBack(plays: false)], "once"
    )
  }
}
