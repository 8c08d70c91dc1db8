import Glibc
import Logging

/// Performs actions when buttons are pressed and dials are turned. Opens only the devices that the configuration names,
/// and grabs them, so that no other program gets their events.
@CompanionActor final class Buttons: CompanionFeature {
  /// Grace period for a new device: udev sets its permissions shortly after its creation.
  private static let permissionTime = Duration.seconds(2)

  /// A device that disappears sooner than this after it was opened counts as failing.
  private static let healthyTime = Duration.seconds(5)

  /// The failed attempts to use a device.
  private struct Failure {
    var error: InputError
    let since: ContinuousClock.Instant
    var isLogged = false
    /// The pause before the next attempt.
    private(set) var pause = Duration.zero
    private var pauses = RetryPauses()

    init(_ error: InputError, at now: ContinuousClock.Instant) { (self.error, since) = (error, now) }

    /// Notes a failed attempt.
    mutating func note(_ error: InputError) { (self.error, pause) = (error, pauses.next()) }
  }

  private struct Connection {
    let pad: ButtonPad
    let since: ContinuousClock.Instant
  }

  private let bindings: [ButtonBinding]
  private let board: CompanionBoard
  private let act: Perform
  private let source: any InputSource
  private let logger: Logger
  private var watch: AnyObject?
  private var connections: [InputDevice: Connection] = [:]
  private var failures: [InputDevice: Failure] = [:]
  private var retry: CompanionTimer?
  /// The names of devices whose arrival is in the log. Wireless ones come and go all day.
  private var known: Set<String> = []
  private var last: ButtonsReport.Press?
  private var count = 0

  /// Performs an action. The variables are added to the environment of a hook.
  typealias Perform = @CompanionActor (CompanionAction, [String: String]) -> Void

  convenience init(_ bindings: [ButtonBinding], _ context: CompanionContext) {
    self.init(bindings, board: context.board, source: InputFolder(), logger: context.logger) { action, variables in
      action.perform(in: context, from: .buttons, variables: variables) { error in
        // A broken device would fill the log.
        let level = error == .tooManyCommands ? Logger.Level.debug : .info
        if let error { context.logger.log(level: level, "Buttons: “\(action)” had no effect. \(error)") }
      }
    }
  }

  init(
    _ bindings: [ButtonBinding], board: CompanionBoard, source: any InputSource, logger: Logger, act: @escaping Perform
  ) {
    self.bindings = bindings
    self.board = board
    self.source = source
    self.logger = logger
    self.act = act
  }

  func start() {
    watch = source.watch { [weak self] in self?.scan() }
    if watch == nil { logger.warning("Buttons: cannot watch /dev/input. Connect devices before you start Swiftlet.") }
    scan()
  }

  func stop() async {
    (watch, retry) = (nil, nil)
    for connection in connections.values { connection.pad.stop() }
    connections = [:]
  }

  // MARK: Devices

  /// Opens the devices that the configuration names and that are not open.
  private func scan() {
    let found = source.list().filter { device in bindings.contains { $0.device.matches(device.identity) } }
    failures = failures.filter { found.contains($0.key) }
    for device in found where connections[device] == nil { open(device) }
    report()
    // No retry for missing permissions: the folder's watch reports when they change.
    let waiting = failures.filter { connections[$0.key] == nil && !($0.value.error == .forbidden && $0.value.isLogged) }
    scanLater(waiting.values.map(\.pause).min())
  }

  private func open(_ device: InputDevice) {
    let name = device.identity.name
    do throws(InputError) {
      let node = try source.open(device, grabs: true)
      let pad = ButtonPad(
        node: node, bindings: bindings.filter { $0.device.matches(device.identity) },
        fire: { [weak self] in self?.perform($0, of: device) }, ended: { [weak self] in self?.gone(device) })
      connections[device] = Connection(pad: pad, since: .now)
      logger.log(level: known.insert(name).inserted ? .info : .debug, "Buttons: “\(name)” is connected.")
    } catch {
      note(error, of: device)
    }
  }

  private func gone(_ device: InputDevice) {
    guard let connection = connections.removeValue(forKey: device) else { return }
    logger.debug("Buttons: “\(device.identity.name)” is gone.")
    if .now - connection.since >= Self.healthyTime { failures[device] = nil }
    note(.gone, of: device)
    // The folder's watch reports most removed devices, but not all.
    scanLater(failures[device]?.pause)
    report()
  }

  private func scanLater(_ pause: Duration?) {
    retry = pause.map { pause in CompanionTimer(after: pause) { [weak self] in self?.scan() } }
  }

  /// Logs a problem once, and makes the pause before the next attempt longer.
  private func note(_ error: InputError, of device: InputDevice) {
    var failure = failures[device] ?? Failure(error, at: .now)
    failure.note(error)
    let isSettled = error != .forbidden || .now - failure.since >= Self.permissionTime
    if error != .gone, isSettled, !failure.isLogged {
      logger.warning("Buttons: “\(device.identity.name)” \(error.sentence)")
      failure.isLogged = true
    }
    failures[device] = failure
  }

  // MARK: Actions

  private func perform(_ firing: ButtonBank.Firing, of device: InputDevice) {
    let name = device.identity.name
    count += 1
    last = ButtonsReport.Press(
      device: name, key: firing.key.description, trigger: firing.trigger.rawValue,
      name: bindings.first { $0.device.matches(device.identity) }?.device.text ?? name)
    report()
    for action in firing.actions {
      logger.debug("Buttons: “\(name)” \(firing.key) \(firing.trigger): \(action)")
      let variables = [
        "SWIFTLET_EVENT": "button", "SWIFTLET_BUTTON_DEVICE": name, "SWIFTLET_BUTTON_KEY": firing.key.description,
        "SWIFTLET_BUTTON_TRIGGER": firing.trigger.rawValue,
      ]
      act(action, variables)
    }
  }

  private func report() {
    let names = bindings.map(\.device).reduce(into: [DeviceName]()) { if !$0.contains($1) { $0.append($1) } }
    let devices = names.map { name in
      ButtonsReport.Device(
        name: name.text, isConnected: connections.keys.contains { name.matches($0.identity) },
        problem: failures.first {
          name.matches($0.key.identity) && $0.value.isLogged && connections[$0.key] == nil
        }?.value.error.sentence)
    }
    board.update { $0.buttons = ButtonsReport(devices: devices, count: count, last: last) }
  }
}

extension InputError {
  /// To be appended to the name of the device.
  var sentence: String {
    switch self {
    case .forbidden:
      """
      cannot be read: permission denied. The service needs the drop-in buttons.conf; any other user must be in the group \
      input. See docs/companions.md.
      """
    case .busy: "is used by another program, which keeps its events to itself."
    case .gone: "is gone."
    case .failed(let error): "cannot be read: \(String(cString: strerror(error)).lowercased())."
    }
  }
}
