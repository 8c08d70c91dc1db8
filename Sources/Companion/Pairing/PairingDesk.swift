import Logging

/// Opens pairing windows for the speaker's page, and reports them on the board.
///
/// It has no bus connection while no window is open.
@CompanionActor package final class PairingDesk {
  private let board: CompanionBoard
  private let kind: BusKind
  private let logger: Logger
  private var window: PairingWindow?
  private var hasStopped = false
  /// Resumed when the window has undone its changes, or by the time limit.
  private var waitForEnd: CheckedContinuation<Void, Never>?
  private var limit: CompanionTimer?

  /// How long the end of the program may wait for BlueZ.
  private nonisolated static let limitOfStop = Duration.seconds(1)

  package nonisolated init(board: CompanionBoard, logger: Logger, bus kind: BusKind = .system) {
    self.board = board
    self.kind = kind
    self.logger = logger
  }

  /// Opens a window for 30 s, from any thread.
  ///
  /// When it returns, the report no longer says that the window is closed, so a client can follow the report from then on.
  package nonisolated func requestOpening() {
    board.update { report in
      if report.pairing?.state.isActive != true { report.pairing = PairingReport(state: .opening) }
    }
    Task { @CompanionActor in open() }
  }

  /// Opens a window for 30 s. One that is open stays as it is.
  package func open() {
    guard !hasStopped else { return }
    if let window {
      board.update { $0.pairing = window.machine.report }
      return
    }
    logger.notice("Bluetooth is open for pairing for 30 s.")
    board.update { $0.pairing = PairingReport(state: .opening) }
    let window = PairingWindow(bus: Bus(kind, logger: logger), wantedDevice: nil) { [weak self] in self?.changed($0) }
    self.window = window
    window.open()
  }

  /// Pairs the device with this number in the report.
  package func choose(_ number: Int) { window?.choose("\(number)") }

  /// Answers the question of the report.
  package func answer(_ isYes: Bool) { window?.answer(isYes) }

  /// Closes the window early.
  package func close() { window?.close() }

  /// Closes the window for good. Waits at most a second until its changes to BlueZ are undone.
  ///
  /// BlueZ undoes most of them by itself when the program ends, but leaves the adapter pairable.
  package func stop() async {
    guard !hasStopped else { return }
    hasStopped = true
    guard let window else { return }
    window.close()
    await withCheckedContinuation { continuation in
      waitForEnd = continuation
      limit = CompanionTimer(after: Self.limitOfStop) { [weak self] in self?.ended() }
    }
  }

  private func ended() {
    limit = nil
    waitForEnd?.resume()
    waitForEnd = nil
  }

  private func changed(_ window: PairingWindow) {
    board.update { $0.pairing = window.machine.report }
    guard window.isDone else { return }
    self.window = nil
    ended()
    switch window.machine.phase {
    case .closed(.paired(let name)): logger.notice("Paired with “\(name)”.")
    case .closed(.failed(let problem)), .closed(.unavailable(let problem)):
      logger.notice("Pairing failed. \(problem)")
    default: logger.info("The pairing window is closed.")
    }
  }
}

extension PairingMachine {
  /// The report for the page, without addresses.
  var report: PairingReport {
    var report = PairingReport(state: .opening)
    report.devices = listed.map { .init(number: $0.number, name: $0.title, kind: $0.kind) }
    let title = device(questionedDevice)?.title ?? "a device"
    switch question {
    case .confirm(let passkey): report.question = .init(kind: .confirm, device: title, number: passkey)
    case .authorize: report.question = .init(kind: .authorize, device: title, number: nil)
    case .type(let passkey): report.question = .init(kind: .type, device: title, number: passkey)
    case nil: break
    }
    switch phase {
    case .opening: report.state = .opening
    case .open: report.state = .open
    case .pairing: report.state = .pairing
    case .closed(.paired(let name)): (report.state, report.paired) = (.paired, name)
    case .closed(.failed(let problem)), .closed(.unavailable(let problem)):
      (report.state, report.problem) = (.failed, problem)
    case .closed(.timedOut), .closed(.cancelled): report.state = .closed
    }
    return report
  }
}
