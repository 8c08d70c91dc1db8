import Logging
import PlaybackEngine
import PlaybackModel

/// Plays items of several sources through one pipeline, joining each to the next without a gap.
///
/// Each source has a deck: item, upcoming items, state. One source is current, and only it plays; starting another
/// source makes that one current. Commands and reads without a source concern the current one.
///
/// The player lives on the executor that it is given. Commands change the visible state at once and send the rest to
/// the pipeline, so that none of them waits for a server or a sound card. Code on the executor calls the player without
/// a hop through `immediately(_:)`.
public actor Player {
  private let executor: any SerialExecutor
  private let pipeline: any Pipeline
  private let logger: Logger
  private var sources = SourceSwitch()
  private(set) var control: VolumeControl
  private var observers = PlayerObservers()
  private var listRequest = ListRequest()
  package internal(set) var announcements = AnnouncementDesk()
  /// The audio device in use; nil while there is none.
  public private(set) var output: OutputDescription?
  /// The last path of the samples to the device; nil while the device is closed.
  private var signal: SignalFacts?
  private var noticedSignal: (format: OutputFormat?, path: SignalPath?)
  /// Number of times that the audio device has run out of samples.
  public private(set) var xruns = 0
  private var nextLoggedXrun = 1
  /// Number of packets of other rooms that did not arrive in time.
  public private(set) var lostPackets = 0
  /// Number of times that a track could not be played.
  public private(set) var failedTracks = 0
  /// The bodies of `confirm` that the pipeline has not answered, in order.
  private var confirmations: [@Sendable () -> Void] = []
  /// Nesting depth of transactions and notices. Observers are called after the outermost one.
  private var depth = 0

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - executor: must implement `checkIsolated`, as NIO's event loops do.
  ///   - tap: passes the sound on to listeners elsewhere.
  ///   - openInput: opens tracks that are received.
  package init(
    executor: any SerialExecutor, output: OutputChoice, settings: PlayerSettings = .init(), tap: SoundTap? = nil,
    openInput: OpenInput? = nil, logger: Logger
  ) {
    let pipeline = GStreamerPipeline(
      output: output, settings: settings, tap: tap, openInput: openInput, logger: logger)
    self.init(executor: executor, settings: settings, output: output.output, pipeline: pipeline, logger: logger)
  }

  package init(
    executor: any SerialExecutor, settings: PlayerSettings, output: OutputDescription? = nil, pipeline: any Pipeline,
    logger: Logger
  ) {
    self.executor = executor
    self.output = output
    self.pipeline = pipeline
    self.logger = logger
    control = VolumeControl(
      volume: settings.initialVolume, limit: settings.volumeLimit, isFixed: settings.isVolumeFixed)
    pipeline.send(control.initialCommand)
  }

  // MARK: Life cycle

  /// Handles pipeline events until `shutdown()`.
  public func run() async {
    for await event in pipeline.events {
      switch event {
      case .failed(_, let error): noteFailure(error)
      case .list(let request, let result): if listRequest.finish(request, result) { report(.list) }
      case .xrun: countXrun()
      case .output(let output) where output != self.output:
        self.output = output
        report(.output)
      case .signal(let signal): self.signal = signal
      case .levelMoved(let level): perform(control.follow(level))
      case .announcementLoaded, .announced: perform(announcements.handle(event, control))
      case .confirmed: if !confirmations.isEmpty { confirmations.removeFirst()() }
      default: break
      }
      perform(sources.handle(event, now: .now))
    }
  }

  private func noteFailure(_ error: PlaybackError) {
    guard !error.isDeviceFailure else { return logger.warning("\(error)") }
    failedTracks += 1
    // The log never contains addresses or titles of tracks.
    let host = sources[source].trackURI.flatMap { HTTPAddress($0)?.host }
    logger.warning("\(host.map { "\($0): " } ?? "")\(error)")
  }

  func countLostPackets(_ count: Int) { lostPackets += count }

  /// Counts an underrun. Logs the first, the 10th, the 100th and so on.
  private func countXrun() {
    xruns += 1
    guard xruns >= nextLoggedXrun else { return }
    logger.warning("The audio device ran out of samples (\(xruns) times so far).")
    nextLoggedXrun *= 10
  }

  /// Calls the body on the executor after the pipeline has performed all commands so far. A watchdog uses it: the body
  /// is never called if the pipeline hangs, usually in a driver.
  public func confirm(_ body: @escaping @Sendable () -> Void) {
    confirmations.append(body)
    pipeline.send(.confirm)
  }

  /// Stops playback, closes the device and ends `run()`. Takes two seconds at most.
  public func shutdown() async {
    await pipeline.shutdown()
  }

  /// Runs the body on the player without a hop. The caller must be on the player's executor.
  public nonisolated func immediately<T: Sendable, E: Error>(
    _ body: (isolated Player) throws(E) -> T
  ) throws(E) -> T {
    typealias Isolated = (isolated Player) throws(E) -> T
    typealias Plain = (Player) throws(E) -> T
    preconditionIsolated()
    // The cast is safe: isolation exists in the type only, and the line above has checked it. The standard library's
    // `assumeIsolated` does the same but supports neither typed errors nor non-Sendable bodies.
    return try withoutActuallyEscaping(body) { (body: @escaping Isolated) throws(E) -> T in
      try unsafeBitCast(body, to: Plain.self)(self)
    }
  }

  // MARK: Actions and notices

  /// Runs several commands and reports their changes in one notice.
  public func transaction<T, E: Error>(_ body: (isolated Player) throws(E) -> T) throws(E) -> T {
    depth += 1
    defer {
      depth -= 1
      notify()
    }
    return try body(self)
  }

  /// Calls the body on the executor after every command or event that changed the speaker or a source. The body may
  /// give commands: their changes are reported in another notice, after all observers have received this one.
  /// - Parameter source: nil to observe the current source, also when it changes.
  @discardableResult
  public func observe(
    _ source: Source? = nil, _ body: @escaping @Sendable (PlayerChanges) -> Void
  ) -> ObserverToken {
    observers.add(source, body)
  }

  public func removeObserver(_ token: ObserverToken) { observers.remove(token) }

  private func report(_ changes: PlayerChanges) {
    observers.note(changes)
    notify()
  }

  private func notify() {
    guard depth == 0 else { return }
    depth += 1
    defer { depth -= 1 }
    noteSignal()
    while case let notices = observers.takeNotices(current: source), !notices.isEmpty {
      for notice in notices { notice.body(notice.changes) }
      noteSignal()
    }
  }

  /// Notes a change of the path, which depends on the source's state too.
  private func noteSignal() {
    let signal = (outputFormat, signalPath)
    guard signal != noticedSignal else { return }
    noticedSignal = signal
    observers.note(.signalPath)
  }

  private func step<E: Error>(
    _ source: Source?, _ step: (inout PlayerMachine) throws(E) -> [PlayerAction]
  ) throws(E) {
    perform(try sources.step(source ?? self.source, step))
  }

  private func perform(_ actions: [SourceSwitch.Action]) {
    for action in actions {
      switch action {
      case .pipeline(let command): pipeline.send(command)
      case .notify(let source, let changes): observers.note(changes, of: source)
      case .notifyAll(let changes): observers.note(changes)
      }
    }
    notify()
  }

  func perform(_ actions: [PlayerAction]) {
    for action in actions {
      switch action {
      case .pipeline(let command): pipeline.send(command)
      case .notify(let changes): observers.note(changes)
      }
    }
    if let command = announcements.follow(control) { pipeline.send(command) }
    notify()
  }
}

