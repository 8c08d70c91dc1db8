import Logging
import PlaybackModel
import Synchronization

/// The pipeline on GStreamer. It performs commands in order, on a thread of its own.
package final class GStreamerPipeline: Pipeline {
  package let events: AsyncStream<PipelineEvent>
  private let mailbox = Mailbox()
  private let gauge = BufferGauge()
  private let ended = Ended()

  package init(output: OutputChoice, settings: PlayerSettings, logger: Logger) {
    let (events, continuation) = AsyncStream.makeStream(of: PipelineEvent.self)
    self.events = events
    NamedThread.start("pipeline") { [mailbox, gauge, ended] in
      // Created here, since the engine belongs to this thread.
      PipelineEngine(
        output: output, settings: settings, mailbox: mailbox, gauge: gauge, logger: logger,
        report: { continuation.yield($0) }
      ).run()
      continuation.finish()
      ended.signal()
    }
  }

  package var bufferLevel: Duration { gauge.level }

  package func send(_ command: PipelineCommand) { mailbox.post(.command(command)) }

  package func shutdown() async {
    mailbox.post(.quit)
    let ended = ended
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await ended.wait() }
      group.addTask {
        try? await Task.sleep(for: .seconds(2))
        ended.signal()
      }
      await group.next()
      group.cancelAll()
    }
  }

  /// A flag that is set once. Tasks can wait for it.
  private final class Ended: Sendable {
    private let state = Mutex<(isSet: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

    func signal() {
      let waiters = state.withLock { state in
        defer { state = (true, []) }
        return state.waiters
      }
      for waiter in waiters { waiter.resume() }
    }

    func wait() async {
      await withCheckedContinuation { continuation in
        let isSet = state.withLock { state in
          if !state.isSet { state.waiters.append(continuation) }
          return state.isSet
        }
        if isSet { continuation.resume() }
      }
    }
  }
}

/// The loop of the pipeline's thread: dispatches commands, events and deadlines.
private final class PipelineEngine {
  private let mailbox: Mailbox
  private let gauge: BufferGauge
  private let report: (PipelineEvent) -> Void
  private let output: OutputOwner
  private let pool: SourcePool
  private let player: TrackPlayer
  private var level: LevelControl

  init(
    output choice: OutputChoice, settings: PlayerSettings, mailbox: Mailbox, gauge: BufferGauge, logger: Logger,
    report: @escaping (PipelineEvent) -> Void
  ) {
    self.mailbox = mailbox
    self.gauge = gauge
    self.report = report
    level = LevelControl(settings.mixer, mailbox: mailbox, logger: logger)
    pool = SourcePool(settings: settings, mailbox: mailbox, logger: logger)
    output = OutputOwner(
      choice, replayGain: settings.replayGain, mailbox: mailbox, logger: logger, report: report)
    player = TrackPlayer(output: output, pool: pool, settings: settings, logger: logger, report: report)
  }

  /// Handles events until `quit` arrives.
  func run() {
    while true {
      let deadline = [player.deadline, pool.deadline].compactMap(\.self).min()
      switch mailbox.next(timeout: deadline.map { ContinuousClock.now.duration(to: $0) }) {
      case .command(let command): handle(command)
      case .source(let id, let event):
        player.adoptJoin()
        player.handle(pool.handle(event, of: id))
      case .output(let epoch, let event): if epoch == output.epoch { player.handle(event) }
      case .feeder(let session, let event): if session == output.epoch { player.handle(event) }
      case .mixer(let event): handle(event)
      case .quit:
        quit()
        return
      case nil: break
      }
      player.handleDeadlines(now: .now)
      player.handle(pool.handleDeadline(now: .now))
      gauge.setSources(pool.lineup.sources.map(\.context))
    }
  }

  private func handle(_ command: PipelineCommand) {
    player.adoptJoin()
    switch command {
    case .start(let generation, let track, let followers, let position, let paused):
      player.start(generation: generation, track: track, followers: followers, at: position, paused: paused)
    case .seek(let generation, let track, let followers, let position, let paused):
      player.seek(generation: generation, track: track, followers: followers, to: position, paused: paused)
    case .stage(let tracks): player.stage(tracks)
    case .pause: player.pause()
    case .resume: player.resume()
    case .stop(let generation): player.stop(generation: generation)
    case .releaseDevice: if player.isIdle { output.close() }
    case .setLevel(let wanted):
      if let samples = level.set(wanted) { output.setSamples(gain: samples.gain, isMuted: samples.isMuted) }
    case .setBalance(let step): output.setBalance(step)
    case .setReplayGain(let replayGain): setReplayGain(replayGain)
    case .setOutput(let named): player.setOutput(find: Outputs.search(for: named))
    case .setTimes(let bufferDepth, let deviceRelease):
      pool.setBufferDepth(bufferDepth)
      player.setDeviceRelease(deviceRelease)
    case .confirm: report(.confirmed)
    case .readList(let request, let uri): player.handle(pool.readList(request: request, uri: uri))
    }
  }

  private func handle(_ event: MixerEvent) {
    switch event {
    case .samples(let revision, let gain, let isMuted):
      if level.accepts(revision: revision) { output.setSamples(gain: gain, isMuted: isMuted) }
    case .moved(let level): report(.levelMoved(level))
    }
  }

  private func setReplayGain(_ replayGain: ReplayGainSettings) {
    pool.setReplayGain(replayGain)
    output.setDefaultTrackGain(replayGain.factor(for: nil))
    output.setTrackGains(pool.trackGains)
  }

  private func quit() {
    player.silence()
    pool.disposeOfAll()
    level.quit()
    output.quit()
    Disposal.wait(timeout: .seconds(1))
  }
}
