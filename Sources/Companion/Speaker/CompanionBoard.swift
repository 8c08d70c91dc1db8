import Synchronization

/// The state of all companions, for the status, the metrics, the page and its API. `swiftlet status` reads it from
/// JSON.
///
/// The reports are declared here rather than beside their companions, which use this folder.
package struct CompanionReport: Sendable, Equatable, Codable {
  /// Nil unless a companion uses Bluetooth.
  package var bluetooth: BluetoothReport?
  /// Nil while the beacon is off.
  package var beacon: BeaconReport?
  /// Nil without the companion page.
  package var phones: PhonesReport?
  /// Nil while MQTT is off.
  package var mqtt: MQTTReport?
  /// Nil unless people are watched.
  package var presence: PresenceReport?
  /// The open pairing window, or the last one.
  package var pairing: PairingReport?
  /// Nil without configured buttons.
  package var buttons: ButtonsReport?
  /// Nil while MPRIS is off.
  package var mpris: MPRISReport?
  /// Nil unless the speaker prepares for sleep.
  package var sleep: SleepReport?

  package init() {}
}

/// The Bluetooth adapter.
package struct BluetoothReport: Sendable, Equatable, Codable {
  package var isReady: Bool
  /// Why the adapter is not ready, in a sentence.
  package var problem: String?

  package init(isReady: Bool, problem: String? = nil) {
    self.isReady = isReady
    self.problem = problem
  }

  private enum CodingKeys: String, CodingKey {
    case isReady = "ready"
    case problem
  }
}

/// The beacon. It is reported even if Bluetooth does not work, because companion pages follow it through events.
package struct BeaconReport: Sendable, Equatable, Codable {
  /// Lower case, with dashes.
  package var uuid: String
  /// The session: changes with every new start of playback.
  package var major: Int
  /// The position in seconds, modulo 65536; 0 when idle.
  package var minor: Int
  /// Whether BlueZ advertises it.
  package var isAdvertised: Bool
  /// Why it is not advertised although Bluetooth works, in a sentence.
  package var problem: String?

  package init(uuid: String, major: Int, minor: Int, isAdvertised: Bool, problem: String? = nil) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
    self.isAdvertised = isAdvertised
    self.problem = problem
  }

  private enum CodingKeys: String, CodingKey {
    case uuid, major, minor, problem
    case isAdvertised = "advertised"
  }
}

/// The phones that are registered with the companion page.
package struct PhonesReport: Sendable, Equatable, Codable {
  package var registered: Int
  package var inReach: Int

  package init(registered: Int, inReach: Int) {
    self.registered = registered
    self.inReach = inReach
  }
}

/// The connection to the MQTT broker.
package struct MQTTReport: Sendable, Equatable, Codable {
  /// Host and port, without credentials.
  package var broker: String
  /// The first levels of every topic.
  package var prefix: String
  package var isConnected = false
  /// Why there is no connection, or what the broker does not allow, in a sentence.
  package var problem: String?

  package init(broker: String, prefix: String) {
    self.broker = broker
    self.prefix = prefix
  }

  private enum CodingKeys: String, CodingKey {
    case broker, prefix, problem
    case isConnected = "connected"
  }
}

/// The speaker as a media player on D-Bus.
package struct MPRISReport: Sendable, Equatable, Codable {
  /// `session bus` or `system bus`.
  package var bus: String
  /// The name on the bus; nil without one.
  package var name: String?
  /// Why the speaker has no name, in a sentence; nil also while it requests one.
  package var problem: String?

  package init(bus: String, name: String? = nil, problem: String? = nil) {
    self.bus = bus
    self.name = name
    self.problem = problem
  }

  package var isConnected: Bool { name != nil }
}

/// The preparation for the machine's sleep.
package struct SleepReport: Sendable, Equatable, Codable {
  /// Whether logind waits for the speaker before the machine sleeps.
  package var isReady: Bool
  /// Why logind does not wait, in a sentence; nil also while the speaker requests an inhibitor.
  package var problem: String?

  package init(isReady: Bool = false, problem: String? = nil) {
    self.isReady = isReady
    self.problem = problem
  }

  private enum CodingKeys: String, CodingKey {
    case isReady = "ready"
    case problem
  }
}

/// The buttons, by the devices of the configuration.
package struct ButtonsReport: Sendable, Equatable, Codable {
  package struct Device: Sendable, Equatable, Codable {
    /// The device as the configuration names it.
    package var name: String
    package var isConnected: Bool
    /// Why the device cannot be used although it is present, to be appended to its name.
    package var problem: String?

    private enum CodingKeys: String, CodingKey {
      case name, problem
      case isConnected = "connected"
    }
  }

  package struct Press: Sendable, Equatable, Codable {
    /// The device's own name.
    package var device: String
    package var key: String
    /// click, double, hold, down, up or repeat
    package var trigger: String
    /// The device as the configuration names it. Not part of the status.
    package var name = ""

    private enum CodingKeys: String, CodingKey { case device, key, trigger }
  }

  package var devices: [Device]
  /// Triggers since the start.
  package var count: Int
  package var last: Press?
}

/// Holds the present report. Companions write it, everything else reads it.
package final class CompanionBoard: Sendable {
  private struct State {
    var report = CompanionReport()
    var observers: [@Sendable () -> Void] = []
    var onReading: @Sendable (inout CompanionReport) -> Void = { _ in }
  }

  private let state = Mutex(State())

  package init() {}

  package var report: CompanionReport {
    state.withLock { state in
      var report = state.report
      state.onReading(&report)
      return report
    }
  }

  /// Sets a function that updates values which change steadily, whenever the report is read. Observers are not called.
  package func onReading(_ body: @escaping @Sendable (inout CompanionReport) -> Void) {
    state.withLock { $0.onReading = body }
  }

  /// Changes the report, and calls the observers if it differs.
  package func update(_ change: (inout CompanionReport) -> Void) {
    let observers = state.withLock { state in
      let before = state.report
      change(&state.report)
      return before == state.report ? [] : state.observers
    }
    for observer in observers { observer() }
  }

  /// Calls the body after every change, on the thread that made it.
  package func observe(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.observers.append(body) } }
}
