import DequeModule
import NIOCore
import OrderedCollections
import UPnP

/// One listener of a control point, seen from one local address. Its subscriptions share connections.
struct Authority: Hashable {
  let address: IPAddress
  let port: UInt16
  /// The local address that connections leave from.
  let local: IPAddress
}

/// Decides which message goes on which connection, and when connections are opened and closed.
///
/// A listener gets one message at a time, on one connection, since many control points serve one connection at a time.
/// Only when an answer is slow does another connection open beside it, for the other subscribers of the same listener.
/// There is never an idle connection beside another one: such a control point would block on the idle one.
/// Subscribers that are not known to be prompt never use up all connections, so that dead ones do not delay the others.
///
/// Pure: events and time in, actions out.
struct DeliveryScheduler {
  struct ConnectionID: Hashable {
    fileprivate let number: Int
  }

  enum Action: Equatable {
    case open(ConnectionID, Authority, SID)
    /// Send on an open connection.
    case reuse(ConnectionID, SID)
    /// Close an idle connection.
    case close(ConnectionID)
    /// The answer is overdue: close the connection and call `finished`.
    case abort(ConnectionID)
    /// Call `elapsed` at that time or before.
    case wake(at: NIODeadline)
  }

  struct Limits: Equatable {
    /// Well below the default limit of 1024 descriptors, of which the HTTP server may use 256.
    var connections = 96
    /// Connections to one listener.
    var perAuthority = 32

    /// The share of the connections that subscribers not known to be prompt may keep busy.
    fileprivate static func doubtfulShare(of connections: Int) -> Int { max(1, connections * 3 / 4) }
  }

  /// The time within which a subscriber must answer (UDA 1.1 §4.3.2).
  static let answerTime: TimeAmount = .seconds(30)
  /// Time that a connection is kept for the next message. A control point that serves one at a time is blocked meanwhile.
  static let idleTime: TimeAmount = .seconds(5)
  /// Connections whose time ends within this are closed together, in one wake-up.
  private static let slack: TimeAmount = .milliseconds(250)

  private enum Use: Equatable {
    case busy(since: NIODeadline, isPrompt: Bool)
    case idle(since: NIODeadline)
  }

  private struct Connection {
    let authority: Authority
    var use: Use
  }

  /// The connections and waiting messages of one listener.
  private struct Lane {
    var prompt: Deque<SID> = []
    var doubtful: Deque<SID> = []
    var busy: [ConnectionID: NIODeadline] = [:]
    var doubtfulBusy = 0
    var idle: ConnectionID?
    /// Whether its last subscription has ended.
    var isReleased = false

    var hasWaiting: Bool { !prompt.isEmpty || !doubtful.isEmpty }
    var isUnused: Bool { !hasWaiting && busy.isEmpty && idle == nil }
  }

  private let limits: Limits
  private var lanes: [Authority: Lane] = [:]
  private var connections: OrderedDictionary<ConnectionID, Connection> = [:]
  private var doubtfulBusy = 0
  /// Listeners that wait for a connection, by the kind of message that waits.
  private var waitingPrompt: OrderedSet<Authority> = []
  private var waitingDoubtful: OrderedSet<Authority> = []
  private var lastNumber = 0

  init(limits: Limits = Limits()) { self.limits = limits }

  var connectionCount: Int { connections.count }

  func authority(of id: ConnectionID) -> Authority? { connections[id]?.authority }

  /// A subscriber has a message to send.
  mutating func submit(_ id: SID, to authority: Authority, isPrompt: Bool, now: NIODeadline) -> [Action] {
    if isPrompt {
      lanes[authority, default: Lane()].prompt.append(id)
    } else {
      lanes[authority, default: Lane()].doubtful.append(id)
    }
    lanes[authority]?.isReleased = false
    var actions: [Action] = []
    pump(authority, now: now, into: &actions)
    return actions
  }

  /// A subscription ended. Its waiting message is dropped.
  mutating func cancel(_ id: SID, to authority: Authority) {
    withLane(of: authority) { lane in
      lane.prompt.removeAll { $0 == id }
      lane.doubtful.removeAll { $0 == id }
    }
  }

  /// The last subscription of a listener ended. An idle connection would block a control point that serves one at a time.
  mutating func release(_ authority: Authority) -> [Action] {
    var actions: [Action] = []
    lanes[authority]?.isReleased = true
    if let idle = lanes[authority]?.idle { remove(idle: idle, into: &actions) }
    return actions
  }

  /// A delivery ended.
  /// - Parameter isReusable: whether the connection is open and can take another message; otherwise it is closed.
  mutating func finished(_ id: ConnectionID, isReusable: Bool, now: NIODeadline) -> [Action] {
    guard let connection = connections[id], case .busy(_, let isPrompt) = connection.use else { return [] }
    var actions: [Action] = []
    if !isPrompt { doubtfulBusy -= 1 }
    withLane(of: connection.authority) { lane in
      lane.busy[id] = nil
      if !isPrompt { lane.doubtfulBusy -= 1 }
      if isReusable { lane.idle = id }
    }
    if isReusable {
      connections[id]?.use = .idle(since: now)
    } else {
      connections[id] = nil
    }
    pump(connection.authority, now: now, into: &actions)
    if let lane = lanes[connection.authority], lane.idle == id {
      if lane.busy.isEmpty, !lane.isReleased {
        actions.append(.wake(at: now + Self.idleTime))
      } else {
        remove(idle: id, into: &actions)
      }
    }
    pumpWaiting(now: now, into: &actions)
    return actions
  }

