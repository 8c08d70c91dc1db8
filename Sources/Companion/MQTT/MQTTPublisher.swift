import PlaybackModel
import SpeakerCore

/// Decides which topics of the state are published when. A change after a quiet time is published at once, later ones are
/// coalesced to four publications a second. Only changed values are published, and positions only when they jump.
struct MQTTPublisher {
  /// The shortest time between two publications.
  static let interval = Duration.milliseconds(250)
  /// A position that differs more than this from the expected one has jumped.
  static let jump = Duration.milliseconds(1500)

  /// The messages to publish now, and the next deadline.
  struct Output: Equatable {
    var payloads: [String: String] = [:]
    /// When to call `take` next.
    var timer: ContinuousClock.Instant?
  }

  private struct Anchor {
    var trackID: Int
    var state: TransportState
    var position: Duration
    var time: ContinuousClock.Instant
    /// The published time in seconds since 1970; nil before.
    var unixTime: Double?

    func expected(at now: ContinuousClock.Instant) -> Duration {
      state == .playing ? position + (now - time) : position
    }
  }

  /// Nil until the speaker's state is known.
  private(set) var moment: SpeakerState?
  private var anchor: Anchor?
  private var presence = ""
  private var published: [String: String] = [:]
  /// Whether the payloads may differ from the published ones.
  private var isChanged = false
  private var pace = Pace(Self.interval)

  /// The speaker has changed.
  mutating func update(_ moment: SpeakerState, at now: ContinuousClock.Instant) {
    self.moment = moment
    isChanged = true
    let position = moment.position(at: now)
    let difference = anchor.map { position - $0.expected(at: now) } ?? .zero
    if anchor == nil || anchor?.trackID != moment.trackID || anchor?.state != moment.state
      || difference > Self.jump || difference < .zero - Self.jump
    {
      anchor = Anchor(trackID: moment.trackID, state: moment.state, position: position, time: now)
      // Subscribers count from the moment of receipt, so publish the position even if it is the same number.
      (published["position"], published["json"]) = (nil, nil)
    }
  }

  /// People have arrived or left.
  /// - Parameter report: nil while presence is off.
  mutating func update(_ report: PresenceReport?) {
    let text = report.map { MQTTState.presence($0.people) } ?? ""
    if text != presence { (presence, isChanged) = (text, true) }
  }

  /// Dates the anchor, and dates it again when the system's clock has been set, as after the start of a machine without a
  /// clock of its own.
  private mutating func dateAnchor(at now: ContinuousClock.Instant, unixTime: Double) {
    guard let anchor else { return }
    let time = unixTime - (now - anchor.time) / .seconds(1)
    if let dated = anchor.unixTime, abs(dated - time) < 1 { return }
    self.anchor?.unixTime = time
    isChanged = true
  }

  /// A new connection: everything is published again.
  mutating func connected(at now: ContinuousClock.Instant) {
    published = [:]
    isChanged = true
    pace = Pace(Self.interval)
    // The retained position must be current.
    anchor = moment.map { Anchor(trackID: $0.trackID, state: $0.state, position: $0.position(at: now), time: now) }
  }

  /// The payloads to publish now, by topic below the prefix.
  /// - Parameter unixTime: the present time in seconds since 1970.
  mutating func take(at now: ContinuousClock.Instant, unixTime: Double) -> Output {
    dateAnchor(at: now, unixTime: unixTime)
    guard isChanged, let moment, let anchor else { return Output() }
    if let time = pace.wait(at: now) { return Output(timer: time) }
    isChanged = false
    var payloads = MQTTState(moment, position: anchor.position, unixTime: anchor.unixTime ?? unixTime).payloads
    payloads[MQTTState.presenceTopic] = presence
    let changed = payloads.filter { published[$0.key] != $0.value }
    guard !changed.isEmpty else { return Output() }
    published = payloads
    pace.happened(at: now)
    return Output(payloads: changed)
  }
}
