@testable import PlaybackModel

/// The table of state × action in docs/player.md, generated from the machine.
enum PlayerTable {
  static let a = MediaItem(uri: "http://host/a", duration: .seconds(60))
  static let b = MediaItem(uri: "http://host/b")
  static let now = ContinuousClock.now

  /// A machine in the state, with items a and b unless there is no media.
  static func machine(in state: TransportState, next: Bool = true) -> PlayerMachine {
    var machine = PlayerMachine()
    guard state != .noMedia else { return machine }
    _ = machine.setItem(a)
    if next { _ = machine.setUpcoming([b]) }
    guard state != .stopped else { return machine }
    _ = try? machine.play(now: now)
    guard state != .transitioning else { return machine }
    _ = machine.handle(.playing(generation: 1, position: .zero), now: now)
    if state == .paused {
      _ = try? machine.pause(now: now)
      _ = machine.handle(.paused(generation: 1, position: .zero), now: now)
    }
    return machine
  }

  static let actions: [(name: String, step: @Sendable (inout PlayerMachine) throws -> [PlayerMachine.Action])] = [
    ("setItem", { $0.setItem(MediaItem(uri: "http://host/c")) }),
    ("setItem(nil)", { $0.setItem(nil) }),
    ("setNext", { $0.setUpcoming([MediaItem(uri: "http://host/c")]) }),
    ("play", { try $0.play(now: now) }),
    ("pause", { try $0.pause(now: now) }),
    ("stop", { $0.stop() }),
    ("seek", { try $0.seek(to: .seconds(30)) }),
    ("seek past the end", { try $0.seek(to: .seconds(61)) }),
    ("skipToNext", { try $0.skipToNext() }),
    ("skipToPrevious", { try $0.skipToPrevious() }),
    ("selectTrack(1)", { try $0.selectTrack(1) }),
    ("sound starts", { $0.handle(.playing(generation: 1, position: .zero), now: now) }),
    ("buffer runs dry", { $0.handle(.buffering(generation: 1, position: .zero), now: now) }),
    ("next track starts", { $0.handle(.trackStarted(generation: 1, trackID: 2, position: .zero), now: now) }),
    ("track ends", { $0.handle(.ended(generation: 1), now: now) }),
    ("is a playlist", { $0.handle(.listed(trackID: 1, ["http://host/x", "http://host/y"].listed), now: now) }),
    ("track fails", { $0.handle(.failed(generation: 1, .notFound), now: now) }),
  ]

  /// The effect of an action in a state, as text.
  static func cell(_ state: TransportState, _ step: (inout PlayerMachine) throws -> [PlayerMachine.Action]) -> String {
    var machine = machine(in: state)
    do {
      let actions = try step(&machine)
      var words = actions.compactMap { action -> String? in
        guard case .pipeline(let command) = action else { return nil }
        return word(command)
      }
      if machine.item != (state == .noMedia ? nil : a) { words.append("item: \(name(machine.item))") }
      if machine.next != (state == .noMedia ? nil : b) { words.append("next: \(name(machine.next))") }
      if machine.trackCount > 1 { words.append("track \(machine.trackNumber) of \(machine.trackCount)") }
      if machine.state == .stopped, machine.position(now: now) > .zero {
        words.append("position: \(machine.position(now: now))")
      }
      if machine.error != nil { words.append("error") }
      if words.isEmpty, machine.state == state { return "–" }
      return (["**\(machine.state)**"] + words).joined(separator: ", ")
    } catch {
      return "*\(error)*"
    }
  }

  private static func word(_ command: PipelineCommand) -> String {
    switch command {
    case .start(_, _, _, let position, _): position > .zero ? "starts at \(position)" : "starts"
    case .seek: "seeks"
    case .stage: "stages"
    case .pause: "pauses"
    case .resume: "resumes"
    case .stop: "stops output"
    case .releaseDevice, .setLevel, .setBalance, .fade, .setReplayGain, .setOutput, .setTimes, .setEqualizer, .confirm,
      .readList, .loadAnnouncement, .announce, .followAnnouncement, .setAnnouncementStep:
      "\(command)"
    }
  }

  private static func name(_ item: MediaItem?) -> String { item.map { String($0.uri.suffix(1)) } ?? "none" }

  static var markdown: String {
    var lines = ["| | " + TransportState.allCases.map { "\($0)" }.joined(separator: " | ") + " |"]
    lines.append("|" + String(repeating: "---|", count: TransportState.allCases.count + 1))
    for action in actions {
      lines.append(
        "| \(action.name) | " + TransportState.allCases.map { cell($0, action.step) }.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }
}

/// The pipeline commands of a step.
func commands(_ actions: [PlayerMachine.Action]) -> [PipelineCommand] {
  actions.compactMap { if case .pipeline(let command) = $0 { command } else { nil } }
}

/// The changes that a step reports.
func notice(_ actions: [PlayerMachine.Action]) -> PlayerChanges {
  guard case .notify(let changes) = actions.last else { return [] }
  return changes
}
