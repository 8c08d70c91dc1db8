import NIOCore

/// The pending changes of one subscriber, and the state of their delivery. Pure.
///
/// At most one message is in flight. Further changes are merged into the next one. A message carries only values that
/// the subscriber does not have, so a change that reverts before it was sent sends nothing.
struct SubscriberQueue {
  /// An event message. Does not change between attempts.
  struct Message: Equatable {
    /// The event key (UDA 1.1 §4.3.2).
    var seq: UInt32
    var variables: VariableSet
  }

  /// Returns a hash of a variable's current value.
  typealias Fingerprint = (Int) -> Int

  /// Why an attempt failed.
  enum Failure: Equatable {
    /// Connecting failed; nothing was sent.
    case unreachable
    /// A reused connection turned out to be closed.
    case stale
    /// The connection closed before the answer.
    case hungUp
    /// No answer in time.
    case silent
    /// The status was not 2xx.
    case refused

    /// Whether the failure came at once, so retrying with the next change is cheap.
    var isQuick: Bool { self != .unreachable && self != .silent }
  }

  /// The next step.
  enum Step: Equatable {
    case nothing
    /// Call `begin()` as soon as a connection to the callback is free.
    case submit
    /// Call `elapsed()` at that time.
    case backOff(until: NIODeadline)
    /// The subscriber does not know this subscription. Remove it.
    case end
  }

  private enum State: Equatable {
    /// The answer to SUBSCRIBE was not sent yet: the subscriber does not know its SID.
    case held
    case idle
    /// Waiting for a connection or for the outcome.
    case delivering
    /// Backing off after a failure. A change ends it early if `isEager`.
    case backingOff(until: NIODeadline, isEager: Bool)
  }

  /// A subscriber that takes longer to answer counts as slow. Others go first.
  static let slow: TimeAmount = .milliseconds(100)
  /// Delay before the initial event is retried: the subscriber may not have read its SID yet.
  static let initialRetry: TimeAmount = .milliseconds(250)
  /// The longest back-off.
  static let maximumBackOff: TimeAmount = .seconds(30)

  private var state = State.held
  private var pending: VariableSet
  /// Fingerprints of the values that the subscriber has acknowledged, by variable; nil if it may have another one.
  private var known: [Int?]
  private var nextSEQ: UInt32
  /// A message that was sent at least once and not accepted yet. Its SEQ must not be reused.
  private var message: Message?
  /// Fingerprints of the values in the last attempt to send the message.
  private var sent: [Int] = []
  private var wasStale = false
  private var initialWasRetried = false
  private var failures: UInt8 = 0
  private let callbackCount: UInt8
  private var attemptsLeft: UInt8
  /// The index of the callback to use: the last one that worked.
  private(set) var callback: UInt8 = 0
  /// Whether the last message was answered promptly; false for a new subscriber.
  private(set) var isPrompt = false

  /// - Parameter variables: all variables of the service, for the initial event.
  init(variables: VariableSet, callbackCount: Int, firstSEQ: UInt32 = 0) {
    pending = variables
    known = Array(repeating: nil, count: variables.count)
    nextSEQ = firstSEQ
    self.callbackCount = UInt8(callbackCount)
    attemptsLeft = self.callbackCount
  }

  /// When to call `elapsed()`; nil unless backing off.
  var backOffDeadline: NIODeadline? {
    if case .backingOff(let deadline, _) = state { deadline } else { nil }
  }

  /// The answer to SUBSCRIBE was sent. The initial event may follow.
  mutating func released() -> Step {
    guard state == .held else { return .nothing }
    return deliver()
  }

  mutating func changed(_ variables: VariableSet, _ fingerprint: Fingerprint) -> Step {
    pending.formUnion(variables)
    switch state {
    case .idle: return deliverNews(fingerprint)
    case .backingOff(_, isEager: true): return deliver()
    case .held, .delivering, .backingOff(_, isEager: false): return .nothing
    }
  }

