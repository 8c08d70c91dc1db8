import Glibc
import Logging
import NIOCore
import Playback
import PlaybackEngine
import PlaybackModel
import SpeakerCore

/// Runs the programs of the configuration and connects them with the player: performs what `ProgramMachine` decides. Used on the
/// event loop.
final class ProgramHost {
  /// How long a track waits for its picture.
  private static let pictureTime = TimeAmount.milliseconds(250)
  /// The sending device repeats an old volume when it connects.
  private static let volumeTime = Duration.seconds(2)
  private static let controlTime = Duration.seconds(5)

  private let eventLoop: any EventLoop
  private let files: ProgramFiles
  private let environment: [String: String]
  private let logger: Logger
  private let slots: [ProgramSlot]
  private var parts: (player: Player, programs: ProgramSources, control: SpeakerControl)?
  /// The address of the HTTP server, for pictures.
  var server: String?
  private var ended: EventLoopPromise<Void>?

  init(
    _ programs: [ProgramDescription], files: ProgramFiles, environment: [String: String], eventLoop: any EventLoop,
    logger: Logger
  ) {
    slots = programs.map(ProgramSlot.init)
    self.files = files
    self.environment = environment
    self.eventLoop = eventLoop
    self.logger = logger
  }

  var names: [ProgramName] { slots.map(\.name) }

  /// Sets who plays the programs, before `begin`.
  func connect(player: Player, programs: ProgramSources, control: SpeakerControl) {
    parts = (player, programs, control)
    programs.control = { [weak self] control, name in
      if let self, let slot = self.slot(name) { self.tell(slot, control) }
    }
  }

  /// Starts the programs that always run.
  func begin() {
    for slot in slots { handle(.begin, slot) }
  }

  /// Ends the programs.
  func end() -> EventLoopFuture<Void> {
    let promise = ended ?? eventLoop.makePromise()
    ended = promise
    for slot in slots {
      slot.timer?.cancel()
      handle(.end, slot)
    }
    finishIfEnded()
    return promise.futureResult
  }

  private func finishIfEnded() {
    if slots.allSatisfy({ $0.process == nil }) { ended?.succeed() }
  }

  private func slot(_ name: ProgramName) -> ProgramSlot? { slots.first { $0.name == name } }

  /// Takes a program through closures that return to the event loop.
  private func bound(_ slot: ProgramSlot) -> NIOLoopBound<(host: ProgramHost, slot: ProgramSlot)> {
    NIOLoopBound((host: self, slot: slot), eventLoop: eventLoop)
  }

  private func environment(of slot: ProgramSlot) -> [String: String] {
    environment.merging(files.variables(slot.name)) { $1 }
  }

  /// How the player plays programs.
  var openInput: OpenInput {
    let host = NIOLoopBound(self, eventLoop: eventLoop)
    return { [eventLoop] address, input in
      guard let name = ProgramName(address: address) else { return false }
      eventLoop.execute { host.value.open(name, input) }
      return true
    }
  }

  private func open(_ name: ProgramName, _ input: ClockedInput) {
    guard let slot = slot(name) else { return }
    slot.input = input
    slot.openedAt = .now
    let bound = bound(slot)
    input.onClose { [eventLoop] in
      eventLoop.execute { bound.value.host.close(bound.value.slot, input) }
    }
    slot.process?.attach(input)
    handle(.opened, slot)
    parts?.programs.setSkips(slot.program.canSkip, of: name)
    if slot.track != nil { announce(slot) }
    followVolume()
  }

  private func close(_ slot: ProgramSlot, _ input: ClockedInput) {
    guard slot.input === input else { return }
    slot.input = nil
    slot.process?.attach(nil)
    handle(.closed, slot)
    parts?.programs.setSkips(false, of: slot.name)
  }

  // MARK: The machine

