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
    /// The output's server is gone; the output still knows the position. The session must close and open it again.
    case interrupted
    /// The output's server is back, and the output is open.
    case returned
  }

  /// Nil while there is no device.
  private var output: (description: OutputDescription, chain: OutputChain, feeder: Feeder)?
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
  /// Running time of the end of the sound; nil until EOS was sent.
  private var endTime: Int64?
  /// When to hurry the feeder if the output has not started by then.
  private var hurryDeadline: Instant?
  /// When the output should have reached its end.
  private var endDeadline: Instant?

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
  var deadline: Instant? { [device.deadline, hurryDeadline, endDeadline].compactMap(\.self).min() }

  func handleDeadlines(demand: DeviceMachine.Demand, now: Instant) -> Event? {
    if let event = perform(device.handleDeadline(demand: demand, now: now), demand: demand) { return event }
    if let deadline = hurryDeadline, deadline <= now {
      hurryDeadline = nil
      feeder?.hurry()
    }
    if let deadline = endDeadline, deadline <= now {
      endDeadline = nil
      return .ended
    }
    return nil
  }

  /// Handles an event of the current run.
  func handle(_ event: OutputEvent, demand: DeviceMachine.Demand) -> Event? {
    switch event {
    case .playing:
      hurryDeadline = nil
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
    case .xrun: report(.xrun)
    case .signalChanged: reportSignal()
    }
    return nil
  }

  private var chain: OutputChain? { output?.chain }
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
  func open() -> Event? { perform(device.start(now: .now), demand: .starting) }

  /// The device cannot be opened, or was lost.
  /// - Returns: the failure of the track; nil if another attempt follows.
  private func failed(_ error: PlaybackError, demand: DeviceMachine.Demand) -> Event? {
    perform(device.failed(error, demand: demand, now: .now), demand: demand)
  }

  /// Closes the device after the release delay.
  func scheduleRelease() { device.scheduleRelease(at: .now + releaseDelay) }

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
    output = (description, chain, Feeder(output: chain, mailbox: mailbox, tap: tap))
  }
}

// MARK: - Runs

extension OutputOwner {
  /// Starts a run. See `OutputChain.begin`.
  func begin(
    with source: FeedSource, following: [FeedSource], expectsMore: Bool, isHeld: Bool, isPrompt: Bool = false
  ) {
    guard let output else { return }
    output.chain.begin(run, isHeld: isHeld, isPrompt: isPrompt)
    tap?.begin(run, output.chain)
    output.feeder.begin(run, source: source, following: following, expectsMore: expectsMore)
  }

  /// Ends the run and cancels everything that was planned for the device.
  func silence() {
    device.cancel()
    endRun()
  }

  /// Ends the run in any state. Afterwards the feeder uses neither source nor device.
  private func endRun() {
    run = run.next
    endTime = nil
    hurryDeadline = nil
    endDeadline = nil
    tap?.end()
    guard let output else { return }
    output.feeder.halt()
    output.chain.silence(before: run)
    output.feeder.waitUntilIdle()
  }

  /// Holds the output: playback is paused, or waits for the source.
  func hold() {
    endDeadline = nil
    chain?.hold()
  }

  /// Resumes a held output. If its buffer was empty, it starts only with new samples. The feeder may wait with these,
  /// so it is hurried after 60 ms.
  func resume() {
    chain?.resume()
    hurryDeadline = .now + .milliseconds(60)
    watchEnd()
  }

  /// EOS was sent to the output; its sound ends at that running time.
  func finished(at runningTime: Int64) {
    endTime = runningTime
    if chain?.context.isHeld == false { watchEnd() }
  }

  /// Sets a deadline for the end, in case the device does not report it: a sound server's clock stops when it runs dry.
  private func watchEnd() {
    guard let endTime, let chain else { return }
    let grace = endTime == 0 ? Duration.zero : .seconds(2)
    endDeadline = .now + .nanoseconds(max(0, endTime - chain.clock.heard)) + grace
  }

  // MARK: Feeding

  var fedSourceID: Int? { feeder?.fedSourceID }

  /// Whether the device needs samples and the feeder has none.
  var isStarving: Bool { feeder?.isStarving == true }

  func setFollowing(_ sources: [FeedSource]) { feeder?.setFollowing(sources) }

  func setExpectsMore(_ expectsMore: Bool, of sourceID: Int) {
    feeder?.setExpectsMore(expectsMore, of: sourceID)
  }

  // MARK: Measuring

  /// Running time that is heard now; nil while there is no device.
  var runningTime: Int64? { chain?.clock.heard }

  /// Whether the device's clock is wrong for the rest of the run.
  var isClockBroken: Bool { chain?.clock.isBroken == true }

  /// The position in the track that is heard now; nil if another track is heard.
  func heardPosition(in track: Track) -> Duration? {
    guard let output else { return nil }
    let heard = output.chain.clock.heard
    guard let stretch = output.feeder.locate(heard), stretch.trackID == track.id else { return nil }
    return .nanoseconds(stretch.position + max(0, heard - stretch.runningTime))
  }
}

/// Settings for the samples. They apply to every output that is attached.
private struct OutputSettings {
  var gain = 1.0
  var isMuted = false
  var balance = 0
  /// Nil while it is off.
  var equalizer: EqualizerSettings?
  var fade = FadeStage()
  /// ReplayGain factors by track.
  var trackGains: [Int: Double?] = [:]
  /// ReplayGain factor of tracks without tags.
  var defaultTrackGain: Double?

  init(defaultTrackGain: Double?) { self.defaultTrackGain = defaultTrackGain }

  fileprivate func apply(to converter: OutputConverter) {
    converter.setDefaultTrackGain(defaultTrackGain)
    converter.setTrackGains(trackGains)
    converter.setVolume(gain)
    converter.setMuted(isMuted)
    converter.setBalance(balance)
    converter.setEqualizer(equalizer)
    converter.fade = fade
  }

  fileprivate mutating func start(_ fade: Fade) { self.fade.start(fade) }
}
