/// Decides when changed properties and jumps of the position are announced: the first at once, later ones coalesced to
/// one announcement per pause.
struct AnnouncementPacer<Value: Equatable> {
  enum Action: Equatable {
    /// The first values are known: clients may see the speaker now. They read these values, so nothing is announced.
    case appear
    /// These properties have other values than announced before.
    case announce([String])
    case announceJump
    case wait(until: ContinuousClock.Instant)
  }

  private var pace: Pace
  private var announced: [String: Value]?
  private var current: [String: Value] = [:]
  private var hasJumped = false
  private var isWaiting = false

  init(pause: Duration = .milliseconds(200)) { pace = Pace(pause) }

  /// - Parameter values: the values of all properties.
  mutating func update(_ values: [String: Value], hasJumped: Bool, at now: ContinuousClock.Instant) -> [Action] {
    guard announced != nil else {
      (announced, current) = (values, values)
      return [.appear]
    }
    current = values
    self.hasJumped = self.hasJumped || hasJumped
    if isWaiting { return [] }
    guard let next = pace.wait(at: now) else { return announce(at: now) }
    guard !changes.isEmpty || self.hasJumped else { return [] }
    isWaiting = true
    return [.wait(until: next)]
  }

  /// Called when the wait is over.
  mutating func fire(at now: ContinuousClock.Instant) -> [Action] {
    isWaiting = false
    return announce(at: now)
  }

  private var changes: [String] { current.filter { announced?[$0.key] != $0.value }.keys.sorted() }

  private mutating func announce(at now: ContinuousClock.Instant) -> [Action] {
    let names = changes
    var actions: [Action] = names.isEmpty ? [] : [.announce(names)]
    // Announce the jump after the metadata, because clients apply the position to the track that they know.
    if hasJumped { actions.append(.announceJump) }
    guard !actions.isEmpty else { return [] }
    (announced, hasJumped) = (current, false)
    pace.happened(at: now)
    return actions
  }
}
