@testable import Companion

/// A minimal BlueZ on a bus for pairing windows: an adapter that is not pairable, an agent manager, and devices.
@CompanionActor final class BluezStandIn {
  private static let adapter = "/org/bluez/hci0"

  let bus: Bus
  /// The received calls and property changes, in order.
  private(set) var calls: [String] = []
  /// The passkey that devices ask to confirm; nil if they pair without a question.
  var passkey: UInt32?
  private var isPairable = false
  private var agent = ""
  private var devices = 0
  private var objects: ObjectManager?
  private var name: BusToken?

  init(_ bus: Bus) async throws {
    self.bus = bus
    let path = BusInterface.Argument("path", "o")
    let agents = BusInterface(
      BluezName.agentManager,
      methods: [
        .init("RegisterAgent", in: [path, .init("capability", "s")]) { [weak self] call in
          self?.agent = call.sender
          return self?.note("RegisterAgent") ?? []
        },
        .init("RequestDefaultAgent", in: [path]) { [weak self] _ in self?.note("RequestDefaultAgent") ?? [] },
        .init("UnregisterAgent", in: [path]) { [weak self] _ in self?.note("UnregisterAgent") ?? [] },
      ])
    let adapter = BusInterface(
      BluezName.adapter,
      methods: [
        .init("SetDiscoveryFilter", in: [.init("filter", "a{sv}")]) { [weak self] _ in
          self?.note("SetDiscoveryFilter") ?? []
        },
        .init("StartDiscovery") { [weak self] _ in self?.note("StartDiscovery") ?? [] },
        .init("StopDiscovery") { [weak self] _ in self?.note("StopDiscovery") ?? [] },
      ],
      properties: [
        .init("Powered", "b", get: { .bool(true) }),
        .init(
          "Pairable", "b", get: { [weak self] in .bool(self?.isPairable ?? false) },
          set: { [weak self] value in
            self?.isPairable = value.bool ?? false
            _ = self?.note("Pairable \(value.bool ?? false)")
          }),
      ])
    objects = ObjectManager("/", on: bus)
    objects?.export("/org/bluez", agents)
    objects?.export(Self.adapter, adapter)
    let owned = Record<String>()
    name = bus.requestName([BluezName.service]) { result in
      if case .success(let name)? = result { owned.add(name) }
    }
    try await owned.wait(for: [BluezName.service])
  }

  private func note(_ call: String) -> [BusValue] {
    calls.append(call)
    return []
  }

  /// Adds a device in reach, and returns its path.
  @discardableResult func add(_ name: String, icon: String) -> String {
    devices += 1
    let path = "\(Self.adapter)/dev_\(devices)"
    let device = BusInterface(
      BluezName.device,
      methods: [
        .init("Pair") { [weak self] _ throws(BusFault) in
          _ = self?.note("Pair \(name)")
          try await self?.ask(path)
          return []
        },
        .init("CancelPairing") { [weak self] _ in self?.note("CancelPairing \(name)") ?? [] },
        .init("Connect") { [weak self] _ in self?.note("Connect \(name)") ?? [] },
      ],
      properties: [
        .init("Address", "s", get: { .string("00:00:5E:00:53:01") }), .init("Name", "s", get: { .string(name) }),
        .init("Icon", "s", get: { .string(icon) }), .init("Paired", "b", get: { .bool(false) }),
        .init("Trusted", "b", get: { .bool(false) }, set: { [weak self] _ in _ = self?.note("Trusted \(name)") }),
      ])
    objects?.export(path, device)
    return path
  }

  /// Calls a method of the agent.
  func ask(_ method: String, _ device: String, _ arguments: [BusValue] = []) async throws(BusError) -> [BusValue] {
    try await bus.call(agent, PairingAgent.path, BluezName.agent, method, [.path(device)] + arguments)
  }

  private func ask(_ device: String) async throws(BusFault) {
    guard let passkey else { return }
    do throws(BusError) {
      _ = try await ask("RequestConfirmation", device, [.uint32(passkey)])
    } catch {
      throw BusFault("org.bluez.Error.AuthenticationFailed", "Rejected")
    }
  }
}
