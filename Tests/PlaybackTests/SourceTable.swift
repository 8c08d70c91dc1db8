@testable import Playback

/// The table of who gets the speaker, made by asking the sources: what docs/openhome.md shows and is checked against.
enum SourceTable {
  static let item = MediaItem(uri: "http://host/a", duration: .seconds(60))
  static let now = ContinuousClock.now

  typealias Step = @Sendable (inout SourceSwitch) throws -> [SourceSwitch.Action]

  /// What is done to the playlist, which stands for any source.
  static let actions: [(name: String, step: Step)] = [
    ("play", { try $0.step(.playlist) { try $0.play(now: now) } }),
    ("pause", { try $0.step(.playlist) { try $0.pause(now: now) } }),
    ("stop", { $0.step(.playlist) { $0.stop() } }),
    ("seek", { try $0.step(.playlist) { try $0.seek(to: .seconds(30)) } }),
    ("skip", { try $0.step(.playlist) { try $0.skipToNext() } }),
    ("another item", { $0.step(.playlist) { $0.setItem(MediaItem(uri: "http://host/c")) } }),
    ("no item", { $0.step(.playlist) { $0.setItem(nil) } }),
    ("select it", { $0.select(.playlist) }),
    ("standby on", { $0.setStandby(true) }),
    ("standby off", { $0.setStandby(false) }),
  ]

  static let situations: [(name: String, sources: SourceSwitch)] = [
    ("it plays", sources(playing: .playlist)),
    ("it is current, stopped", sources(playing: nil)),
    ("another plays", sources(playing: .upnpAV)),
    ("another is current, stopped", selected(.upnpAV)),
    ("standby", standby()),
  ]

  /// The playlist and AVTransport have an item and one to follow.
  private static func sources(playing source: Source?) -> SourceSwitch {
    var sources = SourceSwitch()
    for source in [Source.playlist, .upnpAV] {
      _ = sources.step(source) { $0.setItem(item) }
      _ = sources.step(source) { $0.setUpcoming([item]) }
    }
    if let source {
      _ = try? sources.step(source) { try $0.play(now: now) }
      _ = sources.handle(.playing(generation: sources[source].generation, position: .zero), now: now)
    }
    return sources
  }

  private static func selected(_ source: Source) -> SourceSwitch {
    var sources = sources(playing: nil)
    _ = sources.select(source)
    return sources
  }

  private static func standby() -> SourceSwitch {
    var sources = sources(playing: nil)
    _ = sources.setStandby(true)
    return sources
  }

  /// What an action does in a situation: the states afterwards of it and of the other one, and what else changes.
  private static func cell(_ step: Step, _ before: SourceSwitch) -> String {
    var sources = before
    do {
      _ = try step(&sources)
    } catch {
      return "*\(error)*"
    }
    var words: [String] = []
    if sources[.playlist].state != before[.playlist].state { words.append("it: **\(sources[.playlist].state)**") }
    if sources[.upnpAV].state != before[.upnpAV].state { words.append("other: **\(sources[.upnpAV].state)**") }
    if sources.current != before.current { words.append("it becomes current") }
    if sources.isStandby != before.isStandby { words.append(sources.isStandby ? "standby" : "awake") }
    return words.isEmpty ? "–" : words.joined(separator: ", ")
  }

  static var markdown: String {
    var lines = ["| | " + situations.map(\.name).joined(separator: " | ") + " |"]
    lines.append("|" + String(repeating: "---|", count: situations.count + 1))
    for action in actions {
      lines.append(
        "| \(action.name) | " + situations.map { cell(action.step, $0.sources) }.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }
}
