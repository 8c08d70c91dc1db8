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
    private var wish: String?
    private var names: [String: String] = [:]
    private var paired: Set<String> = []
    /// The paths of devices in the order in which they were found.
    private var found: [String] = []
    private var present: Set<String> = []
    private(set) var chosen: String?
    /// The path of the device whose question waits for an answer.
    private(set) var asker: String?
    private(set) var outcome: PairingMachine.Outcome?

    init(wish: String?) { self.wish = wish }

    /// - Returns: the expected actions, except for timers and discovery.
    mutating func handle(_ event: Event) -> [Action] {
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
      case .choose(let text): wish = text
      case .pairReply(let problem):
        guard let chosen else { return [] }
        return problem.map { end(.failed($0)) } ?? succeed(chosen)
      case .question(let path, let question):
        guard question.needsAnswer else { return [] }
        guard isOpen, chosen == nil || chosen == path else { return [.reply(false)] }
        if chosen != nil, question == .authorize { return [.reply(true)] }
        guard asker == nil else { return [.reply(false)] }
        asker = path
      case .questionCancelled: asker = nil
      case .answer(let isYes):
        guard let path = asker else { return [] }
        asker = nil
        actions = [.reply(isYes)]
        if isYes, chosen == nil { chosen = path }
      case .timer: return end(.timedOut)
      case .cancel: return end(.cancelled)
      case .lost(let problem): return end(.failed(problem))
      }
      return actions + fulfil()
    }

    /// Pairs the wished device, once it is known and the window is open.
    private mutating func fulfil() -> [Action] {
      guard isOpen, chosen == nil, let text = wish else { return [] }
      let order = found.indices.filter { present.contains(found[$0]) && found.lastIndex(of: found[$0]) == $0 }
      let match = order.first { Int(text) == $0 + 1 || names[found[$0]]?.lowercased() == text.lowercased() }
      guard let match else { return [] }
      wish = nil
      chosen = found[match]
      return paired.contains(found[match]) ? succeed(found[match]) : [.pair(found[match])]
    }

    private mutating func succeed(_ path: String) -> [Action] {
      let title = present.contains(path) ? names[path] ?? "unnamed device" : "the device"
      return [.finish(path)] + end(.paired(title))
    }

    private mutating func end(_ outcome: PairingMachine.Outcome) -> [Action] {
      defer { (self.outcome, asker) = (outcome, nil) }
      let refusal: [Action] = asker == nil ? [] : [.reply(false)]
      if case .paired = outcome { return refusal + [.close] }
      return refusal + (chosen.map { [.cancelPairing($0)] } ?? []) + [.close]
    }
  }

  private static func event(_ random: inout SplitMix) -> Event {
    let path = ["/a", "/b", "/c"].randomElement(using: &random) ?? "/a"
    let name = ["/a": "Knob", "/b": "Phone", "/c": "Tag"][path]
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<4: return .opened
    case 4..<10: return .device(path, .init(name: Bool.random(using: &random) ? name : nil))
    case 10..<12: return .device(path, .init(name: name, isPaired: Bool.random(using: &random)))
    case 12..<14: return .removed(path)
    case 14..<18: return .choose(["1", "2", "knob", "PHONE", "nobody"].randomElement(using: &random) ?? "1")
    case 18..<24: return .question(path, .confirm(passkey: "123456"))
    case 24..<28: return .question(path, .authorize)
    case 28..<30: return .question(path, .type(passkey: "1234"))
    case 30..<35: return .answer(Bool.random(using: &random))
    case 35: return .questionCancelled
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
    let wish = [nil, "tag", "3"].randomElement(using: &random) ?? nil
    var machine = PairingMachine(wish: wish)
    var model = Model(wish: wish)
    var all: [Action] = []
    for step in 0..<60 {
      let event = Self.event(&random)
      let expected = model.handle(event)
      let actions = machine.handle(event)
      all += actions
      #expect(actions.filter(Self.isCourse) == expected, "seed \(seed), step \(step), \(event)")
      #expect(machine.isClosed == (model.outcome != nil))
      if let outcome = model.outcome { #expect(machine.phase == .closed(outcome)) }
      #expect((machine.question?.needsAnswer == true) == (model.asker != nil))
      // Choosing a device ends discovery and restarts the timer, so that the window cannot stay open.
      let isChoice = actions.contains { if case .pair = $0 { true } else { false } }
      if isChoice { #expect(actions.contains(.stopDiscovery) && actions.contains(.wait(PairingMachine.window))) }
      guard actions.filter(Self.isCourse) == expected else { return }
    }
    #expect(all.count { $0 == .close } == (machine.isClosed ? 1 : 0))
    #expect(all.count { $0 == .stopDiscovery } <= 1)
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
