import LocalLibrary
import UPnP

/// The evented variable ContainerUpdateIDs: which containers have changed (ContentDirectory:1 §2.5.21).
///
/// Events are moderated, so one event must report the changes of a while. It may report one twice, since the same number
/// again means no change.
struct ContainerUpdates {
  /// More than the shortest time between two events.
  static let memory = Duration.seconds(5)
  private static let maximumCount = 500

  private var changes: [(id: LibraryContainerID, updateID: UInt32, time: Duration)] = []

  /// Adds a change.
  /// - Parameter now: of any clock that does not jump.
  mutating func add(_ change: LibraryChange, now: Duration) {
    changes.removeAll { $0.time + Self.memory < now || change.containers[$0.id] != nil }
    for (id, updateID) in change.containers { changes.append((id, updateID, now)) }
    changes.removeFirst(max(0, changes.count - Self.maximumCount))
  }

  /// Pairs of id and number, separated by commas.
  var text: String {
    changes.map { "\($0.id.text),\($0.updateID)" }.sorted().joined(separator: ",")
  }
}
