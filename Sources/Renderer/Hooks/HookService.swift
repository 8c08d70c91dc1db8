import Companion
import Logging
import ServiceLifecycle
import SpeakerCore
import Synchronization

/// Runs commands on the player's events, without blocking the player. One command of each event runs at a time; events
/// that repeat meanwhile are coalesced into the last one.
final class HookService: Service {
  private typealias Queue = (stream: AsyncStream<HookFacts>, continuation: AsyncStream<HookFacts>.Continuation)

  /// Time limit for commands when the program ends.
  private static let shutdownTime = Duration.seconds(2)
  /// Minimum pause between volume hooks.
  private static let volumePause = Duration.milliseconds(200)

  private let environment: [String: String]
  private let changes: AsyncStream<Configuration>
  private let companions: CompanionBoard
  private let logger: Logger
  private let configuration: Mutex<Configuration>
  private let watch: Mutex<HookWatch>
  private let queues: [HookEvent: Queue]
  /// The commands of companions.
  private let slots = Mutex(HookSlots())

  /// - Parameters:
  ///   - changes: configurations after a reload.
  ///   - environment: the environment of the commands, without the facts.
  ///   - companions: the board that lists the present people.
  init(
    configuration: Configuration, changes: AsyncStream<Configuration>, environment: [String: String],
    companions: CompanionBoard, logger: Logger
  ) {
    self.environment = environment
    self.changes = changes
    self.companions = companions
    self.logger = logger
    self.configuration = Mutex(configuration)
    watch = Mutex(HookWatch(SpeakerState()))
    queues = Dictionary(
      uniqueKeysWithValues: HookEvent.allCases.map { event in
        (event, AsyncStream.makeStream(of: HookFacts.self, bufferingPolicy: .bufferingNewest(1)))
      })
  }

  /// Starts observing the speaker. Must be called on its event loop.
  func attach(to feed: StateFeed) {
    watch.withLock { $0 = HookWatch(feed.state) }
    // The feed belongs to the event loop, which also calls the body.
    feed.observe { [unowned feed] sections in
      if !sections.isDisjoint(with: [.identity, .source, .playing, .volume, .alarms]) { self.note(feed.state) }
    }
  }

  func run() async {
    await withTaskGroup { group in
      group.addTask { await self.runCommands() }
      group.addTask { await self.followConfiguration() }
      try? await gracefulShutdown()
      noteEnd()
      for queue in queues.values { queue.continuation.finish() }
      group.addTask { try? await Task.sleep(for: Self.shutdownTime) }
      // Wait for `followConfiguration`, which returns at once, and then for the commands or the time limit.
      await group.next()
      await group.next()
      group.cancelAll()
    }
  }

  /// Runs a command that is not one of the player's events, such as a button's. Does not wait for it.
  /// - Parameter variables: added to its environment.
  func run(_ command: [String], with variables: [String: String]) {
    guard let program = command.first else { return }
    let job = HookSlots.Job(command: command, variables: variables)
    switch slots.withLock({ $0.request(job) }) {
    case .start: Task { await self.run(job) }
    case .wait: break
    case .refuse(isFirst: true):
      logger.warning("Cannot start \(program): \(HookSlots.maximumPerGroup) commands of this kind are running.")
    case .refuse: break
    }
  }

  /// Runs the command, and again if it was requested meanwhile.
  private func run(_ job: HookSlots.Job) async {
    let program = job.command.first ?? ""
    while true {
      let limit = configuration.withLock(\.hooksTimeout)
      var environment = environment
      environment[HookVariable.presence.variable] = present
      environment.merge(job.variables) { $1 }
      let outcome = await HookProcess.run(job.command, environment: environment, limit: limit)
      if let problem = outcome.problem { logger.warning("\(program) \(problem)") }
      guard case .free(let refused) = slots.withLock({ $0.end(job) }) else { continue }
      if refused > 0 { logger.warning("Swiftlet has refused \(refused) more commands of this kind.") }
      return
    }
  }

  /// The names of the present people; nil while presence is off.
  private var present: String? { companions.report.presence?.presentNames }

  private func note(_ state: SpeakerState) {
    let events = watch.withLock { $0.note(state) }
    let configuration = configuration.withLock { $0 }
    for event in events where !configuration.command(on: event).isEmpty {
      queues[event]?.continuation.yield(HookFacts(event, of: state, present: present))
    }
  }

  /// Runs the hook for stop: the player shuts down without an event.
  private func noteEnd() {
    var state = watch.withLock(\.last)
    guard state.state.isOn else { return }
    state.state = .stopped
    queues[.stop]?.continuation.yield(HookFacts(.stop, of: state, present: present))
  }

  // MARK: On Swift's threads

  private func followConfiguration() async {
    for await changed in changes.cancelOnGracefulShutdown() { configuration.withLock { $0 = changed } }
  }

  private func runCommands() async {
    await withTaskGroup { group in
      for (event, queue) in queues { group.addTask { await self.runCommands(on: event, queue.stream) } }
    }
  }

  private func runCommands(on event: HookEvent, _ queue: AsyncStream<HookFacts>) async {
    for await facts in queue {
      let configuration = configuration.withLock { $0 }
      let command = configuration.command(on: event)
      guard let program = command.first else { continue }
      let outcome = await HookProcess.run(
        command, environment: facts.added(to: environment), limit: configuration.hooksTimeout)
      if let problem = outcome.problem { logger.warning("hooks.\(event): \(program) \(problem)") }
      if event == .volume { try? await Task.sleep(for: Self.volumePause) }
    }
  }
}
