import NIOCore

/// Manages one subscription, or the polling that replaces it (UDA 1.1 §4.1 to §4.3). A pure state machine: events and
/// time in, actions out.
///
/// A byebye or a new BOOTID does not end a subscription, since anyone can send them. It only causes an early renewal.
struct SubscriptionMachine {
  typealias Instant = NIODeadline

  enum Action: Hashable {
    case subscribe
    case renew(sid: String)
    case unsubscribe(sid: String)
    case deliver(EventElement)
    case startPolling
    case stopPolling
    /// Nothing more will be delivered.
    case finish
  }

  /// A hint from the device's announcements.
  enum Hint {
    /// The device was announced after an absence.
    case appeared
    /// The device was announced with another BOOTID.
    case restarted
    /// The device sent byebye, or its announcements expired.
    case departed
  }

  enum Source {
    case events, eventsThenPolling, pollingOnly, none
  }

  /// The initial event follows the answer at once (UDA 1.1 §4.1.2). If it has not arrived by then, the subscription
  /// lapses.
  static let initialTimeout = TimeAmount.seconds(5)
  /// Delay of a renewal after a byebye, which devices send before they close their server.
  static let departureDelay = TimeAmount.seconds(2)
  private static let shortestRetry = TimeAmount.seconds(1)
  private static let longestRetry = TimeAmount.seconds(60)
  /// The subscription counts as lost after this many renewals that do not reach the device.
  private static let toleratedAbsences = 3
  /// Limit for events that arrive before the answer to SUBSCRIBE.
  private static let maximumEarly = 4

  private struct Notice {
    var sid: String
    var number: UInt32?
    var variables: [EventedVariable]?
  }

  private struct Subscription {
    var sid: String
    var expires: Instant
    /// When to renew; nil while a renewal is unanswered.
    var renewal: Instant?
    /// When a missing initial event counts as a lapse; nil after that, or after the event.
    var initialDeadline: Instant?
    var failures = 0
    var sequence = EventSequence()
  }

  private enum Phase {
    case idle
    case subscribing(early: [Notice])
    case subscribed(Subscription)
    case waiting(until: Instant)
    case pollingOnly
    /// The watcher left before SUBSCRIBE was answered.
    case leaving
    case ended
  }

  private let source: Source
  private var phase = Phase.idle
  private var isPolling = false
  private var polled = PollDifferences()
  /// Whether the last delivered element is a lapse, or came after one.
  private var hasLapsed = false
  private var failures = 0
  private var lastAttempt: Instant?

  init(source: Source) { self.source = source }

  /// When to call `elapsed`; nil if there is nothing to wait for.
  var deadline: Instant? {
    switch phase {
    case .subscribed(let subscription): [subscription.renewal, subscription.initialDeadline].compactMap { $0 }.min()
    case .waiting(let until): until
    default: nil
    }
  }

  /// Whether nothing remains to be done or waited for.
  var isEnded: Bool { if case .ended = phase { true } else { false } }

  mutating func start(at now: Instant) -> [Action] {
    guard case .idle = phase else { return [] }
    switch source {
    case .events, .eventsThenPolling: return subscribe(at: now)
    case .pollingOnly:
      phase = .pollingOnly
      isPolling = true
      return [.startPolling]
    case .none:
      phase = .ended
      return [.deliver(.lapsed(.notEvented)), .finish]
    }
  }

  /// The watcher left, or the control point stops.
  mutating func leave() -> [Action] {
    let former = phase
    phase = .ended
    let end: [Action] = (isPolling ? [.stopPolling] : []) + [.finish]
    isPolling = false
    switch former {
    case .ended, .leaving:
      phase = former
      return []
    case .subscribing:
      phase = .leaving
      return end
    case .subscribed(let subscription): return [.unsubscribe(sid: subscription.sid)] + end
    case .idle, .waiting, .pollingOnly: return end
    }
  }

  mutating func elapsed(at now: Instant) -> [Action] {
    switch phase {
    case .waiting(let until): return until <= now ? subscribe(at: now) : []
    case .subscribed(var subscription):
      var actions: [Action] = []
      if let deadline = subscription.initialDeadline, deadline <= now {
        subscription.initialDeadline = nil
        if !isPolling { actions = lapse(.silent) }
      }
      if let renewal = subscription.renewal, renewal <= now {
        subscription.renewal = nil
        actions.append(.renew(sid: subscription.sid))
      }
      phase = .subscribed(subscription)
      return actions
    default: return []
    }
  }

  // MARK: Subscribing

  private mutating func subscribe(at now: Instant) -> [Action] {
    phase = .subscribing(early: [])
    lastAttempt = now
    return [.subscribe]
  }

  /// The device accepted the subscription.
  mutating func subscribed(sid: String, lifetime: TimeAmount, at now: Instant) -> [Action] {
    switch phase {
    case .leaving:
      phase = .ended
      return [.unsubscribe(sid: sid)]
    case .subscribing(let early):
      failures = 0
      phase = .subscribed(
        Subscription(
          sid: sid, expires: now + lifetime, renewal: now + Self.half(lifetime),
          initialDeadline: now + Self.initialTimeout))
      return early.filter { $0.sid == sid }.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
        .flatMap { notify(sid: sid, number: $0.number, variables: $0.variables) }
    default: return []
    }
  }

