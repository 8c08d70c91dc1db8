import Logging
import PlaybackEngine
import PlaybackModel

/// Plays one item at a time, and the next one after it without a gap.
///
/// Several sources share it, each with a deck of its own: item, successor, state. One source is current, and only that
/// one sounds; starting another makes that the current one. Commands and reads that name no source mean the current
/// one.
///
/// The player lives on the executor it is given. Reads are plain; commands change what is read at once and post the
/// rest to the pipeline, so that none of them waits for a server or a sound card. Callers that are on the executor
/// already reach it without a hop, by `immediately(_:)`.
public actor Player {
  private let executor: any SerialExecutor
  private let pipeline: any Pipeline
  private let logger: Logger
  private var sources = SourceSwitch()
  private var control: VolumeControl
  /// The volume that a speaker has which remembers nothing.
  public let initialVolume: Int
  /// Where the sound goes; nil while there is no audio device.
  public private(set) var output: OutputDescription?
  /// How often the audio device has run out of samples since the start.
  public private(set) var xruns = 0
  private var xrunsToTell = 1
  private var observers: [(id: Int, source: Source?, body: @Sendable (PlayerChanges) -> Void)] = []
  private var lastObserver = 0
  /// What was asked for with `readList` last, and what was found.
  private var list: (request: Int, found: Result<[ListedTrack], PlaybackError>?) = (0, nil)
  /// What is to be told of the speaker, and of each source.
  private var pending: PlayerChanges = []
  private var pendingOfSource: [Source: PlayerChanges] = [:]
  /// What waits to be told that the pipeline is alive, in order.
  private var confirmations: [@Sendable () -> Void] = []
  /// How many commands of observers and transactions we are inside of; notices wait for the outermost.
  private var depth = 0

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameter executor: where everything of the player runs; it must be able to tell that it is being run on
  ///   (`checkIsolated`), as NIO's event loops are.
  public init(
    executor: any SerialExecutor, output: OutputChoice, settings: PlayerSettings = .init(), logger: Logger
  ) {
    self.init(
      executor: executor, settings: settings, output: output.output,
      pipeline: GStreamerPipeline(output: output, settings: settings, logger: logger), logger: logger)
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
    initialVolume = control.volume
    pipeline.send(control.initialCommand)
  }

  /// Follows the pipeline until `shutdown()`.
  public func run() async {
    for await event in pipeline.events {
      switch event {
      case .failed(_, let error): logger.warning("\(error)")
      case .list(let request, let found): keepList(request, found)
      case .xrun: countXrun()
      case .output(let output): moveTo(output)
      case .levelMoved(let level): perform(control.follow(level))
      case .confirmed: if !confirmations.isEmpty { confirmations.removeFirst()() }
      default: break
      }
      perform(sources.handle(event, now: .now))
    }
  }

  private func moveTo(_ output: OutputDescription?) {
    guard output != self.output else { return }
    self.output = output
    pending.insert(.output)
    notify()
  }

  /// The first, the tenth and the hundredth are worth a line.
  private func countXrun() {
    xruns += 1
    guard xruns >= xrunsToTell else { return }
    logger.warning("the audio device ran out of samples, \(xruns) times so far")
    xrunsToTell *= 10
  }

  /// Calls the body on the executor once the pipeline has carried out all commands so far: a sign that both are alive.
  /// A pipeline that hangs, in a driver as a rule, never answers.
  public func confirm(_ body: @escaping @Sendable () -> Void) {
    confirmations.append(body)
    pipeline.send(.confirm)
  }

  /// Silence, device closed, `run()` returned; takes two seconds at most.
  public func shutdown() async {
    await pipeline.shutdown()
  }

  /// Runs the body on the player at once. The caller must be on the player's executor.
  public nonisolated func immediately<T: Sendable, E: Error>(
    _ body: (isolated Player) throws(E) -> T
  ) throws(E) -> T {
    typealias Isolated = (isolated Player) throws(E) -> T
    typealias Plain = (Player) throws(E) -> T
    preconditionIsolated()
    // `assumeIsolated` of the standard library, which knows neither typed errors nor bodies that are not Sendable, does
    // the same: isolation is a promise of the type only, and the line above has just checked it.
    return try withoutActuallyEscaping(body) { (body: @escaping Isolated) throws(E) -> T in
      try unsafeBitCast(body, to: Plain.self)(self)
    }
  }
}

// MARK: - Reads

