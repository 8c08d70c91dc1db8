import Logging
import PlaybackModel

/// Owns the audio device, the output chain and its feeder: starts, holds and ends runs of the output, and measures the
/// audible position.
///
/// Used on the pipeline's thread only.
final class OutputOwner {
  typealias Instant = ContinuousClock.Instant

  enum Event {
    case playing
    /// The device failed and was closed.
    case failed(PlaybackError)
    /// The output has played everything.
    case ended
    /// The output's server is gone, or its device has run dry too often; the output still knows the position. The session
    /// must close and open it again.
    case interrupted
    /// The output's server is back, and the output is open.
    case returned
  }

  /// Nil while there is no device.
  private(set) var output: OutputAnnouncement.Output?
  private var device: DeviceMachine
  /// Searches for an output; nil if the output is fixed.
  private var find: (@Sendable () throws(OutputError) -> OutputDescription)?
  private let mailbox: Mailbox
  private let tap: SoundTap?
  private let logger: Logger
  private let report: (PipelineEvent) -> Void
  private var settings: OutputSettings
  private var releaseDelay: Duration
  /// The last reported path of the samples; nil while the device is closed.
  private var signal: SignalFacts?
  private(set) var run = RunID()
  private var hasRun = false
  private var announcement = OutputAnnouncement()
  /// Whether an announcement uses the device alone. Then the session's commands have no effect, except `begin`.
  private(set) var isReserved = false
  private var deadlines = RunDeadlines()
  private var buffer = DeviceBuffer(isRealTime: false)

  init(
    _ choice: OutputChoice, settings: PlayerSettings, mailbox: Mailbox, tap: SoundTap?, logger: Logger,
    report: @escaping (PipelineEvent) -> Void
  ) {
    find = choice.find
    self.mailbox = mailbox
    self.tap = tap
    self.logger = logger
    self.report = report
    releaseDelay = settings.deviceRelease
    self.settings = OutputSettings(defaultTrackGain: settings.replayGain.factor(for: nil))
    device = DeviceMachine(canSearch: choice.find != nil, missing: .deviceMissing)
    guard let description = choice.output else {
      _ = perform(device.search(), demand: .none)
      return
    }
    do throws(OutputError) {
      try attach(description)
      _ = perform(device.found(demand: .none, now: .now), demand: .none)
    } catch {
      logger.error("\(error)")
      device = DeviceMachine(canSearch: choice.find != nil, missing: error.playbackError)
    }
  }

  /// When `handleDeadlines` is to be called next.
  var deadline: Instant? { [device.deadline, deadlines.next].compactMap(\.self).min() }

  func handleDeadlines(demand: DeviceMachine.Demand, now: Instant) -> Event? {
    if let event = perform(device.handleDeadline(demand: demand, now: now), demand: demand) { return event }
    if deadlines.takeHurry(at: now) { feeder?.hurry() }
    return deadlines.takeEnd(at: now) ? .ended : nil
  }

  /// Handles an event of the current run.
  func handle(_ event: OutputEvent, demand: DeviceMachine.Demand) -> Event? {
    switch event {
    case .playing:
      deadlines.playing()
      return .playing
    case .ended: return .ended
    case .failed(let failure):
      logger.debug("output: \(failure.message) [\(failure.debug)]")
      return failed(
        chain?.isRemote == true && failure.domain == .resource
          ? .outputUnreachable("the connection broke") : PlaybackError(device: failure), demand: demand)
    case .connected(let reason?): return failed(.outputUnreachable(reason), demand: demand)
    case .connected(nil): return demand == .none ? nil : perform([.open(isProbed: false)], demand: demand)
    case .latencyChanged: chain?.recalculateLatency()
    case .xrun:
      report(.xrun)
      return buffer.ranDry(at: .now) && !isReserved ? .interrupted : nil
    case .signalChanged: reportSignal()
    case .announced: break
    }
    return nil
  }

  var chain: OutputChain? { output?.chain }
  private var feeder: Feeder? { output?.feeder }

  func setSamples(gain: Double, isMuted: Bool) {
    (settings.gain, settings.isMuted) = (gain, isMuted)
    chain?.converter.setVolume(gain)
    chain?.converter.setMuted(isMuted)
    reportSignal()
  }

  func setBalance(_ step: Int) {
    settings.balance = step
    chain?.converter.setBalance(step)
    reportSignal()
  }

  /// - Parameter equalizer: nil to switch it off.
  func setEqualizer(_ equalizer: EqualizerSettings?) {
    settings.equalizer = equalizer
    chain?.converter.setEqualizer(equalizer)
    reportSignal()
  }

  func start(_ fade: Fade) {
    guard let chain else { return settings.start(fade) }
    chain.converter.start(fade)
    reportSignal()
  }

