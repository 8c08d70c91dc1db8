/// Derives the interfaces in use from the kernel's messages about links and addresses. Pure.
///
/// Dumps all links and addresses first, and again whenever messages were lost. In between, each message applies at once.
struct InterfaceReconciler {
  /// An action for the monitor to perform.
  enum Action: Hashable {
    case request(NetlinkRequest)
    case change(InterfaceChange)
    /// The kernel refused a request. Open another socket later.
    case reopen
  }

  /// The state of the dump.
  private enum Sync: Hashable {
    /// Complete.
    case complete
    /// Receiving all links.
    case links(sequence: UInt32)
    /// Receiving all addresses.
    case addresses(sequence: UInt32)
  }

  private let policy: InterfacePolicy
  private var sync = Sync.complete
  private var sequence: UInt32 = 0
  private var links: [Int: NetworkLink] = [:]
  /// The addresses of each link, in the kernel's order of precedence.
  private var addresses: [Int: [NetworkLinkAddress]] = [:]
  /// Received during the dump. At its end, all others are removed.
  private var confirmedLinks: Set<Int> = []
  private var confirmedAddresses: Set<NetworkLinkAddress.ID> = []
  /// The interfaces in use, in the order of their indices.
  private(set) var current: [NetworkInterface] = []

  /// Whether the dump is complete.
  var isComplete: Bool { sync == .complete }

  init(policy: InterfacePolicy) {
    self.policy = policy
  }

  /// Starts a dump: at the start, and when messages were lost.
  mutating func resync() -> [Action] {
    sequence += 1
    sync = .links(sequence: sequence)
    confirmedLinks = []
    confirmedAddresses = []
    return [.request(.links(sequence: sequence))]
  }

  /// Applies messages from the kernel.
  mutating func receive(_ messages: [NetlinkMessage]) -> [Action] {
    var actions: [Action] = []
    for message in messages { actions += receive(message) }
    if isComplete { actions += reconcile().map { .change($0) } }
    return actions
  }

  private mutating func receive(_ message: NetlinkMessage) -> [Action] {
    switch message {
    case .link(let link):
      links[link.index] = link
      confirmedLinks.insert(link.index)
    case .linkFlags(let index, let flags): links[index]?.flags = flags
    case .linkGone(let index):
      links[index] = nil
      addresses[index] = nil
    case .address(let address):
      var known = addresses[address.index, default: []]
      if let position = known.firstIndex(where: { $0.id == address.id }) {
        known[position] = address
      } else {
        known.append(address)
      }
      addresses[address.index] = known
      confirmedAddresses.insert(address.id)
    case .addressGone(let address): addresses[address.index]?.removeAll { $0.id == address.id }
    case .done(let number, let isInterrupted): return finish(number, isInterrupted: isInterrupted)
    case .refused(let number, _) where sync == .links(sequence: number) || sync == .addresses(sequence: number):
      return [.reopen]
    case .refused: break
    case .lost: return resync()
    }
    return []
  }

  /// The answer to a request is complete.
  private mutating func finish(_ number: UInt32, isInterrupted: Bool) -> [Action] {
    switch sync {
    case .links(number) where !isInterrupted:
      links = links.filter { confirmedLinks.contains($0.key) }
      sequence += 1
      sync = .addresses(sequence: sequence)
      return [.request(.addresses(sequence: sequence))]
    case .addresses(number) where !isInterrupted:
      addresses = addresses.mapValues { $0.filter { confirmedAddresses.contains($0.id) } }
      sync = .complete
      return []
    case .links(number), .addresses(number): return resync()
    default: return []
    }
  }

  /// The changes in the interfaces in use.
  private mutating func reconcile() -> [InterfaceChange] {
    let old = current
    current = selection()
    let oldIDs = Set(old.map(\.id))
    let newIDs = Set(current.map(\.id))
    return old.filter { !newIDs.contains($0.id) }.map { .vanished($0, canSend: canSend($0)) }
      + current.filter { !oldIDs.contains($0.id) }.map { .appeared($0) }
  }

  private func canSend(_ interface: NetworkInterface) -> Bool {
    guard links[interface.index]?.isRunning == true else { return false }
    return addresses[interface.index]?.contains { $0.address.description == interface.address } ?? false
  }

  /// One interface per link and per subnet, so that control points do not see the device twice.
  private func selection() -> [NetworkInterface] {
    let inUse = Set(current.map(\.id))
    var selected: [NetworkInterface] = []
    let candidates = links.values.filter { $0.isRunning && policy.isUsed($0, among: links) }
      .sorted { $0.index < $1.index }.compactMap(interface)
    // Interfaces in use are preferred.
    for candidate in candidates.filter({ inUse.contains($0.id) }) + candidates.filter({ !inUse.contains($0.id) })
    where !selected.contains(where: candidate.sharesSubnet) {
      selected.append(candidate)
    }
    return selected.sorted { $0.index < $1.index }
  }

  /// The link with its best address. The address in use wins among equals.
  private func interface(_ link: NetworkLink) -> NetworkInterface? {
    let used = current.first { $0.index == link.index }?.address
    let usable = (addresses[link.index] ?? []).filter { !$0.address.isLoopbackIPv4 || link.isLoopback }
    guard let best = usable.map(\.rank).max() else { return nil }
    let choice = usable.filter { $0.rank == best }
    guard let address = choice.first(where: { $0.address.description == used }) ?? choice.first else { return nil }
    return NetworkInterface(
      index: link.index, name: link.name, address: address.address.description, prefixLength: address.prefixLength)
  }
}
