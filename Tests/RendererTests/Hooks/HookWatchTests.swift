import PlaybackModel
import SpeakerCore
import Testing

@testable import Renderer

@Suite struct HookWatchTests {
  /// The speaker in a state that hooks distinguish.
  private static func speaker(
    _ state: TransportState, trackID: Int = 0, title: String? = nil, volume: Int = 100, isMuted: Bool = false,
    isStandby: Bool = false
  ) -> SpeakerState {
    var speaker = SpeakerState()
    (speaker.state, speaker.trackID, speaker.title) = (state, trackID, title)
    (speaker.volume, speaker.isMuted, speaker.isStandby) = (volume, isMuted, isStandby)
    return speaker
  }

  private static func ringing() -> SpeakerState {
    var speaker = speaker(.stopped)
    speaker.alarms.ringing = AlarmsState.Moment(id: 1, name: "Up")
    return speaker
  }

  @Test(arguments: [
    // (before, after, events)
    (speaker(.noMedia), speaker(.stopped, trackID: 1), []),
    (speaker(.stopped, trackID: 1), speaker(.transitioning, trackID: 1), [HookEvent.play, .track]),
    (speaker(.transitioning), speaker(.playing), []),
    (speaker(.playing), speaker(.transitioning), []),
    (speaker(.playing), speaker(.paused), [.pause]),
    (speaker(.paused), speaker(.transitioning), [.play]),
    (speaker(.paused), speaker(.stopped), [.stop]),
    (speaker(.playing), speaker(.noMedia), [.stop]),
    (speaker(.stopped), speaker(.paused), [.pause, .track]),
    (speaker(.playing, trackID: 1), speaker(.playing, trackID: 2), [.track]),
    (speaker(.playing, title: "a"), speaker(.playing, title: "b"), [.track]),
    (speaker(.paused, trackID: 1), speaker(.paused, trackID: 2), [.track]),
    (speaker(.playing, trackID: 1), speaker(.stopped, trackID: 2), [.stop]),
    (speaker(.stopped, volume: 1), speaker(.stopped, volume: 2), [.volume]),
    (speaker(.playing, isMuted: true), speaker(.playing), [.volume]),
    (speaker(.stopped), speaker(.stopped, isStandby: true), [.standby]),
    (speaker(.playing), speaker(.stopped, isStandby: true), [.standby, .stop]),
    (speaker(.stopped, isStandby: true), speaker(.playing), [.standby, .play, .track]),
    (speaker(.stopped), ringing(), [.alarm]), (ringing(), ringing(), []), (ringing(), speaker(.stopped), [.alarm]),
  ])
  func derivesEvents(before: SpeakerState, after: SpeakerState, events: [HookEvent]) {
    var watch = HookWatch(before)
    #expect(watch.note(after) == events)
    #expect(watch.note(after) == [])
  }
}