extension Player {
  /// Whose items are heard, or would be.
  public var source: Source { sources.current }
  /// Silent, and the device is free, until something plays or a source is selected.
  public var isStandby: Bool { sources.isStandby }
  /// Steps of 0…100, see `VolumeScale`.
  public var volume: Int { control.volume }
  /// The step that nobody goes beyond.
  public var volumeLimit: Int { control.limit }
  /// Whether the volume is 100 always.
  public var isVolumeFixed: Bool { control.isFixed }
  public var isMuted: Bool { control.isMuted }
  /// Steps of −15…15, negative to the left, see `BalanceScale`.
  public var balance: Int { control.balance }

  /// What of it is to be kept over restarts; it changes with `PlayerChanges.ofSpeaker`.
  public var speakerState: SpeakerState {
    SpeakerState(volume: volume, isMuted: isMuted, balance: balance, source: source, isStandby: isStandby)
  }

  /// All that a source shows; nil for the current one.
  public func deck(_ source: Source? = nil) -> Deck { Deck(sources[source ?? self.source], now: .now) }

  /// The current source's.
  public var state: TransportState { deck().state }
  public var error: PlaybackError? { deck().error }
  public var item: MediaItem? { deck().item }
  public var trackCount: Int { deck().trackCount }
  public var trackNumber: Int { deck().trackNumber }
  public var trackURI: String? { deck().trackURI }
  public var next: MediaItem? { deck().next }
  public var position: Duration { deck().position }
  public var duration: Duration? { deck().duration }
  public var streamInfo: StreamInfo? { deck().streamInfo }
  public var title: String? { deck().title }
  public var repeatsOne: Bool { deck().repeatsOne }
  public var canSkipToNext: Bool { deck().canSkipToNext }
  public var canSkipToPrevious: Bool { deck().canSkipToPrevious }
  public var canPause: Bool { deck().canPause }
  public var canSeek: Bool { deck().canSeek }
}

// MARK: - Commands

/// Each to one source, by default the current one. What makes a source play makes it the current one, stops the others,
/// and ends standby; everything else leaves the others alone.
extension Player {
  /// Makes the item the current one and clears the next. It starts at once if the source is playing; otherwise it is
  /// only laid ready. Nil leaves no media.
  public func setItem(_ item: MediaItem?, of source: Source? = nil) {
    step(source) { $0.setItem(item) }
  }

  /// What is to follow the current item; nil for nothing.
  public func setNext(_ item: MediaItem?, of source: Source? = nil) {
    setUpcoming(item.map { [$0] } ?? [], of: source)
  }

  /// What is to follow the current item, in order. Short ones join without a gap only if several are known ahead; more
  /// than a dozen are of no use. What is the same as before, up to the first difference, stays opened ahead.
  public func setUpcoming(_ items: [MediaItem], of source: Source? = nil) {
    step(source) { $0.setUpcoming(items) }
  }

  /// Starts, or goes on after a pause. Does nothing if it plays already.
  public func play(_ source: Source? = nil) throws(PlayerError) {
    try step(source) { machine throws(PlayerError) in try machine.play(now: .now) }
  }

  /// Pauses; a live stream, which cannot be taken up where it was left, is stopped instead.
  public func pauseOrStop(_ source: Source? = nil) throws(PlayerError) {
    if deck(source).streamInfo?.isLive == true { stop(source) } else { try pause(source) }
  }

  /// Holds the position in silence. Does nothing when stopped or paused already.
  public func pause(_ source: Source? = nil) throws(PlayerError) {
    try step(source) { machine throws(PlayerError) in try machine.pause(now: .now) }
  }

  /// Silence; the item stays and would start from its beginning.
  public func stop(_ source: Source? = nil) {
    step(source) { $0.stop() }
  }

  /// Goes on at another position of the item; when stopped, `play` will start there.
  public func seek(to position: Duration, of source: Source? = nil) throws(PlayerError) {
    try step(source) { machine throws(PlayerError) in try machine.seek(to: position) }
  }

  /// Makes the next track the current one, of the same item or of the next, which plays unless the source is stopped.
  public func skipToNext(_ source: Source? = nil) throws(PlayerError) {
    try step(source) { machine throws(PlayerError) in try machine.skipToNext() }
  }

  /// Makes the track before it in the item's list the current one, which plays unless the source is stopped.
  public func skipToPrevious(_ source: Source? = nil) throws(PlayerError) {
    try step(source) { machine throws(PlayerError) in try machine.skipToPrevious() }
  }

  /// Goes to the beginning of a track of the item, in the state that is.
  /// - Parameter number: from 1 to `trackCount`.
  public func selectTrack(_ number: Int, of source: Source? = nil) throws(PlayerError) {
    try step(source) { machine throws(PlayerError) in try machine.selectTrack(number) }
  }

  public func setRepeatsOne(_ repeatsOne: Bool, of source: Source? = nil) {
    step(source) { $0.setRepeatsOne(repeatsOne) }
  }

