import CGStreamer
import Logging

/// Carries out the pipeline's commands: opens sources ahead of time, begins when enough is there, joins, holds when a
/// source runs dry. It decides nothing about what is to be played.
///
/// Everything here is on the pipeline's thread. Three kinds of source exist beside each other: `current` is heard;
/// `joining` is being fed to the output and will be heard within its buffer; `staged` waits for the end of what is fed.
final class PipelineEngine {
  private typealias Instant = ContinuousClock.Instant

  private enum Phase {
    case idle
    /// The current source does not deliver yet.
    case opening
    /// The output runs, or is paused.
    case running
    /// The output is held since the source ran dry.
    case starved
  }

  private enum Timer: CaseIterable {
    case open, stall, join, measure, release
  }

  private struct Staged {
    let track: Track
    /// Nil until the time has come to open it, and after it has failed.
    var source: TrackSource?
    var hasFailed = false
  }

  private let settings: PlayerSettings
  private let mailbox: Mailbox
  private let logger: Logger
  private let report: (PipelineEvent) -> Void
  private let output: Result<(chain: OutputChain, feeder: Feeder), OutputError>

  private var phase = Phase.idle
  private var generation = 0
  /// Which run of the output this is.
  private var epoch = 0
  private var lastSourceID = 0
  private var isPaused = false
  private var current: TrackSource?
  private var joining: (source: TrackSource, runningTime: Int64)?
  private var staged: Staged?
  private var timers: [Timer: Instant] = [:]

  init(
    output: OutputDescription, settings: PlayerSettings, mailbox: Mailbox, logger: Logger,
    report: @escaping (PipelineEvent) -> Void
  ) {
    self.settings = settings
    self.mailbox = mailbox
    self.logger = logger
    self.report = report
    do throws(OutputError) {
      let chain = try OutputChain(output, mailbox: mailbox)
      self.output = .success((chain, Feeder(output: chain, mailbox: mailbox)))
    } catch {
      logger.error("\(error)")
      self.output = .failure(error)
    }
  }

  /// Works until it is told to quit.
  func run() {
    while true {
      let timeout = timers.values.min().map { Instant.now.duration(to: $0) }
      switch mailbox.next(timeout: timeout) {
      case .command(let command): handle(command)
      case .source(let id, let event): handle(event, of: id)
      case .output(let epoch, let event): if epoch == self.epoch { handle(event) }
      case .feeder(let session, let event): if session == epoch { handle(event) }
      case .quit:
        quit()
        return
      case nil: break
      }
      fireTimers()
    }
  }

  private func quit() {
    disposeOfSources()
    guard case .success(let output) = output else { return }
    output.feeder.quit()
    output.chain.silence(epoch: 0)
    output.feeder.waitUntilIdle()
    output.chain.close()
  }

  private func fireTimers() {
    let now = Instant.now
    for (timer, deadline) in timers where deadline <= now {
      timers[timer] = nil
      switch timer {
      case .open: fail(.timedOut)
      case .stall: fail(.stalled)
      case .join: announceJoin()
      case .measure: measure()
      case .release: releaseDevice()
      }
    }
  }
}

// MARK: - Commands

extension PipelineEngine {
  private func handle(_ command: PipelineCommand) {
    adoptJoin()
    switch command {
    case .start(let generation, let track, let next, let position, let paused):
      start(generation: generation, track: track, next: next, at: position, paused: paused)
    case .seek(let generation, let track, let next, let position, let paused):
      seek(generation: generation, track: track, next: next, to: position, paused: paused)
    case .stage(let track): stage(track)
    case .pause: pause()
    case .resume: resume()
    case .stop(let generation):
      self.generation = generation
      rest()
    case .releaseDevice: if phase == .idle { releaseDevice() }
    case .setGain(let gain): if case .success(let output) = output { output.chain.setGain(gain) }
    case .setMuted(let isMuted): if case .success(let output) = output { output.chain.setMuted(isMuted) }
    }
  }

