import ControlPoint
import Logging
import NIOCore
import UPnP

import enum SpeakerCore.QueuePlace

/// The other speakers in the house: what they play, their volume, and who plays together. Followed by events while a page
/// shows them. The speaker itself is followed in the same way, for its group only.
///
/// An actor on the event loop.
actor OtherSpeakers {
  /// Interval at which a speaker is polled if it sends no event.
  private static let interval = Duration.seconds(20)
  /// Maximum speakers whose services are read at the same time. Each takes some ten requests.
  private static let parallelReads = 4
  /// Time to wait for the second device of a speaker, which announces itself right after the first.
  private static let pairingTime = TimeAmount.milliseconds(300)
  /// Pause before a speaker that failed is tried again.
  private static let retryTime = Duration.seconds(15)
  /// Pause between two looks at what a command waits for.
  private static let lookInterval = Duration.milliseconds(50)

  private let house: House
  private let links: ArtLinks
  private let eventLoop: any EventLoop
  private let executor: any SerialExecutor
  private let logger: Logger
  private var roster: SpeakerRoster
  private var followed: [String: Followed] = [:]
  private let limiter = TaskLimiter(limit: parallelReads, waitingLimit: .max)
  private var pending: Scheduled<Void>?
  private var observers: [@Sendable () -> Void] = []
  private(set) var list = SpeakerList()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private struct Followed {
    let devices: SpeakerDevices
    /// Distinguishes this entry from an earlier one for the same speaker with other devices.
    let number: Int
    var task: Task<Void, Never>?
    var speaker: RemoteSpeaker?
    var now: NowPlaying?
    var level: SpeakerLevel?
    var room: RoomState?
    /// Whether it has not answered at least once.
    var hasFailed = false
  }

  private var lastNumber = 0

  init(house: House, own: Set<String>, links: ArtLinks, eventLoop: any EventLoop, logger: Logger) {
    self.house = house
    self.links = links
    self.eventLoop = eventLoop
    executor = eventLoop.executor
    self.logger = logger
    roster = SpeakerRoster(own: own)
  }

  /// Begins to follow the house. Call once.
  func attach() {
    // Swift 6.2 crashes if this closure is within the other one.
    let change = { @Sendable [weak self] () -> Void in self?.assumeIsolated { $0.houseChanged() } }
    house.assumeIsolated { $0.observe(change) }
  }

  /// Calls the body on the event loop when the list has changed.
  func observe(_ body: @escaping @Sendable () -> Void) { observers.append(body) }

  /// The speakers, after waiting for a search that has just begun.
  func speakers() async -> SpeakerList {
    await house.requested(.speakers)
    await house.settle()
    // The search may have begun before, for media servers.
    while pending != nil, !Task.isCancelled { try? await Task.sleep(for: Self.lookInterval) }
    return list
  }

  // MARK: Commands

  /// - Parameter level: from 0 to 100.
  func setVolume(_ level: Int, of id: String) async throws(SpeakerError) {
    try await command(id) { speaker throws(ControlPointError) in try await speaker.setVolume(level) }
  }

  func setMuted(_ isMuted: Bool, of id: String) async throws(SpeakerError) {
    try await command(id) { speaker throws(ControlPointError) in try await speaker.setMuted(isMuted) }
  }

  func queue(of id: String) async throws(SpeakerError) -> SpeakerQueue {
    try await command(id) { speaker throws(ControlPointError) in try await speaker.queue() }
  }

  /// Plays an entry of a speaker's queue.
  func play(entry: UInt32, of id: String) async throws(SpeakerError) {
    try await command(id) { speaker throws(ControlPointError) in try await speaker.play(id: entry) }
  }

  func formats(of id: String) async throws(SpeakerError) -> [ProtocolInfo] {
    try await command(id) { speaker throws(ControlPointError) in try await speaker.acceptedFormats() }
  }

  /// Adds items to a speaker's queue, or replaces it. A speaker without a queue takes only the first one.
  /// - Returns: the number of items that were added.
  func play(_ items: [SpeakerItem], _ place: QueuePlace, on id: String) async throws(SpeakerError) -> Int {
    try await command(id) { speaker throws(ControlPointError) in
      let items = speaker.capabilities.mechanism(for: .enqueue) == nil ? Array(items.prefix(1)) : items
      switch place {
      case .replace: try await speaker.play(items, placing: .replacingQueue)
      case .now: try await speaker.play(items)
      case .next, .end: try await speaker.enqueue(items, next: place == .next)
      }
      return items.count
    }
  }

  private func command<Result>(
    _ udn: String, _ body: (RemoteSpeaker) async throws(ControlPointError) -> Result
  ) async throws(SpeakerError) -> Result {
    let speaker = try await speaker(udn)
    do throws(ControlPointError) {
      return try await body(speaker)
    } catch {
      throw SpeakerError(error)
    }
  }

  // MARK: Rooms

  /// A speaker. Waits for it if the search has just begun.
  /// - Parameter udn: of one of its devices; nil for the speaker itself.
  func speaker(_ udn: String?) async throws(SpeakerError) -> RemoteSpeaker {
    await house.requested(.speakers)
    // Its second device may be missing yet.
    await house.settle()
    while true {
      let id = udn.map { roster.id(of: $0) } ?? roster.ownID
      if pending == nil, let id, let speaker = followed[id]?.speaker { return speaker }
      let isSearching = await house.isSearching
      guard isSearching || isWaiting({ $0.speaker == nil }), !Task.isCancelled else { throw .unknown }
      try? await Task.sleep(for: Self.lookInterval)
    }
  }

  /// What all speakers say about playing together. Waits for them if the search has just begun.
  func rooms() async -> [RoomState] {
    await house.requested(.speakers)
    await house.settle()
    while isWaiting({ $0.room == nil }), !Task.isCancelled { try? await Task.sleep(for: Self.lookInterval) }
    return knownRooms
  }

  /// Reads again who plays together, without waiting for events.
  func refreshRooms(of ids: [String]) async {
    await withTaskGroup { group in
      for id in ids { group.addTask { [weak self] in await self?.refreshRoom(of: id) } }
    }
  }

  private func refreshRoom(of id: String) async {
    guard let followed = followed[id], let room = try? await followed.speaker?.roomState() else { return }
    set(.success(room), of: id, followed.number)
  }

  private var knownRooms: [RoomState] {
    followed.values.compactMap(\.room).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  /// Whether a speaker of which something is missing may still answer for the first time.
  private func isWaiting(_ isIncomplete: (Followed) -> Bool) -> Bool {
    pending != nil || followed.values.contains { isIncomplete($0) && !$0.hasFailed }
  }

  // MARK: Roster

  private func houseChanged() {
    guard house.assumeIsolated({ $0.isNeeded(.speakers) }) else {
      pending?.cancel()
      pending = nil
      return update()
    }
    guard pending == nil else { return }
    pending = eventLoop.scheduleTask(in: Self.pairingTime) { [weak self] in self?.assumeIsolated { $0.update() } }
  }

  private func update() {
    pending = nil
    let (descriptions, controlPoint) = house.assumeIsolated {
      ($0.isNeeded(.speakers) ? $0.descriptions : [], $0.controlPoint)
    }
    let changes = roster.update(descriptions)
    for id in changes.stop { followed.removeValue(forKey: id)?.task?.cancel() }
    if let controlPoint {
      for (id, devices) in changes.begin.sorted(by: { $0.key < $1.key }) { begin(id, devices, controlPoint) }
    }
    report()
  }

  // MARK: Following

  private func begin(_ id: String, _ devices: SpeakerDevices, _ controlPoint: UPnPControlPoint) {
    lastNumber += 1
    let number = lastNumber
    followed[id] = Followed(devices: devices, number: number)
    let isOwn = id == roster.ownID
    followed[id]?.task = Task { [weak self] in
      while !Task.isCancelled {
        guard let speaker = await self?.prepare(id, number, devices, controlPoint) else {
          try? await Task.sleep(for: Self.retryTime)
          continue
        }
        await withTaskGroup { group in
          group.addTask { [weak self] in
            for await room in speaker.roomStates(interval: Self.interval) { await self?.set(room, of: id, number) }
          }
          guard !isOwn else { return }
          group.addTask { [weak self] in
            for await now in speaker.changes(interval: Self.interval) { await self?.set(now, of: id, number) }
          }
          group.addTask { [weak self] in
            for await level in speaker.levels(interval: Self.interval) { await self?.set(level, of: id, number) }
          }
        }
        return
      }
    }
  }

  /// Reads the services of a speaker.
  private func prepare(
    _ id: String, _ number: Int, _ devices: SpeakerDevices, _ controlPoint: UPnPControlPoint
  ) async -> RemoteSpeaker? {
    guard await limiter.enter() else { return nil }
    defer { limiter.leave() }
    guard followed[id]?.number == number else { return nil }
    do throws(ControlPointError) {
      let speaker = try await controlPoint.speaker(of: devices)
      guard followed[id]?.number == number else { return nil }
      followed[id]?.speaker = speaker
      return speaker
    } catch {
      logger.debug("The speaker \(devices.name): \(error)")
      if followed[id]?.number == number { followed[id]?.hasFailed = true }
      return nil
    }
  }

  private func set(_ now: Result<NowPlaying, ControlPointError>, of id: String, _ number: Int) {
    guard followed[id]?.number == number else { return }
    followed[id]?.now = try? now.get()
    report()
  }

  private func set(_ level: Result<SpeakerLevel, ControlPointError>, of id: String, _ number: Int) {
    guard followed[id]?.number == number else { return }
    followed[id]?.level = try? level.get()
    report()
  }

  private func set(_ room: Result<RoomState, ControlPointError>, of id: String, _ number: Int) {
    guard followed[id]?.number == number else { return }
    followed[id]?.room = try? room.get()
    if followed[id]?.room == nil { followed[id]?.hasFailed = true }
    report()
  }

  private func report() {
    let groups = RoomGroups(knownRooms)
    let own = roster.ownID
    let entries = followed.filter { $0.key != own }.map { id, followed in
      SpeakerList.Entry(
        id: id, devices: followed.devices, now: followed.now, level: followed.level,
        art: links.path(for: followed.now?.track?.artwork), room: SpeakerList.Room(id, in: groups))
    }
    let new = SpeakerList(
      speakers: entries.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) },
      own: own.map { SpeakerList.Own(id: $0, room: SpeakerList.Room($0, in: groups)) })
    guard new != list else { return }
    list = new
    for observer in observers { observer() }
  }
}
