import PlaybackModel

/// Plays one announcement at a time: over the sound of a session, or over silence while no session has a run.
///
/// It survives the end of a session's run, and goes on where it was heard. Used on the pipeline's thread only.
final class AnnouncementSession {
  typealias Instant = ContinuousClock.Instant

  /// What the sessions do.
  struct Situation {
    /// Whether a track that is not paused is about to start.
    var isStarting = false
    /// Whether the sound that plays is live.
    var isLive = false
    /// Ends the session's held run, whose samples are opened again. The argument is called in between.
    var vacate: (() -> Void) -> Void = { $0() }
  }

  private struct Current {
    let id: Int
    let reader: AnnouncementReader
    let rate: Int
    /// Length of the silence at its end.
    let silence: Duration
  }

  /// Added to the silence around an announcement, since the card's level changes a little later.
  private static let slack = Duration.milliseconds(50)
  /// The place of two announcements is longer by this much: the second begins when the first has been heard.
  private static let changeover = Duration.milliseconds(300)

  /// A track that starts has this long before the announcement goes on over silence, which costs a gap.
  private static let grace = Duration.milliseconds(300)
  /// Time limit for the device to open.
  private static let openTimeout = Duration.seconds(10)
  /// Pause between two reports of the position.
  private static let interval = Duration.milliseconds(250)
  /// Lower rates use a device at 48 kHz.
  private static let lowestRate = 32_000

  private let output: OutputOwner
  private let report: (PipelineEvent) -> Void
  /// Reports the position of the track.
  private let measure: () -> Void
  /// Called when the device is free for the sessions again. The argument says whether it was closed before, or was to be
  /// closed meanwhile.
  private let free: (_ closesDevice: Bool) -> Void
  private var current: Current?
  private var closesDevice = false
  /// When the announcement is heard completely, in a run of the output.
  private var end: (run: RunID, time: Instant)?
  /// When its last sound is heard.
  private var lastSound: Instant?
  private var graceDeadline: Instant?
  private var openDeadline: Instant?
  /// When to report the position again, which stands still while the track pauses.
  private var measurement: Instant?
  /// Numbers the sources. Those of tracks are positive, those of clocked inputs negative.
  private let sourceID = Int.min

  init(
    output: OutputOwner, report: @escaping (PipelineEvent) -> Void, measure: @escaping () -> Void,
    free: @escaping (_ closesDevice: Bool) -> Void
  ) {
    self.output = output
    self.report = report
    self.measure = measure
    self.free = free
  }

  var isActive: Bool { current != nil }
  /// Whether sound of the announcement is still to be heard.
  var isHeard: Bool { current != nil && (end == nil || lastSound != nil) }

  var deadline: Instant? { [end?.time, lastSound, graceDeadline, openDeadline, measurement].compactMap(\.self).min() }

  // MARK: Commands

  /// Plays an announcement.
  /// - Parameters:
  ///   - silence: length of the silence before and after it, while the card's level changes; nil if it does not.
  ///   - gain: the factor on its samples.
  ///   - request: says whether the music pauses. If it is live, it goes on silently.
  func begin(
    _ id: Int, _ sound: AnnouncementSound, within silence: Duration?, gain: Double, _ request: AnnouncementRequest,
    _ situation: Situation
  ) {
    let rate = sound.parts.last?.rate ?? 0
    let silence = silence.map { $0 + Self.slack }
    let reader = AnnouncementReader(silence.map(sound.surrounded) ?? sound)
    current = Current(
      id: id, reader: reader, rate: rate < Self.lowestRate ? 48_000 : rate, silence: silence ?? .zero)
    (end, lastSound) = (nil, nil)
    let pauses = request.mode == .pause
    var overlay = Overlay(reader: reader, gain: gain, music: pauses ? 0 : AnnouncementStage.ducked)
    if output.isTapped {
      if request.isForGroup { overlay.place = .inStep }
    } else if pauses, output.isFlowing, !situation.isLive {
      overlay.place = .ofItsOwn
      measurement = .now + Self.interval
    }
    output.announce(overlay)
  }

  /// Another announcement will follow.
  func follow(_ duration: Duration) {
    guard let current else { return }
    output.lengthenPlace(by: (duration + current.silence * 2 + Self.changeover).nanoseconds)
  }

  func cancel() {
    guard current != nil else { return }
    current = nil
    stop(isOver: false)
  }

  /// The device is about to be replaced.
  func giveUpDevice() { output.endReservation() }

  /// Closes the device after the announcement.
  func closeAfterwards() { closesDevice = true }

  // MARK: Events

  /// Continues an announcement that no run carries. Called after every message.
  func proceed(_ situation: Situation, now: Instant) {
    guard let current else { return }
    if output.isFlowing {
      (graceDeadline, openDeadline) = (nil, nil)
      return
    }
    if !output.isReserved {
      guard current.reader.remaining != 0 else { return finish(nil) }
      if situation.isStarting {
        let deadline = graceDeadline ?? now + Self.grace
        graceDeadline = deadline
        if now < deadline { return }
      }
      reserve(situation, now: now)
    }
    if self.current != nil, output.isOpen { beginRun(at: current.rate) }
  }

  private func reserve(_ situation: Situation, now: Instant) {
    graceDeadline = nil
    openDeadline = now + Self.openTimeout
    if !output.isOpen { closesDevice = true }
    var event: OutputOwner.Event?
    if output.isHolding {
      situation.vacate { event = output.reserve() }
    } else {
      event = output.reserve()
    }
    handle(event)
  }

  private func beginRun(at rate: Int) {
    guard output.isReserved else { return }
    openDeadline = nil
    output.beginReserved(FeedSource(id: sourceID, trackID: 0, samples: SilenceSource(rate: rate), isLive: true))
  }

  /// The announcement has been added to the samples completely.
  func announced(now: Instant) {
    guard let current else { return }
    let time = now + .nanoseconds(output.unheard)
    (end, lastSound) = ((output.run, time), time - current.silence)
  }

  /// An event of a run over silence.
  func handle(_ event: OutputEvent) { handle(output.handle(event, demand: demand)) }

  func handleDeadlines(now: Instant) {
    if output.isReserved { handle(output.handleDeadlines(demand: demand, now: now)) }
    if let openDeadline, openDeadline <= now {
      self.openDeadline = nil
      finish(.outputUnreachable("it did not open in time"))
    }
    if let measurement, measurement <= now {
      self.measurement = now + Self.interval
      measure()
    }
    if let time = lastSound, time <= now { lastSound = nil }
    guard let end, end.time <= now else { return }
    (self.end, lastSound) = (nil, nil)
    // If the run has ended meanwhile, the rest is still to be heard.
    if end.run == output.run { finish(nil) }
  }

  private var demand: DeviceMachine.Demand { output.isFlowing ? .playing : .starting }

  private func handle(_ event: OutputOwner.Event?) {
    switch event {
    case .failed(let error): finish(error)
    case .ended: finish(nil)
    case .interrupted:
      output.close()
      finish(.outputUnreachable("the connection broke"))
    case .playing, .returned, nil: break
    }
  }

  private func finish(_ error: PlaybackError?) {
    guard let id = current?.id else { return }
    current = nil
    stop(isOver: error == nil)
    report(.announced(id: id, error))
  }

  private func stop(isOver: Bool) {
    (end, lastSound, graceDeadline, openDeadline) = (nil, nil, nil, nil)
    if measurement.take() != nil { measure() }
    let wasReserved = output.isReserved
    output.endAnnouncement(isOver: isOver)
    if wasReserved { free(closesDevice) }
    closesDevice = false
  }
}
