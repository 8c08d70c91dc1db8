/// An event outside of a check that makes its verdict unreliable.
public enum Disturbance: Sendable, Hashable {
  /// The device did not answer for a while.
  case absence
  case restart
  /// Another controller changed the device. The text says what.
  case controller(String)
  /// The tester or the device was slow. The text says which.
  case slowness(String)
  /// The device has not come back.
  case gone
  /// The time of the run is over.
  case limit(Duration)

  /// The reason why a check could not be judged.
  var reason: String {
    switch self {
    case .absence: "the device stopped answering for a while"
    case .restart: "the device restarted"
    case .controller(let change): "another controller interfered: \(change)"
    case .slowness(let reason): reason
    case .gone: "the device no longer answers"
    case .limit(let limit): "the run's limit of \(Figures.minutes(limit)) is over; --limit allows more"
    }
  }

  /// The verdict on a check that was disturbed twice. A device that fails twice in the same check has a fault there.
  var verdict: CheckResult.Verdict {
    switch self {
    case .absence: .fail(expected: "the device to go on answering", got: "it stopped twice during this check")
    case .restart: .fail(expected: "the device to go on running", got: "it restarted twice during this check")
    case .controller, .slowness, .gone, .limit: .inconclusive(reason)
    }
  }
}
