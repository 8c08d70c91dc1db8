import DeviceStack

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

  // MARK: As a file

  private static let firstLine = "swiftlet device 1"

  /// Lines of a key and a value.
  var text: String {
    var lines = [Self.firstLine, "seed \(seed)", "boot \(bootID)"]
    if let port { lines.append("port \(port)") }
    lines += machine.marks.sorted().map { "machine \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// nil for a text that is not such a file, or is damaged. Keys of a later version are passed over.
  init?(text: String) {
    let lines = text.split(whereSeparator: \.isNewline)
    guard lines.first == Self.firstLine[...] else { return nil }
    var (seed, bootID, port): (UUID?, Int?, Int?)
    var marks: Set<String> = []
    for line in lines.dropFirst() {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      let value = String(parts[1])
      switch parts[0] {
      case "seed": seed = UUID(value)
      case "boot": bootID = Int(value)
      case "port": port = UInt16(value).flatMap { $0 > 0 ? Int($0) : nil }
      case "machine": marks.insert(value)
      default: break
      }
    }
    guard let seed, let bootID, bootID >= 0 else { return nil }
    self.init(seed: seed, machine: MachineIdentity(marks: marks), bootID: bootID, port: port)
  }

  init(seed: UUID, machine: MachineIdentity, bootID: Int, port: Int?) {
    self.seed = seed
    self.machine = machine
    self.bootID = bootID
    self.port = port
  }
}
