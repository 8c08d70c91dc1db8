import ControlPoint
import Logging
import NIOCore

/// The other speakers in the house: what they play, and their volume. Followed by events while a page shows them.
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

  private func command(
    _ udn: String, _ body: (RemoteSpeaker) async throws(ControlPointError) -> Void
  ) async throws(SpeakerError) {
    await house.requested(.speakers)
    var speaker = self.speaker(udn)
    while speaker == nil {
      guard await house.isSearching, !Task.isCancelled else { throw .unknown }
      try? await Task.sleep(for: .milliseconds(50))
      speaker = self.speaker(udn)
    }
    do throws(ControlPointError) {
      if let speaker { try await body(speaker) }
    } catch {
      throw SpeakerError(error)
    }
  }

  private func speaker(_ udn: String) -> RemoteSpeaker? { roster.id(of: udn).flatMap { followed[$0]?.speaker } }

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
    followed[id]?.task = Task { [weak self] in
      while !Task.isCancelled {
        guard let speaker = await self?.prepare(id, number, devices, controlPoint) else {
          try? await Task.sleep(for: Self.retryTime)
          continue
        }
        await withTaskGroup { group in
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

  private func report() {
    let entries = followed.map { id, followed in
      SpeakerList.Entry(
        id: id, devices: followed.devices, now: followed.now, level: followed.level,
        art: links.path(for: followed.now?.track?.artwork))
    }
    let new = SpeakerList(speakers: entries.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) })
    guard new != list else { return }
    list = new
    for observer in observers { observer() }
  }
}