  private func start(generation: Int, track: Track, next: Track?, at position: Duration, paused: Bool) {
    self.generation = generation
    isPaused = paused
    silence()
    // What was opened ahead and could not be joined is not opened a second time.
    var prefetched: TrackSource?
    if let source = staged?.source, source.track == track, position == .zero {
      prefetched = source
      staged?.source = nil
    }
    disposeOfSources()
    do throws(PlaybackError) {
      if let prefetched { current = prefetched } else { current = try open(track, at: position) }
    } catch {
      fail(error)
      return
    }
    phase = .opening
    timers[.open] = .now + settings.openTimeout
    stage(next)
    guard openDevice() else { return }
    beginIfReady()
  }

  private func seek(generation: Int, track: Track, next: Track?, to position: Duration, paused: Bool) {
    guard let current, current.track == track, phase != .idle, current.failure == nil,
      current.isSeekable || !current.isPrerolled
    else {
      start(generation: generation, track: track, next: next, at: position, paused: paused)
      return
    }
    self.generation = generation
    isPaused = paused
    recue(current, at: position)
    stage(next)
  }

  /// Silences the output and takes the track up elsewhere. What had been fed of the next one is given up.
  private func recue(_ source: TrackSource, at position: Duration) {
    silence()
    disposeOfFollowers()
    phase = .opening
    timers[.open] = .now + settings.openTimeout
    if !source.seek(to: position, fill: settings.startFill) { fail(.truncated) }
  }

  private func stage(_ track: Track?) {
    if let joining {
      if joining.source.track == track { return }
      // The wrong track is in the output's buffer, unheard: the right one is taken up where the ear is.
      guard let current, current.isSeekable, let position = heardPosition() else { return }
      recue(current, at: position)
    }
    if staged?.track == track { return }
    setFollowing(nil)
    staged?.source?.dispose()
    staged = track.map { Staged(track: $0) }
    openStagedIfDue()
  }

  private func pause() {
    guard !isPaused, phase != .idle else { return }
    isPaused = true
    timers[.stall] = nil
    guard phase == .running, case .success(let output) = output else { return }
    timers[.join] = nil
    timers[.measure] = nil
    output.chain.pause()
    announceJoin()
    reportPaused()
  }

  private func resume() {
    guard isPaused, phase != .idle else { return }
    isPaused = false
    switch phase {
    case .running:
      guard case .success(let output) = output else { return }
      output.chain.resume()
    case .starved: timers[.stall] = .now + settings.stallTimeout
    case .opening, .idle: break
    }
  }

  /// Nothing sounds any more; the device is let go of a little later.
  private func rest() {
    silence()
    disposeOfSources()
    phase = .idle
    timers[.release] = .now + settings.deviceRelease
  }

  private func releaseDevice() {
    timers[.release] = nil
    if case .success(let output) = output { output.chain.close() }
  }
}

// MARK: - Sources

extension PipelineEngine {
  private func open(_ track: Track, at position: Duration) throws(PlaybackError) -> TrackSource {
    lastSourceID += 1
    return try TrackSource(id: lastSourceID, track: track, start: position, settings: settings, mailbox: mailbox)
  }

  private func disposeOfSources() {
    disposeOfFollowers()
    current?.dispose()
    current = nil
  }

  private func disposeOfFollowers() {
    joining?.source.dispose()
    joining = nil
    staged?.source?.dispose()
    staged = nil
  }

  private func handle(_ event: SourceEvent, of id: Int) {
    adoptJoin()
    let source: TrackSource
    if let current, current.id == id {
      source = current
    } else if let joining, joining.source.id == id {
      source = joining.source
    } else if let candidate = staged?.source, candidate.id == id {
      source = candidate
    } else {
      return
    }
    switch event {
    case .prerolled:
      source.prerolled()
      reportFacts(of: source)
    case .filled:
      source.filled()
      if source === current, phase == .starved { recover() }
    case .decodedToEnd: openStagedIfDue()
    case .durationChanged:
      source.readDuration()
      reportFacts(of: source)
    case .tags(let tags):
      source.add(tags)
      reportFacts(of: source)
    case .failed(let failure): handle(failure, of: source)
    case .diagnosed(let error): failed(source, error ?? .failed("the server does not deliver"))
    }
    beginIfReady()
    offerStaged()
  }

