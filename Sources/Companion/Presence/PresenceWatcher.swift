/// Scans for the people in short windows, and reports sightings and decisions.
@CompanionActor final class PresenceWatcher {
  enum Event {
    /// A person's device was seen. The person is an index into the people; the level is the smoothed RSSI in dBm.
    case sighting(person: Int, rssi: Int, level: Double, isNear: Bool)
    /// A person's device has connected or disconnected.
    case connection(person: Int, isConnected: Bool)
    /// A device that belongs to nobody, and that was not ignored.
    case stranger(name: String?, address: String, rssi: Int)
    case decision(PresenceMachine.Decision)
    /// A scan has begun or ended.
    case scanning(Bool)
    /// Whether scans are possible.
    case watching(Bool)
  }

  private let bluez: Bluez
  private let onEvent: @CompanionActor (Event) -> Void
  private(set) var machine: PresenceMachine
  private var filter: DeviceFilter
  private var schedule: ScanSchedule
  private var adapter: String?
  private(set) var isWatching = false
  private var timer: CompanionTimer?
  private var devices: BluezObjects.DeviceWatch?
  /// Devices whose properties are being read.
  private var asked: Set<String> = []
  /// The people with a connected device, by the device's path.
  private var connections: [String: Int] = [:]
  /// Incremented with every change of the adapter, so that late replies are dropped.
  private var generation = 0

  init(_ settings: PresenceSettings, _ bluez: Bluez, _ onEvent: @escaping @CompanionActor (Event) -> Void) {
    self.bluez = bluez
    self.onEvent = onEvent
    let now = ContinuousClock.now
    machine = PresenceMachine(settings, at: now)
    machine.scanningChanged(isPossible: false, at: now)
    filter = DeviceFilter(settings.people)
    schedule = ScanSchedule(at: now)
  }

  func start() {
    devices = bluez.watchDevices { [weak self] event in self?.note(event) }
    bluez.observe { [weak self] state in self?.adapterChanged(to: state.adapter?.path) }
  }

  func stop() async {
    let (adapter, wasScanning) = (adapter, schedule.isScanning)
    (devices, timer, self.adapter) = (nil, nil, nil)
    generation += 1
    guard wasScanning, let adapter else { return }
    _ = try? await bluez.call(adapter, BluezName.adapter, "StopDiscovery", timeout: .milliseconds(500))
  }

  // MARK: Scans

  private func adapterChanged(to path: String?) {
    guard path != adapter else { return }
    generation += 1
    adapter = path
    schedule = ScanSchedule(at: .now)
    setWatching(false)
    timer = nil
    step()
  }

  private func setWatching(_ isPossible: Bool) {
    machine.scanningChanged(isPossible: isPossible, at: .now)
    guard isPossible != isWatching else { return }
    isWatching = isPossible
    onEvent(.watching(isPossible))
  }

  private func step() {
    guard let adapter else { return }
    while true {
      switch schedule.step(at: .now, isUndecided: machine.isUndecided, isDone: machine.hasSeenEveryone) {
      case .start: begin(adapter)
      case .stop: end(adapter)
      case .wait(let deadline):
        timer = CompanionTimer(at: deadline) { [weak self] in self?.step() }
        return
      }
    }
  }

  private func begin(_ adapter: String) {
    let generation = generation
    Task { @CompanionActor [weak self, bluez] in
      do throws(BusError) {
        // DuplicateData: every advertisement of a device counts, not only the first.
        let filter: [String: BusValue] = ["Transport": .string("le"), "DuplicateData": .bool(true)]
        _ = try await bluez.call(adapter, BluezName.adapter, "SetDiscoveryFilter", [.options(filter)])
        _ = try await bluez.call(adapter, BluezName.adapter, "StartDiscovery")
      } catch  where error.isRemote("org.bluez.Error.InProgress") {
        // Our own scan runs already.
      } catch {
        self?.beginFailed(generation)
        return
      }
      self?.hasBegun(generation)
    }
  }

  private func hasBegun(_ generation: Int) {
    guard generation == self.generation else { return }
    setWatching(true)
    if schedule.isScanning { onEvent(.scanning(true)) }
  }

