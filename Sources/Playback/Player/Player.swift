import Logging

/// Plays one item at a time, and the next one after it without a gap.
///
/// The player lives on the executor it is given. Reads are plain; commands change what is read at once and post the
/// rest to the pipeline, so that none of them waits for a server or a sound card. Callers that are on the executor
/// already reach it without a hop, by `immediately(_:)`.
public actor Player {
  private let executor: any SerialExecutor
  private let pipeline: any Pipeline
  private let logger: Logger
  private var machine: PlayerMachine
  private var observers: [(id: Int, body: @Sendable (PlayerChanges) -> Void)] = []
  private var lastObserver = 0
  private var pending: PlayerChanges = []
  /// How many commands of observers and transactions we are inside of; notices wait for the outermost.
  private var depth = 0

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameter executor: where everything of the player runs; it must be able to tell that it is being run on
  ///   (`checkIsolated`), as NIO's event loops are.
  public init(
    executor: any SerialExecutor, output: OutputDescription, settings: PlayerSettings = .init(), logger: Logger
  ) {
    self.init(
      executor: executor, settings: settings,
      pipeline: GStreamerPipeline(output: output, settings: settings, logger: logger), logger: logger)
  }

  init(executor: any SerialExecutor, settings: PlayerSettings, pipeline: any Pipeline, logger: Logger) {
    self.executor = executor
    self.pipeline = pipeline
    self.logger = logger
    machine = PlayerMachine(volume: settings.initialVolume)
    pipeline.send(.setGain(VolumeScale.gain(step: machine.volume)))
  }

  /// Follows the pipeline until `shutdown()`.
  public func run() async {
    for await event in pipeline.events {
      if case .failed(_, let error) = event { logger.warning("\(error)") }
      perform(machine.handle(event, now: .now))
    }
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
  public var state: TransportState { machine.state }
  /// Why the current item does not sound; nil from the next command on that starts or replaces it.
  public var error: PlaybackError? { machine.error }
  public var item: MediaItem? { machine.item }
  /// How many tracks the current item has: more than one for a play list, once it has been read; 0 without an item.
  public var trackCount: Int { machine.trackCount }
  /// Which of them is the current one, from 1; 0 without an item.
  public var trackNumber: Int { machine.trackNumber }
  /// The address of the current track: the item's own, byte for byte, unless that is a play list of several.
  public var trackURI: String? { machine.trackURI }
  /// What follows the current item without a gap.
  public var next: MediaItem? { machine.next }
  /// What is heard now, from the beginning of the item; zero when stopped, unless a seek chose where to start.
  public var position: Duration { machine.position(now: .now) }
  /// As the stream tells, else as the item does.
  public var duration: Duration? { machine.duration }
  public var streamInfo: StreamInfo? { machine.streamInfo }
  /// The title that a live stream tells with its sound (ICY StreamTitle).
  public var title: String? { machine.title }
  /// Steps of 0…100, see `VolumeScale`.
  public var volume: Int { machine.volume }
  public var isMuted: Bool { machine.isMuted }
  /// Whether the current item follows itself, over and over; `next` waits for a `skipToNext` or the end of that.
  public var repeatsOne: Bool { machine.repeatsOne }
  /// Whether there is another track, or another item, to skip to.
  public var canSkipToNext: Bool { machine.canSkipToNext }
  public var canSkipToPrevious: Bool { machine.canSkipToPrevious }
  public var canPause: Bool { machine.canPause }
  public var canSeek: Bool { machine.canSeek }
}

// MARK: - Commands

extension Player {
  /// Makes the item the current one and clears the next. It starts at once if something is playing; otherwise it is
  /// only laid ready. Nil leaves no media.
  public func setItem(_ item: MediaItem?) {
    perform(machine.setItem(item))
  }

  /// What is to follow the current item; nil for nothing.
  public func setNext(_ item: MediaItem?) {
    perform(machine.setNext(item))
  }

  /// Starts, or goes on after a pause. Does nothing if it plays already.
  public func play() throws(PlayerError) {
    perform(try machine.play(now: .now))
  }

  /// Holds the position in silence. Does nothing when stopped or paused already.
  public func pause() throws(PlayerError) {
    perform(try machine.pause(now: .now))
  }

  /// Silence; the item stays and would start from its beginning.
  public func stop() {
    perform(machine.stop())
  }

  /// Goes on at another position of the item; when stopped, `play` will start there.
  public func seek(to position: Duration) throws(PlayerError) {
    perform(try machine.seek(to: position))
  }

  /// Makes the next track the current one, of the same item or of the next, which plays unless the player is stopped.
  public func skipToNext() throws(PlayerError) {
    perform(try machine.skipToNext())
  }

  /// Makes the track before it in the item's list the current one, which plays unless the player is stopped.
  public func skipToPrevious() throws(PlayerError) {
    perform(try machine.skipToPrevious())
  }

  /// Goes to the beginning of a track of the item, in the state that is.
  /// - Parameter number: from 1 to `trackCount`.
  public func selectTrack(_ number: Int) throws(PlayerError) {
    perform(try machine.selectTrack(number))
  }

  /// Takes effect within the device's buffer, 0.2 s. Steps outside 0…100 are brought inside.
  public func setVolume(_ step: Int) {
    perform(machine.setVolume(step))
  }

  public func setMuted(_ isMuted: Bool) {
    perform(machine.setMuted(isMuted))
  }

  public func setRepeatsOne(_ repeatsOne: Bool) {
    perform(machine.setRepeatsOne(repeatsOne))
  }

  /// Lets other programs have the audio device at once (standby), where a stop alone waits a few seconds. Does nothing
  /// while something plays.
  public func releaseDevice() {
    perform(machine.releaseDevice())
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

  private func perform(_ actions: [PlayerMachine.Action]) {
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
  /// Calls the body on the executor after every command or event that changed something, with all that it changed.
  /// It may give commands; what they change is told in a notice of its own, after this one has reached everybody.
  @discardableResult
  public func observe(_ body: @escaping @Sendable (PlayerChanges) -> Void) -> ObserverToken {
    lastObserver += 1
    observers.append((lastObserver, body))
    return ObserverToken(id: lastObserver)
  }

  public func removeObserver(_ token: ObserverToken) {
    observers.removeAll { $0.id == token.id }
  }

  private func notify() {
    guard depth == 0 else { return }
    depth += 1
    defer { depth -= 1 }
    while !pending.isEmpty {
      let changes = pending
      pending = []
      for observer in observers { observer.body(changes) }
    }
  }
}
