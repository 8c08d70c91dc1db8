/// Gives the pipeline to one source at a time: starting a source makes it current and stops the one before.
///
/// A pure value with a `PlayerMachine` per source. docs/openhome.md shows how a command affects the other sources.
package struct SourceSwitch {
  package enum Action: Equatable {
    case pipeline(PipelineCommand)
    /// A source changed.
    case notify(Source, PlayerChanges)
    /// The speaker changed.
    case notifyAll(PlayerChanges)
  }

  package private(set) var current: Source
  /// Whether the speaker is in standby: nothing plays and the audio device is closed. Ends when a source is selected or
  /// plays.
  package private(set) var isStandby = false
  private var playlist = PlayerMachine()
  private var radio = PlayerMachine()
  private var upnpAV = PlayerMachine()
  private var receiver = PlayerMachine()
  private var programs: [ProgramName: PlayerMachine] = [:]

  package init(current: Source = .playlist) { self.current = current }

  package private(set) subscript(source: Source) -> PlayerMachine {
    get {
      switch source {
      case .playlist: playlist
      case .radio: radio
      case .upnpAV: upnpAV
      case .receiver: receiver
      case .program(let name): programs[name] ?? PlayerMachine()
      }
    }
    set {
      switch source {
      case .playlist: playlist = newValue
      case .radio: radio = newValue
      case .upnpAV: upnpAV = newValue
      case .receiver: receiver = newValue
      case .program(let name): programs[name] = newValue
      }
    }
  }

  /// Performs a command of one source, which becomes current if the command makes it play.
  package mutating func step<E: Error>(
    _ source: Source, _ step: (inout PlayerMachine) throws(E) -> [PlayerAction]
  ) throws(E) -> [Action] {
    var machine = self[source]
    // The sources share one pipeline, so generations and track ids are unique over all of them.
    machine.counters = (
      self[current].counters.generation,
      ([playlist, radio, upnpAV, receiver] + programs.values).map(\.counters.lastTrackID).max() ?? 0
    )
    let actions = try step(&machine)
    self[source] = machine
    let labelled = label(actions, source)
    return machine.isActive ? makeCurrent(source) + labelled : labelled
  }

  /// Pipeline events concern the current source.
  package mutating func handle(_ event: PipelineEvent, now: PlayerMachine.Instant) -> [Action] {
    step(current) { $0.handle(event, now: now) }
  }

  /// Makes a source current without starting it. Stops the one before and ends standby.
  package mutating func select(_ source: Source) -> [Action] {
    var actions: [Action] = []
    if source != current {
      actions = step(current) { $0.isActive ? $0.stop() : [] }
      let generation = self[current].counters.generation
      current = source
      self[source].counters.generation = generation
      actions.append(.notifyAll(.source))
    }
    return actions + wake()
  }

  package mutating func setStandby(_ isStandby: Bool) -> [Action] {
    guard isStandby else { return wake() }
    guard !self.isStandby else { return [] }
    let actions = step(current) { $0.isActive ? $0.stop() : [] }
    self.isStandby = true
    return actions + [.pipeline(.releaseDevice), .notifyAll(.standby)]
  }

  /// Called when a source has begun to play. The pipeline gets no stop command for the previous source: the start
  /// replaces its sound.
  private mutating func makeCurrent(_ source: Source) -> [Action] {
    var actions = wake()
    guard source != current else { return actions }
    let former = current
    actions += label(self[former].yield(), former)
    current = source
    actions.append(.notifyAll(.source))
    return actions
  }

  private mutating func wake() -> [Action] {
    guard isStandby else { return [] }
    isStandby = false
    return [.notifyAll(.standby)]
  }

  private func label(_ actions: [PlayerAction], _ source: Source) -> [Action] {
    actions.map { action in
      switch action {
      case .pipeline(let command): .pipeline(command)
      case .notify(let changes): .notify(source, changes)
      }
    }
  }
}
