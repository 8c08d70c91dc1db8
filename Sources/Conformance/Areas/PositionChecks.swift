import ControlPoint
import UPnP

/// The position of AVTransport while something plays.
enum PositionChecks {
  private static let position = Prerequisite.action(TransportDriver.service, "GetPositionInfo")
  private static let pause = Prerequisite.action(TransportDriver.service, "Pause")
  /// Positions are whole seconds, and buffers of sound cards are not counted alike.
  private static let tolerance = Duration.milliseconds(1500)

  static let all: [Check] = [
    Check(
      "avt/2.2.29/position-rises", .playback, .practice, "In PLAYING, the position rises with time.",
      source: "BubbleUPnP and Kodi show RelTime while they poll", needs: [position], changes: [.transport],
      steps: """
        Plays a tone and reads RelTime twice, 3 s apart. Passes if the difference is the time that has passed, give or \
        take 1.5 s.
        """
    ) { context async throws(Finding) in
      let transport = context.transport
      _ = try await transport.startTone()
      let first = try await transport.position()
      await context.clock.sleep(.seconds(3))
      let second = try await transport.position()
      guard let start = first.time, let end = second.time else {
        throw .failure(expected: "times in RelTime", got: "\(first.values["RelTime"] ?? "none")")
      }
      let clock = context.clock
      let shortest = clock.time(from: first.latest, to: second.earliest) - tolerance
      let longest = clock.time(from: first.earliest, to: second.latest) + tolerance
      try context.expect(
        (shortest...longest).contains(end - start),
        "RelTime to rise by \(Figures.seconds(clock.time(from: first.earliest, to: second.latest)))",
        got: "\(UPnPTime.text(start)) and then \(UPnPTime.text(end))")
    },
    Check(
      "avt/2.2.29/position-pauses", .playback, .practice, "In PAUSED_PLAYBACK, the position stands still.",
      source: "BubbleUPnP and Kodi show RelTime while they poll", needs: [position, pause], changes: [.transport],
      steps: "Plays a tone, pauses it, and reads RelTime twice, 2.5 s apart. Passes if both are the same."
    ) { context async throws(Finding) in
      let transport = context.transport
      _ = try await transport.startTone()
      try await transport.pause()
      try await transport.wait(for: .paused)
      let first = try await transport.position().values["RelTime"] ?? "none"
      await context.clock.sleep(.milliseconds(2500))
      let second = try await transport.position().values["RelTime"] ?? "none"
      try context.expect(first == second, "RelTime \(first)", got: second)
    },
  ]
}
