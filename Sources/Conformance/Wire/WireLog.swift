import Synchronization

/// A message that a check sent or received, as kept for a report.
public struct WireMessage: Sendable, Hashable {
  public enum Direction: String, Sendable, Encodable {
    case sent, received
    /// The device closed the connection.
    case closed
  }

  public var direction: Direction
  /// The protocol and the other side, such as `TCP 192.0.2.7:49152`.
  public var peer: String
  /// When it began, since the start of the check.
  public var time: Duration
  /// When its last byte was received or sent.
  public var end: Duration
  /// Its first bytes.
  public var bytes: [UInt8]
  /// Its whole length in bytes.
  public var length: Int

  var isCut: Bool { length > bytes.count }

  init(_ direction: Direction, peer: String, time: Duration = .zero, bytes: [UInt8] = [], length: Int? = nil) {
    self.direction = direction
    self.peer = peer
    self.time = time
    end = time
    self.bytes = bytes
    self.length = length ?? bytes.count
  }
}

/// The messages of a check in the order in which they began.
public struct WireExchange: Sendable, Hashable {
  public var first: [WireMessage] = []
  /// Messages between the first and the last ones that were not kept.
  public var leftOut = 0
  public var last: [WireMessage] = []

  public init() {}

  init(first: [WireMessage], leftOut: Int = 0, last: [WireMessage] = []) {
    self.first = first
    self.leftOut = leftOut
    self.last = last
  }

  /// Inserts a message before those that began later.
  fileprivate mutating func insert(_ message: WireMessage) {
    if let start = last.first?.time, message.time >= start {
      last.insert(message, at: last.firstIndex { $0.time > message.time } ?? last.endIndex)
    } else {
      first.insert(message, at: first.firstIndex { $0.time > message.time } ?? first.endIndex)
    }
  }
}

/// A bounded log of the messages that a check sends and receives, with times. The tasks of a check find it through
/// ``current``.
final class WireLog: Sendable {
  /// The first messages are kept, since they show the preparation.
  private static let firstMessages = 8
  /// The last messages are kept, since they show what failed.
  private static let lastMessages = 32
  private static let maximumBytes = 4096

  /// Messages that belong together, such as those of a connection.
  struct Stream: Sendable {
    fileprivate let log: WireLog
    fileprivate let id: Int
    fileprivate let peer: String

    func sent(_ bytes: some Collection<UInt8>) { log.add(.sent, bytes, self) }
    /// Continues the message that was received last, unless something was sent since.
    func received(_ bytes: some Collection<UInt8>) { log.add(.received, bytes, self) }
    func closed() { log.add(.closed, [], self) }
  }

  private struct Entry {
    var stream: Int
    var message: WireMessage
  }

  /// A message that is recorded elsewhere, with its time.
  typealias Noted = (time: ContinuousClock.Instant, message: WireMessage)

  private struct State {
    var first: [Entry] = []
    var last: [Entry] = []
    var leftOut = 0
    var streams = 0
    var others: [@Sendable () -> [Noted]] = []
    /// The log of an earlier check whose result this check judges, too.
    var earlier: WireLog?
  }

  @TaskLocal static var current: WireLog?

  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// - Parameter peer: the protocol and the other side, such as `TCP 192.0.2.7:49152`.
  func stream(_ peer: String) -> Stream {
    let id = state.withLock { state in
      state.streams += 1
      return state.streams
    }
    return Stream(log: self, id: id, peer: peer)
  }

  /// Adds messages that are recorded elsewhere, such as in the journal of a media server.
  func include(_ messages: @escaping @Sendable () -> [Noted]) { state.withLock { $0.others.append(messages) } }

  /// Begins with the messages of another log.
  func follow(_ earlier: WireLog) {
    guard earlier !== self else { return }
    state.withLock { $0.earlier = earlier }
  }

  var exchange: WireExchange {
    let own = ownExchange
    guard let earlier = state.withLock({ $0.earlier }) else { return own }
    var exchange = earlier.ownExchange
    let shift = start - earlier.start
    exchange.leftOut += own.leftOut
    exchange.last += (own.first + own.last).map { message in
      var message = message
      message.time += shift
      message.end += shift
      return message
    }
    return exchange
  }

  private var ownExchange: WireExchange {
    let (own, sources) = state.withLock { state in
      (
        WireExchange(first: state.first.map(\.message), leftOut: state.leftOut, last: state.last.map(\.message)),
        state.others
      )
    }
    var exchange = own
    for (time, message) in sources.flatMap({ $0() }).suffix(Self.lastMessages) {
      var message = message
      message.time = time - start
      message.end = message.time
      exchange.insert(message)
    }
    return exchange
  }

  private func add(_ direction: WireMessage.Direction, _ bytes: some Collection<UInt8>, _ stream: Stream) {
    let time = ContinuousClock.now - start
    state.withLock { state in
      if direction == .received, Self.append(bytes, stream.id, time, to: &state.last) { return }
      if direction == .received, state.last.isEmpty, Self.append(bytes, stream.id, time, to: &state.first) { return }
      let message = WireMessage(
        direction, peer: stream.peer, time: time, bytes: Array(bytes.prefix(Self.maximumBytes)), length: bytes.count)
      let entry = Entry(stream: stream.id, message: message)
      guard state.first.count == Self.firstMessages else { return state.first.append(entry) }
      state.last.append(entry)
      if state.last.count > Self.lastMessages {
        state.last.removeFirst()
        state.leftOut += 1
      }
    }
  }

  /// - Returns: false if the last message of the stream cannot be continued.
  private static func append(
    _ bytes: some Collection<UInt8>, _ stream: Int, _ time: Duration, to entries: inout [Entry]
  ) -> Bool {
    guard let index = entries.lastIndex(where: { $0.stream == stream }), entries[index].message.direction == .received
    else { return false }
    let free = max(0, maximumBytes - entries[index].message.bytes.count)
    entries[index].message.bytes += bytes.prefix(free)
    entries[index].message.length += bytes.count
    entries[index].message.end = time
    return true
  }
}