  private func handle(_ event: ProgramMachine.Event, _ slot: ProgramSlot) {
    let actions = slot.machine.handle(event, now: .now)
    for action in actions { perform(action, slot) }
    slot.timer?.cancel()
    guard let deadline = slot.machine.deadline else { return }
    slot.timer = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds((deadline - .now).nanoseconds)) {
      [weak self] in self?.handle(.due, slot)
    }
  }

  private func perform(_ action: ProgramMachine.Action, _ slot: ProgramSlot) {
    switch action {
    case .launch: launch(slot)
    case .terminate: slot.process?.terminate()
    case .play: parts?.player.immediately { [name = slot.name] in try? $0.play(.program(name)) }
    case .stop: parts?.player.immediately { [name = slot.name] in $0.stop(.program(name)) }
    case .control(let control): tell(slot, control)
    case .report(let reason, let pause?):
      logger.warning("\(slot.name.text): the program \(reason); it starts again in \(pause.components.seconds) s.")
    case .report(let reason, nil):
      logger.error(
        """
        \(slot.name.text): the program \(reason), for the \(ProgramMachine.mostEnds)th time in ten minutes. It starts \
        again when somebody plays the source.
        """)
    }
  }

  private func launch(_ slot: ProgramSlot) {
    slot.generation += 1
    let generation = slot.generation
    let program: ProgramDescription
    do throws(ProgramFileError) {
      program = try files.prepare(slot.program)
    } catch {
      return handle(.exited(error.description), slot)
    }
    let bound = bound(slot)
    let process = ProgramProcess(
      program, environment: environment(of: slot), eventPipe: files.eventPipe(slot.name)
    ) { [eventLoop] event in
      eventLoop.execute {
        guard bound.value.slot.generation == generation else { return }
        bound.value.host.handle(event, bound.value.slot)
      }
    }
    slot.process = process
    if let input = slot.input { process.attach(input) }
    process.start()
  }

  private func isAnotherPlaying(_ name: ProgramName) -> Bool {
    parts?.player.immediately { $0.source != .program(name) && $0.deck().state.isActive } ?? false
  }

  private func handle(_ event: ProgramProcess.Event, _ slot: ProgramSlot) {
    switch event {
    case .sound(let isOn):
      handle(isOn ? (isAnotherPlaying(slot.name) ? .soundInterrupts : .soundBegan) : .soundEnded, slot)
      parts?.programs.sound(isArriving: isOn, of: slot.name)
    case .line(let line):
      slot.add(line: line)
      logger.debug("\(slot.name.text): \(line)")
    case .said(let event): handle(event, slot)
    case .ended(let reason):
      slot.process = nil
      slot.forget()
      handle(.exited(reason), slot)
      finishIfEnded()
    }
  }

  // MARK: What programs say and are told

  private func handle(_ event: ProgramEvent, _ slot: ProgramSlot) {
    switch event {
    case .track(let title, let artist, let album, let artURL):
      slot.setTrack((title, artist, album, artURL))
      announceSoon(slot)
    case .art(let bytes):
      slot.setPicture(bytes)
      if slot.track != nil { announceSoon(slot) }
    case .progress(let position, let duration):
      slot.progress = (position, duration, .now)
      if !slot.isAnnouncing { parts?.programs.announced(position, of: duration, by: slot.name) }
    case .volume(let step):
      guard let openedAt = slot.openedAt, slot.input != nil, .now - openedAt > Self.volumeTime,
        parts?.control.rates.admit(.program) == true
      else { return }
      slot.volume = step
      _ = try? parts?.control.perform(.setVolume(step), from: .program)
      followVolume()
    case .playing: break
    }
  }

  private func announceSoon(_ slot: ProgramSlot) {
    guard !slot.isAnnouncing else { return }
    slot.isAnnouncing = true
    eventLoop.assumeIsolated().scheduleTask(in: Self.pictureTime) { [weak self] in
      slot.isAnnouncing = false
      self?.announce(slot)
    }
  }

  private func announce(_ slot: ProgramSlot) {
    parts?.programs.announced(metadata: slot.metadata(server: server), of: slot.name)
    if let progress = slot.progress {
      parts?.programs.announced(
        progress.position + (.now - progress.time), of: progress.duration, by: slot.name)
    }
  }

  /// Must be called after each change of the volume.
  func followVolume() {
    guard let volume = parts?.player.immediately({ $0.volume }) else { return }
    for slot in slots where slot.input != nil && slot.volume != volume {
      slot.volume = volume
      tell(slot, .volume(volume))
    }
  }

  /// Runs the command for it; one at a time, and of several volumes only the last.
  private func tell(_ slot: ProgramSlot, _ control: ProgramControl) {
    guard slot.program.command(for: control) != nil else { return }
    if case .volume = control {
      slot.waitingControls.removeAll { if case .volume = $0 { true } else { false } }
    }
    slot.waitingControls.append(control)
    tellNext(slot)
  }

  private func tellNext(_ slot: ProgramSlot) {
    guard !slot.isBeingTold, !slot.waitingControls.isEmpty,
      let words = slot.program.command(for: slot.waitingControls.removeFirst())
    else { return }
    slot.isBeingTold = true
    let environment = environment(of: slot)
    let bound = bound(slot)
    eventLoop.makeFutureWithTask {
      await HookProcess.run(words, environment: environment, limit: Self.controlTime)
    }.whenSuccess { outcome in
      let (host, slot) = bound.value
      if let problem = outcome.problem { host.logger.debug("\(slot.name.text): \(words[0]) \(problem)") }
      slot.isBeingTold = false
      host.tellNext(slot)
    }
  }

  // MARK: Reports

  /// The picture that a path names; nil if it is not there any more.
  func picture(_ key: String) -> [UInt8]? {
    slots.first { key == "\($0.name.word)-\($0.picture.number)" }?.picture.bytes
  }

  var reports: [ProgramReport] { slots.map(\.report) }
}
