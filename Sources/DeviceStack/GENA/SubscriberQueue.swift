import NIOCore

/// What one subscriber is still to be told, and how far telling it has got.
///
/// There is at most one message on its way; what changes meanwhile is merged and goes with the next one.
struct SubscriberQueue {
  /// One event message, the same through all attempts to deliver it.
  struct Message: Equatable {
    /// The event key (UDA 1.1 §4.3.2).
    var seq: UInt32
    var variables: VariableSet
  }

  /// Why an attempt failed.
  enum Failure: Equatable {
    /// No connection came about: nothing was sent.
    case unreachable
    /// A connection kept from earlier turned out to be closed.
    case stale
    /// The connection ended before an answer.
    case hungUp
    /// No answer in time.
    case silent
    /// The answer was not one of success.
    case refused

    /// Whether the subscriber was reached in no time, so that there is no harm in trying again with the next change.
    var isQuick: Bool { self != .unreachable && self != .silent }
  }

  /// What is to be done now.
  enum Step: Equatable {
    case nothing
    /// Have `begin()` called as soon as a connection to the callback is free.
    case submit
    /// Call `elapsed()` then.
    case rest(until: NIODeadline)
    /// The subscriber does not know this subscription: remove it.
    case end
  }

  private enum State: Equatable {
    /// The answer to SUBSCRIBE is not yet on its way: the subscriber does not know its SID.
    case held
    case idle
    /// Waiting for a connection, or for the outcome.
    case delivering
    /// After a failure; cut short by a change if `isEager`, as it is where the subscriber was reached in no time.
    case resting(until: NIODeadline, isEager: Bool)
  }

  /// From here on a subscriber counts as slow, and others go before it.
  static let slow: TimeAmount = .milliseconds(100)
  /// A subscriber whose server is not quite up, or which has not read its SID yet, gets the initial event after this.
  static let initialRetry: TimeAmount = .milliseconds(250)
  /// The longest rest between attempts to reach a subscriber that cannot be reached.
  static let maximumRest: TimeAmount = .seconds(30)

  private var state = State.held
  private var pending: VariableSet
  private var nextSEQ: UInt32
  /// The message that has been sent at least once, so that its SEQ is used up, and not yet taken.
  private var message: Message?
  private var wasStale = false
  private var initialWasRetried = false
  private var failures: UInt8 = 0
  private let callbackCount: UInt8
  private var attemptsLeft: UInt8
  /// The callback to use, by its place in the list: the one that worked last.
  private(set) var callback: UInt8 = 0
  /// Whether the last message was taken without delay. A new subscriber has yet to show it.
  private(set) var isPrompt = false

  /// - Parameter variables: all that the service events, for the initial event.
  init(variables: VariableSet, callbackCount: Int, firstSEQ: UInt32 = 0) {
    pending = variables
    nextSEQ = firstSEQ
    self.callbackCount = UInt8(callbackCount)
    attemptsLeft = self.callbackCount
  }

  /// The deadline that `elapsed()` is waited for.
  var restsUntil: NIODeadline? {
    if case .resting(let deadline, _) = state { deadline } else { nil }
  }

  /// The answer to SUBSCRIBE was sent: the initial event may go.
  mutating func released() -> Step {
    guard state == .held else { return .nothing }
    return deliver()
  }

  mutating func changed(_ variables: VariableSet) -> Step {
    pending.formUnion(variables)
    switch state {
    case .idle, .resting(_, isEager: true): return deliver()
    case .held, .delivering, .resting(_, isEager: false): return .nothing
    }
  }

  /// The subscriber renewed, or a network has come: there is no reason to rest any longer.
  mutating func renewed() -> Step {
    guard case .resting = state else { return .nothing }
    return deliver()
  }

  mutating func elapsed(now: NIODeadline) -> Step {
    guard case .resting(let deadline, _) = state, deadline <= now else { return .nothing }
    return deliver()
  }

  /// A connection is ready: what is to be sent on it. Nil if there is nothing, as when a submission came to be cancelled.
  mutating func begin() -> Message? {
    guard state == .delivering else { return nil }
    if message == nil {
      message = Message(seq: nextSEQ, variables: pending)
      pending = []
      wasStale = false
    }
    return message
  }

  /// The subscriber answered.
  /// - Parameter duration: from the sending to the answer.
  mutating func answered(status: UInt, after duration: TimeAmount, now: NIODeadline) -> Step {
    guard state == .delivering, let sent = message else { return .nothing }
    switch status {
    case 200..<300:
      message = nil
      nextSEQ = Self.next(after: sent.seq)
      failures = 0
      attemptsLeft = callbackCount
      isPrompt = duration < Self.slow
      if !pending.isEmpty { return deliver() }
      state = .idle
      return .nothing
    case 412 where sent.seq != 0 || initialWasRetried:
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

  /// Goes on to the next callback, then to the second attempt at an initial event, then abandons the message.
  private mutating func attemptFailed(_ failure: Failure, now: NIODeadline) -> Step {
    isPrompt = false
    callback = (callback + 1) % callbackCount
    attemptsLeft -= 1
    guard attemptsLeft == 0 else { return .submit }
    attemptsLeft = callbackCount

    if nextSEQ == 0, !initialWasRetried, failure != .silent {
      initialWasRetried = true
      return rest(for: Self.initialRetry, isEager: false, now: now)
    }
    // What changed meanwhile is due, as it would be a moment later.
    let isDue = failure.isQuick && !pending.isEmpty
    if let abandoned = message {
      pending.formUnion(abandoned.variables)
      nextSEQ = Self.next(after: abandoned.seq)
      message = nil
    }
    let time = min(TimeAmount.seconds(1 << Int64(failures)), Self.maximumRest)
    failures = min(failures + 1, 5)
    if isDue { return deliver() }
    return rest(for: time, isEager: failure.isQuick, now: now)
  }

  private mutating func rest(for time: TimeAmount, isEager: Bool, now: NIODeadline) -> Step {
    state = .resting(until: now + time, isEager: isEager)
    return .rest(until: now + time)
  }

  /// SEQ wraps to 1: 0 is the initial event's alone (UDA 1.1 §4.3.2).
  private static func next(after seq: UInt32) -> UInt32 { seq == .max ? 1 : seq + 1 }
}
