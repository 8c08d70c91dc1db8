import Testing

@testable import Companion

@Suite struct AnnouncementPacerTests {
  enum Step {
    /// Milliseconds, the value of "a", whether the position jumped.
    case update(Int, Int, Bool = false)
    case fire(Int)
  }

  /// An action, with the time in milliseconds.
  enum Action: Equatable {
    case appear
    case announce
    case jump
    case wait(Int)
  }

  @Test(
    arguments: [
      // The speaker appears on the bus with its first values, not before; the first change is announced at once.
      [(.update(0, 1), [.appear]), (.update(1000, 2), [.announce])],
      // Changes during the pause are coalesced and announced at its end.
      [
        (.update(0, 1), [.appear]), (.update(0, 2), [.announce]), (.update(50, 3), [.wait(200)]), (.update(100, 4), []),
        (.fire(200), [.announce]), (.update(300, 5), [.wait(400)]), (.fire(400), [.announce]),
        (.update(600, 6), [.announce]),
      ],
      // A change that is reverted during the pause is not announced.
      [
        (.update(0, 1), [.appear]), (.update(0, 2), [.announce]), (.update(50, 3), [.wait(200)]), (.update(60, 2), []),
        (.fire(200), []), (.update(210, 3), [.announce]),
      ],
      // Unchanged values are not announced.
      [(.update(0, 1), [.appear]), (.update(500, 1), [])],
      // A jump is announced after the changes of the same update. Jumps during the pause are coalesced.
      [
        (.update(0, 1), [.appear]), (.update(500, 1, true), [.jump]), (.update(510, 1, true), [.wait(700)]),
        (.update(520, 2, true), []), (.fire(700), [.announce, .jump]), (.update(1000, 3), [.announce]),
      ],
    ] as [[(Step, [Action])]]) func announcements(_ steps: [(Step, [Action])])
  {
    let start = ContinuousClock.now
    func time(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }
    var pacer = AnnouncementPacer<Int>(pause: .milliseconds(200))
    for (number, (step, expected)) in steps.enumerated() {
      let actions =
        switch step {
        case .update(let now, let value, let hasJumped):
          pacer.update(["a": value, "b": 0], hasJumped: hasJumped, at: time(now))
        case .fire(let now): pacer.fire(at: time(now))
        }
      let wanted = expected.map { action -> AnnouncementPacer<Int>.Action in
        switch action {
        case .appear: .appear
        case .announce: .announce(["a"])
        case .jump: .announceJump
        case .wait(let until): .wait(until: time(until))
        }
      }
      #expect(actions == wanted, "step \(number)")
    }
  }
}
