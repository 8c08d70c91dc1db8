import Glibc
import Logging
import Playback
import PlaybackModel
import Testing

/// A running player with its notices so far.
package struct PlayerUnderTest: Sendable {
  package let player: Player
  package let notices: Monitor<[PlayerChanges]>
  fileprivate let history: Monitor<[Moment]>

  /// A change of the transport state.
  package struct Moment: Sendable {
    package let state: TransportState
    package let position: Duration
  }

  /// The changes of the transport state so far, in order.
  package var moments: [Moment] { history.withLock { $0 } }

  /// The transport states so far, in order.
  package var states: [TransportState] { moments.map(\.state) }

  /// Waits up to 30 s for a condition, then fails the test.
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

/// Runs a player with the real pipeline during the body.
package func withPlayer<T>(
  _ output: OutputDescription = .bin("fakesink"), settings: PlayerSettings = .init(),
  _ body: (PlayerUnderTest) async throws -> T
) async throws -> T {
  try await withPlayer(.fixed(output), settings: settings, body)
}

/// Runs a player with the real pipeline and a chosen output during the body.
package func withPlayer<T>(
  _ output: OutputChoice, settings: PlayerSettings = .init(), _ body: (PlayerUnderTest) async throws -> T
) async throws -> T {
  try await withPlayer(
    { Player(executor: $0, output: output, settings: settings, logger: $1) }, body)
}

/// Runs a player during the body.
package func withPlayer<T>(
  _ make: (ThreadExecutor, Logger) -> Player, _ body: (PlayerUnderTest) async throws -> T
) async throws -> T {
  let executor = ThreadExecutor()
  var logger = Logger(label: "player")
  logger.logLevel = getenv("PLAYER_DEBUG") == nil ? .error : .debug
  let player = make(executor, logger)
  let notices = Monitor<[PlayerChanges]>([])
  let history = Monitor<[PlayerUnderTest.Moment]>([])
  _ = await player.observe { [unowned player] changes in
    notices.update { $0.append(changes) }
    guard changes.contains(.state) else { return }
    let moment = player.immediately { PlayerUnderTest.Moment(state: $0.state, position: $0.position) }
    history.update { $0.append(moment) }
  }
  async let running: Void = player.run()
  let result: Result<T, any Error>
  do {
    result = .success(try await body(PlayerUnderTest(player: player, notices: notices, history: history)))
  } catch {
    result = .failure(error)
  }
  await player.shutdown()
  await running
  executor.close()
  return try result.get()
}
