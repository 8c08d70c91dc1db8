/// Which rooms play together. A pure value, from what each speaker says.
public struct RoomGroups: Sendable, Hashable {
  /// Rooms that play the sound of one sender.
  public struct Group: Sendable, Hashable {
    /// The id of the room that sends; nil if the sender is none of the known rooms.
    public var leader: String?
    /// The name of the sender.
    public var title: String
    /// The ids of the rooms that receive, in the order of the rooms.
    public var members: [String]

    public init(leader: String?, title: String, members: [String]) {
      self.leader = leader
      self.title = title
      self.members = members
    }

    /// The ids of all rooms, the leader first.
    public var all: [String] { (leader.map { [$0] } ?? []) + members }
  }

  public let rooms: [RoomState]
  /// The groups with at least one receiver, in the order of their first rooms.
  public let groups: [Group]

  /// The end of a chain of receivers.
  private enum Origin: Hashable {
    case room(String)
    case unknown(RoomSender.Identity)
  }

  public init(_ rooms: [RoomState]) {
    self.rooms = rooms
    var members: [Origin: [String]] = [:]
    var origins: [(origin: Origin, title: String)] = []
    for room in rooms {
      guard let received = room.received else { continue }
      let (origin, title) = Self.origin(of: received, heardIn: room, among: rooms)
      if members[origin] == nil { origins.append((origin, title)) }
      members[origin, default: []].append(room.id)
    }
    groups = origins.map { origin, title in
      let leader: String? = if case .room(let id) = origin { id } else { nil }
      return Group(leader: leader, title: title, members: members[origin] ?? [])
    }
  }

  /// Follows a chain of receivers to the room that sends, since a receiver announces the real sender for its zone.
  private static func origin(
    of sender: RoomSender, heardIn room: RoomState, among rooms: [RoomState]
  ) -> (origin: Origin, title: String) {
    var sender = sender
    var seen: Set = [room.id]
    while let next = self.room(of: sender, among: rooms) {
      guard let received = next.received else { return (.room(next.id), next.name) }
      sender = received
      // Rooms that wait for each other have no sender.
      guard seen.insert(next.id).inserted else { break }
    }
    return (.unknown(sender.identity), sender.title)
  }

  private static func room(of sender: RoomSender, among rooms: [RoomState]) -> RoomState? {
    let identity = sender.identity
    if case .host(let host) = identity {
      let senders = rooms.filter { $0.sender != nil && $0.hosts.contains(host) }
      return senders.count == 1 ? senders[0] : nil
    }
    return rooms.first { $0.sender?.identity == identity }
  }

  // MARK: Queries

  public func room(_ id: String) -> RoomState? { rooms.first { $0.id == id } }

  /// The group of a room; nil if it plays alone.
  public func group(of id: String) -> Group? { groups.first { $0.all.contains(id) } }

  /// The room whose sound is heard in a room: its own id if it plays alone or leads a group; nil if the sender is none of
  /// the known rooms.
  public func leader(of id: String) -> String? { room(id)?.received == nil ? id : group(of: id)?.leader }

  /// Whether a room can receive others, and does not play together with another one.
  public func isMissing(_ id: String, with other: String) -> Bool {
    id != other && room(id)?.receiver != nil && group(of: other)?.all.contains(id) != true
  }

  /// The rooms that must stop receiving to let a room leave its group: without the one that leads it, it ends.
  public func leaving(_ id: String) -> [String] {
    guard let group = group(of: id) else { return [] }
    return group.leader == id ? group.members : [id]
  }

  /// The sender that a room must receive to play together with another one. If that one receives too, it is the sender of
  /// its group: the sound never passes through more rooms than necessary.
  /// - Throws: the reason why the rooms cannot play together.
  public func sender(for id: String, toJoin other: String) throws(RoomError) -> RoomSender {
    guard let joiner = room(id), let other = room(other) else { throw .unknown }
    guard joiner.id != other.id else { throw .sameRoom(joiner.name) }
    guard joiner.receiver != nil else { throw .noReceiver(joiner.name) }
    let leader = leader(of: other.id)
    guard leader != joiner.id else { throw .follows(leader: joiner.name, follower: other.name) }
    guard let leader = leader.flatMap({ room($0) }) else {
      guard let received = other.received else { throw .noSender(other.name) }
      return received
    }
    guard let sender = leader.sender else { throw .noSender(leader.name) }
    guard sender.status != .disabled else { throw .senderOff(leader.name) }
    guard !sender.uri.isEmpty else { throw .noNetwork(leader.name) }
    let members = group(of: leader.id)?.members ?? []
    guard sender.isMulticast || members.contains(joiner.id) || members.count < RoomSender.unicastLimit else {
      throw .full(leader.name)
    }
    return sender
  }
}
