import PlaybackTestKit
import Testing

@testable import PlaybackModel

/// Which source is current, and what happens to the one before it.
@Suite struct SourceSwitchTests {
  typealias Step = @Sendable (inout SourceSwitch) -> [SourceSwitch.Action]

  static let now = ContinuousClock.now
  static let item = MediaItem(uri: "http://host/a", duration: .seconds(60))

  /// Every source has an item and an upcoming one; the given source plays.
  static func sources(playing source: Source?) -> SourceSwitch {
    var sources = SourceSwitch()
    for other in Source.builtIn {
      _ = sources.step(other) { $0.setItem(item) }
      _ = sources.step(other) { $0.setUpcoming([item]) }
    }
    if let source { play(source, on: &sources) }
    return sources
  }

  static func play(_ source: Source, on sources: inout SourceSwitch) {
    _ = try? sources.step(source) { deck throws(PlayerError) in try deck.play(now: now) }
    _ = sources.handle(.playing(generation: sources[source].generation, position: .zero), now: now)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    /// The playing source, and the command.
    var playing: Source?
    var step: Step
    /// The expected current source and the states of all sources.
    var current: Source
    var states: [TransportState]
    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row(
      name: "AVTransport plays: the playlist stops", playing: .playlist,
      step: { try! $0.step(.upnpAV) { deck throws(PlayerError) in try deck.play(now: now) } },
      current: .upnpAV, states: [.stopped, .stopped, .transitioning, .stopped]),
    Row(
      name: "the playlist plays: AVTransport stops", playing: .upnpAV,
      step: { try! $0.step(.playlist) { deck throws(PlayerError) in try deck.play(now: now) } },
      current: .playlist, states: [.transitioning, .stopped, .stopped, .stopped]),
    Row(
      name: "an item alone takes nothing over", playing: .playlist,
      step: { $0.step(.upnpAV) { $0.setItem(item) } }, current: .playlist,
      states: [.playing, .stopped, .stopped, .stopped]),
    Row(
      name: "no item alone takes nothing over", playing: .playlist,
      step: { $0.step(.upnpAV) { $0.setItem(nil) } }, current: .playlist,
      states: [.playing, .stopped, .noMedia, .stopped]),
    Row(
      name: "another one's stop does nothing", playing: .playlist,
      step: { $0.step(.upnpAV) { $0.stop() } }, current: .playlist, states: [.playing, .stopped, .stopped, .stopped]),
    Row(
      name: "another one's pause does nothing", playing: .playlist,
      step: { try! $0.step(.upnpAV) { deck throws(PlayerError) in try deck.pause(now: now) } },
      current: .playlist, states: [.playing, .stopped, .stopped, .stopped]),
    Row(
      name: "another one's seek and next do nothing to what sounds", playing: .radio,
      step: {
        try! $0.step(.upnpAV) { deck throws(PlayerError) in try deck.seek(to: .seconds(3)) }
          + $0.step(.upnpAV) { deck throws(PlayerError) in try deck.skipToNext() }
      },
      current: .radio, states: [.stopped, .playing, .stopped, .stopped]),
    Row(
      name: "the receiver plays: the radio stops", playing: .radio,
      step: { try! $0.step(.receiver) { deck throws(PlayerError) in try deck.play(now: now) } },
      current: .receiver, states: [.stopped, .stopped, .stopped, .transitioning]),
    Row(
      name: "selecting another source stops what plays", playing: .playlist,
      step: { $0.select(.radio) }, current: .radio, states: [.stopped, .stopped, .stopped, .stopped]),
    Row(
      name: "selecting the same source leaves it playing", playing: .playlist,
      step: { $0.select(.playlist) }, current: .playlist, states: [.playing, .stopped, .stopped, .stopped]),
    Row(
      name: "standby stops what plays", playing: .upnpAV,
      step: { $0.setStandby(true) }, current: .upnpAV, states: [.stopped, .stopped, .stopped, .stopped]),
  ]