  /// Makes a source the current one without starting it; what another one plays is stopped, and standby ends.
  public func selectSource(_ source: Source) {
    perform(sources.select(source))
  }

  /// Standby stops what plays and lets other programs have the audio device at once, where a stop alone waits a few
  /// seconds.
  public func setStandby(_ isStandby: Bool) {
    perform(sources.setStandby(isStandby))
  }

  /// Takes effect within the device's buffer, 0.2 s. Steps outside 0…`volumeLimit` are brought inside; a fixed volume
  /// stays as it is.
  public func setVolume(_ step: Int) {
    perform(control.setVolume(step))
  }

  /// What is louder is brought inside at once. Steps outside 0…100 are brought inside themselves.
  public func setVolumeLimit(_ limit: Int) {
    perform(control.setLimit(limit))
  }

  public func setMuted(_ isMuted: Bool) {
    perform(control.setMuted(isMuted))
  }

  /// From the next track on: what is heard keeps its loudness.
  public func setReplayGain(_ replayGain: ReplayGainSettings) { pipeline.send(.setReplayGain(replayGain)) }

  /// Makes the speaker what it was at the end of an earlier run; what plays is stopped.
  public func restore(_ state: SpeakerState) {
    transaction { player in
      player.setVolume(state.volume)
      player.setMuted(state.isMuted)
      player.setBalance(state.balance)
      player.perform(player.control.confirm())
      player.selectSource(state.source)
      player.setStandby(state.isStandby)
    }
  }

  /// Steps outside −15…15 are brought inside.
  public func setBalance(_ step: Int) {
    perform(control.setBalance(step))
  }

  /// Several commands whose changes are told in one notice.
  public func transaction<T, E: Error>(_ body: (isolated Player) throws(E) -> T) throws(E) -> T {
    depth += 1
    defer {
      depth -= 1
      notify()
    }
    return try body(self)
  }

  /// Finds out what is to be played at an address, while whatever sounds goes on: the tracks of a play list (m3u, pls,
  /// xspf, asx), or the address itself where that is sound. Nothing is played by that. `PlayerChanges.list` tells when
  /// it is known, within `PlayerSettings.openTimeout`; a newer request takes the place of an older one.
  /// - Returns: the number of the request, for `takeList`.
  public func readList(at uri: String) -> Int {
    list = (list.request + 1, nil)
    pipeline.send(.readList(request: list.request, uri: uri))
    return list.request
  }

  private func keepList(_ request: Int, _ found: Result<[ListedTrack], PlaybackError>) {
    guard request == list.request else { return }
    list.found = found
    pending.insert(.list)
    notify()
  }

  /// What was found, once; nil as long as it is not known.
  public func takeList(_ request: Int) -> Result<[ListedTrack], PlaybackError>? {
    guard request == list.request else { return nil }
    defer { list.found = nil }
    return list.found
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
      case .notify(let source, let changes): pendingOfSource[source, default: []].formUnion(changes)
      case .notifyAll(let changes): pending.formUnion(changes)
      }
    }
    notify()
  }

  private func perform(_ actions: [PlayerAction]) {
    for action in actions {
      switch action {
      case .pipeline(let command): pipeline.send(command)
      case .notify(let changes): pending.formUnion(changes)
      }
    }
    notify()
  }
}

// MARK: - Observers

extension Player {
  /// Calls the body on the executor after every command or event that changed something, with all that it changed: of
  /// the speaker (volume, source, standby) and of one source. It may give commands; what they change is told in a
  /// notice of its own, after this one has reached everybody.
  /// - Parameter source: nil for the current one, whichever that is.
  @discardableResult
  public func observe(
    _ source: Source? = nil, _ body: @escaping @Sendable (PlayerChanges) -> Void
  ) -> ObserverToken {
    lastObserver += 1
    observers.append((lastObserver, source, body))
    return ObserverToken(id: lastObserver)
  }

  public func removeObserver(_ token: ObserverToken) {
    observers.removeAll { $0.id == token.id }
  }

  private func notify() {
    guard depth == 0 else { return }
    depth += 1
    defer { depth -= 1 }
    while !(pending.isEmpty && pendingOfSource.isEmpty) {
      let (ofSpeaker, ofSource) = (pending, pendingOfSource)
      let current = source
      pending = []
      pendingOfSource = [:]
      for observer in observers {
        var changes = ofSpeaker.union(ofSource[observer.source ?? current] ?? [])
        if observer.source == nil, ofSpeaker.contains(.source) { changes.formUnion(.ofDeck) }
        if !changes.isEmpty { observer.body(changes) }
      }
    }
  }
}
