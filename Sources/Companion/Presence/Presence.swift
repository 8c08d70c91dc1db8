import SpeakerCore

/// Watches who is present, and performs the configured actions.
@CompanionActor final class Presence: CompanionFeature {
  private let settings: PresenceSettings
  private let context: CompanionContext
  private let bluez: Bluez
  private var watcher: PresenceWatcher?
  private var playback = PresencePlayback()
  private var loggedProblem: String?
  /// The speaker's name.
  private var name: String

  init(_ settings: PresenceSettings, _ context: CompanionContext, _ bluez: Bluez) {
    self.settings = settings
    self.context = context
    self.bluez = bluez
    name = context.name
  }

  func start() {
    let watcher = PresenceWatcher(settings, bluez) { [weak self] event in self?.note(event) }
    self.watcher = watcher
    report()
    context.link.observe { [weak self] moment in
      self?.name = moment.name
      self?.playback.note(moment)
      self?.report()
    }
    watcher.start()
  }

  func stop() async { await watcher?.stop() }

  private func note(_ event: PresenceWatcher.Event) {
    // Report before the actions, because hooks get the list of present people.
    report()
    switch event {
    case .decision(let decision):
      perform(decision)
      report()
    case .problem(let problem): log(problem: problem)
    default: break
    }
  }

  /// Logs each problem once until scans work again.
  private func log(problem: String?) {
    if let problem, problem != loggedProblem {
      loggedProblem = problem
      context.logger.notice("Presence detection does not work: \(problem) Swiftlet tries again.")
    } else if problem == nil, loggedProblem != nil, watcher?.isWatching == true {
      loggedProblem = nil
      context.logger.notice("Presence detection works again.")
    }
  }

  // MARK: Actions

  private func perform(_ decision: PresenceMachine.Decision) {
    let name = settings.people[decision.person].name
    if decision.isFirst {
      context.logger.info("\(name) is \(decision.isPresent ? "present" : "absent").")
    } else {
      context.logger.info("\(name) has \(decision.isPresent ? "arrived" : "left").")
      let variables = variables(decision, event: decision.isPresent ? "arrive" : "leave")
      if !settings.onChange.isEmpty { context.runHook(settings.onChange, variables) }
    }
    switch decision.home {
    case .everyoneLeft: everyoneLeft(variables(decision, event: "leave"))
    case .someoneReturned: someoneReturned(variables(decision, event: "return"))
    case nil: break
    }
  }

  private func everyoneLeft(_ variables: [String: String]) {
    guard let action = settings.onLeave else { return }
    guard case .command(.pause) = action else { return perform(action, "on_leave", variables) }
    guard playback.leave() else { return }
    context.logger.info("Everybody has left: paused.")
    context.link.send(.pause, from: .presence) { [weak self] error in
      guard error != nil else { return }
      self?.playback.pauseFailed()
      self?.report()
    }
  }

  private func someoneReturned(_ variables: [String: String]) {
    let hasPaused = playback.comeBack()
    switch settings.onReturn {
    case .resume where hasPaused: perform(.command(.play), "on_return", variables)
    case .action(let action): perform(action, "on_return", variables)
    case .resume, nil: break
    }
  }

  private func perform(_ action: CompanionAction, _ key: String, _ variables: [String: String]) {
    context.logger.info("presence.\(key): \(action)")
    action.perform(in: context, from: .presence, variables: variables) { [logger = context.logger] error in
      if let error { logger.notice("presence.\(key): \(action): \(error)") }
    }
  }

  private func variables(_ decision: PresenceMachine.Decision, event: String) -> [String: String] {
    [
      "SWIFTLET_EVENT": event, "SWIFTLET_SPEAKER": name,
      "SWIFTLET_PERSON": settings.people[decision.person].name, "SWIFTLET_PRESENCE": current?.presentNames ?? "",
    ]
  }

  // MARK: Report

  /// The present report; nil before the start.
  private var current: PresenceReport? {
    guard let watcher else { return nil }
    let people = zip(settings.people, watcher.machine.trackers).map { person, tracker in
      PresenceReport.Person(
        name: person.name, state: tracker.isPresent.map { $0 ? .present : .absent } ?? .unknown, isNear: tracker.isNear)
    }
    return PresenceReport(
      people: people, isWatching: watcher.isWatching, hasPaused: playback.hasPaused, problem: watcher.problem)
  }

  private func report() {
    guard let current else { return }
    context.board.update { $0.presence = current }
  }
}