  /// The subscriber renewed, or a network appeared: ends the back-off.
  mutating func renewed() -> Step {
    guard case .backingOff = state else { return .nothing }
    return deliver()
  }

  mutating func elapsed(now: NIODeadline) -> Step {
    guard case .backingOff(let deadline, _) = state, deadline <= now else { return .nothing }
    return deliver()
  }

  /// A connection is ready: returns the message to send with the current values; nil if there is none.
  mutating func begin(_ fingerprint: Fingerprint) -> Message? {
    guard state == .delivering else { return nil }
    if message == nil {
      let variables = news(fingerprint)
      pending = []
      // The initial event is sent even if the service has no variables.
      guard !variables.isEmpty || nextSEQ == 0 else {
        state = .idle
        return nil
      }
      message = Message(seq: nextSEQ, variables: variables)
      wasStale = false
    }
    sent = message?.variables.indices.map(fingerprint) ?? []
    return message
  }

  /// The subscriber answered.
  /// - Parameter duration: from the sending to the answer.
  mutating func answered(
    status: UInt, after duration: TimeAmount, now: NIODeadline, _ fingerprint: Fingerprint
  ) -> Step {
    guard state == .delivering, let accepted = message else { return .nothing }
    switch status {
    case 200..<300:
      for (index, fingerprint) in zip(accepted.variables.indices, sent) { known[index] = fingerprint }
      message = nil
      nextSEQ = Self.next(after: accepted.seq)
      failures = 0
      attemptsLeft = callbackCount
      isPrompt = duration < Self.slow
      return deliverNews(fingerprint)
    case 412 where accepted.seq != 0 || initialWasRetried:
      return .end
    default:
      return attemptFailed(.refused, now: now)
    }
  }

  mutating func failed(_ failure: Failure, now: NIODeadline) -> Step {
    guard state == .delivering else { return .nothing }
    if failure == .stale, !wasStale {
      wasStale = true
      return .submit
    }
    return attemptFailed(failure, now: now)
  }

  private mutating func deliver() -> Step {
    state = .delivering
    return .submit
  }

  /// Delivers the pending changes whose values the subscriber does not have, if there are any.
  private mutating func deliverNews(_ fingerprint: Fingerprint) -> Step {
    pending = news(fingerprint)
    if !pending.isEmpty { return deliver() }
    state = .idle
    return .nothing
  }

  private func news(_ fingerprint: Fingerprint) -> VariableSet {
    VariableSet(pending.indices.filter { known[$0] != fingerprint($0) }.map(VariableSet.init))
  }

  /// Tries the next callback, then retries an initial event once, then abandons the message.
  private mutating func attemptFailed(_ failure: Failure, now: NIODeadline) -> Step {
    isPrompt = false
    callback = (callback + 1) % callbackCount
    attemptsLeft -= 1
    guard attemptsLeft == 0 else { return .submit }
    attemptsLeft = callbackCount

    if nextSEQ == 0, !initialWasRetried, failure != .silent {
      initialWasRetried = true
      return backOff(for: Self.initialRetry, isEager: false, now: now)
    }
    // Changes that arrived meanwhile would end an eager back-off at once.
    let isDue = failure.isQuick && !pending.isEmpty
    if let abandoned = message {
      pending.formUnion(abandoned.variables)
      for index in abandoned.variables.indices { known[index] = nil }
      nextSEQ = Self.next(after: abandoned.seq)
      message = nil
    }
    let time = min(TimeAmount.seconds(1 << Int64(failures)), Self.maximumBackOff)
    failures = min(failures + 1, 5)
    if isDue { return deliver() }
    return backOff(for: time, isEager: failure.isQuick, now: now)
  }

  private mutating func backOff(for time: TimeAmount, isEager: Bool, now: NIODeadline) -> Step {
    state = .backingOff(until: now + time, isEager: isEager)
    return .backOff(until: now + time)
  }

  /// SEQ wraps to 1, since 0 is reserved for the initial event (UDA 1.1 §4.3.2).
  private static func next(after seq: UInt32) -> UInt32 { seq == .max ? 1 : seq + 1 }
}
