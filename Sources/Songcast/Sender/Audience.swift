import NIOCore
import Network

/// What a message of a receiver calls for.
struct AudienceReply: Hashable {
  /// Direct answers, in their order.
  var messages: [Addressed] = []
  /// Whether the track and its text are due.
  var needsTexts = false

  struct Addressed: Hashable {
    var message: OHMMessage
    var target: Endpoint
  }
}

/// The receivers of a unicast stream: a target, which gets the stream from here, and up to four others, to which the target
/// forwards it.
struct UnicastAudience {
  /// Five rooms; more need multicast.
  static let size = 5
  static let patience = TimeAmount.seconds(10)
  /// A slave that joins this often within `complaintTime` although it is known hears nothing, because the target is gone:
  /// receivers that miss sound join every 300 ms.
  static let complaints = 3
  static let complaintTime = TimeAmount.seconds(2)

  private struct Receiver {
    var endpoint: Endpoint
    var expiresAt: NIODeadline
    /// When it last joined although it was known.
    var complaints: [NIODeadline] = []
  }

  /// Only receivers there are served: a forged Join could send the stream anywhere else.
  var networks: [CIDR]
  private var receivers: [Receiver] = []

  init(networks: [CIDR]) { self.networks = networks }

  var target: Endpoint? { receivers.first?.endpoint }
  var slaves: [Endpoint] { receivers.dropFirst().map(\.endpoint) }
  /// When the next receiver expires.
  var next: NIODeadline? { receivers.map(\.expiresAt).min() }

  func contains(_ endpoint: Endpoint) -> Bool { receivers.contains { $0.endpoint == endpoint } }

  /// - Parameter isJoin: false for a Listen.
  mutating func heard(_ endpoint: Endpoint, isJoin: Bool, now: NIODeadline) -> AudienceReply {
    let expiry = now + Self.patience
    if let index = receivers.firstIndex(where: { $0.endpoint == endpoint }) {
      receivers[index].expiresAt = expiry
      guard isJoin else { return AudienceReply() }
      if index > 0 { complain(index, now: now) }
      return AudienceReply(messages: slaveList, needsTexts: true)
    }
    guard receivers.count < Self.size, endpoint.port > 0, endpoint.address.isHost,
      networks.contains(where: { $0.containsHost(endpoint.address) })
    else { return AudienceReply() }
    receivers.append(Receiver(endpoint: endpoint, expiresAt: expiry))
    guard receivers.count > 1 else { return AudienceReply(needsTexts: true) }
    // The Listen makes both ends resolve their addresses before sound is due.
    return AudienceReply(messages: [.init(message: .listen, target: endpoint)] + slaveList, needsTexts: true)
  }

  /// Makes a slave the target if it complains too often. The former target stays a slave, until it leaves or expires.
  private mutating func complain(_ index: Int, now: NIODeadline) {
    receivers[index].complaints = receivers[index].complaints.filter { now - $0 < Self.complaintTime } + [now]
    guard receivers[index].complaints.count >= Self.complaints else { return }
    receivers.insert(receivers.remove(at: index), at: 0)
    for index in receivers.indices { receivers[index].complaints = [] }
  }

  mutating func left(_ endpoint: Endpoint) -> AudienceReply {
    guard let index = receivers.firstIndex(where: { $0.endpoint == endpoint }) else { return AudienceReply() }
    return AudienceReply(messages: [.init(message: .leave, target: endpoint)] + remove(at: index))
  }

  mutating func expire(_ now: NIODeadline) -> AudienceReply {
    var reply = AudienceReply()
    while let index = receivers.firstIndex(where: { $0.expiresAt <= now }) { reply.messages += remove(at: index) }
    return reply
  }

  /// The last one takes the place of a target, and learns of the others, if there are any.
  private mutating func remove(at index: Int) -> [AudienceReply.Addressed] {
    guard index == 0 else {
      receivers.remove(at: index)
      return slaveList
    }
    receivers.removeFirst()
    guard let last = receivers.popLast() else { return [] }
    receivers.insert(last, at: 0)
    return receivers.count > 1 ? slaveList : []
  }

  private var slaveList: [AudienceReply.Addressed] {
    target.map { [.init(message: .slave(slaves), target: $0)] } ?? []
  }
}

/// Whether anybody in a group listens, and whether another sender uses it.
struct MulticastAudience {
  static let patience = TimeAmount.seconds(10)
  static let blockTimes: ClosedRange<TimeAmount> = .milliseconds(1500)...(.seconds(3))

  private var activeUntil: NIODeadline?
  private(set) var blockedUntil: NIODeadline?

  var isActive: Bool { activeUntil != nil }
  var isBlocked: Bool { blockedUntil != nil }
  var next: NIODeadline? { [activeUntil, blockedUntil].compactMap { $0 }.min() }

  /// - Parameter isJoin: false for a Listen.
  mutating func heard(isJoin: Bool, now: NIODeadline) -> AudienceReply {
    guard !isBlocked else { return AudienceReply() }
    activeUntil = now + Self.patience
    return AudienceReply(needsTexts: isJoin)
  }

  /// Another sender sends in the group. The newcomer wins.
  mutating func heardForeignSound(now: NIODeadline, random: inout any RandomNumberGenerator) {
    // One that does not send cannot be in its way, and would never start if it waited for silence.
    guard isActive || isBlocked else { return }
    activeUntil = nil
    let times = Self.blockTimes.lowerBound.nanoseconds...Self.blockTimes.upperBound.nanoseconds
    blockedUntil = now + .nanoseconds(.random(in: times, using: &random))
  }

  mutating func expire(_ now: NIODeadline) {
    if let until = activeUntil, until <= now { activeUntil = nil }
    if let until = blockedUntil, until <= now { blockedUntil = nil }
  }
}