  private func handle(_ failure: ElementFailure, of source: TrackSource) {
    logger.debug("source \(source.id): \(failure.message) [\(failure.debug)]")
    // The first failure says why; those after it are its consequences.
    guard source.failure == nil else { return }
    if let error = PlaybackError(source: failure) {
      failed(source, error == .notAudio && !source.context.hasReceived ? .empty : error)
    } else if !source.isPrerolled, let address = HTTPAddress(source.track.uri) {
      source.failure = .unreachable
      NamedThread.start("diagnosis") { [context = source.context] in
        context.post(.diagnosed(ConnectionDiagnosis.run(address)))
      }
    } else {
      failed(source, source.isPrerolled ? .truncated : .notAudio)
    }
  }

  private func failed(_ source: TrackSource, _ error: PlaybackError) {
    source.failure = error
    if source === staged?.source {
      // Not heard of until its turn comes; then it is tried once more.
      logger.info("the next track cannot be opened ahead: \(error)")
      setFollowing(nil)
      source.dispose()
      staged?.source = nil
      staged?.hasFailed = true
    } else if source === current, phase == .opening || phase == .starved {
      fail(error)
    }
    // What is already decoded of a track that sounds is heard; the end tells the failure.
    if source === current { setFollowing(nil) }
  }

  /// Opens what follows once all of the track before it is in memory: then the server's line is free, and there is as
  /// much time as sound is held.
  private func openStagedIfDue() {
    guard let candidate = staged, candidate.source == nil, !candidate.hasFailed else { return }
    guard let last = joining?.source ?? current, last.context.isComplete, last.failure == nil else { return }
    do throws(PlaybackError) {
      staged?.source = try open(candidate.track, at: .zero)
    } catch {
      staged?.hasFailed = true
    }
  }

  private func offerStaged() {
    guard let source = staged?.source, source.isReady, current?.failure == nil else { return }
    setFollowing(feed(source))
  }

  private func feed(_ source: TrackSource) -> FeedSource {
    FeedSource(id: source.id, sink: source.sink, context: source.context, start: source.start)
  }

  private func setFollowing(_ source: FeedSource?) {
    if case .success(let output) = output {
      output.feeder.setFollowing(source)
      adoptJoin()
    }
  }

  private func fail(_ error: PlaybackError) {
    rest()
    report(.failed(generation: generation, error))
  }

  private func reportFacts(of source: TrackSource) {
    guard source === current else { return }
    if let info = source.streamInfo { report(.streamInfo(trackID: source.track.id, info)) }
    if let duration = source.duration { report(.duration(trackID: source.track.id, duration)) }
    if let title = source.liveTitle { report(.title(trackID: source.track.id, title)) }
  }
}

// MARK: - The output

extension PipelineEngine {
  private func openDevice() -> Bool {
    timers[.release] = nil
    switch output {
    case .failure(let error):
      fail(.deviceFailed(error.description))
      return false
    case .success(let output):
      // On failure the reason is in the mailbox already.
      return output.chain.open()
    }
  }

  /// Ends the output's run, whatever state it is in.
  private func silence() {
    epoch += 1
    for timer in [Timer.open, .stall, .join, .measure, .release] { timers[timer] = nil }
    guard case .success(let output) = output else { return }
    output.feeder.halt()
    output.chain.silence(epoch: epoch)
    output.feeder.waitUntilIdle()
  }

  private func beginIfReady() {
    guard phase == .opening, let current, current.isReady, case .success(let output) = output else { return }
    timers[.open] = nil
    phase = .running
    output.chain.begin(epoch: epoch, paused: isPaused)
    output.feeder.begin(session: epoch, source: feed(current))
    offerStaged()
    if isPaused { report(.paused(generation: generation, position: current.start)) }
  }

