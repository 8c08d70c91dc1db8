import Logging
import SpeakerCore

/// Advertises the speaker as an iBeacon, with the session and the position of playback.
@CompanionActor final class Beacon: CompanionFeature {
  private static let path = "/org/swiftlet/beacon"
  private static let dataProperty = "ManufacturerData"

  private let context: CompanionContext
  private let bluez: Bluez
  private let memory: BeaconMemory
  private var frame: BeaconFrame
  private var pacer: BeaconPacer
  private var machine = AdvertisementMachine()
  private var hasReportedAdapter = false
  /// Why the beacon is not advertised.
  private var problem: String?
  private var object: BusToken?
  private var updateTimer: CompanionTimer?
  private var retryTimer: CompanionTimer?
  /// Counts registrations, so that late replies are dropped.
  private var attempt = 0

  init(_ settings: BeaconSettings, _ context: CompanionContext, _ bluez: Bluez) {
    self.context = context
    self.bluez = bluez
    memory = BeaconMemory(context.store)
    pacer = BeaconPacer(BeaconSession(after: BeaconSession.lastUsed(saved: memory.major)))
    frame = BeaconFrame(uuid: memory.uuid, major: pacer.major, minor: 0, power: settings.power)
  }

  func start() {
    memory.keep(pacer.major)
    report()
    // Until the first moment says whether it is so.
    handle(.standby(true))
    object = bluez.bus.export(Self.path, interface)
    context.link.observe { [weak self] moment in self?.note(moment) }
    bluez.observe { [weak self] state in
      self?.adapterChanged(to: state.adapter)
    }
  }

  private func adapterChanged(to adapter: BluezAdapters.Adapter?) {
    let cannotAdvertise = adapter?.canAdvertise == false
    if cannotAdvertise, !hasReportedAdapter {
      hasReportedAdapter = true
      logger.notice("The Bluetooth adapter cannot advertise: there is no beacon.")
    }
    problem = cannotAdvertise ? "The Bluetooth adapter cannot advertise." : nil
    report()
    handle(.adapter(adapter.flatMap { $0.canAdvertise ? $0.path : nil }))
  }

  func stop() async {
    (updateTimer, retryTimer) = (nil, nil)
    attempt += 1
    guard pacer.isAdvertised, let adapter = bluez.state.adapter?.path else { return }
    _ = try? await bluez.call(
      adapter, BluezName.advertisingManager, "UnregisterAdvertisement", [.path(Self.path)],
      timeout: .milliseconds(500))
  }

  private var logger: Logger { context.logger }

  // MARK: Session and position

  private func note(_ moment: SpeakerState) {
    if pacer.note(moment) { memory.keep(pacer.session.major) }
    handle(.standby(moment.isStandby))
    update()
    report()
  }

  private func update() {
    let output = pacer.update(at: .now)
    if output.hasChanged {
      (frame.major, frame.minor) = (pacer.major, pacer.minor)
      if pacer.isAdvertised {
        bluez.bus.emitPropertiesChanged(Self.path, BluezName.advertisement, [Self.dataProperty])
      }
    }
    updateTimer = output.next.map { next in CompanionTimer(at: next) { [weak self] in self?.update() } }
  }

  /// The report needs no timer for the minor, which is computed whenever the report is read.
  private func report() {
    let session = pacer.session
    let report = BeaconReport(
      uuid: frame.uuid.description, major: Int(session.major), minor: 0, isAdvertised: pacer.isAdvertised,
      problem: problem)
    context.board.onReading { $0.beacon?.minor = Int(session.minor(at: .now)) }
    context.board.update { $0.beacon = report }
  }

  // MARK: BlueZ

  /// The exported object. BlueZ reads it when it is registered, and follows its changes (src/advertising.c of 5.66).
  private var interface: BusInterface {
    BusInterface(
      BluezName.advertisement,
      methods: [
        .init("Release") { [weak self] _ throws(BusFault) in
          self?.handle(.released)
          return []
        }
      ],
      properties: [
        .init("Type", "s", get: { [weak self] in .string((self?.machine.kind ?? .broadcast).rawValue) }),
        .init(Self.dataProperty, "a{qv}", get: { [weak self] in self?.data ?? Self.data([]) }),
      ])
  }

  private var data: BusValue { Self.data(frame.bytes) }

  private static func data(_ bytes: [UInt8]) -> BusValue {
    .dictionary(key: "q", value: "v", [.uint16(BeaconFrame.company): .variant(.bytes(bytes))])
  }

  private func handle(_ event: AdvertisementMachine.Event) {
    for action in machine.handle(event) {
      switch action {
      case .register(let adapter, _): register(adapter)
      case .replace(let adapter, _): register(adapter, replacing: true)
      case .unregister(let adapter): unregister(adapter)
      case .wait(let time): retryTimer = CompanionTimer(after: time) { [weak self] in self?.handle(.timer) }
      case .advertised(let isAdvertised):
        pacer.isAdvertised = isAdvertised
        if isAdvertised {
          problem = nil
          logger.info("Advertising the beacon (\(machine.kind.rawValue)).")
        }
        update()
        report()
      case .report(let problem):
        self.problem = problem.description
        report()
        logger.notice("Cannot advertise the beacon: \(problem) Swiftlet tries again.")
      }
    }
  }

  private func unregister(_ adapter: String) {
    attempt += 1
    problem = nil
    retryTimer = nil
    Task { @CompanionActor [bluez] in
      _ = try? await bluez.call(
        adapter, BluezName.advertisingManager, "UnregisterAdvertisement", [.path(Self.path)])
    }
  }

  private func register(_ adapter: String, replacing: Bool = false) {
    // BlueZ reads the fields now.
    update()
    attempt += 1
    let attempt = attempt
    Task { @CompanionActor [weak self, bluez] in
      var event = AdvertisementMachine.Event.registered
      let manager = BluezName.advertisingManager
      if replacing { _ = try? await bluez.call(adapter, manager, "UnregisterAdvertisement", [.path(Self.path)]) }
      do throws(BusError) {
        _ = try await bluez.call(adapter, manager, "RegisterAdvertisement", [.path(Self.path), .options([:])])
      } catch {
        event = .failed(error.name)
      }
      guard let self, self.attempt == attempt else { return }
      handle(event)
    }
  }
}

extension BusError {
  /// The D-Bus name of a remote error; the description of any other.
  fileprivate var name: String { if case .remote(let fault) = self { fault.name } else { description } }
}

extension AdvertisementMachine.Problem: CustomStringConvertible {
  var description: String {
    switch self {
    case .noInstanceFree: "Other programs use all advertisements of the adapter."
    case .tooLong: "BlueZ reports that its data is too long for the adapter."
    case .refused(let error): "BlueZ refuses it (\(error))."
    }
  }
}