  /// The subscriber closed an idle connection.
  mutating func closed(_ id: ConnectionID, now: NIODeadline) -> [Action] {
    guard let connection = connections[id], case .idle = connection.use else { return [] }
    connections[id] = nil
    withLane(of: connection.authority) { $0.idle = nil }
    var actions: [Action] = []
    pumpWaiting(now: now, into: &actions)
    return actions
  }

  /// Aborts overdue deliveries, closes connections that were idle for long, and starts messages that waited.
  mutating func elapsed(now: NIODeadline) -> [Action] {
    var actions: [Action] = []
    var next: NIODeadline?
    for (id, connection) in connections {
      switch connection.use {
      case .busy(let since, _) where since + Self.answerTime <= now:
        actions.append(.abort(id))
      case .idle(let since) where since + Self.idleTime <= now + Self.slack:
        remove(idle: id, into: &actions)
      case .busy(let since, _):
        next = min(next ?? .distantFuture, since + Self.answerTime)
      case .idle(let since):
        next = min(next ?? .distantFuture, since + Self.idleTime)
      }
    }
    if let next { actions.append(.wake(at: next)) }
    for authority in lanes.keys { pump(authority, now: now, into: &actions) }
    pumpWaiting(now: now, into: &actions)
    return actions
  }

  /// Changes a lane in place and removes it if it is unused.
  private mutating func withLane(of authority: Authority, _ body: (inout Lane) -> Void) {
    guard var lane = lanes.removeValue(forKey: authority) else { return }
    body(&lane)
    if !lane.isUnused { lanes[authority] = lane }
  }

  /// Starts as many messages of one listener as possible.
  private mutating func pump(_ authority: Authority, now: NIODeadline, into actions: inout [Action]) {
    guard var lane = lanes.removeValue(forKey: authority) else { return }
    while let action = startNext(in: &lane, of: authority, now: now, into: &actions) { actions.append(action) }
    if !lane.isUnused { lanes[authority] = lane }
  }

  /// - Returns: the action that sends the next message of the lane; nil if there is none or it has to wait.
  private mutating func startNext(
    in lane: inout Lane, of authority: Authority, now: NIODeadline, into actions: inout [Action]
  ) -> Action? {
    guard lane.hasWaiting else { return nil }
    let isPrompt = !lane.prompt.isEmpty
    if !isPrompt {
      guard lane.doubtfulBusy < Limits.doubtfulShare(of: limits.perAuthority) else { return nil }
      guard doubtfulBusy < Limits.doubtfulShare(of: limits.connections) else {
        waitingDoubtful.append(authority)
        return nil
      }
    }
    let idle = lane.idle
    if idle == nil {
      guard lane.busy.count < limits.perAuthority else { return nil }
      if let youngest = lane.busy.values.max(), youngest + SubscriberQueue.slow > now {
        actions.append(.wake(at: youngest + SubscriberQueue.slow))
        return nil
      }
      guard makeRoom(into: &actions) else {
        if isPrompt { waitingPrompt.append(authority) } else { waitingDoubtful.append(authority) }
        return nil
      }
      lastNumber += 1
    }
    let connection = idle ?? ConnectionID(number: lastNumber)
    connections[connection] = Connection(authority: authority, use: .busy(since: now, isPrompt: isPrompt))
    lane.idle = nil
    lane.busy[connection] = now
    actions.append(.wake(at: now + Self.answerTime))
    let id: SID
    if isPrompt {
      id = lane.prompt.removeFirst()
    } else {
      id = lane.doubtful.removeFirst()
      lane.doubtfulBusy += 1
      doubtfulBusy += 1
    }
    return idle == nil ? .open(connection, authority, id) : .reuse(connection, id)
  }

  /// Starts waiting messages while connections are available.
  private mutating func pumpWaiting(now: NIODeadline, into actions: inout [Action]) {
    while let authority = waitingPrompt.first, hasRoom {
      waitingPrompt.removeFirst()
      pump(authority, now: now, into: &actions)
    }
    while let authority = waitingDoubtful.first, hasRoom,
      doubtfulBusy < Limits.doubtfulShare(of: limits.connections)
    {
      waitingDoubtful.removeFirst()
      pump(authority, now: now, into: &actions)
    }
  }

  private var hasRoom: Bool { connections.count < limits.connections || longestIdle != nil }

  private var longestIdle: ConnectionID? {
    var longest: (id: ConnectionID, since: NIODeadline)?
    for (id, connection) in connections {
      if case .idle(let since) = connection.use, since < longest?.since ?? .distantFuture { longest = (id, since) }
    }
    return longest?.id
  }

  /// Makes room for one more connection, closing the longest idle one if necessary.
  private mutating func makeRoom(into actions: inout [Action]) -> Bool {
    if connections.count < limits.connections { return true }
    guard let longestIdle else { return false }
    remove(idle: longestIdle, into: &actions)
    return true
  }

  private mutating func remove(idle id: ConnectionID, into actions: inout [Action]) {
    guard let connection = connections.removeValue(forKey: id) else { return }
    withLane(of: connection.authority) { $0.idle = nil }
    actions.append(.close(id))
  }
}
