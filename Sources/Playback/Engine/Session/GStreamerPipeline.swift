import Logging
import PlaybackModel
import Synchronization

/// The pipeline on GStreamer. It performs commands in order on its own thread.
package final class GStreamerPipeline: Pipeline {
  package let events: AsyncStream<PipelineEvent>
  private let mailbox = Mailbox()
  private let gauge = BufferGauge()
  private let ended = Ended()

  /// - Parameters:
  ///   - tap: passes the sound on to listeners elsewhere.
  ///   - openInput: opens tracks that are received.
  package init(
    output: OutputChoice, settings: PlayerSettings, tap: SoundTap? = nil, openInput: OpenInput? = nil, logger: Logger
  ) {
    let (events, continuation) = AsyncStream.makeStream(of: PipelineEvent.self)
    self.events = events
    NamedThread.start("pipeline") { [mailbox, gauge, ended] in
      // Without an output, nothing else has initialized it before the first track is opened.
      GStreamerLibrary.start()
      // Created here, since the engine belongs to this thread.
      PipelineEngine(
        output: output, settings: settings, tap: tap, openInput: openInput, mailbox: mailbox, gauge: gauge,
        logger: logger,
        report: { continuation.yield($0) }
      ).run()
      continuation.finish()
      ended.signal()
    }
  }

  package var bufferLevel: Duration { gauge.level }
  package var liveDelay: Duration? { gauge.liveDelay }

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
  private let session: PlaybackSession
  private let openInput: OpenInput?
  /// Plays what `openInput` opens. Only one of the two sessions is active.
  private let clocked: ClockedSession
  private let lists: ListReader
  private let opener: SourceOpener
  private let loader: AnnouncementLoader
  private let announcements: AnnouncementSession
  /// The volume of the announcement, of 0…100.
  private var announcementStep = 0
  private var level: LevelControl

  init(
    output choice: OutputChoice, settings: PlayerSettings, tap: SoundTap?, openInput: OpenInput?, mailbox: Mailbox,
    gauge: BufferGauge, logger: Logger, report: @escaping (PipelineEvent) -> Void
  ) {
    self.openInput = openInput
    self.mailbox = mailbox
    self.gauge = gauge
    self.report = report
    level = LevelControl(settings.mixer, mailbox: mailbox, logger: logger)
    opener = SourceOpener(settings: settings, mailbox: mailbox)
    output = OutputOwner(
      choice, settings: settings, mailbox: mailbox, tap: tap, logger: logger, report: report)
    session = PlaybackSession(output: output, opener: opener, settings: settings, logger: logger, report: report)
    clocked = ClockedSession(output: output, mailbox: mailbox, report: report)
    lists = ListReader(opener: opener, report: report)
    loader = AnnouncementLoader(settings: settings, logger: logger)
    announcements = AnnouncementSession(output: output, report: report, measure: session.measure) {
      [output, session, clocked] closesDevice in
      session.openOutput()
      clocked.openOutput()
      guard session.isIdle, !clocked.isActive || clocked.isWaiting else { return }
      // Another announcement may follow.
      closesDevice ? output.scheduleRelease(after: .milliseconds(500)) : output.scheduleRelease()
    }
  }

  /// Handles events until `quit` arrives.
  func run() {
    while true {
      let deadlines = [session.deadline, clocked.deadline, lists.deadline, announcements.deadline]
      let deadline = deadlines.compactMap(\.self).min()
      switch mailbox.next(timeout: deadline.map { ContinuousClock.now.duration(to: $0) }) {
      case .command(let command): handle(command)
      case .source(let id, let event): if !lists.handle(event, of: id) { session.handle(event, of: id) }
      case .output(let run, let event): if run == output.run { handle(event) }
      case .feeder(let run, let event):
        if run == output.run, !output.isReserved { clocked.isActive ? clocked.handle(event) : session.handle(event) }
      case .loaded(let id, let result): report(.announcementLoaded(id: id, result))
      case .sound(let id): clocked.sounds(id)
      case .mixer(let event): handle(event)
      case .quit:
        quit()
        return
      case nil: break
      }
      clocked.isActive ? clocked.handleDeadlines(now: .now) : session.handleDeadlines(now: .now)
      announcements.handleDeadlines(now: .now)
      if !announcements.isHeard { level.lower() }
      announcements.proceed(situation, now: .now)
      lists.handleDeadline(now: .now)
      gauge.setSources(session.buffers)
    }
  }

  private func handle(_ event: OutputEvent) {
    if case .announced = event {
      announcements.announced(now: .now)
    } else if output.isReserved {
      announcements.handle(event)
    } else {
      clocked.isActive ? clocked.handle(event) : session.handle(event)
    }
  }

  private var situation: AnnouncementSession.Situation {
    .init(
      isStarting: session.isStarting || clocked.isStarting, isLive: clocked.isActive || session.isLive,
      vacate: { [session] in session.changeOutput(isShown: false, $0) })
  }

  private func handle(_ command: PipelineCommand) {
    session.adoptJoin()
    switch command {
    case .start(let generation, let track, let followers, let position, let paused):
      clocked.stop()
      if track.isReceived, let openInput {
        session.stop(generation: generation)
        clocked.start(generation: generation, track: track, open: openInput)
      } else {
        session.start(generation: generation, track: track, followers: followers, at: position, paused: paused)
      }
    // An input has nothing to seek, no followers and no pause.
    case .seek where clocked.isActive, .stage where clocked.isActive, .pause where clocked.isActive,
      .resume where clocked.isActive:
      break
    case .seek(let generation, let track, let followers, let position, let paused):
      session.seek(generation: generation, track: track, followers: followers, to: position, paused: paused)
    case .stage(let tracks): session.stage(tracks)
    case .pause: session.pause()
    case .resume: session.resume()
    case .stop(let generation):
      clocked.stop()
      session.stop(generation: generation)
    case .releaseDevice:
      guard session.isIdle, !clocked.isActive else { return }
      announcements.isActive ? announcements.closeAfterwards() : output.close()
    case .setLevel(let wanted):
      if let samples = level.set(wanted) { output.setSamples(gain: samples.gain, isMuted: samples.isMuted) }
      adjustAnnouncement()
    case .setBalance(let step): output.setBalance(step)
    case .fade(let fade): output.start(fade)
    case .setReplayGain(let replayGain): session.setReplayGain(replayGain)
    case .setOutput(let named):
      let find = Outputs.search(for: named)
      let change = { self.output.replace(find: find) }
      announcements.giveUpDevice()
      clocked.isActive ? clocked.changeOutput(change) : session.changeOutput(change)
    case .setTimes(let bufferDepth, let liveDelay, let deviceRelease):
      opener.setTimes(bufferDepth: bufferDepth, liveDelay: liveDelay)
      output.setReleaseDelay(deviceRelease)
    case .setEqualizer(let equalizer): output.setEqualizer(equalizer)
    case .confirm: report(.confirmed)
    case .readList(let request, let uri): lists.read(uri, request: request)
    case .loadAnnouncement(let id, let request):
      loader.load(request) { [mailbox] in mailbox.post(.loaded(id: id, $0)) }
    case .announce(let id, let sound, let step, let request):
      announcementStep = step
      let silence = level.raise(for: step, delay: output.delay)
      announcements.begin(id, sound, within: silence, gain: level.gain(ofAnnouncement: step), request, situation)
    case .followAnnouncement(let duration): announcements.follow(duration)
    case .setAnnouncementStep(let step):
      announcementStep = step
      adjustAnnouncement()
    }
  }

  private func adjustAnnouncement() {
    if announcements.isHeard { level.raise(for: announcementStep, delay: output.delay) }
    output.setAnnouncementGain(level.gain(ofAnnouncement: announcementStep))
  }

  private func handle(_ event: MixerEvent) {
    switch event {
    case .samples(let revision, let gain, let isMuted, let card):
      if level.accepts(revision: revision, card: card) { output.setSamples(gain: gain, isMuted: isMuted) }
    case .moved(let moved): report(.levelMoved(moved))
    }
    adjustAnnouncement()
  }

  private func quit() {
    announcements.cancel()
    clocked.stop()
    session.stop()
    lists.cancel()
    level.quit()
    output.quit()
    Disposal.wait(timeout: .seconds(1))
  }
}
