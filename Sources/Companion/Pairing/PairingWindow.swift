/// Opens BlueZ for pairing for 30 s, and always closes it again.
///
/// It has a bus connection of its own: BlueZ counts scans and agents by connection, and ends them with it, even if this program
/// is killed.
@CompanionActor package final class PairingWindow {
  private let bluez: Bluez
  private let onChange: @CompanionActor (PairingWindow) -> Void
  private(set) var machine: PairingMachine
  private var agent: PairingAgent?
  private var agentToken: BusToken?
  private var devices: BluezObjects.DeviceWatch?
  private var timer: CompanionTimer?
  private var adapter: String?
  private var wasPairable = true
  private var isDiscovering = false
  private let calls = CallQueue()

  /// - Parameters:
  ///   - bus: a connection that nothing else uses.
  ///   - wantedDevice: pairs the device with this name or address as soon as it is found.
  ///   - onChange: called after every change, and a last time when everything is undone.
  init(bus: Bus, wantedDevice: String?, onChange: @escaping @CompanionActor (PairingWindow) -> Void) {
    bluez = Bluez(bus: bus)
    self.onChange = onChange
    machine = PairingMachine(wantedDevice: wantedDevice)
  }

  /// Whether everything is undone.
  private(set) var isDone = false

  func open() {
    bluez.observe { [weak self] state in self?.note(state) }
    // In case the bus itself does not answer.
    timer = CompanionTimer(after: .seconds(10)) { [weak self] in self?.handle(.lost("BlueZ does not answer.")) }
  }

  /// Pairs a device by number, name or address.
  func choose(_ text: String) { handle(.choose(text)) }

  func answer(_ isYes: Bool) { handle(.answer(isYes)) }

  func close() { handle(.cancel) }

  // MARK: Opening

  private func note(_ state: BluezState) {
    if let problem = state.problem { return handle(.lost(problem)) }
    guard let path = state.adapter?.path else { return }
    guard adapter == nil else {
      if path != adapter { handle(.lost("The adapter has gone.")) }
      return
    }
    adapter = path
    let agent = PairingAgent { [weak self] event in self?.handle(event) }
    self.agent = agent
    agentToken = bluez.bus.export(PairingAgent.path, agent.interface)
    devices = bluez.watchDevices { [weak self] event in self?.note(event, path) }
    calls.add { [weak self] in await self?.open(path) }
  }

  private func open(_ adapter: String) async {
    do throws(BusError) {
      let root = BluezName.root
      _ = try await bluez.call(
        root, BluezName.agentManager, "RegisterAgent",
        [.path(PairingAgent.path), .string(PairingAgent.capability)])
      _ = try await bluez.call(root, BluezName.agentManager, "RequestDefaultAgent", [.path(PairingAgent.path)])
      let properties = try await bluez.call(adapter, BluezName.properties, "GetAll", [.string(BluezName.adapter)])
      wasPairable = properties.first?.options?["Pairable"]?.bool ?? true
      if !wasPairable { try await bluez.set(adapter, BluezName.adapter, "Pairable", .bool(true)) }
      guard !machine.isClosed else { return }
      // The adapter is discoverable while this scan runs.
      let filter: [String: BusValue] = ["Transport": .string("auto"), "Discoverable": .bool(true)]
      _ = try await bluez.call(adapter, BluezName.adapter, "SetDiscoveryFilter", [.options(filter)])
      _ = try await bluez.call(adapter, BluezName.adapter, "StartDiscovery")
      isDiscovering = true
      handle(.opened)
    } catch {
      handle(.lost("BlueZ refuses to open the window: \(error)"))
    }
  }

  // MARK: Events and actions

  private func note(_ event: BluezObjects.DeviceEvent, _ adapter: String) {
    switch event {
    case .found(let path, let properties), .changed(let path, let properties):
      guard path.hasPrefix(adapter + "/") else { return }
      handle(.device(path, PairingMachine.DeviceFacts(properties)))
    case .removed(let path): handle(.removed(path))
    case .allGone: handle(.lost("BlueZ has ended."))
    }
  }

  private func handle(_ event: PairingMachine.Event) {
    let before = machine
    for action in machine.handle(event) { perform(action) }
    if machine != before { onChange(self) }
  }

  private func perform(_ action: PairingMachine.Action) {
    switch action {
    case .stopDiscovery: calls.add { [weak self] in await self?.stopDiscovery() }
    case .pair(let path): pair(path)
    case .cancelPairing(let path):
      calls.add { [bluez] in _ = try? await bluez.call(path, BluezName.device, "CancelPairing", timeout: .seconds(1)) }
    case .finish(let path): calls.add { [weak self] in await self?.finish(path) }
    case .reply(let number, let reply): agent?.reply(number, reply)
    case .wait(let time): timer = CompanionTimer(after: time) { [weak self] in self?.handle(.timer) }
    case .close:
      (timer, devices) = (nil, nil)
      calls.add { await self.undo() }
    }
  }

  /// Runs outside the queue, because BlueZ replies only after pairing, and asks the agent before that.
  private func pair(_ path: String) {
    Task { @CompanionActor [weak self, bluez, calls] in
      await calls.drain()
      var problem: String?
      do throws(BusError) {
        _ = try await bluez.call(path, BluezName.device, "Pair", timeout: .seconds(60))
      } catch  where error.isRemote("org.bluez.Error.AlreadyExists") {
        // It is paired already.
      } catch {
        problem = "BlueZ cannot pair the device: \(error)"
      }
      self?.handle(.pairReply(problem))
    }
  }

  /// A trusted device may connect by itself; input devices do so at each press.
  private func finish(_ path: String) async {
    _ = try? await bluez.set(path, BluezName.device, "Trusted", .bool(true))
    await restorePairable()
    _ = try? await bluez.call(path, BluezName.device, "Connect", timeout: .seconds(10))
  }

  private func stopDiscovery() async {
    guard isDiscovering, let adapter else { return }
    isDiscovering = false
    _ = try? await bluez.call(adapter, BluezName.adapter, "StopDiscovery", timeout: .seconds(2))
  }

  private func restorePairable() async {
    guard !wasPairable, let adapter else { return }
    wasPairable = true
    _ = try? await bluez.set(adapter, BluezName.adapter, "Pairable", .bool(false))
  }

  private func undo() async {
    // First, because BlueZ undoes only the rest by itself when the program ends.
    await restorePairable()
    await stopDiscovery()
    if adapter != nil {
      _ = try? await bluez.call(
        BluezName.root, BluezName.agentManager, "UnregisterAgent", [.path(PairingAgent.path)], timeout: .seconds(2))
    }
    agentToken = nil
    bluez.bus.close()
    isDone = true
    onChange(self)
  }
}

extension PairingMachine.DeviceFacts {
  fileprivate init(_ properties: [String: BusValue]) {
    address = properties["Address"]?.string
    // Unlike Alias, which is the address for devices without a name.
    name = properties["Name"]?.string.map(\.asDeviceName).flatMap { $0.isEmpty ? nil : $0 }
    icon = properties["Icon"]?.string
    isPaired = properties["Paired"]?.bool
  }
}
