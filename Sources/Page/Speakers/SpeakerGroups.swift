import ControlPoint
import NIOCore

/// Commands about speakers that play together. A speaker that is nil is this one itself.
///
/// An actor on the event loop.
actor SpeakerGroups {
  private let speakers: OtherSpeakers
  private let executor: any SerialExecutor
  /// One change of the volume at a time, because each depends on the one before.
  private let limiter = TaskLimiter(limit: 1, waitingLimit: 16)
  /// Remembers the distances of the volumes while a group has the same members.
  private var groupVolume = GroupVolume()
  private var groupOfVolume: RoomGroups.Group?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(speakers: OtherSpeakers, eventLoop: any EventLoop) {
    self.speakers = speakers
    executor = eventLoop.executor
  }

  /// Lets a speaker play what another one, or its group, plays.
  func join(_ joiner: String?, to other: String?) async throws(SpeakerError) {
    let joiner = try await speakers.speaker(joiner)
    let other = try await speakers.speaker(other)
    let groups = RoomGroups(await speakers.rooms())
    let sender: RoomSender
    do throws(RoomError) {
      sender = try groups.sender(for: joiner.id, toJoin: other.id)
    } catch {
      throw SpeakerError(error)
    }
    try await Self.perform([.init(joiner, .join(sender))]).get()
    await speakers.refreshRooms(of: [joiner.id])
  }

  /// Lets a speaker leave its group. If it leads the group, all others leave.
  func leave(_ leaver: String?) async throws(SpeakerError) {
    let leaver = try await speakers.speaker(leaver)
    let ids = RoomGroups(await speakers.rooms()).leaving(leaver.id)
    var changes: [Change] = []
    for id in ids { changes.append(.init(try await speakers.speaker(id), .leave)) }
    let done = await Self.perform(changes)
    await speakers.refreshRooms(of: ids)
    try done.get()
  }

  /// Lets all speakers join this one's group that can.
  /// - Throws: if none joins because of an error.
  func everywhere() async throws(SpeakerError) -> SpeakerSpread.Answer {
    let own = try await speakers.speaker(nil).id
    let spread = SpeakerSpread(own, among: await speakers.rooms())
    var changes: [Change] = []
    for join in spread.joins { changes.append(.init(try await speakers.speaker(join.id), .join(join.sender))) }
    let done = await Self.perform(changes)
    await speakers.refreshRooms(of: changes.map(\.speaker.id))
    let failed = spread.failed + done.failed
    if failed.count == spread.failed.count + changes.count, let error = done.error ?? spread.error { throw error }
    return SpeakerSpread.Answer(joined: changes.count - done.failed.count, failed: failed)
  }

  /// Moves the volume of all speakers of this one's group by the same decibels.
  func changeVolume(by decibels: Double) async throws(SpeakerError) {
    guard await limiter.enter() else { throw .busy }
    defer { limiter.leave() }
    let own = try await speakers.speaker(nil).id
    let group = RoomGroups(await speakers.rooms()).group(of: own)
    if group != groupOfVolume { (groupOfVolume, groupVolume) = (group, GroupVolume()) }
    var members: [String: RemoteSpeaker] = [:]
    var volumes: [String: SpeakerVolume] = [:]
    for id in group?.all ?? [own] {
      let speaker = try await speakers.speaker(id)
      members[id] = speaker
      // A speaker without a volume does not keep the others from changing theirs.
      volumes[id] = try? await speaker.volumeInSteps()
    }
    let changes = groupVolume.change(volumes, by: decibels).compactMap { id, steps in
      members[id].map { Change($0, .volume(steps)) }
    }
    try await Self.perform(changes).get()
  }

  /// What `move` could not do.
  struct Moved {
    var losses: [PlaybackMove.Loss]
    /// The names of the rooms that stay behind.
    var failed: [String] = []
  }

  /// Lets a speaker go on with what another one plays: with its queue, at its position. The rooms that the source leads go
  /// with it.
  func move(from source: String?, to target: String?) async throws(SpeakerError) -> Moved {
    let source = try await speakers.speaker(source)
    let target = try await speakers.speaker(target)
    let group = RoomGroups(await speakers.rooms()).group(of: source.id)
    let followers = group?.leader == source.id ? group?.members.filter { $0 != target.id } ?? [] : []
    var moved: Moved
    do throws(RoomError) {
      moved = Moved(losses: try await PlaybackMove(from: source, to: target).run().losses)
    } catch {
      throw SpeakerError(error)
    }
    guard !followers.isEmpty else { return moved }
    await speakers.refreshRooms(of: [source.id, target.id])
    let groups = RoomGroups(await speakers.rooms())
    var changes: [Change] = []
    for id in followers {
      // A room that has just left the network is named, too.
      if let room = try? await speakers.speaker(id), let sender = try? groups.sender(for: id, toJoin: target.id) {
        changes.append(.init(room, .join(sender)))
      } else {
        moved.failed += groups.rooms.filter { $0.id == id }.map(\.name)
      }
    }
    moved.failed += await Self.perform(changes).failed
    await speakers.refreshRooms(of: followers)
    return moved
  }

  // MARK: Changes

  /// What one speaker has to do.
  private struct Change {
    enum Action {
      case join(RoomSender)
      case leave
      case volume(Int)
    }

    let speaker: RemoteSpeaker
    let action: Action

    init(_ speaker: RemoteSpeaker, _ action: Action) {
      self.speaker = speaker
      self.action = action
    }

    func perform() async throws(ControlPointError) {
      switch action {
      case .join(let sender): try await speaker.join(sender)
      case .leave: try await speaker.leave()
      case .volume(let steps): try await speaker.setVolume(steps: steps)
      }
    }
  }

  private struct Done {
    /// The names of the speakers that failed.
    var failed: [String] = []
    var error: SpeakerError?

    func get() throws(SpeakerError) { if let error { throw error } }
  }

  /// Performs all changes at the same time.
  private static func perform(_ changes: [Change]) async -> Done {
    await withTaskGroup(of: Done.self) { group in
      for change in changes {
        group.addTask {
          do throws(ControlPointError) {
            try await change.perform()
            return Done()
          } catch {
            return Done(failed: [change.speaker.name], error: SpeakerError(error))
          }
        }
      }
      var all = Done()
      for await done in group {
        all.failed += done.failed
        all.error = all.error ?? done.error
      }
      return all
    }
  }
}

/// Decides which speakers join when one plays everywhere. Pure.
struct SpeakerSpread {
  struct Join: Equatable {
    let id: String
    let sender: RoomSender
  }

  /// The answer of the command.
  struct Answer: Encodable {
    var joined: Int
    /// The names of the speakers that did not join.
    var failed: [String]
  }

  private(set) var joins: [Join] = []
  /// The names of the speakers that cannot join.
  private(set) var failed: [String] = []
  private(set) var error: SpeakerError?

  /// - Parameter id: of the speaker whose group all others join.
  init(_ id: String, among rooms: [RoomState]) {
    var rooms = rooms
    for index in rooms.indices {
      // A speaker that receives one that has just joined belongs to the group.
      let groups = RoomGroups(rooms)
      let room = rooms[index]
      guard groups.isMissing(room.id, with: id) else { continue }
      do throws(RoomError) {
        let sender = try groups.sender(for: room.id, toJoin: id)
        joins.append(Join(id: room.id, sender: sender))
        rooms[index].receiver = RoomState.Receiver(sender: sender, isCurrent: true, state: .playing)
      } catch {
        failed.append(room.name)
        self.error = SpeakerError(error)
      }
    }
  }
}
