import ArgumentParser
import ControlPoint
import Glibc

/// `swiftlet-control move`
struct MoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move what one speaker plays to another, with queue and position.",
    discussion: """
      The first speaker stops when the other one plays. It keeps its queue; that of the other one is replaced. Rooms \
      that play together with the first speaker follow. A speaker without a queue gets one track after another: then \
      the command stays until the last one has been played, or Ctrl-C.
      Example:
        swiftlet-control move Kitchen Living
      """)

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: "The speaker that goes on playing, selected like the first.", completion: .devices) var target: String
  @OptionGroup var options: NetworkOptions

  func run() async throws {
    try await Session.run(options, devices: [device, target]) { session in
      var (house, ids) = try await session.house([device, target])
      guard ids.count == 2, let source = house.speaker(ids[0]), let target = house.speaker(ids[1]) else { return }
      let group = house.groups.group(of: source.id)
      let move = PlaybackMove(from: source, to: target, isFed: target.capabilities.needsFeeding)
      let outcome = try await move.run()
      try report(outcome, target.name)
      var failures = RoomFailures()
      if let group, group.leader == source.id {
        // The target has left the group, because it plays the moved queue.
        house.noteLeave(target.id)
        for id in group.members where id != target.id {
          do throws(RoomError) { try await house.join(id, to: target.id) } catch { failures.add(error) }
        }
      }
      if outcome.feed.count > 1 {
        try await PlayableItems(outcome.feed).feed(target, PlaybackReporter(json: options.json), isPlaying: true)
      }
      try failures.check()
    }
  }

  private func report(_ outcome: PlaybackMove.Outcome, _ name: String) throws {
    if options.json {
      try Terminal.json(
        Line(target: name, track: outcome.track.map(TrackLine.init), losses: outcome.losses.map(\.description)))
    } else {
      Terminal.entry(outcome.track.map(TrackText.line) ?? "\(name) has its place in the group.")
      for loss in outcome.losses { Terminal.complain(loss.description) }
    }
    Terminal.flush()
  }

  private struct Line: Encodable {
    var target: String
    var track: TrackLine?
    var losses: [String]
  }
}
