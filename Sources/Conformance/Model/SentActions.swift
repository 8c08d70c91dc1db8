/// The actions that a run has sent, to tell its own changes from those of other controllers.
struct SentActions: Sendable {
  private(set) var times: [String: ContinuousClock.Instant] = [:]
  /// The arguments of all actions.
  private var values: Set<String> = []

  mutating func add(_ action: String, _ arguments: [String], at time: ContinuousClock.Instant) {
    times[action] = time
    values.formUnion(arguments)
  }

  /// A change that an event reports.
  struct Change: Sendable, Hashable {
    var variable: String
    var value: String
    var arrival: ContinuousClock.Instant
  }

  /// Devices hold events back for up to a second, and apply some changes late.
  private static let delay = Duration.seconds(4)
  /// The beginnings of the names of actions that change something.
  private static let verbs = [
    "Set", "Play", "Pause", "Stop", "Seek", "Next", "Previous", "Skip", "Insert", "Delete", "Select", "Invoke",
    "VolumeInc", "VolumeDec", "BalanceInc", "BalanceDec", "FadeInc", "FadeDec", "Clear", "Swap",
  ]

  /// Whether nothing that the run has sent explains a change. What the device does soon after an action is its own.
  /// - Parameters:
  ///   - start: of the check.
  ///   - local: our address, which is in the URIs of our files.
  func isForeign(_ change: Change, since start: ContinuousClock.Instant, local: String) -> Bool {
    switch change.variable {
    case "Volume": !isEffect(change)
    case "AVTransportURI", "CurrentTrackURI", "Uri":
      !["", "NOT_IMPLEMENTED"].contains(change.value) && !values.contains(change.value) && !change.value.contains(local)
    case "TransportState":
      ["PAUSED_PLAYBACK", "Paused"].contains(change.value) && !isEffect(change)
        && times["Pause"].map { $0 < start - Self.delay } ?? true
    default: false
    }
  }

  private func isEffect(_ change: Change) -> Bool {
    times.contains { name, time in
      Self.verbs.contains { name.hasPrefix($0) } && time > change.arrival - Self.delay
    }
  }
}
