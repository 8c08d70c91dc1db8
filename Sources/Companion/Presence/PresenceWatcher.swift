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
    /// Why BlueZ does not scan, in a sentence; nil once it does. Sent after each change.
    case problem(String?)
  }

  private let bluez: Bluez
  private let onEvent: @CompanionActor (Event) -> Void
  private(set) var machine: PresenceMachine
  private var filter: DeviceFilter
  private var schedule: ScanSchedule
  private var adapter: String?
  private(set) var isWatching = false
  /// Why BlueZ does not scan, in a sentence.
  private(set) var problem: String?
  private let calls = CallQueue()
  private var timer: CompanionTimer?
  private var devices: BluezObjects.DeviceWatch?
  /// Devices whose properties are being read.
  private var asked: Set<String> = []
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
    let (adapter, isActive) = (adapter, schedule.isActive)
    (devices, timer, self.adapter) = (nil, nil, nil)
    generation += 1
    guard isActive, let adapter else { return }
    _ = try? await bluez.call(adapter, BluezName.adapter, "StopDiscovery", timeout: .milliseconds(500))
  }

  // MARK: Scans

  private func adapterChanged(to path: String?) {
    guard path != adapter else { return }
    generation += 1
    if schedule.isActive, let adapter { stopDiscovery(adapter) }
    adapter = path
    schedule = ScanSchedule(at: .now)
    setWatching(false)
    set(problem: nil)
    timer = nil
    step()
  }

  private func setWatching(_ isPossible: Bool) {
    machine.scanningChanged(isPossible: isPossible, at: .now)
    guard isPossible != isWatching else { return }
    isWatching = isPossible
    onEvent(.watching(isPossible))
  }

  private func set(problem: String?) {
    guard problem != self.problem else { return }
    self.problem = problem
    onEvent(.problem(problem))
  }

  private func step() {
    guard let adapter else { return }
    report(machine.timePassed(at: .now))
    while true {
      let action = schedule.step(
        at: .now, isNeeded: machine.needsScans, isUndecided: machine.isUndecided, isDone: machine.hasSeenEveryone)
      switch action {
      case .start: begin(adapter)
      case .stop: end(adapter)
      case .wait(let deadline): return wait(until: deadline)
      case .awaitStart: return wait(until: nil)
      case .rest:
        setWatching(true)
        set(problem: nil)
        return wait(until: nil)
      }
    }
  }

  private func wait(until deadline: ContinuousClock.Instant?) {
    let next = [deadline, machine.nextArrival].compactMap(\.self).min()
    timer = next.map { CompanionTimer(at: $0) { [weak self] in self?.step() } }
  }

  private func report(_ decisions: [PresenceMachine.Decision]) {
    for decision in decisions { onEvent(.decision(decision)) }
  }

  private func begin(_ adapter: String) {
    let generation = generation
    calls.add { [weak self, bluez] in
      do throws(BusError) {
        // DuplicateData: every advertisement of a device counts, not only the first.
        let filter: [String: BusValue] = ["Transport": .string("le"), "DuplicateData": .bool(true)]
        _ = try await bluez.call(adapter, BluezName.adapter, "SetDiscoveryFilter", [.options(filter)])
        _ = try await bluez.call(adapter, BluezName.adapter, "StartDiscovery")
      } catch  where error.isRemote("org.bluez.Error.InProgress") {
        // Our own scan runs already.
      } catch {
        self?.beginFailed(error, adapter, generation)
        return
      }
      self?.hasBegun(generation)
    }
  }

  private func hasBegun(_ generation: Int) {
    guard generation == self.generation else { return }
    schedule.began(at: .now)
    machine.scanBegan()
    setWatching(true)
    set(problem: nil)
    onEvent(.scanning(true))
    step()
  }

  private func beginFailed(_ error: BusError, _ adapter: String, _ generation: Int) {
    // BlueZ may still begin the scan.
    if error == .noReply { stopDiscovery(adapter) }
    guard generation == self.generation else { return }
    schedule.failed(at: .now)
    set(problem: "BlueZ does not scan: \(error.sentence) Test it with `bluetoothctl scan le`.")
    setWatching(false)
    step()
  }

  private func end(_ adapter: String) {
    stopDiscovery(adapter)
    onEvent(.scanning(false))
    report(machine.scanEnded(at: .now))
  }

  private func stopDiscovery(_ adapter: String) {
    calls.add { [bluez] in _ = try? await bluez.call(adapter, BluezName.adapter, "StopDiscovery") }
  }

  // MARK: Devices

  private func note(_ event: BluezObjects.DeviceEvent) {
    switch event {
    case .found(let path, let properties): learn(path, properties)
    case .changed(let path, let properties): changed(path, properties)
    case .removed(let path): filter.removed(path)
    case .allGone: filter.reset()
    }
    updateConnections()
  }

  private func changed(_ path: String, _ properties: [String: BusValue]) {
    if let isConnected = properties["Connected"]?.bool { filter.connectionChanged(path, isConnected: isConnected) }
    switch filter.verdict(on: path, at: .now) {
    case .ignored: break
    case .person(let person):
      // A phone gets its identity address when it is paired; a beacon can change into another one.
      let apple = properties["ManufacturerData"].map { $0.appleData ?? [] }
      guard properties["Address"] == nil, filter.isStill(person, apple) else { return ask(path) }
      if let rssi = properties["RSSI"]?.integer { sighted(person, rssi) }
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
      self?.updateConnections()
    }
  }

  private func learn(_ path: String, _ properties: [String: BusValue]) {
    let (address, rssi) = (properties["Address"]?.string, properties["RSSI"]?.integer)
    let apple = properties["ManufacturerData"]?.appleData
    let isConnected = properties["Connected"]?.bool == true
    let person = filter.learn(path, address: address, appleData: apple, isConnected: isConnected, at: .now)
    if let person {
      if let rssi { sighted(person, rssi) }
    } else if let address, let rssi {
      onEvent(.stranger(name: properties["Name"]?.string, address: address, rssi: rssi))
    }
  }

  /// Applies connections and their ends to the people.
  private func updateConnections() {
    let connected = filter.connectedPeople
    var hasChanged = false
    for (person, tracker) in machine.trackers.enumerated() {
      let isConnected = connected.contains(person)
      guard isConnected != tracker.isConnected else { continue }
      hasChanged = true
      let decision = machine.connectionChanged(person, isConnected: isConnected, at: .now)
      onEvent(.connection(person: person, isConnected: isConnected))
      if let decision { onEvent(.decision(decision)) }
    }
    // The next scan may have to come soon, or is not needed.
    if hasChanged { step() }
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
