import PlaybackTestKit
import Testing

@testable import Companion

@Suite struct BrokerSessionTests {
  private typealias Action = BrokerSession.Action
  private typealias Event = BrokerSession.Event

  private static let start = ContinuousClock.now

  private static func session() throws -> BrokerSession {
    BrokerSession(broker: try #require(BrokerAddress("mqtts://broker")), prefix: "home/kitchen")
  }

  private static func warning(_ error: MQTTError) -> Action {
    .warn("\(error.description) The speaker tries mqtts://broker:8883 again.")
  }

  private static func report(_ error: MQTTError) -> Action {
    .report(isConnected: false, problem: error.description)
  }

  private static let connected = Action.notice("connected to broker:8883, topics begin with home/kitchen/.")
  private static let ready: [Action] = [.report(isConnected: true, problem: nil), .begin]
  private static let begun: [Action] = [connected, .report(isConnected: true, problem: nil), .begin]
  private static let firstPause = Action.retry(after: .seconds(1))
  private static let unreachable = MQTTError.cannotConnect("No route to host")
  private static let gone = MQTTError.lost("the broker closed it")
  private static let moved = MQTTError.lost("the network has changed")
  private static let silent = MQTTError.lost("the broker does not answer since the network has changed")
  private static let closed = Event.closed(reason: "the broker closed it", errorTLS: tls)
  private static let tls = MQTTError.tls(.other("bad"), host: "broker")
  private static let old311 = MQTTError.refused("it does not support MQTT 3.1.1")

  private struct Step {
    var seconds: Double
    var event: Event
    var actions: [Action]

    init(_ seconds: Double, _ event: Event, _ actions: [Action]) {
      (self.seconds, self.event, self.actions) = (seconds, event, actions)
    }
  }

  private static let rows: [(String, [Step])] = [
    (
      "a missing broker is logged once",
      [
        Step(0, .started, [.connect(isVersion5: true)]),
        Step(1, .refused(unreachable), [.close, warning(unreachable), report(unreachable), firstPause]),
        Step(2, .retryDue, [.connect(isVersion5: true)]),
        Step(3, .refused(unreachable), [.close, report(unreachable), .retry(after: .seconds(2))]),
        Step(5, .retryDue, [.connect(isVersion5: true)]),
        Step(6, .accepted, begun),
        Step(7, closed, [.close, warning(gone), report(gone), .retry(after: .seconds(4)), .end]),
        Step(11, .retryDue, [.connect(isVersion5: true)]),
        Step(12, .accepted, begun),
        // After a stable connection, the pauses and the log begin again.
        Step(60, closed, [.close, warning(gone), report(gone), .retry(after: .seconds(1)), .end]),
      ]
    ),
    (
      "a broker that closes every connection does not fill the log",
      [
        Step(0, .started, [.connect(isVersion5: true)]),
        Step(1, .accepted, begun),
        Step(2, closed, [.close, warning(gone), report(gone), .retry(after: .seconds(1)), .end]),
        Step(3, .retryDue, [.connect(isVersion5: true)]),
        Step(4, .accepted, begun),
        Step(5, closed, [.close, report(gone), .retry(after: .seconds(2)), .end]),
        Step(7, .retryDue, [.connect(isVersion5: true)]),
        Step(8, .accepted, ready),
      ]
    ),
    (
      "an old broker",
      [
        Step(0, .started, [.connect(isVersion5: true)]),
        Step(
          1, .refused(.oldVersion),
          [.close, warning(.oldVersion), report(.oldVersion), .retry(after: .seconds(1))]),
        Step(2, .retryDue, [.connect(isVersion5: false)]),
        Step(3, .accepted, begun),
        Step(4, closed, [.close, warning(gone), report(gone), .retry(after: .seconds(2)), .end]),
        Step(6, .retryDue, [.connect(isVersion5: false)]),
        Step(7, .refused(.oldVersion), [.close, warning(old311), report(old311), .retry(after: .seconds(4))]),
        Step(11, .retryDue, [.connect(isVersion5: true)]),
      ]
    ),
    (
      "a broker that closes the connection may be an old one",
      [
        Step(0, .started, [.connect(isVersion5: true)]),
        Step(1, closed, [.close, warning(tls), report(tls), .retry(after: .seconds(1))]),
        Step(2, .retryDue, [.connect(isVersion5: false)]),
        Step(
          3, .closed(reason: "the broker closed it", errorTLS: nil),
          [.close, warning(gone), report(gone), .retry(after: .seconds(2))]),
        Step(5, .retryDue, [.connect(isVersion5: true)]),
      ]
    ),
    (
      "a problem leaves the connection open",
      [
        Step(0, .problem("Not yet."), []),
        Step(0, .started, [.connect(isVersion5: true)]),
        Step(1, .accepted, begun),
        Step(2, .problem("No."), [.warn("No."), .report(isConnected: true, problem: "No.")]),
        Step(3, .problem("No."), []),
      ]
    ),
    (
      "another network is tried at once",
      [
        Step(0, .started, [.connect(isVersion5: true)]),
        Step(1, .refused(unreachable), [.close, warning(unreachable), report(unreachable), firstPause]),
        Step(2, .retryDue, [.connect(isVersion5: true)]),
        Step(3, .refused(unreachable), [.close, report(unreachable), .retry(after: .seconds(2))]),
        Step(3.5, .networkChanged(isUsable: false), [.connect(isVersion5: true)]),
        // The pauses begin again.
        Step(4, .refused(unreachable), [.close, report(unreachable), .retry(after: .seconds(1))]),
      ]
    ),
    (
      "an attempt that began on another network is repeated at once",
      [
        Step(0, .started, [.connect(isVersion5: true)]),
        Step(1, .networkChanged(isUsable: false), []),
        Step(2, .refused(unreachable), [.close, warning(unreachable), report(unreachable), .retry(after: .zero)]),
        Step(2, .retryDue, [.connect(isVersion5: true)]),
        Step(3, .refused(unreachable), [.close, report(unreachable), .retry(after: .seconds(1))]),
      ]
    ),
    (
      "a connection without its address or route is replaced at once",
      [
        Step(0, .started, [.connect(isVersion5: true)]), Step(1, .accepted, begun),
        Step(
          2, .networkChanged(isUsable: false),
          [.close, warning(moved), report(moved), .retry(after: .zero), .end]),
        Step(2, .retryDue, [.connect(isVersion5: true)]),
        Step(3, .accepted, begun),
      ]
    ),
    (
      "a connection that may have survived is asked",
      [
        Step(0, .started, [.connect(isVersion5: true)]), Step(1, .accepted, begun),
        Step(2, .networkChanged(isUsable: true), [.probe]),
        // Further changes do not postpone the verdict.
        Step(3, .networkChanged(isUsable: true), []),
        Step(4, .answered, []), Step(7, .probeOverdue, []),
        Step(8, .networkChanged(isUsable: true), [.probe]),
        Step(13, .probeOverdue, [.close, warning(silent), report(silent), .retry(after: .zero), .end]),
        Step(13, .retryDue, [.connect(isVersion5: true)]),
        Step(14, .accepted, begun),
        Step(15, .probeOverdue, []),
      ]
    ),
    (
      "the end of the program",
      [
        Step(0, .started, [.connect(isVersion5: true)]), Step(1, .accepted, begun),
        Step(2, .stopped, [.sayGoodbye, .close]), Step(3, closed, []), Step(4, .retryDue, []),
      ]
    ),
    (
      "the end of the program without a connection",
      [
        Step(0, .started, [.connect(isVersion5: true)]), Step(1, .stopped, [.close]), Step(2, .accepted, []),
        Step(3, .refused(unreachable), []), Step(4, .stopped, []),
      ]
    ),
    (
      "events that come too late",
      [
        Step(0, .started, [.connect(isVersion5: true)]), Step(0, .started, []), Step(0, .retryDue, []),
        Step(1, .refused(unreachable), [.close, warning(unreachable), report(unreachable), firstPause]),
        Step(1, closed, []), Step(1, .refused(unreachable), []), Step(1, .accepted, []),
      ]
    ),
  ]

  @Test(arguments: rows.indices) func decides(_ row: Int) throws {
    let (name, steps) = Self.rows[row]
    var session = try Self.session()
    for (number, step) in steps.enumerated() {
      let actions = session.handle(step.event, at: Self.start + .seconds(step.seconds), jitter: 1)
      #expect(actions == step.actions, "\(name), step \(number)")
    }
  }

  /// What a session has done so far, and what it may do next.
  private struct Model {
    enum Phase { case idle, attempt, open, pause, stopped }
    var phase = Phase.idle
    /// The version of the next or present attempt, and whether the broker has said that it does not know 5.
    var isVersion5 = true
    var isOldBroker = false
    var warnings: Set<String> = []
    var accepted: ContinuousClock.Instant?
    /// The longest possible pause, and whether the next one is skipped, because the network has changed.
    var pause = 1.0
    var isOutdated = false
    var isProbing = false

    /// The actions without their texts and values, in order.
    mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [String] {
      switch (phase, event) {
      case (.idle, .started), (.pause, .retryDue), (.pause, .networkChanged):
        if case .networkChanged = event { pause = 1 }
        (phase, isOutdated, isProbing) = (.attempt, false, false)
        return ["connect"]
      case (.attempt, .networkChanged):
        isOutdated = true
        return []
      case (.open, .networkChanged(isUsable: false)),
        (.open, .probeOverdue) where isProbing:
        (phase, isOutdated) = (.pause, true)
        if let accepted, now - accepted >= BrokerRetry.stable { warnings = [] }
        return ["close", "report", "retry", "end"]
      case (.open, .networkChanged) where !isProbing:
        isProbing = true
        return ["probe"]
      case (.open, .answered):
        isProbing = false
        return []
      case (.attempt, .accepted):
        (phase, accepted) = (.open, now)
        return ["report", "begin"]
      case (.attempt, .refused), (.attempt, .closed), (.open, .closed):
        let isOpen = phase == .open
        phase = .pause
        if event == .refused(.oldVersion) {
          isOldBroker = isVersion5
          isVersion5.toggle()
        } else if case .closed = event, !isOldBroker {
          // Version 3.1.1 is tried once.
          isVersion5 = isOpen || !isVersion5
        }
        if isOpen, let accepted, now - accepted >= BrokerRetry.stable { (pause, warnings) = (1, []) }
        return ["close", "report", "retry"] + (isOpen ? ["end"] : [])
      case (.stopped, _): return []
      case (_, .stopped):
        defer { phase = .stopped }
        return phase == .open ? ["sayGoodbye", "close"] : ["close"]
      default: return []
      }
    }
  }

  private static func name(_ action: Action) -> String? {
    switch action {
    case .connect: "connect"
    case .close: "close"
    case .retry: "retry"
    case .probe: "probe"
    case .report: "report"
    case .begin: "begin"
    case .end: "end"
    case .sayGoodbye: "sayGoodbye"
    case .notice, .warn: nil
    }
  }

  @Test(arguments: 1...40) func randomEventsAgreeWithTheModel(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var (session, model, now) = (try Self.session(), Model(), Self.start)
    let events: [Event] = [
      .started, .accepted, .accepted, .accepted, .retryDue, .retryDue, .retryDue, Self.closed, Self.closed,
      .refused(Self.unreachable), .refused(.badCredentials), .refused(.oldVersion), .closed(reason: "x", errorTLS: nil),
      .networkChanged(isUsable: true), .networkChanged(isUsable: false), .answered, .probeOverdue,
    ]
    for step in 0..<400 {
      now += .milliseconds(Int.random(in: 0...20_000, using: &random))
      let isEnd = step > 300 && Int.random(in: 0..<50, using: &random) == 0
      let event = isEnd ? .stopped : events[Int.random(in: 0..<events.count, using: &random)]
      let expected = model.handle(event, at: now)
      let actions = session.handle(event, at: now, jitter: .random(in: 0...1, using: &random))
      try #require(actions.compactMap(Self.name) == expected, "seed \(seed), step \(step), \(event)")
      #expect(session.isAccepted == (model.phase == .open) && session.isConnecting == (model.phase == .attempt))
      for action in actions {
        switch action {
        case .connect(let isVersion5):
          try #require(isVersion5 == model.isVersion5, "seed \(seed), step \(step)")
        case .retry(let pause):
          if model.isOutdated {
            #expect(pause == .zero, "seed \(seed), step \(step)")
            model.pause = 1
            continue
          }
          let seconds = pause / .seconds(1)
          #expect((model.pause * 0.75...model.pause).contains(seconds), "seed \(seed), step \(step), \(pause)")
          model.pause = min(60, model.pause * 2)
        case .warn(let text):
          #expect(model.warnings.insert(text).inserted, "seed \(seed), step \(step), \(text)")
        default: break
        }
      }
    }
  }
}
