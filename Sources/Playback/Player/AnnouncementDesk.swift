import PlaybackModel

/// What becomes of an announcement.
package enum AnnouncementOutcome: Sendable, Equatable {
  /// It has been loaded, and will be heard.
  case queued
  /// It was heard; or why not.
  case finished(AnnouncementError?)
}

/// The player's announcements: performs what `AnnouncementQueue` decides, and keeps the outcomes for their senders.
package struct AnnouncementDesk {
  /// Outcomes that nobody takes are dropped beyond this number.
  private static let mostOutcomes = 100

  private var queue = AnnouncementQueue()
  private var outcomes: [(id: Int, outcome: AnnouncementOutcome)] = []
  /// The volume of the sound that is heard, and its last step.
  private var volume: (wanted: AnnouncementRequest.Volume, step: Int)?

  init() {}

  /// Whether an announcement is heard.
  package var isPlaying: Bool { queue.isPlaying }
  /// Number of announcements that wait, including those that are being loaded.
  package var count: Int { queue.count }

  mutating func add(
    _ request: AnnouncementRequest, _ control: VolumeControl
  ) throws(AnnouncementError) -> (id: Int, actions: [PlayerAction]) {
    let (id, actions) = try queue.add(request)
    return (id, perform(actions, control))
  }

  mutating func handle(_ event: PipelineEvent, _ control: VolumeControl) -> [PlayerAction] {
    switch event {
    case .announcementLoaded(let id, let result): perform(queue.loaded(id, result), control)
    case .announced(let id, let error): perform(queue.ended(id, error), control)
    default: []
    }
  }

  mutating func takeOutcomes() -> [(id: Int, outcome: AnnouncementOutcome)] {
    defer { outcomes = [] }
    return outcomes
  }

  /// Follows a change of the speaker's volume.
  mutating func follow(_ control: VolumeControl) -> PipelineCommand? {
    guard let (wanted, former) = volume else { return nil }
    let step = wanted.step(current: control.volume, limit: control.limit)
    guard step != former else { return nil }
    volume = (wanted, step)
    return .setAnnouncementStep(step)
  }

  private mutating func perform(_ actions: [AnnouncementQueue.Action], _ control: VolumeControl) -> [PlayerAction] {
    var performed: [PlayerAction] = []
    for action in actions {
      switch action {
      case .load(let id, let request): performed.append(.pipeline(.loadAnnouncement(id: id, request)))
      case .play(let id, let sound, let request):
        let step = request.volume.step(current: control.volume, limit: control.limit)
        volume = (request.volume, step)
        performed.append(.pipeline(.announce(id: id, sound, step: step, request)))
      case .follow(let duration): performed.append(.pipeline(.followAnnouncement(duration)))
      case .queued(let id): note(id, .queued)
      case .finished(let id, let error): note(id, .finished(error))
      }
    }
    return performed + [.notify(.announcement)]
  }

  private mutating func note(_ id: Int, _ outcome: AnnouncementOutcome) {
    outcomes.append((id, outcome))
    if outcomes.count > Self.mostOutcomes { outcomes.removeFirst() }
  }
}

extension Player {
  /// Loads an announcement and plays it over what plays. Nothing else changes: not the source, the track, the state or the
  /// volume. `PlayerChanges.announcement` reports its outcomes.
  /// - Returns: the announcement's number in `takeAnnouncementOutcomes`.
  package func announce(_ request: AnnouncementRequest) throws(AnnouncementError) -> Int {
    let (id, actions) = try announcements.add(request, control)
    perform(actions)
    return id
  }

  /// Returns each outcome once.
  package func takeAnnouncementOutcomes() -> [(id: Int, outcome: AnnouncementOutcome)] { announcements.takeOutcomes() }
}
