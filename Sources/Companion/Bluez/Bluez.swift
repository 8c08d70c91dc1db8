import Logging

/// Tracks whether BlueZ runs, its adapter and, on request, the devices in range.
///
/// All Bluetooth features share one instance. It makes no calls before the first `observe` or `watchDevices`.
@CompanionActor final class Bluez {
  typealias Observer = @CompanionActor (BluezState) -> Void

  let bus: Bus
  private let board: CompanionBoard?
  private let logger: Logger?
  private var status = BluezStatus()
  private var observers: [Observer] = []
  private var reader: BluezObjects?
  private var isRunning = false

  /// - Parameters:
  ///   - board: receives the Bluetooth report after every change.
  ///   - logger: receives one message per problem.
  init(bus: Bus, board: CompanionBoard? = nil, logger: Logger? = nil) {
    self.bus = bus
    self.board = board
    self.logger = logger
  }

  /// Calls the body with the state, unless nothing is known yet, and after every change.
  func observe(_ body: @escaping Observer) {
    observers.append(body)
    start()
    if state != .starting { body(state) }
  }

  /// Reports the devices in range and their changes until the watch is released.
  func watchDevices(_ body: @escaping @CompanionActor (BluezObjects.DeviceEvent) -> Void) -> BluezObjects.DeviceWatch {
    start()
    return objects.watchDevices(body)
  }

  /// Calls a method of the adapter or a device.
  func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
    timeout: Duration = .seconds(10)
  ) async throws(BusError) -> [BusValue] {
    try await bus.call(BluezName.service, path, interface, member, arguments, timeout: timeout)
  }

  func set(_ path: String, _ interface: String, _ property: String, _ value: BusValue) async throws(BusError) {
    _ = try await call(path, BluezName.properties, "Set", [.string(interface), .string(property), .variant(value)])
  }

  // MARK: State

  var state: BluezState { status.state }

  private var objects: BluezObjects {
    if let reader { return reader }
    let made = BluezObjects(bus)
    reader = made
    return made
  }

  private func start() {
    guard !isRunning else { return }
    isRunning = true
    objects.onStatusEvent = { [weak self] event in self?.note(event) }
    objects.start()
  }

  private func note(_ event: BluezStatus.Event) {
    let (hasChanged, message) = status.handle(event)
    if let message { logger?.notice("\(message)") }
    guard hasChanged else { return }
    let state = state
    board?.update { $0.bluetooth = BluetoothReport(isReady: state.adapter != nil, problem: state.problem) }
    for observer in observers { observer(state) }
  }
}

extension BusError {
  /// The description with a period at its end.
  var sentence: String { description.hasSuffix(".") ? description : description + "." }
}
