/// Reads the objects of BlueZ and follows their changes.
@CompanionActor final class BluezObjects {
  enum DeviceEvent {
    /// A device, with all its properties.
    case found(String, [String: BusValue])
    /// Some properties of a device have changed.
    case changed(String, [String: BusValue])
    case removed(String)
    case allGone
  }

  /// A subscription to device events, which ends when it is released.
  final class DeviceWatch: Sendable {
    fileprivate let body: @CompanionActor (DeviceEvent) -> Void
    fileprivate init(_ body: @escaping @CompanionActor (DeviceEvent) -> Void) { self.body = body }
  }

  private struct WeakWatch { weak var watch: DeviceWatch? }

  var onStatusEvent: @CompanionActor (BluezStatus.Event) -> Void = { _ in }
  /// Whether all objects have been read since BlueZ has appeared.
  private(set) var isLoaded = false
  private let bus: Bus
  private var tokens: [BusToken] = []
  private var deviceToken: BusToken?
  private var watches: [WeakWatch] = []
  private var retry: CompanionTimer?
  private var pauses = RetryPauses()
  /// Incremented when the objects are read and when BlueZ disappears, so that late replies are dropped.
  private var generation = 0
  private var isLoading = false
  /// Whether a signal has arrived since the objects were requested. The reply may be older, so they are read again.
  private var hasChangedMeanwhile = false

  init(_ bus: Bus) { self.bus = bus }

  func start() {
    tokens = [
      bus.subscribe(
        BusMatch(sender: BluezName.service, interface: BluezName.objectManager, member: "InterfacesAdded")
      ) { [weak self] signal in self?.added(signal.arguments) },
      bus.subscribe(
        BusMatch(sender: BluezName.service, interface: BluezName.objectManager, member: "InterfacesRemoved")
      ) { [weak self] signal in self?.removed(signal.arguments) },
      bus.subscribe(Self.changes(of: BluezName.adapter)) { [weak self] signal in self?.adapterChanged(signal) },
      bus.watchName(BluezName.service) { [weak self] _ in
        self?.appeared()
      } vanished: { [weak self] in
        self?.vanished()
      },
      bus.observe { [weak self] _ in self?.checkService() },
    ]
  }

  func watchDevices(_ body: @escaping @CompanionActor (DeviceEvent) -> Void) -> DeviceWatch {
    let watch = DeviceWatch(body)
    watches = watches.filter { $0.watch != nil } + [WeakWatch(watch: watch)]
    if deviceToken == nil {
      deviceToken = bus.subscribe(Self.changes(of: BluezName.device)) { [weak self] signal in
        self?.deviceChanged(signal)
      }
    }
    // Read again, so that the new watch gets the devices that are already there.
    if isLoaded { load() }
    return watch
  }

  // MARK: BlueZ comes and goes

  private func appeared() {
    pauses.reset()
    load()
  }

  private func vanished() {
    generation += 1
    (isLoaded, isLoading, retry) = (false, false, nil)
    onStatusEvent(.vanished)
    tell(.allGone)
    // The bus connection may have ended instead. The bus's state shows that only after this turn of the loop.
    Task { @CompanionActor [weak self] in self?.checkService() }
  }

  /// Reports a missing bus or service, unless BlueZ has appeared meanwhile.
  private func checkService() {
    let generation = generation
    switch bus.state {
    case .connecting: break
    case .disconnected: onStatusEvent(.noBus)
    case .connected:
      Task { @CompanionActor [weak self, bus] in
        let reply = try? await bus.call(
          "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
          [.string(BluezName.service)])
        guard let self, reply?.first?.bool == false, generation == self.generation else { return }
        onStatusEvent(.noService)
      }
    }
  }

  private func load() {
    generation += 1
    (isLoading, hasChangedMeanwhile, retry) = (true, false, nil)
    let generation = generation
    Task { @CompanionActor [weak self, bus] in
      do throws(BusError) {
        let reply = try await bus.call(
          BluezName.service, "/", BluezName.objectManager, "GetManagedObjects", [], timeout: .seconds(20))
        guard let objects = reply.first?.dictionary else { throw .unexpectedReply }
        self?.loaded(objects, generation)
      } catch {
        self?.loadFailed(error, generation)
      }
    }
  }

  private func loaded(_ objects: [BusValue: BusValue], _ generation: Int) {
    guard generation == self.generation else { return }
    (isLoaded, isLoading) = (false, false)
    pauses.reset()
    onStatusEvent(.reset)
    for (path, interfaces) in objects {
      guard let path = path.path, let interfaces = interfaces.dictionary?.interfaces else { continue }
      note(path, interfaces)
    }
    isLoaded = true
    onStatusEvent(.loaded)
    if hasChangedMeanwhile { load() }
  }

  private func loadFailed(_ error: BusError, _ generation: Int) {
    guard generation == self.generation else { return }
    isLoading = false
    onStatusEvent(.unresponsive(error.sentence))
    retry = CompanionTimer(after: pauses.next()) { [weak self] in self?.load() }
  }

  // MARK: Signals

  private nonisolated static func changes(of interface: String) -> BusMatch {
    BusMatch(
      sender: BluezName.service, pathNamespace: BluezName.root, interface: BluezName.properties,
      member: "PropertiesChanged", firstArgument: interface)
  }

  private func added(_ arguments: [BusValue]) {
    noteChange()
    guard isLoaded, arguments.count == 2, let path = arguments[0].path,
      let interfaces = arguments[1].dictionary?.interfaces
    else { return }
    note(path, interfaces)
  }

  private func removed(_ arguments: [BusValue]) {
    noteChange()
    guard isLoaded, arguments.count == 2, let path = arguments[0].path, let interfaces = arguments[1].strings else {
      return
    }
    if interfaces.contains(BluezName.device) { tell(.removed(path)) }
    guard interfaces.contains(where: Self.isOfAdapter) else { return }
    onStatusEvent(.removed(path, interfaces))
  }

  private func note(_ path: String, _ interfaces: [String: [String: BusValue]]) {
    if let properties = interfaces[BluezName.device] { tell(.found(path, properties)) }
    guard interfaces.keys.contains(where: Self.isOfAdapter) else { return }
    onStatusEvent(.added(path, interfaces))
  }

  private nonisolated static func isOfAdapter(_ interface: String) -> Bool {
    interface == BluezName.adapter || interface == BluezName.advertisingManager
  }

  private func adapterChanged(_ signal: BusSignal) {
    noteChange()
    guard isLoaded, signal.arguments.count == 3, let properties = signal.arguments[1].options else { return }
    onStatusEvent(.changed(signal.path, properties))
  }

  private func deviceChanged(_ signal: BusSignal) {
    guard signal.arguments.count == 3, let properties = signal.arguments[1].options, !properties.isEmpty else { return }
    // A missed RSSI is harmless: others follow.
    if properties["Connected"] != nil { noteChange() }
    if isLoaded { tell(.changed(signal.path, properties)) }
  }

  private func noteChange() { if isLoading { hasChangedMeanwhile = true } }

  private func tell(_ event: DeviceEvent) {
    watches.removeAll { $0.watch == nil }
    if watches.isEmpty { deviceToken = nil }
    for entry in watches { entry.watch?.body(event) }
  }
}

extension [BusValue: BusValue] {
  /// The interfaces and properties of an `a{sa{sv}}`. Interfaces whose properties have other types are left out.
  fileprivate var interfaces: [String: [String: BusValue]] {
    reduce(into: [:]) { interfaces, entry in
      guard let name = entry.key.string, let properties = entry.value.options else { return }
      interfaces[name] = properties
    }
  }
}