  private func beginFailed(_ generation: Int) {
    guard generation == self.generation else { return }
    schedule.failed(at: .now)
    setWatching(false)
    step()
  }

  private func end(_ adapter: String) {
    Task { @CompanionActor [bluez] in
      _ = try? await bluez.call(adapter, BluezName.adapter, "StopDiscovery")
    }
    // Ignore a scan that BlueZ did not start in time: it has seen nothing.
    guard isWatching else { return }
    onEvent(.scanning(false))
    for decision in machine.scanEnded(at: .now) { onEvent(.decision(decision)) }
  }

  // MARK: Devices

  private func note(_ event: BluezObjects.DeviceEvent) {
    switch event {
    case .found(let path, let properties): learn(path, properties)
    case .changed(let path, let properties): changed(path, properties)
    case .removed(let path):
      filter.removed(path)
      disconnected(path)
    case .allGone:
      filter.reset()
      for path in connections.keys { disconnected(path) }
    }
  }

  private func changed(_ path: String, _ properties: [String: BusValue]) {
    switch filter.verdict(on: path, at: .now) {
    case .ignored: break
    case .person(let person):
      // A phone gets its identity address when it is paired; a beacon can change into another one.
      let apple = properties["ManufacturerData"].map { $0.appleData ?? [] }
      guard properties["Address"] == nil, filter.isStill(person, apple) else { return ask(path) }
      if let rssi = properties["RSSI"]?.integer { sighted(person, rssi) }
      if let isConnected = properties["Connected"]?.bool { note(person, path, isConnected: isConnected) }
    case .unknown: ask(path)
    }
  }

  /// Reads all properties of a device.
  private func ask(_ path: String) {
    guard asked.count < 16, asked.insert(path).inserted else { return }
    Task { @CompanionActor [weak self, bluez] in
      let reply = try? await bluez.call(path, BluezName.properties, "GetAll", [.string(BluezName.device)])
      self?.asked.remove(path)
      guard let properties = reply?.first?.options else { return }
      self?.learn(path, properties)
    }
  }

  private func learn(_ path: String, _ properties: [String: BusValue]) {
    let (address, rssi) = (properties["Address"]?.string, properties["RSSI"]?.integer)
    let apple = properties["ManufacturerData"]?.appleData
    if let person = filter.learn(path, address: address, appleData: apple, at: .now) {
      if let rssi { sighted(person, rssi) }
      note(person, path, isConnected: properties["Connected"]?.bool == true)
    } else if let address, let rssi {
      onEvent(.stranger(name: properties["Name"]?.string, address: address, rssi: rssi))
    }
  }

  private func note(_ person: Int, _ path: String, isConnected: Bool) {
    guard isConnected else { return disconnected(path) }
    guard connections.updateValue(person, forKey: path) == nil else { return }
    connectionChanged(person)
  }

  private func disconnected(_ path: String) {
    if let person = connections.removeValue(forKey: path) { connectionChanged(person) }
  }

  private func connectionChanged(_ person: Int) {
    let isConnected = connections.values.contains(person)
    let decision = machine.connectionChanged(person, isConnected: isConnected, at: .now)
    onEvent(.connection(person: person, isConnected: isConnected))
    if let decision { onEvent(.decision(decision)) }
    // The next scan may have to come soon.
    step()
  }

  private func sighted(_ person: Int, _ rssi: Int) {
    // Ignore values that BlueZ has cached from before the scan.
    guard schedule.isScanning, isWatching else { return }
    let decision = machine.sighted(person, rssi: rssi, at: .now)
    let tracker = machine.trackers[person]
    onEvent(.sighting(person: person, rssi: rssi, level: tracker.filter.level ?? 0, isNear: tracker.isNear))
    if let decision { onEvent(.decision(decision)) }
    if machine.hasSeenEveryone { step() }
  }
}

extension BusValue {
  /// Apple's data in the property ManufacturerData.
  fileprivate var appleData: [UInt8]? { dictionary?[.uint16(BeaconFrame.company)]?.bytes }
}
