import SpeakerCore

/// Decides when major and minor of the beacon are updated, with one timer. Pure: moments and times in, fields and times out.
struct BeaconPacer: Sendable, Equatable {
  struct Output: Equatable {
    var hasChanged: Bool
    /// When to call `update(at:)` again; nil if only a new moment can change the fields.
    var next: ContinuousClock.Instant?
  }

  /// Minimum time between updates. Less than a second, because timers fire late and the delays would add up.
  static let pause = Duration.milliseconds(950)

  private(set) var session: BeaconSession
  private(set) var major: UInt16
  private(set) var minor: UInt16 = 0
  /// Whether BlueZ advertises the fields. Otherwise they need no timer: they are updated when BlueZ reads them.
  var isAdvertised = false
  private var pace = Pace(Self.pause)

  init(_ session: BeaconSession) {
    self.session = session
    major = session.major
  }

  /// - Returns: whether a session has begun. Call `update(at:)` in any case.
  mutating func note(_ moment: SpeakerState) -> Bool { session.note(moment) }

  mutating func update(at now: ContinuousClock.Instant) -> Output {
    let fields = (session.major, session.minor(at: now))
    var hasChanged = false
    if fields != (major, minor) {
      if isAdvertised, let next = pace.wait(at: now) { return Output(hasChanged: false, next: next) }
      (major, minor) = fields
      pace.happened(at: now)
      hasChanged = true
    }
    guard isAdvertised, let step = session.nextChange(after: now) else { return Output(hasChanged: hasChanged) }
    return Output(hasChanged: hasChanged, next: max(step, pace.wait(at: now) ?? step))
  }
}
