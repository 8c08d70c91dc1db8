import Logging

/// A pairing window on a terminal: lines out, lines in.
@CompanionActor package final class PairingTerminal {
  package enum Result: Sendable, Equatable {
    case paired
    /// The window has timed out or was closed.
    case notPaired
    /// The device has refused, or was refused.
    case failed(String)
    /// Bluetooth does not work.
    case unavailable(String)
  }

  private let write: @CompanionActor @Sendable (String) -> Void
  private let end: @CompanionActor @Sendable (Result) -> Void
  private let window: PairingWindow
  private var last: PairingMachine
  /// The last line that could not be used. It is answered once, because a program such as `yes` repeats it forever.
  private var unknown: String?

  /// - Parameters:
  ///   - wantedDevice: pairs the device with this name or address as soon as it is found; nil to ask.
  ///   - write: called with each line to print.
  ///   - end: called once, when the window is closed and everything is undone.
  package init(
    wantedDevice: String?, bus kind: BusKind = .system, write: @escaping @CompanionActor @Sendable (String) -> Void,
    end: @escaping @CompanionActor @Sendable (Result) -> Void
  ) {
    self.write = write
    self.end = end
    last = PairingMachine(wantedDevice: wantedDevice)
    let silent = Logger(label: "pair", factory: { _ in SwiftLogNoOpLogHandler() })
    let relay = Relay()
    window = PairingWindow(bus: Bus(kind, logger: silent), wantedDevice: wantedDevice) { relay.terminal?.changed($0) }
    relay.terminal = self
  }

  @CompanionActor private final class Relay {
    weak var terminal: PairingTerminal?
  }

  package func open() { window.open() }

  package func close() { window.close() }

  /// Handles a line that the person has typed.
  package func enter(_ line: String) {
    let text = line.filter { !$0.isNewline }
    switch (window.machine.question?.needsAnswer == true, text.lowercased()) {
    case (true, "y"), (true, "yes"): window.answer(true)
    case (true, "n"), (true, "no"): window.answer(false)
    case (true, _): reject(text, "Please answer y or n.")
    case (false, ""): break
    case (false, _) where window.machine.canChoose(text): window.choose(text)
    case (false, _):
      let text = String(text.prefix(60)).asDeviceName
      switch window.machine.phase {
      case .opening, .open: reject(text, "“\(text)” is no device of the list. Enter the number of one that was found.")
      case .pairing: reject(text, "Another device is being paired.")
      case .closed: break
      }
    }
  }

  private func reject(_ text: String, _ answer: String) {
    guard text != unknown else { return }
    unknown = text
    write(answer)
  }

  private func changed(_ window: PairingWindow) {
    let machine = window.machine
    writeDevices(machine)
    writeQuestion(machine)
    if machine.phase != last.phase { writePhase(machine) }
    last = machine
    guard window.isDone else { return }
    switch machine.phase {
    case .closed(.paired): end(.paired)
    case .closed(.failed(let problem)): end(.failed(problem))
    case .closed(.unavailable(let problem)): end(.unavailable(problem))
    default: end(.notPaired)
    }
  }

  private func writeDevices(_ machine: PairingMachine) {
    let known = Dictionary(last.listed.map { ($0.number, $0) }) { first, _ in first }
    for device in machine.listed where known[device.number]?.title != device.title {
      write("\(device.number)  \(device.title)  \(device.kind)  \(device.address ?? "")")
    }
  }

  private func writeQuestion(_ machine: PairingMachine) {
    guard machine.question != last.question, let question = machine.question else { return }
    let title = machine.device(machine.questionedDevice)?.title ?? "The device"
    switch question {
    case .confirm(let passkey): write("Does \(title) show \(passkey)? (y/n)")
    case .authorize: write("May \(title) be paired? (y/n)")
    case .type(let passkey): write("Type \(passkey) on \(title), and Enter.")
    }
  }

  private func writePhase(_ machine: PairingMachine) {
    switch machine.phase {
    case .opening: break
    case .open: write("Bluetooth is open for pairing for 30 s. Devices found (enter a number to pair one):")
    case .pairing(let path): write("Pairing \(machine.device(path)?.title ?? "the device") …")
    case .closed(.paired(let name)): write("Paired: \(name).")
    case .closed(.timedOut): write("Time is up.")
    case .closed(.cancelled): write("Closed.")
    case .closed(.failed), .closed(.unavailable): break
    }
  }
}
