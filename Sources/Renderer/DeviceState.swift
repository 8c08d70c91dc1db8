import PlaybackStore
import UPnP

/// What a device has to remember to be the same one after a restart: who it is, how often it was started, where its HTTP
/// server listens.
struct DeviceState: Equatable {
  /// Both UDNs follow from it.
  var seed: UUID
  /// The machine that the seed was made on.
  var machine: MachineIdentity
  /// BOOTID.UPNP.ORG of this run: higher with every start (UDA 1.1 §1.2.2), from memory and not from the clock, because
  /// a Raspberry Pi has none.
  var bootID: Int
  /// nil until one was used.
  var port: Int?

  /// The state of a run that begins now.
  /// - Parameter stored: what the last run left; nil for the first.
  static func next(after stored: DeviceState?, on machine: MachineIdentity) -> DeviceState {
    guard let stored else { return DeviceState(seed: .random(), machine: machine, bootID: 1, port: nil) }
    var next = stored
    next.bootID = BootID.next(after: stored.bootID)
    if !machine.isSameMachine(as: stored.machine) { next.seed = .random() }
    // A mark that is away today, such as an unplugged network card, is still one of this machine's.
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

  /// Nil if the section is incomplete or damaged. Names of a later version are ignored.
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
