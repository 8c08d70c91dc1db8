/// From what the kernel says of links and addresses to which interfaces are in use.
///
/// All links and addresses are asked for first, and whenever messages were lost; in between every message counts at once.
struct InterfaceReconciler {
  /// What is to be done.
  enum Action: Hashable {
    case request(NetlinkRequest)
    case change(InterfaceChange)
    /// The kernel will not answer on this socket: open another one some time.
    case reopen
  }

  /// Where the asking is.
  private enum Sync: Hashable {
    /// Nothing is asked, and what we know is all there is.
    case complete
    /// All links are being told.
    case links(sequence: UInt32)
    /// Then all addresses.
    case addresses(sequence: UInt32)
  }

  private let policy: InterfacePolicy
  private var sync = Sync.complete
  private var sequence: UInt32 = 0
  private var links: [Int: NetworkLink] = [:]
  /// Those of a link in the kernel's order, which is that of precedence.
  private var addresses: [Int: [NetworkLinkAddress]] = [:]
  /// What has been told while asking; the rest of what we knew is gone.
  private var confirmedLinks: Set<Int> = []
  private var confirmedAddresses: Set<NetworkLinkAddress.ID> = []
  /// The interfaces in use, in the order of their indices.
  private(set) var current: [NetworkInterface] = []

  /// Whether all that the kernel has is known.
  var isComplete: Bool { sync == .complete }

  init(policy: InterfacePolicy) {
    self.policy = policy
  }

  /// Asks for everything: at the start, and when messages were lost.
  mutating func resync() -> [Action] {
    sequence += 1
    sync = .links(sequence: sequence)
    confirmedLinks = []
    confirmedAddresses = []
    return [.request(.links(sequence: sequence))]
  }

  /// Takes what the kernel says.
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

  /// What has changed in the interfaces in use.
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

  /// One interface a link, and one a subnet: who is on it hears us on one of them, and should not see two of us.
  private func selection() -> [NetworkInterface] {
    let inUse = Set(current.map(\.id))
    var selected: [NetworkInterface] = []
    let candidates = links.values.filter { $0.isRunning && policy.isUsed($0, among: links) }
      .sorted { $0.index < $1.index }.compactMap(interface)
    // What is in use stays in use.
    for candidate in candidates.filter({ inUse.contains($0.id) }) + candidates.filter({ !inUse.contains($0.id) })
    where !selected.contains(where: candidate.sharesSubnet) {
      selected.append(candidate)
    }
    return selected.sorted { $0.index < $1.index }
  }

  /// The link with its best address; the one in use, if that is as good.
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
