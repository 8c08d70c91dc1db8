import Playback
import PlaybackModel
import PlayerTestKit
import Testing

/// The table in docs/openhome.md of what a command to the playlist does, made by giving the commands.
enum SourceTable {
  typealias Step = @Sendable (PlaylistUnderTest) async throws -> Void

  static let actions: [(name: String, step: Step)] = [
    ("Play", { await $0.run { $0.play() } }),
    ("SeekId, SeekIndex", { try await $0.run { try $0.seek(toIndex: 2) } }),
    ("Next", { await $0.run { $0.next() } }),
    ("Previous", { await $0.run { $0.previous() } }),
    ("Pause", { await $0.run { $0.pause() } }),
    ("Stop", { await $0.run { $0.stop() } }),
    ("SeekSecondAbsolute", { try await $0.run { try $0.seek(to: .seconds(30)) } }),
    ("Insert", { _ = try await $0.append(["http://host/new"]) }),
    ("DeleteAll", { await $0.run { $0.deleteAll() } }),
    ("select the playlist", { await $0.test.player.selectSource(.playlist) }),
    ("standby on", { await $0.test.player.setStandby(true) }),
    ("standby off", { await $0.test.player.setStandby(false) }),
  ]

  static let situations: [(name: String, step: Step)] = [
    ("it plays", { await $0.run { $0.play() } }),
    ("it is current, stopped", { await $0.test.player.selectSource(.playlist) }),
    ("another plays", { try await $0.test.player.play(.upnpAV) }),
    ("another is current, stopped", { await $0.test.player.selectSource(.upnpAV) }),
    ("standby", { await $0.test.player.setStandby(true) }),
  ]

  /// What the table shows of the playlist and of the other source, AVTransport.
  private struct Appearance: Equatable {
    let playlist: TransportState
    let other: TransportState
    let current: Source
    let isStandby: Bool

    init(_ list: PlaylistUnderTest) async {
      let player = list.test.player
      playlist = await player.deck(.playlist).state
      other = await player.deck(.upnpAV).state
      current = await player.source
      isStandby = await player.isStandby
    }
  }

  private static func cell(_ action: Step, _ situation: Step) async throws -> String {
    var words: [String] = []
    try await withSilentPlayer { test, pipeline in
      let list = await PlaylistUnderTest(test)
      try await list.append((1...3).map { "http://host/\($0)" })
      try await list.run { try $0.seek(toIndex: 1) }
      await list.run { $0.stop() }
      await test.player.setItem(MediaItem(uri: "http://host/av"), of: .upnpAV)
      try await situation(list)
      if await test.player.state == .transitioning {
        pipeline.plays()
        await test.wait(for: .playing)
      }
      let before = await Appearance(list)
      try await action(list)
      let after = await Appearance(list)
      if after.playlist != before.playlist { words.append("it: **\(after.playlist)**") }
      if after.other != before.other { words.append("other: **\(after.other)**") }
      if after.current != before.current { words.append("it becomes current") }
      if after.isStandby != before.isStandby { words.append(after.isStandby ? "standby" : "awake") }
    }
    return words.isEmpty ? "–" : words.joined(separator: ", ")
  }

  static func markdown() async throws -> String {
    var lines = ["| | " + situations.map(\.name).joined(separator: " | ") + " |"]
    lines.append("|" + String(repeating: "---|", count: situations.count + 1))
    for action in actions {
      var cells: [String] = []
      for situation in situations { cells.append(try await cell(action.step, situation.step)) }
      lines.append("| \(action.name) | " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }
}