  func setTrackGains(_ gains: [Int: Double?]) {
    settings.trackGains = gains
    chain?.converter.setTrackGains(gains)
  }

  /// Sets the ReplayGain factor of tracks without tags.
  func setDefaultTrackGain(_ gain: Double?) {
    settings.defaultTrackGain = gain
    chain?.converter.setDefaultTrackGain(gain)
  }

  /// Ends the feeder's thread and closes the device.
  func quit() {
    endRun()
    guard let output else { return }
    output.feeder.quit()
    output.feeder.waitUntilIdle()
    output.chain.close()
  }
}

// MARK: - The device

extension OutputOwner {
  var isOpen: Bool { device.isOpen }

  /// Whether playback waits for the output's server.
  var isAway: Bool { device.isAway }

  /// Opens the device for a new track.
  /// - Returns: a failure. If opening fails asynchronously, `OutputEvent.failed` follows.
  func open() -> Event? { isReserved ? nil : perform(device.start(now: .now), demand: .starting) }

  /// The device cannot be opened, or was lost.
  /// - Returns: the failure of the track; nil if another attempt follows.
  private func failed(_ error: PlaybackError, demand: DeviceMachine.Demand) -> Event? {
    perform(device.failed(error, demand: demand, now: .now), demand: demand)
  }

  /// Closes the device after the release delay.
  /// - Parameter delay: nil for the usual one.
  func scheduleRelease(after delay: Duration? = nil) {
    if !isReserved { device.scheduleRelease(at: .now + (delay ?? releaseDelay)) }
  }

  /// Sets the time from a stop to the closing of the device, from the next stop on.
  func setReleaseDelay(_ delay: Duration) { releaseDelay = delay }

  /// Closes the device and searches for another one, now and whenever it is needed.
  func replace(find: @escaping @Sendable () throws(OutputError) -> OutputDescription) {
    _ = perform([.close, .detach], demand: .none)
    self.find = find
    device = DeviceMachine(canSearch: true, missing: .deviceMissing)
    _ = perform(device.search(), demand: .none)
  }

  func close() { _ = perform(device.close(), demand: .none) }

  /// - Returns: what the session must react to.
  private func perform(_ actions: [DeviceMachine.Action], demand: DeviceMachine.Demand) -> Event? {
    for action in actions {
      switch action {
      case .search: if let event = search(demand: demand) { return event }
      case .open(let isProbed): if let event = open(isProbed: isProbed, demand: demand) { return event }
      case .close:
        // The run ends first: the feeder may be waiting for this device, and reads its ring buffer.
        endRun()
        chain?.close()
        setSignal(nil)
      case .detach:
        feeder?.quit()
        if let chain { settings.fade = chain.converter.fade }
        output = nil
      case .log(let error): logger.warning("\(error)")
      case .reportMissing: report(.output(nil))
      case .reportReturn:
        if let output { report(.output(output.description)) }
        return .returned
      case .interrupt: return .interrupted
      case .fail(let error): return .failed(error)
      }
    }
    return nil
  }

  /// Reports the path of the samples to the device if it has changed. While the device is open, the last path stays
  /// until the next samples.
  private func reportSignal() {
    if device.isOpen, let signal = chain?.converter.signal { setSignal(signal) }
  }

  private func setSignal(_ signal: SignalFacts?) {
    guard signal != self.signal else { return }
    self.signal = signal
    report(.signal(signal))
  }

  private func search(demand: DeviceMachine.Demand) -> Event? {
    guard let find else { return nil }
    do throws(OutputError) {
      let description = try find()
      try attach(description)
      report(.output(description))
    } catch {
      return perform(device.notFound(error, demand: demand, now: .now), demand: demand)
    }
    return perform(device.found(demand: demand, now: .now), demand: demand)
  }

  private func open(isProbed: Bool, demand: DeviceMachine.Demand) -> Event? {
    guard let chain, isProbed || !chain.connect() else { return nil }
    do throws(PlaybackError) {
      if !isProbed { try chain.probe() }
    } catch {
      return failed(error, demand: demand)
    }
    // On failure, the reason is already in the mailbox.
    return perform(device.opened(chain.open()), demand: demand)
  }

  /// Builds the output chain and its feeder.
  private func attach(_ description: OutputDescription) throws(OutputError) {
    let chain = try OutputChain(description, mailbox: mailbox)
    settings.apply(to: chain.converter)
    chain.silence(before: run)
    let output = (description, chain, Feeder(output: chain, mailbox: mailbox, tap: tap))
    announcement.attach(to: output)
    self.output = output
    // A server plays late sound with a gap, and reports no underrun.
    buffer = DeviceBuffer(isRealTime: RealTime.isPermitted && !description.isRemote)
  }
}

// MARK: - Runs