// MARK: - Reads

extension Player {
  public var source: Source { sources.current }
  /// In standby nothing plays and the audio device is closed, until something plays or a source is selected.
  public var isStandby: Bool { sources.isStandby }
  /// The format in which the audio device is open; nil while it is closed, and before the first sound.
  public var outputFormat: OutputFormat? { signal?.outputFormat }
  /// Whether the samples reach the card bit for bit; nil unless the current source plays or is paused.
  public var signalPath: SignalPath? {
    let deck = sources[source]
    guard [.playing, .paused].contains(deck.state) else { return nil }
    let followsClock = deck.isReceived || deck.streamInfo?.isPaced == true
    return signal?.path(bitDepth: deck.streamInfo?.bitDepth, followsClock: followsClock)
  }
  /// The length of the decoded sound that the audio device has not received yet, of this track and those opened ahead.
  /// No notice reports its changes.
  public var bufferLevel: Duration { pipeline.bufferLevel }

  /// The time from the arrival of the sound to its being heard, if it is sent in real time; nil for other streams.
  public var liveDelay: Duration? { pipeline.liveDelay }
  /// Steps of 0…100, see `VolumeScale`.
  public var volume: Int { control.volume }
  /// The highest volume that can be set.
  public var volumeLimit: Int { control.limit }
  /// Whether the volume is always 100.
  public var isVolumeFixed: Bool { control.isFixed }
  public var isMuted: Bool { control.isMuted }
  /// Steps of −15…15, negative to the left, see `BalanceScale`.
  public var balance: Int { control.balance }

