import Glibc
import Logging
import Playback
import PlaybackModel
import Testing

/// What a test has in its hands: a player that runs, and what it has told so far.
package struct PlayerUnderTest: Sendable {
  package let player: Player
  package let notices: Monitor<[PlayerChanges]>

  /// Waits until the condition holds; fails the test after 30 s.
  package func wait(
    _ what: Comment, for limit: Duration = .seconds(30), sourceLocation: SourceLocation = #_sourceLocation,
    until condition: @Sendable (isolated Player) -> Bool
  ) async {
    let deadline = ContinuousClock.now + limit
    while await !holds(condition) {
      if ContinuousClock.now > deadline {
        let state = await player.state
        let error = await player.error
        Issue.record("\(what): still \(state), \(String(describing: error))", sourceLocation: sourceLocation)
        return
      }
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  private func holds(_ condition: @Sendable (isolated Player) -> Bool) async -> Bool { await condition(player) }

  package func wait(for state: TransportState, sourceLocation: SourceLocation = #_sourceLocation) async {
    await wait("\(state)", sourceLocation: sourceLocation) { $0.state == state }
  }

  package func play(_ uri: String, next: String? = nil) async throws {
    await player.setItem(MediaItem(uri: uri))
    if let next { await player.setNext(MediaItem(uri: next)) }
    try await player.play()
  }
}

/// Runs a player on the real pipeline for as long as the body takes.
package func withPlayer<T>(
  _ output: OutputDescription = .bin("fakesink"), settings: PlayerSettings = .init(),
  _ body: (PlayerUnderTest) async throws -> T
) async throws -> T {
  try await withPlayer(.fixed(output), settings: settings, body)
}

/// The same with a choice of outputs.
package func withPlayer<T>(
  _ output: OutputChoice, settings: PlayerSettings = .init(), _ body: (PlayerUnderTest) async throws -> T
) async throws -> T {
  try await withPlayer(
    { Player(executor: $0, output: output, settings: settings, logger: $1) }, body)
}

/// Runs a player for as long as the body takes.
package func withPlayer<T>(
  _ make: (ThreadExecutor, Logger) -> Player, _ body: (PlayerUnderTest) async throws -> T
) async throws -> T {
  let executor = ThreadExecutor()
  var logger = Logger(label: "player")
  logger.logLevel = getenv("PLAYER_DEBUG") == nil ? .error : .debug
  let player = make(executor, logger)
  let notices = Monitor<[PlayerChanges]>([])
  _ = await player.observe { changes in notices.update { $0.append(changes) } }
  async let running: Void = player.run()
  let result: Result<T, any Error>
  do {
    result = .success(try await body(PlayerUnderTest(player: player, notices: notices)))
  } catch {
    result = .failure(error)
  }
  await player.shutdown()
  await running
  executor.close()
  return try result.get()
}
