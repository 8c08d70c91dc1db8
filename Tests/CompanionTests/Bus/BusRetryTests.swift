import Testing

@testable import Companion

@Suite struct BusRetryTests {
  enum Step {
    /// Seconds, and whether the connection is logged.
    case connected(Int, Bool)
    /// Seconds, the pause in seconds, and how the loss is logged.
    case lost(Int, Int, BusRetry.Loss)
  }

  @Test(
    arguments: [
      // A bus that is missing, and then restarts after a long time.
      [
        .lost(0, 1, .first), .lost(1, 2, .further), .lost(3, 4, .further), .connected(7, true), .lost(1000, 1, .first),
        .connected(1001, true),
      ],
      // A bus that drops every connection: the pauses grow, and the log has three messages.
      [
        .connected(0, false), .lost(0, 1, .first), .connected(1, true), .lost(1, 2, .again), .connected(3, false),
        .lost(3, 4, .further), .connected(7, false), .lost(7, 8, .further), .connected(15, false),
        .lost(16, 16, .further),
      ],
      // A connection counts as stable after thirty seconds.
      [.connected(0, false), .lost(0, 1, .first), .connected(1, true), .lost(30, 2, .again)],
      [.connected(0, false), .lost(0, 1, .first), .connected(1, true), .lost(31, 1, .first), .lost(32, 2, .further)],
    ] as [[Step]]) func losses(_ steps: [Step])
  {
    let start = ContinuousClock.now
    var retry = BusRetry(RetryPauses())
    for (number, step) in steps.enumerated() {
      switch step {
      case .connected(let time, let isLogged):
        #expect(retry.connected(at: start + .seconds(time)) == isLogged, "step \(number)")
      case .lost(let time, let pause, let loss):
        let result = retry.lost(at: start + .seconds(time))
        #expect(result.pause == .seconds(pause) && result.loss == loss, "step \(number)")
      }
    }
  }
}