  /// The settings to save. They change with `PlayerChanges.ofSpeaker`.
  public var savedSpeaker: SavedSpeaker {
    SavedSpeaker(volume: volume, isMuted: isMuted, balance: balance, source: source, isStandby: isStandby)
  }

  /// - Parameter source: nil for the current one.
  public func deck(_ source: Source? = nil) -> Deck { Deck(sources[source ?? self.source], now: .now) }
}

// MARK: - Commands to a source

/// A command that makes a source play also makes it current, stops the others and ends standby. Other commands do not
/// affect other sources.
extension Player {
  /// Replaces the item and clears the upcoming ones. The item starts at once if the source is playing; otherwise `play`
  /// starts it. Nil leaves no media.
  public func setItem(_ item: MediaItem?, of source: Source? = nil) { step(source) { $0.setItem(item) } }

  /// Replaces the item of a source that has stopped by itself. Unlike with `setItem`, its failures stay visible.
  func cue(_ item: MediaItem?, of source: Source) { step(source) { $0.cue(item) } }

  /// Sets the item after the current one; nil for none.
  public func setNext(_ item: MediaItem?, of source: Source? = nil) {
    setUpcoming(item.map { [$0] } ?? [], of: source)
  }

  /// Sets the items after the current one, in order. Several are needed to join short items without a gap; items beyond
  /// `PlayerMachine.lookahead` are not used yet. The leading items that stay the same remain open.
  public func setUpcoming(_ items: [MediaItem], of source: Source? = nil) {
    step(source) { $0.setUpcoming(items) }
  }

  /// Starts or resumes. Does nothing while playing.
  public func play(_ source: Source? = nil) throws(PlayerError) {
    try step(source) { machine throws(PlayerError) in try machine.play(now: .now) }
  }

  /// Pauses, or stops a live stream, which cannot resume where it was paused.
  public func pauseOrStop(_ source: Source? = nil) throws(PlayerError) {
    if deck(source).abilities.pauseStops { stop(source) } else { try pause(source) }
  }

  /// Pauses playback. Does nothing when stopped or paused.
  public func pause(_ source: Source? = nil) throws(PlayerError) {
    try step(source) { machine throws(PlayerError) in try machine.pause(now: .now) }
  }

  /// Stops playback. The item stays, and `play` starts it from its beginning.
  public func stop(_ source: Source? = nil) {
    step(source) { $0.stop() }
  }

  /// Moves to a position of the item. When stopped, `play` starts there.
  public func seek(to position: Duration, of source: Source? = nil) throws(PlayerError) {
    try step(source) { machine throws(PlayerError) in try machine.seek(to: position) }
  }

  /// Seeks and plays, as OpenHome's seeks do. A source that is not current does not start.
  public func seekAndPlay(to position: Duration, of source: Source? = nil) throws(PlayerError) {
    try seek(to: position, of: source)
    if source ?? self.source == self.source { try play(source) }
  }

  /// Moves to the next track of the item, else to the next item. It plays unless the source is stopped.
  public func skipToNext(_ source: Source? = nil) throws(PlayerError) {
    try step(source) { machine throws(PlayerError) in try machine.skipToNext() }
  }