extension OutputOwner {
  /// Starts a run. See `OutputChain.begin`.
  func begin(
    with source: FeedSource, following: [FeedSource], expectsMore: Bool, isHeld: Bool, isPrompt: Bool = false
  ) {
    endReservation()
    begin(source, following: following, expectsMore: expectsMore, isHeld: isHeld, isPrompt: isPrompt)
  }

  private func begin(
    _ source: FeedSource, following: [FeedSource], expectsMore: Bool, isHeld: Bool, isPrompt: Bool
  ) {
    guard let output else { return }
    hasRun = true
    let length = buffer.begin(isPrompt: isPrompt, isServer: output.chain.converter.isServer)
    output.chain.begin(run, isHeld: isHeld, buffer: length)
    tap?.begin(run, output.chain)
    output.feeder.begin(run, source: source, following: following, expectsMore: expectsMore)
  }

  /// Ends the run and cancels everything that was planned for the device.
  func silence() {
    if isReserved { return }
    device.cancel()
    endRun()
  }

  /// Ends the run in any state. Afterwards the feeder uses neither source nor device.
  private func endRun() {
    run = run.next
    deadlines = RunDeadlines()
    tap?.end()
    guard let output else { return }
    let heard = announcement.isActive ? output.chain.clock.heard : 0
    output.feeder.halt()
    output.chain.silence(before: run)
    output.feeder.waitUntilIdle()
    if hasRun { announcement.runEnded(on: output, heard: heard) }
    hasRun = false
  }

  /// Holds the output: playback is paused, or waits for the source.
  func hold() {
    if isReserved { return }
    deadlines.held()
    chain?.hold()
  }

  /// Resumes a held output. If its buffer was empty, it starts only with new samples. The feeder may wait with these,
  /// so it is hurried after 60 ms.
  func resume() {
    if isReserved { return }
    chain?.resume()
    deadlines.resumed(heard: runningTime ?? 0)
  }

  /// EOS was sent to the output; its sound ends at that running time.
  func finished(at runningTime: Int64) {
    deadlines.finished(at: runningTime)
    if let chain, !chain.context.isHeld { deadlines.watchEnd(heard: chain.clock.heard) }
  }

  // MARK: Feeding

  var fedSourceID: Int? { isReserved ? nil : feeder?.fedSourceID }

  /// Whether the device needs samples and the feeder has none.
  var isStarving: Bool { !isReserved && feeder?.isStarving == true }

  func setFollowing(_ sources: [FeedSource]) { if !isReserved { feeder?.setFollowing(sources) } }

  func setExpectsMore(_ expectsMore: Bool, of sourceID: Int) {
    if !isReserved { feeder?.setExpectsMore(expectsMore, of: sourceID) }
  }
}

// MARK: - Announcements

extension OutputOwner {
  /// Whether a session's run takes samples now.
  var isFlowing: Bool { hasRun && !isReserved && chain?.context.isHeld == false }
  /// Whether a session's run is held.
  var isHolding: Bool { hasRun && !isReserved && chain?.context.isHeld == true }

  var isTapped: Bool { tap?.isOn == true }

  /// Adds an announcement to the present run, or to the next one.
  func announce(_ overlay: Overlay) { announcement.begin(overlay, on: output) }

  /// Another announcement will follow without music in between, if there is still time.
  func lengthenPlace(by nanoseconds: Int64) { announcement.lengthenPlace(by: nanoseconds, on: output) }

  func setAnnouncementGain(_ gain: Double) { announcement.setGain(gain, on: output) }

  var hasAnnouncement: Bool { announcement.isActive }

  /// How much later changed samples are heard.
  var delay: Duration { .microseconds(buffer.delay) }

  /// How long the announcement will be heard that was added to samples, in nanoseconds.
  var unheard: Int64 { chain.map { max(0, $0.converter.announcedEnd - $0.clock.heard) } ?? 0 }

  /// Ends the announcement. The session's run goes on.
  /// - Parameter isOver: false if the announcement has not been heard completely.
  func endAnnouncement(isOver: Bool) {
    announcement.end(keepsLow: isOver && !isReserved, on: output)
    endReservation()
  }

  /// Reserves the device for an announcement, and opens it.
  /// - Returns: a failure. If opening fails asynchronously, `OutputEvent.failed` follows.
  func reserve() -> Event? {
    device.cancel()
    let event = perform(device.start(now: .now), demand: .starting)
    isReserved = true
    return event
  }

  /// Plays the announcement over silence. The device must be reserved and open.
  func beginReserved(_ source: FeedSource) {
    guard isReserved, !hasRun else { return }
    begin(source, following: [], expectsMore: false, isHeld: false, isPrompt: false)
  }

  /// Ends the run over silence, if there is one. The announcement goes on in the next run.
  func endReservation() {
    guard isReserved else { return }
    isReserved = false
    if hasRun { endRun() }
  }
}
