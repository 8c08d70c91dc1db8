import PlaybackTestKit
import Testing

@testable import Companion

/// Random presses of several keys, some of them lost, compared with the model of each key alone.
@Suite struct ButtonBankModelTests {
  private struct Fired: Equatable {
    let time: Int
    let code: UInt16
    let trigger: ButtonTrigger
    let actions: [CompanionAction]

    init(_ time: Int, _ firing: ButtonBank.Firing) {
      code = if case .key(let code) = firing.key { code } else { 0 }
      (self.time, trigger, actions) = (time, firing.trigger, firing.actions)
    }
  }

  private static let start = ContinuousClock.now
  private static let codes: [UInt16] = [1, 2, 3]

  private static func instant(_ time: Int) -> ContinuousClock.Instant { start + .milliseconds(time) }

  /// The bindings: each with its number as action.
  private static func bindings(_ random: inout SplitMix) -> [ButtonBinding] {
    (0..<Int.random(in: 1...8, using: &random)).map { number in
      let code = Self.codes.randomElement(using: &random) ?? 1
      return ButtonBinding(
        device: DeviceName("Remote"), key: Bool.random(using: &random) ? .key(code) : nil,
        trigger: ButtonTrigger.allCases.randomElement(using: &random) ?? .click,
        action: .command(.preset(number)))
    }
  }

  /// Drives a bank as `ButtonPad` does, and notes what it learns of each key.
  private struct Driver {
    var bank: ButtonBank
    var fired: [Fired] = []
    /// The times of presses and releases, alternately, by key.
    var history: [UInt16: [Int]] = [:]
    /// The keys that are down.
    var down: Set<UInt16> = []

    private func isKnownDown(_ code: UInt16) -> Bool { history[code, default: []].count % 2 == 1 }

    mutating func advance(to time: Int) {
      while let deadline = bank.deadline, deadline < instant(time) {
        let milliseconds = Int((deadline - start) / .milliseconds(1))
        add(bank.advance(to: deadline), milliseconds)
      }
    }

    /// - Parameter isLost: whether the kernel drops the event.
    mutating func toggle(_ code: UInt16, at time: Int, isLost: Bool) {
      down.formSymmetricDifference([code])
      guard !isLost, isKnownDown(code) != down.contains(code) else { return }
      history[code, default: []].append(time)
      add(bank.change(InputChange(time: instant(time), kind: .key(code, isDown: down.contains(code)))), time)
    }

    mutating func synchronize(at time: Int) {
      for code in codes where isKnownDown(code) != down.contains(code) { history[code, default: []].append(time) }
      add(bank.synchronize(down: down, at: instant(time)), time)
    }

    private mutating func add(_ firings: [ButtonBank.Firing], _ time: Int) {
      fired += firings.map { Fired(time, $0) }
    }
  }

  private static func expected(_ bindings: [ButtonBinding], _ history: [UInt16: [Int]]) -> [Fired] {
    history.flatMap { code, times -> [Fired] in
      let key = ButtonKey.key(code)
      let matching = bindings.filter { $0.key == nil || $0.key == key }
      return ButtonMachineTests.model(Set(matching.map(\.trigger)), times).map { fired in
        let ofTrigger = matching.filter { $0.trigger == fired.trigger }
        let own = ofTrigger.filter { $0.key == key }
        let actions = (own.isEmpty ? ofTrigger : own).map(\.action)
        return Fired(fired.time, .init(key: key, trigger: fired.trigger, actions: actions))
      }
    }
  }

  @Test func keysDoNotDisturbEachOther() {
    for seed in 1...1000 as ClosedRange<UInt64> {
      var random = SplitMix(state: seed)
      let bindings = Self.bindings(&random)
      var driver = Driver(bank: ButtonBank(bindings))
      var time = 0
      for _ in 0..<30 {
        time += Int.random(in: 1...300, using: &random)
        driver.advance(to: time)
        let isLost = Int.random(in: 0..<8, using: &random) == 0
        driver.toggle(Self.codes.randomElement(using: &random) ?? 1, at: time, isLost: isLost)
        // The kernel reports lost events, now or with one of the next events.
        if Int.random(in: 0..<4, using: &random) == 0 {
          time += 1
          driver.advance(to: time)
          driver.synchronize(at: time)
        }
      }
      driver.down = []
      driver.advance(to: time + 1)
      driver.synchronize(at: time + 1)
      driver.advance(to: time + 10_000)
      let order = { (first: Fired, second: Fired) in
        (first.time, first.code, first.trigger.rawValue) < (second.time, second.code, second.trigger.rawValue)
      }
      let (fired, expected) = (
        driver.fired.sorted(by: order), Self.expected(bindings, driver.history).sorted(by: order)
      )
      guard fired == expected else {
        Issue.record("seed \(seed): fired \(fired), expected \(expected)")
        return
      }
    }
  }
}