  /// Moves to the previous track of the item. It plays unless the source is stopped.
  public func skipToPrevious(_ source: Source? = nil) throws(PlayerError) {
    try step(source) { machine throws(PlayerError) in try machine.skipToPrevious() }
  }

  /// Moves to the beginning of a track of the item and stays playing, paused or stopped.
  /// - Parameter number: from 1 to `Deck.trackCount`.
  public func selectTrack(_ number: Int, of source: Source? = nil) throws(PlayerError) {
    try step(source) { machine throws(PlayerError) in try machine.selectTrack(number) }
  }

  public func setRepeatsOne(_ repeatsOne: Bool, of source: Source? = nil) {
    step(source) { $0.setRepeatsOne(repeatsOne) }
  }
}

// MARK: - Events of a source

extension Player {
  /// The sender of the stream that a source receives has said something.
  func handle(_ event: Reception.Event, of source: Source = .receiver) { step(source) { $0.handle(event, now: .now) } }
}

// MARK: - Commands to the speaker

extension Player {
  /// Makes a source current without starting it. Stops the source before it and ends standby.
  public func selectSource(_ source: Source) { perform(sources.select(source)) }

  /// Standby stops playback and closes the audio device at once; a stop alone keeps it open for a few seconds.
  public func setStandby(_ isStandby: Bool) { perform(sources.setStandby(isStandby)) }

  /// Sets the volume, clamped to 0…`volumeLimit`. Audible after the device's buffer, 0.2 s. A fixed volume does not
  /// change.
  public func setVolume(_ step: Int) { perform(control.setVolume(step)) }

  /// Sets the limit, clamped to 0…100, and reduces a higher volume to it.
  public func setVolumeLimit(_ limit: Int) { perform(control.setLimit(limit)) }

  public func setMuted(_ isMuted: Bool) { perform(control.setMuted(isMuted)) }

  /// Sets the balance, clamped to −15…15.
  public func setBalance(_ step: Int) { perform(control.setBalance(step)) }

  /// Sets the equalizer; nil switches it off. Heard after the device's buffer, 0.2 s.
  public func setEqualizer(_ settings: EqualizerSettings?) { pipeline.send(.setEqualizer(settings)) }

  /// Fades the sound, also that of later tracks. The volume stays the same.
  package func start(_ fade: Fade) { pipeline.send(.fade(fade)) }

  /// Sets ReplayGain from the next track on, so that the loudness does not change within a track.
  public func setReplayGain(_ replayGain: ReplayGainSettings) { pipeline.send(.setReplayGain(replayGain)) }

  /// Replaces the audio device; nil for the first one that is found. Playback continues on it at the audible position,
  /// or live if the stream is endless. If the device cannot be opened, playback stops with an error.
  public func setOutput(_ output: OutputDescription?) { pipeline.send(.setOutput(output)) }

  /// Sets `PlayerSettings.bufferDepth` and `liveDelay` for tracks that are opened from now on, and `deviceRelease` from the
  /// next stop on.
  public func setTimes(bufferDepth: Duration, liveDelay: Duration, deviceRelease: Duration) {
    pipeline.send(.setTimes(bufferDepth: bufferDepth, liveDelay: liveDelay, deviceRelease: deviceRelease))
  }

  /// Restores saved settings and stops playback.
  public func restore(_ state: SavedSpeaker) {
    transaction { player in
      player.setVolume(state.volume)
      player.setMuted(state.isMuted)
      player.setBalance(state.balance)
      player.perform(player.control.confirm())
      player.selectSource(state.source)
      player.setStandby(state.isStandby)
    }
  }
}

// MARK: - Playlists

extension Player {
  /// Reads the playlist (m3u, pls, xspf, asx) at an address without affecting playback. The result is the address
  /// itself if it is audio. `PlayerChanges.list` reports the end of the request, within `PlayerSettings.openTimeout`.
  /// - Returns: the request for `takeList`. A newer request cancels it.
  public func readList(at uri: String) -> Int {
    let request = listRequest.begin()
    pipeline.send(.readList(request: request, uri: uri))
    return request
  }

  /// Returns the result of a request once; nil before it is known and after it was returned.
  public func takeList(_ request: Int) -> Result<[ListedTrack], PlaybackError>? { listRequest.take(request) }
}
