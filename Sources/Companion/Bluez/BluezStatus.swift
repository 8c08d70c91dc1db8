/// Derives whether Bluetooth works from the events of BlueZ, and decides what to log.
struct BluezStatus {
  enum Event: Equatable {
    case noBus
    case noService
    /// BlueZ has ended. `noService`, `noBus` or a new `loaded` follows.
    case vanished
    /// The objects cannot be read. They are requested again.
    case unresponsive(String)
    /// The objects read so far are no longer valid. `loaded` follows as soon as all have been read again.
    case reset
    case loaded
    case added(String, [String: [String: BusValue]])
    case removed(String, [String])
    case changed(String, [String: BusValue])
  }

  private(set) var state = BluezState.starting
  private var adapters = BluezAdapters()
  private var isLoaded = false
  /// The logged state with a problem; nil if Bluetooth works or nothing was logged.
  private var logged: BluezState?

  /// - Returns: whether the state has changed, and the message to log.
  mutating func handle(_ event: Event) -> (hasChanged: Bool, message: String?) {
    switch event {
    case .noBus: return change(to: .noBus)
    case .noService: return change(to: .noService)
    case .vanished:
      (adapters, isLoaded) = (BluezAdapters(), false)
      return change(to: .starting)
    case .unresponsive(let reason): return isLoaded ? (false, nil) : change(to: .unresponsive(reason))
    case .reset: (adapters, isLoaded) = (BluezAdapters(), false)
    case .loaded: isLoaded = true
    case .added(let path, let interfaces): adapters.added(path, interfaces)
    case .removed(let path, let interfaces): adapters.removed(path, interfaces)
    case .changed(let path, let properties): adapters.changed(path, properties)
    }
    guard isLoaded else { return (false, nil) }
    return change(to: adapters.chosen.map { $0.isPowered ? .ready($0) : .off } ?? .noAdapter)
  }

  private mutating func change(to new: BluezState) -> (hasChanged: Bool, message: String?) {
    guard new != state else { return (false, nil) }
    state = new
    return (true, message(about: new))
  }

  /// Logs each problem once until Bluetooth works.
  private mutating func message(about state: BluezState) -> String? {
    switch state {
    case .starting: return nil
    case .ready:
      defer { logged = nil }
      return logged == nil ? nil : "Bluetooth is available again."
    case .unresponsive:
      // BlueZ may word its refusals differently each time.
      if case .unresponsive? = logged { return nil }
    case .noBus, .noService, .noAdapter, .off:
      if state == logged { return nil }
    }
    logged = state
    return state.problem.map { "Bluetooth is not available: \($0) Swiftlet waits for it." }
  }
}

/// Whether Bluetooth works.
enum BluezState: Sendable, Equatable {
  /// Nothing is known yet.
  case starting
  case noBus
  /// bluetoothd does not run.
  case noService
  /// bluetoothd runs, but its objects cannot be read, for this reason.
  case unresponsive(String)
  case noAdapter
  /// The adapter is switched off.
  case off
  case ready(BluezAdapters.Adapter)

  var adapter: BluezAdapters.Adapter? { if case .ready(let adapter) = self { adapter } else { nil } }

  /// Why Bluetooth does not work, in a sentence; nil if it works or the state is not known yet.
  var problem: String? {
    switch self {
    case .starting, .ready: nil
    case .noBus: "Swiftlet cannot reach the system bus."
    case .noService: "BlueZ is not running: install bluez, and start bluetooth.service."
    case .unresponsive(let reason): "BlueZ does not list its objects: \(reason) Restart bluetooth.service."
    case .noAdapter: "There is no Bluetooth adapter."
    case .off: "The Bluetooth adapter is switched off: `bluetoothctl power on` and `rfkill` switch it on."
    }
  }
}
