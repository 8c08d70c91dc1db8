import PlaybackTestKit
import Testing

@testable import Companion

@Suite struct ButtonMachineTests {
  /// A trigger and when it fires, in milliseconds.
  struct Fired: Equatable, CustomStringConvertible {
    var trigger: ButtonTrigger
    var time: Int

    init(_ trigger: ButtonTrigger, _ time: Int) { (self.trigger, self.time) = (trigger, time) }

    var description: String { "\(trigger) at \(time)" }
  }

  struct Row: Sendable {
    let triggers: Set<ButtonTrigger>
    /// When the key goes down, up, down and so on, in milliseconds.
    let times: [Int]
    let fired: [(ButtonTrigger, Int)]

    init(_ triggers: Set<ButtonTrigger>, _ times: [Int], _ fired: [(ButtonTrigger, Int)]) {
      (self.triggers, self.times, self.fired) = (triggers, times, fired)
    }
  }

  private static let start = ContinuousClock.now

  /// The triggers that fire up to ten seconds after the last time.
  private static func run(_ triggers: Set<ButtonTrigger>, _ times: [Int]) -> [Fired] {
    var machine = ButtonMachine(triggers)
    var fired: [Fired] = []
    func advance(to time: Int) {
      while let deadline = machine.deadline, deadline < start + .milliseconds(time) {
        let milliseconds = Int((deadline - start) / .milliseconds(1))
        fired += machine.advance(to: deadline).map { Fired($0, milliseconds) }
      }
    }
    for (index, time) in times.enumerated() {
      advance(to: time)
      let instant = start + .milliseconds(time)
      fired += (index % 2 == 0 ? machine.press(at: instant) : machine.release(at: instant)).map { Fired($0, time) }
    }
    advance(to: (times.last ?? 0) + 10_000)
    return fired
  }

  // MARK: Table

  private static let rows: [Row] = [
    // Click fires at once if no other trigger needs the time after the press.
    Row([.click], [0, 100], [(.click, 0)]),
    Row([.click], [0, 2000, 2050, 2100], [(.click, 0), (.click, 2050)]),
    Row([.click, .down, .up], [0, 100], [(.down, 0), (.click, 0), (.up, 100)]),
    // Click or hold
    Row([.click, .hold], [0, 100], [(.click, 100)]),
    Row([.click, .hold], [0, 599], [(.click, 599)]),
    Row([.click, .hold], [0, 1000], [(.hold, 600)]),
    Row([.click, .hold], [0, 100, 150, 250], [(.click, 100), (.click, 250)]),
    Row([.hold], [0, 100], []),
    // Click or double click
    Row([.click, .double], [0, 100], [(.click, 400)]),
    Row([.click, .double], [0, 100, 200, 300], [(.double, 200)]),
    Row([.click, .double], [0, 100, 399, 500], [(.double, 399)]),
    Row([.click, .double], [0, 100, 400, 500], [(.click, 400), (.click, 800)]),
    Row([.click, .double], [0, 2000], [(.click, 400)]),
    Row([.click, .double], [0, 100, 200, 250, 300, 350], [(.double, 200), (.click, 700)]),
    Row([.double], [0, 100], []),
    Row([.double], [0, 100, 200, 2000], [(.double, 200)]),
    // Click, double click or hold
    Row([.click, .double, .hold], [0, 100], [(.click, 400)]),
    Row([.click, .double, .hold], [0, 500], [(.click, 500)]),
    Row([.click, .double, .hold], [0, 100, 200, 300], [(.double, 200)]),
    Row([.click, .double, .hold], [0, 100, 200, 2000], [(.double, 200)]),
    Row([.click, .double, .hold], [0, 700], [(.hold, 600)]),
    // Repetition
    Row([.click, .repeat], [0, 600], [(.click, 0), (.repeat, 400), (.repeat, 550)]),
    Row([.repeat], [0, 399], []),
    Row([.repeat, .up], [0, 400], [(.repeat, 400), (.up, 400)]),
  ]

  @Test(arguments: rows.indices) func firesAsSoonAsNothingElseCanCome(index: Int) {
    let row = Self.rows[index]
    #expect(Self.run(row.triggers, row.times) == row.fired.map { Fired($0, $1) })
  }

  @Test func aDeviceThatIsGoneReleasesItsKeys() {
    var machine = ButtonMachine([.down, .up, .hold])
    #expect(machine.press(at: Self.start) == [.down])
    #expect(machine.reset() == [.up])
    #expect(machine.deadline == nil)
    #expect(machine.release(at: Self.start + .seconds(1)).isEmpty)
  }

  @Test func theDevicesOwnRepetitionIsNoPress() {
    var machine = ButtonMachine([.click, .down])
    #expect(machine.press(at: Self.start) == [.down, .click])
    #expect(machine.press(at: Self.start + .milliseconds(33)).isEmpty)
  }

  // MARK: Model

  /// The expected triggers for a sequence of presses, derived from each press and the one after it.
  static func model(_ triggers: Set<ButtonTrigger>, _ times: [Int]) -> [Fired] {
    let presses = stride(from: 0, to: times.count, by: 2).map { (down: times[$0], up: times[$0 + 1]) }
    var fired: [Fired] = []
    var isSecond = false
    for (index, press) in presses.enumerated() {
      fired.append(Fired(.down, press.down))
      fired.append(Fired(.up, press.up))
      fired += stride(from: press.down + 400, through: press.up, by: 150).map { Fired(.repeat, $0) }
      if isSecond {
        isSecond = false
        fired.append(Fired(.double, press.down))
        continue
      }
      let isDoubled = presses.dropFirst(index + 1).first.map { $0.down < press.down + 400 } ?? false
      if triggers.contains(.hold), press.up >= press.down + 600 {
        fired.append(Fired(.hold, press.down + 600))
      } else if triggers.contains(.double), isDoubled {
        isSecond = true
      } else if triggers.contains(.double) {
        let late = press.down + 400
        fired.append(Fired(.click, triggers.contains(.hold) ? max(late, press.up) : late))
      } else {
        fired.append(Fired(.click, triggers.contains(.hold) ? press.up : press.down))
      }
    }
    return fired.filter { triggers.contains($0.trigger) }
  }

  @Test func randomSequencesFollowTheModel() {
    for seed in 1...3000 as ClosedRange<UInt64> {
      var random = SplitMix(state: seed)
      let triggers = Set(ButtonTrigger.allCases.filter { _ in Bool.random(using: &random) })
      var time = 0
      let times = (0..<2 * Int.random(in: 1...12, using: &random)).map { _ in
        time += Int.random(in: 1...([60, 250, 450, 900].randomElement(using: &random) ?? 60), using: &random)
        return time
      }
      let order = { (first: Fired, second: Fired) in
        (first.time, first.trigger.rawValue) < (second.time, second.trigger.rawValue)
      }
      let (fired, expected) = (
        Self.run(triggers, times).sorted(by: order), Self.model(triggers, times).sorted(by: order)
      )
      guard fired == expected else {
        Issue.record("seed \(seed): \(triggers.map(\.rawValue)) \(times): fired \(fired), expected \(expected)")
        return
      }
    }
  }
}
