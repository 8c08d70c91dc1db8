import Testing

@testable import Providers

/// Runs the table through SOAP against a real player.
@Suite struct TransportTableTests {
  typealias State = TransportTable.State
  typealias Action = TransportTable.Action

  @Test func documentedTableMatchesProvider() throws {
    let text = try ProjectFile.text("docs/controllers.md")
    for table in TransportTable.markdown {
      #expect(text.contains(table), "docs/controllers.md must hold this table:\n\(table)")
    }
  }

  private static let a = "http://host/a.flac"
  private static let b = "http://host/b.flac"

  /// Every state with every action and every condition.
  static let situations: [TransportTable.Situation] = State.allCases.flatMap { state in
    [true, false].flatMap { canSeek in
      [true, false].map { hasNext in
        let isActive = state == .playing || state == .transitioning
        // The properties of a stream are unknown before it is opened.
        return TransportTable.Situation(
          state: state, canPause: isActive, canSeek: state == .playing ? canSeek : state != .noMediaPresent,
          hasNext: hasNext)
      }
    }
  }

  @Test(arguments: situations, Action.allCases)
  func everyActionFollowsTableInEveryState(situation: TransportTable.Situation, action: Action) async throws {
    try await RendererUnderTest.run { renderer in
      try await Self.bring(renderer, into: situation)
      let offered = TransportTable.offered(in: situation).map(\.rawValue)
      #expect(try await renderer.actions() == offered.joined(separator: ","))
      let answer = try await renderer.transport(action.rawValue, Self.arguments(of: action))
      switch TransportTable.verdict(on: action, in: situation) {
      case .refused(let fault):
        #expect(answer.fault == fault.code)
        #expect(try await renderer.state() == situation.state.rawValue)
      case .tolerated:
        #expect(answer.fault == nil)
        #expect(try await renderer.state() == situation.state.rawValue)
      case .leads(let state):
        #expect(answer.fault == nil)
        // The state becomes PLAYING once the pipeline reports sound.
        if state == .playing { renderer.pipeline.plays() }
        try await renderer.wait(forState: state.rawValue)
      }
    }
  }

  static func arguments(of action: Action) -> [String: String] {
    switch action {
    case .play: ["Speed": "1"]
    case .seek: ["Unit": "REL_TIME", "Target": "0:00:10"]
    case .stop, .pause, .next, .previous: [:]
    }
  }

  static func bring(_ renderer: RendererUnderTest, into situation: TransportTable.Situation) async throws {
    if situation.state != .noMediaPresent { try await renderer.setURI(a) }
    if situation.hasNext { try await renderer.setNextURI(b) }
    guard [.transitioning, .playing, .pausedPlayback].contains(situation.state) else { return }
    try await renderer.play()
    guard situation.state != .transitioning else { return }
    renderer.pipeline.reportInfo(.init(isSeekable: situation.canSeek), duration: .seconds(60))
    renderer.pipeline.plays()
    try await renderer.wait(forState: "PLAYING")
    if situation.state == .pausedPlayback { try await renderer.perform("AVTransport", "Pause") }
    #expect(try await renderer.state() == situation.state.rawValue)
  }

  /// SetAVTransportURI works in every state and plays the new item only if the old one played.
  @Test(arguments: [
    (State.noMediaPresent, State.stopped), (.stopped, .stopped), (.transitioning, .transitioning),
    (.playing, .transitioning), (.pausedPlayback, .stopped),
  ])
  func setURIWorksInEveryState(before: State, after: State) async throws {
    try await RendererUnderTest.run { renderer in
      try await Self.bring(renderer, into: TransportTable.Situation(state: before, hasNext: true))
      try await renderer.setURI("http://host/c.flac")
      #expect(try await renderer.state() == after.rawValue)
      let info = try await renderer.transport("GetMediaInfo")
      #expect(info["CurrentURI"] == "http://host/c.flac")
      #expect(info["NextURI"] == "", "a next item left behind skips tracks (jellyfin/jellyfin-plugin-dlna#244)")
      // Home Assistant waits for this before it sends Play.
      #expect(try await renderer.actions().contains("Play"))
    }
  }

  @Test(arguments: State.allCases)
  func emptyURIRemovesMedia(before: State) async throws {
    try await RendererUnderTest.run { renderer in
      try await Self.bring(renderer, into: TransportTable.Situation(state: before, hasNext: before != .noMediaPresent))
      try await renderer.setURI("", "left over")
      #expect(try await renderer.state() == "NO_MEDIA_PRESENT")
      let info = try await renderer.transport("GetMediaInfo")
      let values = ["CurrentURI", "CurrentURIMetaData", "NextURI", "NrTracks", "MediaDuration", "PlayMedium"].map {
        info[$0]
      }
      #expect(values == ["", "", "", "0", "0:00:00", "NONE"])
    }
  }

  @Test func repeatedCommandsSucceed() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(Self.a)
      for action in ["Play", "Pause", "Stop"] {
        for _ in 1...2 {
          let answer = try await renderer.transport(action, action == "Play" ? ["Speed": "1"] : [:])
          #expect(answer.fault == nil, "\(action)")
        }
      }
    }
  }

  /// DSub sends Pause after the end and disconnects if it fails (hzeller/gmrender-resurrect#139).
  @Test func pauseAfterEndSucceeds() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying(Self.a)
      renderer.pipeline.ends()
      try await renderer.wait(forState: "STOPPED")
      #expect(try await renderer.transport("Pause").fault == nil)
      #expect(try await renderer.state() == "STOPPED")
    }
  }

  /// Older versions of Kodi send Stop before Play and give up if it fails (xbmc/xbmc#4232).
  @Test func stopWithoutMediaSucceeds() async throws {
    try await RendererUnderTest.run { renderer in
      let answer = try await renderer.transport("Stop")
      #expect(answer.fault == nil)
      #expect(try await renderer.state() == "NO_MEDIA_PRESENT")
    }
  }
}