  mutating func subscribeFailed(_ error: ControlPointError, at now: Instant) -> [Action] {
    switch phase {
    case .leaving:
      phase = .ended
      return []
    case .subscribing:
      failures += 1
      phase = .waiting(until: now + Self.pause(after: failures))
      return lapse(.failed(error))
    default: return []
    }
  }

  mutating func renewed(sid: String?, lifetime: TimeAmount, at now: Instant) -> [Action] {
    guard case .subscribed(var subscription) = phase, subscription.renewal == nil else { return [] }
    // Some devices change the SID.
    subscription.sid = sid ?? subscription.sid
    subscription.expires = now + lifetime
    subscription.renewal = now + Self.half(lifetime)
    subscription.failures = 0
    phase = .subscribed(subscription)
    return []
  }

  mutating func renewalFailed(_ error: ControlPointError, at now: Instant) -> [Action] {
    guard case .subscribed(var subscription) = phase, subscription.renewal == nil else { return [] }
    subscription.failures += 1
    let isAbsent = if case .unreachable = error { subscription.failures >= Self.toleratedAbsences } else { false }
    if case .status(let code) = error, code < 500 { return lapse(.lost) + subscribe(at: now) }
    if isAbsent || now >= subscription.expires {
      failures = 1
      phase = .waiting(until: now + Self.pause(after: failures))
      return lapse(.failed(error))
    }
    subscription.renewal = min(now + Self.pause(after: subscription.failures), max(now, subscription.expires))
    phase = .subscribed(subscription)
    return []
  }

  private static func half(_ time: TimeAmount) -> TimeAmount { .nanoseconds(time.nanoseconds / 2) }

  private static func pause(after failures: Int) -> TimeAmount {
    min(shortestRetry * (1 << min(failures - 1, 6)), longestRetry)
  }

  private mutating func lapse(_ reason: LapseReason) -> [Action] {
    var actions: [Action] = hasLapsed ? [] : [.deliver(.lapsed(reason))]
    hasLapsed = true
    if source == .eventsThenPolling, !isPolling {
      isPolling = true
      polled = PollDifferences()
      actions.append(.startPolling)
    }
    return actions
  }

  // MARK: Hints

  mutating func hint(_ hint: Hint, at now: Instant) -> [Action] {
    switch (phase, hint) {
    case (.waiting, .appeared), (.waiting, .restarted):
      // At most one attempt per second, however many announcements there are.
      phase = .waiting(until: max(now, (lastAttempt ?? now) + Self.shortestRetry))
    case (.subscribed(var subscription), .departed), (.subscribed(var subscription), .restarted):
      guard let renewal = subscription.renewal else { break }
      let delay = hint == .departed ? Self.departureDelay : Self.shortestRetry
      subscription.renewal = min(renewal, now + delay)
      phase = .subscribed(subscription)
    default: break
    }
    return []
  }

  /// The address that the device sends events to is no longer this machine's.
  mutating func moved(at now: Instant) -> [Action] {
    switch phase {
    case .subscribed(let subscription):
      let actions = lapse(.lost)
      return [.unsubscribe(sid: subscription.sid)] + actions + subscribe(at: now)
    case .waiting: return hint(.appeared, at: now)
    default: return []
    }
  }

  // MARK: Events

  /// Whether an event with that SID belongs to the subscription, or may do so once SUBSCRIBE is answered.
  func accepts(sid: String) -> Bool {
    switch phase {
    case .subscribing(let early): early.count < Self.maximumEarly
    case .subscribed(let subscription): subscription.sid == sid
    default: false
    }
  }

  /// - Parameters:
  ///   - number: SEQ; nil if it is missing or not a number.
  ///   - variables: nil if the event cannot be decoded.
  mutating func notify(sid: String, number: UInt32?, variables: [EventedVariable]?) -> [Action] {
    guard accepts(sid: sid) else { return [] }
    switch phase {
    case .subscribing(let early):
      phase = .subscribing(early: early + [Notice(sid: sid, number: number, variables: variables)])
      return []
    case .subscribed(var subscription):
      let verdict = subscription.sequence.receive(number)
      let isInitial = verdict == .first && variables != nil && (number ?? 0 == 0 || !isPolling)
      if isInitial { subscription.initialDeadline = nil }
      phase = .subscribed(subscription)
      guard verdict != .outdated else { return [] }
      if isInitial { return initial(variables ?? []) }
      var missed = variables == nil ? 1 : 0
      if case .next(let count) = verdict { missed += count }
      return (missed > 0 ? [.deliver(.missed(missed))] : [])
        + (variables.map { $0.isEmpty ? [] : [.deliver(.change($0))] } ?? [])
    default: return []
    }
  }

  private mutating func initial(_ variables: [EventedVariable]) -> [Action] {
    hasLapsed = false
    let actions: [Action] = isPolling ? [.stopPolling] : []
    isPolling = false
    return actions + [.deliver(.initial(variables))]
  }

  // MARK: Polling

  mutating func polled(_ variables: [EventedVariable]) -> [Action] {
    guard isPolling, let element = polled.take(variables) else { return [] }
    hasLapsed = false
    return [.deliver(element)]
  }

  mutating func pollFailed(_ error: ControlPointError) -> [Action] {
    guard isPolling else { return [] }
    polled = PollDifferences()
    return lapse(.failed(error))
  }
}
