/// Moves the volumes of several rooms by the same decibels. A pure state machine.
///
/// Keep the value as long as a group is shown: it remembers how far a room at a limit would be beyond it, so that the
/// rooms have their old distances again when the group moves back. A volume that someone else sets is a new start for that
/// room.
public struct GroupVolume: Sendable, Hashable {
  private struct Level: Hashable {
    /// The volume that was set last.
    var volume: SpeakerVolume
    /// The exact level, also beyond the limits of the room.
    var decibels: Double
  }

  private var levels: [String: Level] = [:]

  public init() {}

  /// Changes all volumes. The change is not greater than the one after which all rooms have reached a limit.
  /// - Parameter rooms: the present volumes, by the ids of the rooms.
  /// - Returns: the new volumes of the rooms whose volume changes, in their own steps.
  public mutating func change(_ rooms: [String: SpeakerVolume], by decibels: Double) -> [String: Int] {
    let spaces = rooms.map { id, volume in
      let scale = volume.scale
      return scale.decibels(decibels > 0 ? scale.limit : scale.minimum) - level(id, volume)
    }
    guard let up = spaces.max(), let down = spaces.min() else { return [:] }
    return move(rooms, by: decibels > 0 ? min(decibels, max(0, up)) : max(decibels, min(0, down)))
  }

  /// Sets one room to a volume in percent, and moves the others by the same decibels.
  /// - Parameter rooms: the present volumes, by the ids of the rooms; without that room, nothing changes.
  /// - Returns: the new volumes of the rooms whose volume changes, in their own steps.
  public mutating func set(_ id: String, to percent: Int, in rooms: [String: SpeakerVolume]) -> [String: Int] {
    guard let volume = rooms[id] else { return [:] }
    levels[id] = nil
    let scale = volume.scale
    return move(rooms, by: scale.decibels(scale.steps(percent)) - scale.decibels(volume.steps))
  }

  private mutating func move(_ rooms: [String: SpeakerVolume], by decibels: Double) -> [String: Int] {
    var changes: [String: Int] = [:]
    for (id, volume) in rooms {
      let exact = level(id, volume) + decibels
      let steps = volume.scale.steps(decibels: exact)
      if steps != volume.steps { changes[id] = steps }
      levels[id] = Level(volume: SpeakerVolume(steps: steps, scale: volume.scale), decibels: exact)
    }
    return changes
  }

  private func level(_ id: String, _ volume: SpeakerVolume) -> Double {
    if let level = levels[id], level.volume == volume { return level.decibels }
    return volume.scale.decibels(volume.steps)
  }
}
