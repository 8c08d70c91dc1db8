import Logging
import PlaybackModel

/// Owns the audio device, the output chain and its feeder: starts, holds and ends runs of the output, and measures the
/// audible position.
///
/// A run begins with a track and ends with a stop, a seek or a failure. Its number, the epoch, identifies its events.
final class OutputOwner {
  typealias Instant = ContinuousClock.Instant

  enum Event {
    /// The device failed and was closed.
    case failed(PlaybackError)
    /// The output has played everything.
    case ended
  }

  /// Nil while there is no device.
  private var output: (chain: OutputChain, feeder: Feeder)?
  private var device: DeviceMachine
  /// Searches for an output; nil if the output is fixed.
  private var find: (@Sendable () throws(OutputError) -> OutputDescription)?
  private let mailbox: Mailbox
  private let logger: Logger
  private let report: (PipelineEvent) -> Void
  private var settings: OutputSettings
  /// The last reported path of the samples; nil while the device is closed.
  private var signal: SignalFacts?
  /// The number of the current run.
  private(set) var epoch = 0
  /// Running time of the end of the sound; nil until EOS was sent.
  private var endTime: Int64?
  /// When to flush the feeder's held data if the output has not started by then.
  private var flushDeadline: Instant?
  /// When the output should have reached its end.
  private var endDeadline: Instant?

  init(
    _ choice: OutputChoice, replayGain: ReplayGainSettings, mailbox: Mailbox, logger: Logger,
    report: @escaping (PipelineEvent) -> Void
  ) {
    find = choice.find
    self.mailbox = mailbox
    self.logger = logger
    self.report = report
    settings = OutputSettings(defaultTrackGain: replayGain.factor(for: nil))
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
  var deadline: Instant? { [device.deadline, flushDeadline, endDeadline].compactMap(\.self).min() }

  func handleDeadlines(demand: DeviceMachine.Demand, now: Instant) -> Event? {
    if let error = perform(device.handleDeadline(demand: demand, now: now), demand: demand) { return .failed(error) }
    if let deadline = flushDeadline, deadline <= now {
      flushDeadline = nil
      feeder?.flushHeld()
    }
    if let deadline = endDeadline, deadline <= now {
      endDeadline = nil
      return .ended
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

  /// Opens the device for a new track.
  /// - Returns: why it cannot be used. If opening fails asynchronously, `OutputEvent.failed` follows.
  func open() -> PlaybackError? { perform(device.start(now: .now), demand: .starting) }

  /// The device cannot be opened, or was lost.
  /// - Returns: the error that the track fails with; nil if another attempt follows.
  func failed(_ error: PlaybackError, demand: DeviceMachine.Demand) -> PlaybackError? {
    perform(device.failed(error, demand: demand, now: .now), demand: demand)
  }

  func scheduleRelease(after delay: Duration) { device.scheduleRelease(at: .now + delay) }

  /// Closes the device and searches for another one, now and whenever it is needed.
  func replace(find: @escaping @Sendable () throws(OutputError) -> OutputDescription) {
    _ = perform([.close, .detach], demand: .none)
    self.find = find
    device = DeviceMachine(canSearch: true, missing: .deviceMissing)
    _ = perform(device.search(), demand: .none)
  }

  /// Closes the device.
  func close() { _ = perform(device.close(), demand: .none) }

  /// - Returns: the error that the track fails with.
  private func perform(_ actions: [DeviceMachine.Action], demand: DeviceMachine.Demand) -> PlaybackError? {
    for action in actions {
      switch action {
      case .search: if let error = search(demand: demand) { return error }
      case .open(let isProbed): if let error = open(isProbed: isProbed, demand: demand) { return error }
      case .close:
        // The run ends first: the feeder may be waiting for this device, and reads its ring buffer.
        endRun()
        chain?.close()
        setSignal(nil)
      case .detach:
        feeder?.quit()
        output = nil
      case .log(let error): logger.warning("\(error)")
      case .reportMissing: report(.output(nil))
      case .fail(let error): return error
      }
    }
    return nil
  }

  /// Reports the path of the samples to the device if it has changed. While the device is open, the last path stays
  /// until the next samples.
  func reportSignal() {
    if device.isOpen, let signal = chain?.converter.signal { setSignal(signal) }
  }

  private func setSignal(_ signal: SignalFacts?) {
    guard signal != self.signal else { return }
    self.signal = signal
    report(.signal(signal))
  }

  private func search(demand: DeviceMachine.Demand) -> PlaybackError? {
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

  private func open(isProbed: Bool, demand: DeviceMachine.Demand) -> PlaybackError? {
    guard let chain else { return nil }
    do throws(PlaybackError) {
      if !isProbed { try chain.probe() }
    } catch {
      return failed(error, demand: demand)
    }
    // On failure, the reason is already in the mailbox.
    device.opened(chain.open())
    return nil
  }

  /// Builds the output chain and its feeder.
  private func attach(_ description: OutputDescription) throws(OutputError) {
    let chain = try OutputChain(description, mailbox: mailbox)
    settings.apply(to: chain.converter)
    chain.silence(epoch: epoch)
    output = (chain, Feeder(output: chain, mailbox: mailbox))
  }
}

// MARK: - Runs

extension OutputOwner {
  /// Starts a run.
  func begin(with source: FeedSource, following: [FeedSource], expectsMore: Bool, isPaused: Bool) {
    guard let output else { return }
    output.chain.begin(epoch: epoch, paused: isPaused)
    output.feeder.begin(
      session: epoch, source: source, following: following, expectsMore: expectsMore, isHeld: isPaused)
  }

  /// Ends the run and cancels everything that was planned for the device.
  func silence() {
    device.cancel()
    endRun()
  }

  /// Ends the run in any state. Afterwards the feeder uses neither source nor device.
  private func endRun() {
    epoch += 1
    endTime = nil
    flushDeadline = nil
    endDeadline = nil
    guard let output else { return }
    output.feeder.halt()
    output.chain.silence(epoch: epoch)
    output.feeder.waitUntilIdle()
  }

  /// Pauses the output.
  func hold() {
    endDeadline = nil
    feeder?.setHeld(true)
    chain?.pause()
  }

  /// Resumes a held output. If its buffer was empty, it starts only with new samples. The feeder may hold these back,
  /// so they are flushed after 60 ms.
  func resume() {
    chain?.resume()
    feeder?.setHeld(false)
    flushDeadline = .now + .milliseconds(60)
    watchEnd()
  }

  /// The device plays.
  func started() { flushDeadline = nil }

  /// EOS was sent to the output; its sound ends at that running time.
  func finished(at runningTime: Int64, isPaused: Bool) {
    endTime = runningTime
    if !isPaused { watchEnd() }
  }

  /// Sets a deadline for the end, in case the device does not report it: a sound server's clock stops when it runs dry.
  private func watchEnd() {
    guard let endTime, let chain else { return }
    let grace = endTime == 0 ? Duration.zero : .seconds(2)
    endDeadline = .now + .nanoseconds(max(0, endTime - chain.clock.heard)) + grace
  }

  func recalculateLatency() { chain?.recalculateLatency() }

  // MARK: Feeding

  /// The source that the feeder takes from.
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
  }
}
