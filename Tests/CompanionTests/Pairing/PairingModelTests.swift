import PlaybackTestKit
import Testing

@testable import Companion

/// Random sequences of events, compared with a model of a window: the devices it pairs, its answers, and its end.
@Suite struct PairingModelTests {
  typealias Action = PairingMachine.Action
  typealias Event = PairingMachine.Event

  /// Follows the events, independently of `PairingMachine`.
  private struct Model {
    private var isOpen = false
    private var wantedDevice: String?
    private var names: [String: String] = [:]
    private var paired: Set<String> = []
    /// The paths of devices in the order in which they were found.
    private var found: [String] = []
    private var present: Set<String> = []
    private(set) var chosen: String?
    /// The request that waits for an answer, and the path of its device.
    private(set) var waiting: (number: Int, path: String, isPIN: Bool)?
    private(set) var outcome: PairingMachine.Outcome?

    init(wantedDevice: String?) { self.wantedDevice = wantedDevice }

    /// - Returns: the expected actions, except for timers and discovery.
    mutating func handle(_ event: Event) -> [Action] {
      if case .requested(let number, let path, let request) = event { return ask(number, path, request) }
      guard outcome == nil else { return [] }
      var actions: [Action] = []
      switch event {
      case .opened: isOpen = true
      case .device(let path, let facts):
        if !present.contains(path) { found.append(path) }
        present.insert(path)
        names[path] = facts.name ?? names[path]
        let isNew = facts.isPaired == true && !paired.contains(path)
        if let isPaired = facts.isPaired {
          paired.formSymmetricDifference(paired.contains(path) == isPaired ? [] : [path])
        }
        if chosen == path, isNew { return succeed(path) }
      case .removed(let path):
        present.remove(path)
        paired.remove(path)
        names[path] = nil
        if chosen == path { return end(.failed("The device has gone.")) }
      case .choose(let text): return choose(text)
      case .pairReply(let problem):
        guard let chosen else { return [] }
        return problem.map { end(.failed($0)) } ?? succeed(chosen)
      case .requested, .numberShown: break
      case .requestCancelled: actions = refusal()
      case .answer(let isYes):
        guard let (number, path, isPIN) = waiting else { return [] }
        guard isYes else { return refusal() }
        waiting = nil
        actions = [.reply(number, isPIN ? .pin("0000") : .accept)]
        if chosen == nil { chosen = path }
      case .timer: return end(.timedOut)
      case .cancel: return end(.cancelled)
      case .lost(let problem): return end(.unavailable(problem))
      }
      return actions + fulfil()
    }

    private mutating func ask(_ number: Int, _ path: String, _ request: PairingMachine.Request) -> [Action] {
      var hasPaired = false
      if case .paired? = outcome { hasPaired = true }
      let isMine = chosen == path && (outcome == nil || hasPaired)
      switch request {
      case .service: return [.reply(number, isMine ? .accept : .reject)]
      case .authorization where isMine: return [.reply(number, .accept)]
      case .pin where isMine: return [.reply(number, .pin("0000"))]
      case .confirmation, .authorization, .pin: break
      }
      guard outcome == nil, isOpen, waiting == nil, chosen == nil || chosen == path else {
        return [.reply(number, .reject)]
      }
      waiting = (number, path, request == .pin)
      return []
    }

    /// Rejects the request that waits.
    private mutating func refusal() -> [Action] {
      defer { waiting = nil }
      return waiting.map { [.reply($0.number, .reject)] } ?? []
    }

    /// Pairs the wanted device, once it is known and the window is open.
    private mutating func fulfil() -> [Action] {
      guard let text = wantedDevice else { return [] }
      return choose(text)
    }

    /// Pairs a device that is known now.
    private mutating func choose(_ text: String) -> [Action] {
      guard isOpen, chosen == nil else { return [] }
      let order = found.indices.filter { present.contains(found[$0]) && found.lastIndex(of: found[$0]) == $0 }
      let match = order.first { Int(text) == $0 + 1 || names[found[$0]]?.lowercased() == text.lowercased() }
      guard let match else { return [] }
      wantedDevice = nil
      chosen = found[match]
      return paired.contains(found[match]) ? succeed(found[match]) : [.pair(found[match])]
    }

    private mutating func succeed(_ path: String) -> [Action] {
      let title = present.contains(path) ? names[path] ?? "unnamed device" : "the device"
      return [.finish(path)] + end(.paired(title))
    }

    private mutating func end(_ outcome: PairingMachine.Outcome) -> [Action] {
      self.outcome = outcome
      let refusal = refusal()
      if case .paired = outcome { return refusal + [.close] }
      return refusal + (chosen.map { [.cancelPairing($0)] } ?? []) + [.close]
    }
  }

