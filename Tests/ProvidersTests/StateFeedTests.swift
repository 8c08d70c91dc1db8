import PlaybackModel
import Testing

@testable import SpeakerCore

/// The state that all adapters show, against the services of a renderer.
@Suite struct StateFeedTests {
  @Test func theStateFollowsThePlayer() async throws {
    try await RendererUnderTest.run { renderer in
      let empty = try await renderer.onLoop { services, _ in services.feed.state }
      #expect((empty.state, empty.abilities.play, empty.trackID) == (.noMedia, false, 0))
      #expect(empty.presets.presets.ids.count == ServicesUnderTest.presets.count)
      try await renderer.perform("Playlist", "Insert", ["AfterId": "0", "Uri": "http://host/1.flac", "Metadata": ""])
      try await renderer.perform("Playlist", "SeekIndex", ["Value": "0"])
      try await renderer.perform("Volume", "SetVolume", ["Value": "40"])
      try await renderer.perform("Playlist", "SetRepeat", ["Value": "1"])
      let state = try await renderer.onLoop { services, _ in services.feed.state }
      #expect((state.state, state.source, state.title) == (.transitioning, .playlist, "1.flac"))
      #expect((state.queueCount, state.queueIndex, state.queueID) == (1, 0, 1))
      #expect((state.volume, state.repeats) == (40, true))
      // The only track follows itself, because the list repeats.
      #expect(state.abilities.pause && state.abilities.next)
    }
  }

  @Test func observersLearnWhichSectionsHaveChanged() async throws {
    try await RendererUnderTest.run { renderer in
      final class Seen { var sections: [SpeakerSections] = [] }
      try await renderer.onLoop { services, player in
        let seen = Seen()
        services.feed.observe { seen.sections.append($0) }
        // The second call changes nothing.
        for _ in 1...2 { player.immediately { $0.setVolume(7) } }
        for _ in 1...2 { services.feed.rename("Hall", room: nil) }
        #expect(seen.sections.count { $0.contains(.volume) } == 1)
        #expect(seen.sections.count { $0.contains(.identity) } == 1)
        #expect(!seen.sections.contains { $0.contains(.queue) || $0.contains(.presets) })
        #expect((services.feed.state.volume, services.feed.state.name) == (7, "Hall"))
      }
    }
  }
}
