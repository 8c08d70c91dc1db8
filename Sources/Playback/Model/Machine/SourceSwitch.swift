/// The sources' decks, and who has the speaker: only the current source's deck is ever active, and starting another one
/// makes that the current one.
///
/// A value, as the decks are. docs/openhome.md shows what each command does to whom.
package struct SourceSwitch {
  package enum Action: Equatable {
    case pipeline(PipelineCommand)
    /// What changed of one source.
    case notify(Source, PlayerChanges)
    /// What changed of the speaker.
    case notifyAll(PlayerChanges)
  }

  package private(set) var current: Source
  /// Silent, and the device is free, until something plays or a source is selected.
  package private(set) var isStandby = false
  private var playlist = PlayerMachine()
  private var radio = PlayerMachine()
  private var upnpAV = PlayerMachine()

  package init(current: Source = .playlist) { self.current = current }

  package private(set) subscript(source: Source) -> PlayerMachine {
    get {
      switch source {
      case .playlist: playlist
      case .radio: radio
      case .upnpAV: upnpAV
      }
    }
    set {
      switch source {
      case .playlist: playlist = newValue
      case .radio: radio = newValue
      case .upnpAV: upnpAV = newValue
      }
    }
  }

  /// A command to one source. It takes the speaker if it begins to play by that.
  package mutating func step<E: Error>(
    _ source: Source, _ step: (inout PlayerMachine) throws(E) -> [PlayerAction]
  ) throws(E) -> [Action] {
    var deck = self[source]
    // There is one pipeline: what it is told to start, and the tracks that it speaks of, are counted over all decks.
    deck.generation = self[current].generation
    deck.lastTrackID = Source.allCases.map { self[$0].lastTrackID }.max() ?? 0
    let actions = try step(&deck)
    self[source] = deck
    let told = tell(actions, of: source)
    return deck.isActive ? take(source) + told : told
  }

  /// What the pipeline tells is about the current source.
  package mutating func handle(_ event: PipelineEvent, now: PlayerMachine.Instant) -> [Action] {
    step(current) { $0.handle(event, now: now) }
  }

  /// Makes a source the current one without starting it. What another one plays is stopped; standby ends.
  package mutating func select(_ source: Source) -> [Action] {
    var actions: [Action] = []
    if source != current {
      actions = step(current) { $0.isActive ? $0.stop() : [] }
      let generation = self[current].generation
      current = source
      self[source].generation = generation
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

  /// The source has begun to play: whoever did so before does not any more. The pipeline needs no word of that, since
  /// what it starts takes the place of what it played.
  private mutating func take(_ source: Source) -> [Action] {
    var actions = wake()
    guard source != current else { return actions }
    let former = current
    var deck = self[former]
    actions += tell(deck.yield(), of: former)
    self[former] = deck
    current = source
    actions.append(.notifyAll(.source))
    return actions
  }

  private mutating func wake() -> [Action] {
    guard isStandby else { return [] }
    isStandby = false
    return [.notifyAll(.standby)]
  }

  private func tell(_ actions: [PlayerAction], of source: Source) -> [Action] {
    actions.map { action in
      switch action {
      case .pipeline(let command): .pipeline(command)
      case .notify(let changes): .notify(source, changes)
      }
    }
  }
}