  private func handle(_ event: OutputEvent) {
    switch event {
    case .playing:
      guard phase == .running, !isPaused else { return }
      report(.playing(generation: generation, position: heardPosition() ?? current?.start ?? .zero))
      timers[.measure] = .now + .seconds(1)
      announceJoin()
    case .ended: ended()
    case .failed(let failure):
      logger.debug("output: \(failure.message) [\(failure.debug)]")
      fail(PlaybackError(device: failure))
      releaseDevice()
    case .latencyChanged:
      if case .success(let output) = output { output.chain.recalculateLatency() }
    }
  }

  private func ended() {
    announceJoin(force: true)
    let failure = current?.failure
    // A successor that is being opened is kept: it is asked for next.
    silence()
    current?.dispose()
    current = nil
    phase = .idle
    timers[.release] = .now + settings.deviceRelease
    if let failure {
      report(.failed(generation: generation, failure))
    } else {
      report(.ended(generation: generation))
    }
  }

  private func handle(_ event: FeederEvent) {
    switch event {
    case .joined(let id, let runningTime):
      adoptJoin()
      guard joining?.source.id == id else { return }
      joining?.runningTime = runningTime
      openStagedIfDue()
      announceJoin()
    case .starving: starve()
    }
  }

  /// The source ran dry: holds the output before the device does, so that it throws nothing away.
  private func starve() {
    guard phase == .running, !isPaused, case .success(let output) = output, output.feeder.isStarving,
      let source = joining?.source ?? current
    else { return }
    if let failure = source.failure {
      fail(failure)
      return
    }
    phase = .starved
    timers[.join] = nil
    timers[.measure] = nil
    timers[.stall] = .now + settings.stallTimeout
    output.chain.pause()
    report(.buffering(generation: generation, position: heardPosition() ?? .zero))
    source.context.awaitFill(settings.resumeFill)
  }

  /// There is enough again.
  private func recover() {
    guard case .success(let output) = output else { return }
    timers[.stall] = nil
    phase = .running
    if isPaused { reportPaused() } else { output.chain.resume() }
  }

  private func reportPaused() {
    report(.paused(generation: generation, position: heardPosition() ?? current?.start ?? .zero))
  }
}

// MARK: - What is heard

extension PipelineEngine {
  /// Where in the current track the ear is.
  private func heardPosition() -> Duration? {
    guard case .success(let output) = output, let current else { return nil }
    let heard = output.chain.runningTime
    guard let stretch = output.feeder.locate(heard), stretch.sourceID == current.id else { return nil }
    return .nanoseconds(stretch.position + max(0, heard - stretch.runningTime))
  }

  /// If the feeder has gone over to the staged source, this one is joining.
  private func adoptJoin() {
    guard let source = staged?.source, case .success(let output) = output, output.feeder.fedSourceID == source.id else {
      return
    }
    joining = (source, .max)
    staged = nil
  }

  /// Tells of the join once it is heard, and otherwise looks again when it should be.
  private func announceJoin(force: Bool = false) {
    guard let joining, case .success(let output) = output else { return }
    let remaining = joining.runningTime == .max ? .max : joining.runningTime - output.chain.runningTime
    if remaining > 0, !force {
      if remaining < .max, !isPaused { timers[.join] = .now + .nanoseconds(max(remaining, 2_000_000)) }
      return
    }
    current?.dispose()
    current = joining.source
    self.joining = nil
    report(
      .trackStarted(
        generation: generation, trackID: joining.source.track.id, position: heardPosition() ?? joining.source.start))
    reportFacts(of: joining.source)
    timers[.measure] = .now + .seconds(1)
    openStagedIfDue()
  }

  /// Measures the position against the device's clock, which no other clock follows exactly.
  private func measure() {
    guard phase == .running, !isPaused, let position = heardPosition() else { return }
    report(.position(generation: generation, position: position))
    timers[.measure] = .now + .seconds(10)
  }
}
