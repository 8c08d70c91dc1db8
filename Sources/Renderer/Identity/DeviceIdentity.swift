import Logging
import PlaybackStore
import Synchronization
import UPnP

/// The identity of this device: UDNs, BOOTID and HTTP port, kept in the state database.
final class DeviceIdentity: Sendable {
  private static let section = "device"

  private let store: StateStore
  private let state: Mutex<DeviceState>

  /// Begins a run: reads the identity of the last run and saves the next one.
  /// - Throws: if a new identity cannot be saved, because every start would then make another device.
  init(store: StateStore, logger: Logger) throws(StateError) {
    self.store = store
    var stored: DeviceState?
    if let text = store.load(Self.section) {
      stored = DeviceState(text)
      if stored == nil {
        store.setAside(Self.section)
        logger.warning("The saved identity of the device is damaged. Controllers will see a new device.")
      }
    }
    let machine = MachineIdentity.current()
    let next = DeviceState.next(after: stored, on: machine)
    if let stored, stored.seed != next.seed {
      logger.notice("The state folder was copied from another machine. This device gets an identity of its own.")
    }
    do throws(StateError) {
      try store.commit(next.text, as: Self.section)
    } catch {
      // On a full disk, a known device starts without saving its new BOOTID. The store logs the error.
      guard stored?.seed == next.seed else { throw error }
    }
    state = Mutex(next)
  }

  /// UUID of the UPnP AV device.
  var rendererUUID: UUID { state.withLock { $0.seed.derived("MediaRenderer") } }

  /// UUID of the OpenHome device.
  var sourceUUID: UUID { state.withLock { $0.seed.derived("Source") } }

  /// UUID of the media server.
  var libraryUUID: UUID { state.withLock { $0.seed.derived("MediaServer") } }

  var bootID: Int { state.withLock { $0.bootID } }

  /// The HTTP port of the last run; nil on the first.
  var port: Int? { state.withLock { $0.port } }

  /// Saves the port for the next run.
  func keep(port: Int) { keep { $0.port = port } }

  /// Saves a BOOTID that increased during this run.
  func keep(bootID: Int) { keep { $0.bootID = bootID } }

  private func keep(_ change: (inout DeviceState) -> Void) {
    let (before, after) = state.withLock { state in
      let before = state
      change(&state)
      return (before, state)
    }
    if before != after { store.keep(after.text, as: Self.section) }
  }
}

/// The saved part of the identity.
struct DeviceState: Equatable {
  /// Both UDNs derive from it.
  var seed: UUID
  /// The machine that made the seed.
  var machine: MachineIdentity
  /// BOOTID.UPNP.ORG of this run. It increases with every start (UDA 1.1 §1.2.2) and is counted, not taken from the clock:
  /// a Raspberry Pi has none.
  var bootID: Int
  /// nil before the first run.
  var port: Int?

  /// The state of a run that begins now.
  /// - Parameter stored: the state of the last run; nil for the first.
  static func next(after stored: DeviceState?, on machine: MachineIdentity) -> DeviceState {
    guard let stored else { return DeviceState(seed: .random(), machine: machine, bootID: 1, port: nil) }
    var next = stored
    next.bootID = BootID.next(after: stored.bootID)
    if !machine.isSameMachine(as: stored.machine) { next.seed = .random() }
    // Marks that are missing today, such as an unplugged network card, still belong to this machine.
    next.machine.marks =
      machine.isSameMachine(as: stored.machine) ? stored.machine.marks.union(machine.marks) : machine.marks
    return next
  }

  // MARK: As a section of the state

  var text: StateText {
    var text = StateText()
    text.add("seed", seed.description)
    text.add("boot", bootID)
    if let port { text.add("port", port) }
    for mark in machine.marks.sorted() { text.add("machine", mark) }
    return text
  }

  /// nil if the section is incomplete or damaged. Unknown names, of a later version, are ignored.
  init?(_ text: StateText) {
    guard let seed = text["seed"].flatMap({ UUID($0) }), let bootID = text.value("boot", as: Int.self), bootID >= 0
    else { return nil }
    let port = text.value("port", as: UInt16.self).flatMap { $0 > 0 ? Int($0) : nil }
    self.init(seed: seed, machine: MachineIdentity(marks: Set(text.values("machine"))), bootID: bootID, port: port)
  }

  init(seed: UUID, machine: MachineIdentity, bootID: Int, port: Int?) {
    self.seed = seed
    self.machine = machine
    self.bootID = bootID
    self.port = port
  }
}
