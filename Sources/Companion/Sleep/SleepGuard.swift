import Logging

/// The settings of the preparation for the machine's sleep; there are none yet.
package struct SleepSettings: Sendable, Equatable {
  package init() {}
}

/// Prepares the speaker before the machine sleeps, and recovers it afterwards.
///
/// logind delays sleep while a delay inhibitor is held, for at most InhibitDelayMaxSec (5 s by default).
/// https://systemd.io/INHIBITOR_LOCKS/
@CompanionActor final class SleepGuard: CompanionFeature {
  private static let service = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let manager = "org.freedesktop.login1.Manager"

  private let context: CompanionContext
  private var bus: Bus?
  private var tokens: [BusToken] = []
  private var machine = SleepMachine()
  private var inhibitor: BusDescriptor?
  private var pauses = RetryPauses()
  private var retry: CompanionTimer?
  /// Why logind has refused the last inhibitor.
  private var refusal: String?
  private let work = SleepWork()

  init(_ settings: SleepSettings, _ context: CompanionContext) {
    self.context = context
    context.board.update { $0.sleep = SleepReport() }
  }

  func start() {
    let bus = Bus.shared(.system, logger: context.logger)
    self.bus = bus
    let match = BusMatch(sender: Self.service, path: Self.path, interface: Self.manager, member: "PrepareForSleep")
    tokens = [
      bus.subscribe(match) { [weak self] signal in
        guard case .bool(let sleeps) = signal.arguments.first else { return }
        self?.handle(sleeps ? .sleeps : .wakes)
      },
      bus.watchName(
        Self.service, appeared: { [weak self] _ in self?.handle(.appeared) },
        vanished: { [weak self] in self?.handle(.vanished) }),
      bus.observe { [weak self] _ in self?.report() },
    ]
  }

  func stop() async {
    for token in tokens { token.cancel() }
    (tokens, retry, inhibitor, bus) = ([], nil, nil, nil)
  }

  private func report() {
    guard let bus else { return }
    let isOnBus = if case .connected = bus.state { true } else { false }
    let report = SleepReport(machine, isOnBus: isOnBus, busProblem: bus.problem, refusal: refusal)
    context.board.update { $0.sleep = report }
  }

  private func handle(_ event: SleepMachine.Event) {
    defer { report() }
    for action in machine.handle(event) {
      switch action {
      case .takeInhibitor: takeInhibitor()
      case .releaseInhibitor: inhibitor = nil
      case .prepare:
        work.prepare { [weak self, hooks = context.sleep] in
          await hooks.prepare()
          self?.handle(.prepared)
        }
      case .recover:
        work.recover { [hooks = context.sleep] in
          await hooks.recover()
        } ended: { [weak self] in
          self?.handle(.recovered)
        }
      case .cancelRecovery: work.cancelRecoveries()
      case .retryLater:
        retry = CompanionTimer(after: pauses.next()) { [weak self] in
          // logind may have vanished meanwhile.
          guard let self, machine.isPresent else { return }
          handle(.appeared)
        }
      }
    }
  }

  private func takeInhibitor() {
    guard let bus else { return }
    Task { @CompanionActor [weak self] in
      let result: Result<BusDescriptor?, BusError>
      do throws(BusError) {
        let values = try await bus.call(
          Self.service, Self.path, Self.manager, "Inhibit",
          [.string("sleep"), .string("Swiftlet"), .string("Leaves the network"), .string("delay")], reply: "h")
        result = .success(values.first?.descriptor)
      } catch {
        result = .failure(error)
      }
      self?.note(result)
    }
  }

  private func note(_ result: Result<BusDescriptor?, BusError>) {
    guard bus != nil else { return }
    switch result {
    case .success(let descriptor):
      inhibitor = descriptor
      pauses.reset()
      refusal = nil
      handle(.granted)
    case .failure(let error):
      let sentence = "logind does not wait for the speaker before sleep: \(error)"
      if refusal == nil { context.logger.warning("\(sentence)") }
      refusal = sentence
      handle(.refused)
    }
  }
}