  private static func event(_ number: Int, _ random: inout SplitMix) -> Event {
    let path = ["/a", "/b", "/c"].randomElement(using: &random) ?? "/a"
    let name = ["/a": "Knob", "/b": "Phone", "/c": "Tag"][path]
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<4: return .opened
    case 4..<10: return .device(path, .init(name: Bool.random(using: &random) ? name : nil))
    case 10..<12: return .device(path, .init(name: name, isPaired: Bool.random(using: &random)))
    case 12..<14: return .removed(path)
    case 14..<18: return .choose(["1", "2", "knob", "PHONE", "nobody"].randomElement(using: &random) ?? "1")
    case 18..<21: return .requested(number, path, .confirmation(passkey: "123456"))
    case 21..<23: return .requested(number, path, .authorization)
    case 23..<26: return .requested(number, path, .pin)
    case 26..<28: return .requested(number, path, .service)
    case 28..<30: return .numberShown(path, "1234")
    case 30..<35: return .answer(Bool.random(using: &random))
    case 35: return .requestCancelled
    case 36, 37: return .pairReply(Bool.random(using: &random) ? "It refuses." : nil)
    default: return [.timer, .cancel, .lost("Off.")].randomElement(using: &random) ?? .timer
    }
  }

  private static func isCourse(_ action: Action) -> Bool {
    switch action {
    case .stopDiscovery, .wait: false
    default: true
    }
  }

  @Test(arguments: 1...300)
  func aWindowKeepsItsPromises(_ seed: UInt64) {
    var random = SplitMix(state: seed)
    let wantedDevice = [nil, "tag", "3"].randomElement(using: &random) ?? nil
    var machine = PairingMachine(wantedDevice: wantedDevice)
    var model = Model(wantedDevice: wantedDevice)
    var all: [Action] = []
    for step in 0..<60 {
      let event = Self.event(step, &random)
      let expected = model.handle(event)
      let actions = machine.handle(event)
      all += actions
      #expect(actions.filter(Self.isCourse) == expected, "seed \(seed), step \(step), \(event)")
      #expect(machine.isClosed == (model.outcome != nil))
      if let outcome = model.outcome { #expect(machine.phase == .closed(outcome)) }
      #expect((machine.question?.needsAnswer == true) == (model.waiting != nil))
      // Choosing a device ends discovery and restarts the timer, so that the window cannot stay open.
      let isChoice = actions.contains { if case .pair = $0 { true } else { false } }
      if isChoice { #expect(actions.contains(.stopDiscovery) && actions.contains(.wait(PairingMachine.window))) }
      guard actions.filter(Self.isCourse) == expected else { return }
    }
    #expect(all.count { $0 == .close } == (machine.isClosed ? 1 : 0))
    #expect(all.count { $0 == .stopDiscovery } <= 1)
  }

  /// Whatever devices ask, none is accepted that nobody has chosen or answered with yes, and each request gets a reply.
  @Test(arguments: 1...300)
  func unsolicitedRequestsAreNeverAccepted(_ seed: UInt64) {
    var random = SplitMix(state: seed)
    var machine = PairingMachine()
    var asked: Set<Int> = []
    var actions: [Action] = machine.handle(.opened)
    // Sometimes another device is paired meanwhile.
    let chosen = Bool.random(using: &random) ? "/a" : nil
    if chosen != nil { actions += machine.handle(.device("/a", .init(name: "Knob"))) + machine.handle(.choose("knob")) }
    for step in 0..<60 {
      var event = Self.event(step, &random)
      switch event {
      case .opened, .choose, .answer(true): continue
      case .requested(_, "/a", let request): event = .requested(step, "/b", request)
      default: break
      }
      if case .requested = event { asked.insert(step) }
      actions += machine.handle(event)
      #expect(machine.accepted == nil || machine.accepted == chosen)
    }
    actions += machine.handle(.cancel)
    let replies = actions.compactMap { if case .reply(let number, let reply) = $0 { (number, reply) } else { nil } }
    #expect(replies.allSatisfy { $0.1 == .reject }, "seed \(seed)")
    #expect(replies.map(\.0).sorted() == asked.sorted(), "seed \(seed)")
    #expect(actions.allSatisfy { if case .finish(let path) = $0 { path == chosen } else { true } })
  }

  @Test func theNumberOfDevicesIsLimited() {
    var machine = PairingMachine()
    for number in 0..<200 { _ = machine.handle(.device("/\(number)", .init(name: "\(number)"))) }
    #expect(machine.devices.count == 64)
    // Known devices still change, and a removed device makes room for a new one.
    _ = machine.handle(.device("/0", .init(name: "Knob")))
    #expect(machine.device("/0")?.name == "Knob")
    _ = machine.handle(.removed("/1"))
    _ = machine.handle(.device("/200", .init(name: "New")))
    #expect(machine.device("/200")?.number == 65)
  }
}
