import PlaybackTestKit
import Testing

@testable import Companion

/// Random sequences of events, compared with a model that derives everything from the history since the last adapter
/// and the last success.
@Suite struct AdvertisementModelTests {
  typealias Action = AdvertisementMachine.Action
  typealias Event = AdvertisementMachine.Event

  private struct Model {
    /// The events so far, each with the resulting actions.
    private var history: [(event: Event, actions: [Action])] = []
    private var adapter: String?
    /// Whether BlueZ has ended the advertisement since it was asked for one.
    private var wasReleasedEarly = false

    mutating func handle(_ event: Event) -> [Action] {
      let actions = answer(to: event)
      if event == .released, isAsking { wasReleasedEarly = true }
      if !actions.isEmpty { wasReleasedEarly = false }
      if case .adapter(let path) = event, path != adapter {
        adapter = path
        history.append((event, actions))
      } else if !actions.isEmpty {
        history.append((event, actions))
      }
      return actions
    }

    private func answer(to event: Event) -> [Action] {
      switch event {
      case .adapter(let path):
        guard path != adapter else { return [] }
        return (isOn ? [.advertised(false)] : []) + (path.map { [.register(adapter: $0, .broadcast)] } ?? [])
      case .registered: return isAsking ? [wasReleasedEarly ? pause : .advertised(true)] : []
      case .released: return isOn ? [.advertised(false), pause] : []
      case .timer: return isWaiting ? register : []
      // Only in the table of `AdvertisementMachineTests`.
      case .standby: return []
      case .failed(let error):
        guard isAsking, let adapter else { return [] }
        if error.hasSuffix("AlreadyExists"), !isReplacing { return [.replace(adapter: adapter, kind)] }
        if error.hasSuffix("NotPermitted") { return report(.noInstanceFree) + [pause] }
        // The second kind is tried at once.
        if refusals(since: lastCalm).isMultiple(of: 2) { return [.register(adapter: adapter, otherKind)] }
        return report(error.hasSuffix("InvalidLength") ? .tooLong : .refused(error)) + [pause]
      }
    }

    private var last: Action? { history.last?.actions.last }
    private var isOn: Bool { last == .advertised(true) }
    private var isReplacing: Bool { if case .replace? = last { true } else { false } }
    private var isAsking: Bool { if case .register? = last { true } else { isReplacing } }
    private var isWaiting: Bool { if case .wait? = last { true } else { false } }
    private var register: [Action] { adapter.map { [.register(adapter: $0, kind)] } ?? [] }

    /// 1 s, doubled with each pause since the last adapter or success, at most a minute.
    private var pause: Action {
      let pauses = history[lastCalm...].count { if case .wait? = $0.actions.last { true } else { false } }
      return .wait(.seconds(min(60, 1 << min(pauses, 6))))
    }

    /// Each refusal changes the kind.
    private var kind: AdvertisementMachine.Kind {
      refusals(since: lastAdapter).isMultiple(of: 2) ? .broadcast : .peripheral
    }
    private var otherKind: AdvertisementMachine.Kind { kind == .broadcast ? .peripheral : .broadcast }

    private func refusals(since index: Int) -> Int {
      history[index...].count { event, actions in
        guard case .failed(let error) = event, !error.hasSuffix("NotPermitted") else { return false }
        if case .replace? = actions.last { return false }
        return true
      }
    }

    private var lastAdapter: Int { history.lastIndex { if case .adapter = $0.event { true } else { false } } ?? 0 }
    private var lastCalm: Int { max(lastAdapter, lastSuccess ?? 0) }
    private var lastSuccess: Int? { history.lastIndex { $0.actions == [.advertised(true)] } }

    /// A problem is reported when it differs from the one before, unless there was a success between.
    private func report(_ problem: AdvertisementMachine.Problem) -> [Action] {
      let reports = history[(lastSuccess ?? 0)...].flatMap(\.actions).filter {
        if case .report = $0 { true } else { false }
      }
      return reports.last == .report(problem) ? [] : [.report(problem)]
    }
  }

  private static let events: [Event] = [
    .adapter("/0"), .adapter("/1"), .adapter(nil), .registered, .registered, .released, .timer, .timer, .timer, .timer,
    .failed("org.bluez.Error.NotPermitted"), .failed("org.bluez.Error.InvalidLength"),
    .failed("org.bluez.Error.AlreadyExists"), .failed("org.bluez.Error.Failed"), .failed("org.bluez.Error.Failed"),
  ]

  @Test(arguments: 1...40)
  func actionsAgreeWithTheModel(_ seed: UInt64) {
    var random = SplitMix(state: seed)
    var machine = AdvertisementMachine()
    var model = Model()
    for step in 0..<400 {
      // Adapters change rarely, or no pause would grow.
      let range = Int.random(in: 0..<10, using: &random) == 0 ? 0..<Self.events.count : 3..<Self.events.count
      let event = Self.events[Int.random(in: range, using: &random)]
      let expected = model.handle(event)
      let actions = machine.handle(event)
      #expect(actions == expected, "seed \(seed), step \(step), \(event)")
      guard actions == expected else { return }
    }
  }
}
