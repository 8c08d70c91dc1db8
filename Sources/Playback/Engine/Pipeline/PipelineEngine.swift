import CGStreamer
import Logging
import PlaybackModel

/// Carries out the pipeline's commands: opens sources ahead of time, begins when enough is there, joins, takes up what
/// broke off, holds when a source runs dry. It decides nothing about what is to be played.
///
/// Everything here is on the pipeline's thread.
final class PipelineEngine {
  typealias Instant = ContinuousClock.Instant

  enum Timer: CaseIterable {
    case join, measure, flush, end, list
  }

  var settings: PlayerSettings
  let mailbox: Mailbox
  let logger: Logger
  let report: (PipelineEvent) -> Void
  /// Nil while there is no device.
  var output: (chain: OutputChain, feeder: Feeder)?
  var device: DeviceMachine
  /// Finds an output; nil where one is fixed.
  let find: (@Sendable () throws(OutputError) -> OutputDescription)?
  /// What is done to the samples, whichever output there is.
  var (gain, isMuted, balance) = (1.0, false, 0)
  let mixer: HardwareMixer?

  var recovery: Recovery
  var generation = 0
  /// Which run of the output this is.
  var epoch = 0
  /// Where the sound ends on the output's clock, once the output was told.
  var endTime: Int64?
  var hasHeardOfMixer = false
  /// Of the level that is wanted.
  var levelRevision = 0
  var lineup = Lineup<TrackSource>()
  var timers: [Timer: Instant] = [:]
  var rangeless = RangelessAddresses()
  /// What is asked for its play list, which has nothing to do with what sounds.
  var listing: (request: Int, source: TrackSource)?

  init(
    output choice: OutputChoice, settings: PlayerSettings, mailbox: Mailbox, logger: Logger,
    report: @escaping (PipelineEvent) -> Void
  ) {
    self.settings = settings
    self.mailbox = mailbox
    self.logger = logger
    self.report = report
    mixer = settings.mixer.map { HardwareMixer($0, mailbox: mailbox, logger: logger) }
    find = choice.find
    recovery = Recovery(settings: settings)
    device = DeviceMachine(canSearch: choice.find != nil, missing: .deviceMissing)
    guard let output = choice.output else {
      perform(device.search())
      return
    }
    do throws(OutputError) {
      try attachOutput(output)
      perform(device.found(demand: .none, now: .now))
    } catch {
      logger.error("\(error)")
      device = DeviceMachine(canSearch: choice.find != nil, missing: error.playbackError)
    }
  }

  /// Works until it is told to quit.
  func run() {
    while true {
      let deadline = [timers.values.min(), recovery.deadline, device.deadline].compactMap(\.self).min()
      let timeout = deadline.map { Instant.now.duration(to: $0) }
      switch mailbox.next(timeout: timeout) {
      case .command(let command): handle(command)
      case .source(let id, let event): handle(event, of: id)
      case .output(let epoch, let event): if epoch == self.epoch { handle(event) }
      case .feeder(let session, let event): if session == epoch { handle(event) }
      case .mixer(let event): handle(event)
      case .quit:
        quit()
        return
      case nil: break
      }
      fireTimers()
    }
  }

  private func quit() {
    silence()
    dispose(lineup.removeAll())
    listing?.source.dispose()
    mixer?.quit()
    guard let chain, let feeder else { return }
    feeder.quit()
    feeder.waitUntilIdle()
    chain.close()
    Disposal.wait(timeout: .seconds(1))
  }

  private func fireTimers() {
    let now = Instant.now
    perform(device.handleDeadline(demand: demand, now: now))
    for timer in recovery.due(at: now) { perform(recovery.fired(timer, facts, now: now)) }
    beginIfReady()
    for timer in Timer.allCases {
      guard let deadline = timers[timer], deadline <= now else { continue }
      timers[timer] = nil
      switch timer {
      case .join: announceJoins()
      case .measure: measure()
      case .end: ended()
      case .flush: feeder?.flushHeld()
      case .list: finishListing(.failure(.timedOut))
      }
    }
  }

  var chain: OutputChain? { output?.chain }
  var feeder: Feeder? { output?.feeder }
}

// MARK: - Commands

extension PipelineEngine {
  private func handle(_ command: PipelineCommand) {
    adoptJoin()
    switch command {
    case .start(let generation, let track, let followers, let position, let paused):
      start(generation: generation, track: track, followers: followers, at: position, paused: paused)
    case .seek(let generation, let track, let followers, let position, let paused):
      seek(generation: generation, track: track, followers: followers, to: position, paused: paused)
    case .stage(let tracks): stage(tracks)
    case .pause: perform(recovery.pause())
    case .resume: perform(recovery.resume(facts, now: .now))
    case .stop(let generation):
      self.generation = generation
      standDown()
    case .releaseDevice: if recovery.phase == .idle { perform(device.close()) }
    case .setLevel(let level): set(level)
    case .setBalance(let step):
      balance = step
      chain?.converter.setBalance(step)
    case .setReplayGain(let replayGain): setReplayGain(replayGain)
    case .confirm: report(.confirmed)
    case .readList(let request, let uri): readList(request: request, uri: uri)
    }
  }

  private func start(generation: Int, track: Track, followers: [Track], at position: Duration, paused: Bool) {
    self.generation = generation
    silence()
    let formerBeginning = current?.track == track ? current?.beginning : nil
    // A source that was opened ahead and could not be joined is used instead of a new one.
    dispose(lineup.start(track, fromBeginning: position == .zero))
    recovery.open(paused: paused, now: .now)
    do throws(PlaybackError) {
      if current == nil {
        let source = try open(track, at: position)
        source.formerBeginning = formerBeginning
        lineup.setCurrent(source)
      }
    } catch {
      fail(error)
      return
    }
    stage(followers)
    perform(device.start(now: .now))
    beginIfReady()
  }

  private func seek(generation: Int, track: Track, followers: [Track], to position: Duration, paused: Bool) {
    guard let current, current.track == track, recovery.phase != .idle, current.failure == nil, continuation == nil,
      current.isSeekable || !current.isPrerolled
    else {
      start(generation: generation, track: track, followers: followers, at: position, paused: paused)
      return
    }
    self.generation = generation
    recue(current, at: position, paused: paused)
    stage(followers)
  }

  /// Silences the output and goes on at another position of the track. Followers are given up, also those in the buffer.
  func recue(_ source: TrackSource, at position: Duration, paused: Bool) {
    silence()
    dispose(lineup.removeFollowers())
    recovery.open(paused: paused, now: .now)
    if !source.seek(to: position) { fail(.truncated) }
  }

  /// Nothing sounds any more; the device is let go of a little later.
  func standDown() {
    silence()
    dispose(lineup.removeAll())
    recovery.stop()
    device.scheduleRelease(at: .now + settings.deviceRelease)
  }

  func fail(_ error: PlaybackError) {
    standDown()
    report(.failed(generation: generation, error))
  }
}
