import Playback
import Testing

@testable import Renderer

@Suite struct HookWatchTests {
  typealias Moment = HookWatch.Moment

  @Test(arguments: [
    // (before, after, events)
    (Moment(state: .noMedia), Moment(state: .stopped, trackID: 1), []),
    (Moment(state: .stopped, trackID: 1), Moment(state: .transitioning, trackID: 1), [HookEvent.play, .track]),
    (Moment(state: .transitioning), Moment(state: .playing), []),
    (Moment(state: .playing), Moment(state: .transitioning), []),
    (Moment(state: .playing), Moment(state: .paused), [.pause]),
    (Moment(state: .paused), Moment(state: .transitioning), [.play]),
    (Moment(state: .paused), Moment(state: .stopped), [.stop]),
    (Moment(state: .playing), Moment(state: .noMedia), [.stop]),
    (Moment(state: .stopped), Moment(state: .paused), [.pause, .track]),
    (Moment(state: .playing, trackID: 1), Moment(state: .playing, trackID: 2), [.track]),
    (Moment(state: .playing, title: "a"), Moment(state: .playing, title: "b"), [.track]),
    (Moment(state: .paused, trackID: 1), Moment(state: .paused, trackID: 2), [.track]),
    (Moment(state: .playing, trackID: 1), Moment(state: .stopped, trackID: 2), [.stop]),
    (Moment(state: .stopped, volume: 1), Moment(state: .stopped, volume: 2), [.volume]),
    (Moment(state: .playing, isMuted: true), Moment(state: .playing), [.volume]),
    (Moment(state: .stopped), Moment(state: .stopped, isStandby: true), [.standby]),
    (Moment(state: .playing), Moment(state: .stopped, isStandby: true), [.standby, .stop]),
    (Moment(state: .stopped, isStandby: true), Moment(state: .playing), [.standby, .play, .track]),
  ])
  func derivesEvents(before: Moment, after: Moment, events: [HookEvent]) {
    var watch = HookWatch(before)
    #expect(watch.note(after) == events)
    #expect(watch.note(after) == [])
  }
}
