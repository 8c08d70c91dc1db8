import Logging
import Playback
import ServiceLifecycle
import Synchronization

/// Runs commands on what the player does. The player waits for none of them: of each event one command runs at a time,
/// and of those that it happens again meanwhile the last is run next.
final class HookService: Service {
  private typealias Runs = (stream: AsyncStream<HookFacts>, continuation: AsyncStream<HookFacts>.Continuation)

  /// When the program ends, commands have so long to do so too.
  private static let lastWait = Duration.seconds(2)
  /// A hand on the volume changes it many times a second.
  private static let volumeRest = Duration.milliseconds(200)

  private let player: Player
  private let environment: [String: String]
  private let changes: AsyncStream<Configuration>
  private let logger: Logger
  private let hooks: Mutex<Hooks>
  /// Of the speaker.
  private let name: Mutex<String>
  private let watch: Mutex<HookWatch>
  private let runs: [HookEvent: Runs]

  /// - Parameters:
  ///   - name: of the speaker.
  ///   - changes: what changes while it runs.
  ///   - environment: of the commands, besides the facts.
  init(
    name: String, player: Player, hooks: Hooks, changes: AsyncStream<Configuration>, environment: [String: String],
    logger: Logger
  ) {
    self.name = Mutex(name)
    self.player = player
    self.environment = environment
    self.changes = changes
    self.logger = logger
    self.hooks = Mutex(hooks)
    watch = Mutex(HookWatch(HookWatch.Moment(state: .noMedia)))
    runs = Dictionary(
      uniqueKeysWithValues: HookEvent.allCases.map { event in
        (event, AsyncStream.makeStream(of: HookFacts.self, bufferingPolicy: .bufferingNewest(1)))
      })
  }

  /// Follows the player from what it is now. On its executor.
  func attach() {
    player.immediately { player in
      watch.withLock { $0 = HookWatch(HookWatch.Moment(player)) }
      _ = player.observe { [self] _ in note() }
    }
  }

  func run() async {
    await withTaskGroup { group in
      group.addTask { await self.serve() }
      group.addTask { await self.follow() }
      try? await gracefulShutdown()
      if watch.withLock({ $0.last.state.isOn }) { await noteEnd(of: player) }
      for run in runs.values { run.continuation.finish() }
      group.addTask { try? await Task.sleep(for: Self.lastWait) }
      // The configuration's end, and then either the commands' or the time's.
      await group.next()
      await group.next()
      group.cancelAll()
    }
  }

  // MARK: On the player's executor

  private func note() {
    player.immediately { player in
      let events = watch.withLock { $0.note(HookWatch.Moment(player)) }
      let hooks = hooks.withLock { $0 }
      for event in events where !hooks[event].isEmpty {
        runs[event]?.continuation.yield(HookFacts(event, of: player, speaker: name.withLock(\.self)))
      }
    }
  }

  /// The player is gone before it could say that it stopped.
  private func noteEnd(of player: isolated Player) {
    runs[.stop]?.continuation.yield(HookFacts(.stop, of: player, state: .stopped, speaker: name.withLock(\.self)))
  }

  // MARK: On Swift's threads

  private func follow() async {
    for await configuration in changes.cancelOnGracefulShutdown() {
      hooks.withLock { $0 = configuration.hooks }
      name.withLock { $0 = configuration.speakerName }
    }
  }

  private func serve() async {
    await withTaskGroup { group in
      for (event, run) in runs { group.addTask { await self.serve(event, run.stream) } }
    }
  }

  private func serve(_ event: HookEvent, _ facts: AsyncStream<HookFacts>) async {
    for await facts in facts {
      let hooks = hooks.withLock { $0 }
      let command = hooks[event]
      guard let program = command.first else { continue }
      let outcome = await HookProcess.run(
        command, environment: facts.added(to: environment), limit: hooks.timeout)
      if let complaint = outcome.complaint { logger.warning("hooks.\(event): \(program) \(complaint)") }
      if event == .volume { try? await Task.sleep(for: Self.volumeRest) }
    }
  }
}

extension HookWatch.Moment {
  fileprivate init(_ player: isolated Player) {
    let deck = player.deck()
    self.init(
      state: deck.state, trackID: deck.trackID, title: deck.title, volume: player.volume, isMuted: player.isMuted,
      isStandby: player.isStandby)
  }
}
