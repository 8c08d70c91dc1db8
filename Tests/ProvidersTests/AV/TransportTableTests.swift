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

  /// A situation, and what each action leads to in it: the next state, `–` for no effect, or the number of a fault.
  struct Row: Sendable, CustomTestStringConvertible {
    var state: State
    var isSeekable = true
    var hasNext = false
    /// In the order of `Action.allCases`.
    var outcomes: [String]

    var testDescription: String {
      state.rawValue + (isSeekable ? "" : ", not seekable") + (hasNext ? ", with a next item" : "")
    }

    /// The actions with an effect, as CurrentTransportActions lists them.
    var offered: String {
      zip(Action.allCases, outcomes).filter { State(rawValue: $1) != nil }.map(\.0.rawValue).joined(separator: ",")
    }
  }

  // Written by hand from docs/controllers.md: it must not follow from `TransportTable`.
  // swift-format-ignore
  static let rows: [Row] = [
    //                                                      Play             Stop       Pause              Seek               Next             Previous
    Row(state: .noMediaPresent,                  outcomes: ["701",           "–",       "701",             "701",             "701",           "701"]),
    Row(state: .noMediaPresent, hasNext: true,   outcomes: ["701",           "–",       "701",             "701",             "STOPPED",       "701"]),
    Row(state: .stopped,                         outcomes: ["TRANSITIONING", "STOPPED", "–",               "STOPPED",         "711",           "711"]),
    Row(state: .stopped, hasNext: true,          outcomes: ["TRANSITIONING", "STOPPED", "–",               "STOPPED",         "STOPPED",       "711"]),
    Row(state: .transitioning,                   outcomes: ["TRANSITIONING", "STOPPED", "PAUSED_PLAYBACK", "TRANSITIONING",   "711",           "711"]),
    Row(state: .transitioning, hasNext: true,    outcomes: ["TRANSITIONING", "STOPPED", "PAUSED_PLAYBACK", "TRANSITIONING",   "TRANSITIONING", "711"]),
    Row(state: .playing,                         outcomes: ["PLAYING",       "STOPPED", "PAUSED_PLAYBACK", "PLAYING",         "711",           "711"]),
    Row(state: .playing, hasNext: true,          outcomes: ["PLAYING",       "STOPPED", "PAUSED_PLAYBACK", "PLAYING",         "TRANSITIONING", "711"]),
    Row(state: .playing, isSeekable: false,      outcomes: ["PLAYING",       "STOPPED", "PAUSED_PLAYBACK", "710",             "711",           "711"]),
    Row(state: .pausedPlayback,                  outcomes: ["PLAYING",       "STOPPED", "–",               "PAUSED_PLAYBACK", "711",           "711"]),
    Row(state: .pausedPlayback, hasNext: true,   outcomes: ["PLAYING",       "STOPPED", "–",               "PAUSED_PLAYBACK", "TRANSITIONING", "711"]),
  ]

  @Test(arguments: rows, Action.allCases)
  func everyActionFollowsTableInEveryState(row: Row, action: Action) async throws {
    try await RendererUnderTest.run { renderer in
      try await Self.bring(renderer, into: row.state, isSeekable: row.isSeekable, hasNext: row.hasNext)
      #expect(try await renderer.actions() == row.offered)
      try await Self.perform(action, renderer, in: row.state, expecting: row.outcomes)
    }
  }

  /// Performs an action and compares its effect with the outcomes of all actions.
  static func perform(
    _ action: Action, _ renderer: RendererUnderTest, in before: State, expecting outcomes: [String]
  ) async throws {
    let outcome = try #require(zip(Action.allCases, outcomes).first { $0.0 == action }?.1)
    let answer = try await renderer.transport(action.rawValue, Self.arguments(of: action))
    #expect(answer.fault == Int(outcome))
    // The state becomes PLAYING once the pipeline reports sound.
    if outcome == State.playing.rawValue { renderer.pipeline.plays() }
    if let state = State(rawValue: outcome) {
      try await renderer.wait(forState: state.rawValue)
    } else {
      #expect(try await renderer.state() == before.rawValue)
    }
  }

  static func arguments(of action: Action) -> [String: String] {
    switch action {
    case .play: ["Speed": "1"]
    case .seek: ["Unit": "REL_TIME", "Target": "0:00:10"]
    case .stop, .pause, .next, .previous: [:]
    }
  }

  static func bring(
    _ renderer: RendererUnderTest, into state: State, isSeekable: Bool = true, hasNext: Bool = false
  ) async throws {
    if state != .noMediaPresent { try await renderer.setURI(a) }
    if hasNext { try await renderer.setNextURI(b) }
    guard [.transitioning, .playing, .pausedPlayback].contains(state) else { return }
    try await renderer.play()
    guard state != .transitioning else { return }
    renderer.pipeline.reportInfo(.init(isSeekable: isSeekable), duration: .seconds(60))
    renderer.pipeline.plays()
    try await renderer.wait(forState: "PLAYING")
    if state == .pausedPlayback { try await renderer.perform("AVTransport", "Pause") }
    #expect(try await renderer.state() == state.rawValue)
  }

  /// SetAVTransportURI works in every state and plays the new item only if the old one played.
  @Test(arguments: [
    (State.noMediaPresent, State.stopped), (.stopped, .stopped), (.transitioning, .transitioning),
    (.playing, .transitioning), (.pausedPlayback, .stopped),
  ])
  func setURIWorksInEveryState(before: State, after: State) async throws {
    try await RendererUnderTest.run { renderer in
      try await Self.bring(renderer, into: before, hasNext: true)
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
      try await Self.bring(renderer, into: before, hasNext: before != .noMediaPresent)
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