  @Test(arguments: rows) func commandsFollowTable(_ row: Row) {
    var sources = Self.sources(playing: row.playing)
    _ = row.step(&sources)
    #expect(sources.current == row.current)
    #expect(Source.builtIn.map { sources[$0].state } == row.states)
  }

  @Test func switchNotifiesBothSourcesAndStartsOnce() throws {
    var sources = Self.sources(playing: .playlist)
    let actions = try sources.step(.upnpAV) { deck throws(PlayerError) in try deck.play(now: Self.now) }
    let commands = actions.compactMap { action -> PipelineCommand? in
      if case .pipeline(let command) = action { command } else { nil }
    }
    #expect(commands.count == 1)
    guard case .start(let generation, _, _, _, _)? = commands.first else {
      Issue.record("\(commands)")
      return
    }
    #expect(actions.contains(.notify(.playlist, [.state, .position])))
    #expect(actions.contains(.notifyAll(.source)))
    // Late events of the former source are ignored.
    #expect(sources.handle(.playing(generation: generation - 1, position: .zero), now: Self.now).isEmpty)
    #expect(sources[.upnpAV].state == .transitioning)
  }

  @Test func standbyReleasesDeviceUntilPlayOrSelection() {
    var sources = Self.sources(playing: .playlist)
    let actions = sources.setStandby(true)
    #expect(actions.suffix(2) == [.pipeline(.releaseDevice), .notifyAll(.standby)])
    #expect(sources.isStandby)
    #expect(sources.setStandby(true).isEmpty)
    #expect(sources.select(.playlist) == [.notifyAll(.standby)])
    #expect(!sources.isStandby)

    _ = sources.setStandby(true)
    Self.play(.upnpAV, on: &sources)
    #expect(!sources.isStandby)
    _ = sources.setStandby(true)
    #expect(sources.setStandby(false) == [.notifyAll(.standby)])
    #expect(sources[.upnpAV].state == .stopped)
  }

  /// Random commands to all sources: at most one source is active, it is the current one, and the pipeline's last
  /// command is from it.
  @Test(arguments: 0..<40) func atMostOneSourceIsActive(_ seed: Int) {
    var generator = SplitMix(state: UInt64(seed))
    var sources = SourceSwitch()
    var lastGeneration = 0
    for _ in 0..<400 {
      let source = Source.builtIn.randomElement(using: &generator) ?? .playlist
      var actions: [SourceSwitch.Action] = []
      switch Int.random(in: 0..<11, using: &generator) {
      case 0: actions = sources.step(source) { $0.setItem(Self.item) }
      case 1: actions = sources.step(source) { $0.setUpcoming([Self.item]) }
      case 2, 3: actions = (try? sources.step(source) { d throws(PlayerError) in try d.play(now: Self.now) }) ?? []
      case 4: actions = (try? sources.step(source) { d throws(PlayerError) in try d.pause(now: Self.now) }) ?? []
      case 5: actions = sources.step(source) { $0.stop() }
      case 6: actions = (try? sources.step(source) { d throws(PlayerError) in try d.skipToNext() }) ?? []
      case 7: actions = sources.select(source)
      case 8: actions = sources.setStandby(Bool.random(using: &generator))
      case 9: actions = sources.handle(.ended(generation: lastGeneration), now: Self.now)
      default: actions = sources.handle(.playing(generation: lastGeneration, position: .zero), now: Self.now)
      }
      for case .pipeline(let command) in actions {
        switch command {
        case .start(let generation, _, _, _, _), .seek(let generation, _, _, _, _), .stop(let generation):
          #expect(generation > lastGeneration)
          lastGeneration = generation
        default: break
        }
      }
      let active = Source.builtIn.filter { sources[$0].isActive }
      #expect(active.isEmpty || active == [sources.current])
      #expect(active.isEmpty || !sources.isStandby)
    }
  }
}
