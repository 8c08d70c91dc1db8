import Logging

/// Scans for people and writes the sightings and decisions, for `swiftlet presence`. Performs no actions.
@CompanionActor package final class PresenceTerminal {
  private let settings: PresenceSettings
  private let bluez: Bluez
  private let showsStrangers: Bool
  private let write: @CompanionActor @Sendable (String) -> Void
  private var watcher: PresenceWatcher?
  private var lastProblem: String?
  private let start = ContinuousClock.now

  /// - Parameters:
  ///   - showsStrangers: whether to write devices that belong to nobody, so that a person can find an address.
  ///   - write: called with each line to print.
  package init(
    _ settings: PresenceSettings, bus kind: BusKind = .system, showsStrangers: Bool,
    write: @escaping @CompanionActor @Sendable (String) -> Void
  ) {
    self.settings = settings
    self.showsStrangers = showsStrangers
    self.write = write
    let silent = Logger(label: "presence", factory: { _ in SwiftLogNoOpLogHandler() })
    bluez = Bluez(bus: Bus(kind, logger: silent))
  }

  package func open() {
    let watcher = PresenceWatcher(settings, bluez) { [weak self] event in self?.note(event) }
    self.watcher = watcher
    bluez.observe { [weak self] state in
      self?.note(problem: state.problem)
    }
    watcher.start()
  }

  package func close() async {
    await watcher?.stop()
    bluez.bus.close()
  }

  private func note(problem: String?) {
    guard problem != lastProblem else { return }
    lastProblem = problem
    if let problem { stamp(problem) }
  }

  private func note(_ event: PresenceWatcher.Event) {
    switch event {
    case .sighting(let person, let rssi, let level, let isNear):
      let smoothed = Int(level.rounded())
      stamp("\(settings.people[person].name): \(rssi) dBm, smoothed \(smoothed), \(isNear ? "near" : "far")")
    case .connection(let person, let isConnected):
      stamp("\(settings.people[person].name): \(isConnected ? "connected" : "disconnected")")
    case .stranger(let name, let address, let rssi):
      guard showsStrangers else { return }
      stamp("unknown device: \(address), \(rssi) dBm" + (name.map { ", \($0.asDeviceName)" } ?? ""))
    case .decision(let decision): note(decision)
    case .scanning(let isScanning): stamp(isScanning ? "scan begins" : "scan ends")
    case .problem(let problem): if let problem { stamp(problem) }
    case .watching(let isPossible): stamp(isPossible ? "Bluetooth is available" : "Bluetooth is not available")
    }
  }

  private func note(_ decision: PresenceMachine.Decision) {
    let name = settings.people[decision.person].name
    let verb =
      decision.isFirst
      ? (decision.isPresent ? "is present" : "is absent") : decision.isPresent ? "has arrived" : "has left"
    stamp("DECISION: \(name) \(verb)")
    switch decision.home {
    case .everyoneLeft: stamp("DECISION: everybody has left (on_leave)")
    case .someoneReturned: stamp("DECISION: somebody has returned (on_return)")
    case nil: break
    }
  }

  /// Writes a line with the seconds since the start.
  private func stamp(_ line: String) {
    let tenths = Int((ContinuousClock.now - start) / .milliseconds(100))
    let time = "\(tenths / 10).\(tenths % 10)"
    write(String(repeating: " ", count: max(0, 7 - time.count)) + time + "  " + line)
  }
}
