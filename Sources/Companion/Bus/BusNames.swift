/// Tracks the owners of watched names. A subscription to a well-known sender watches its name, too.
@CompanionActor final class BusNames {
  typealias Appeared = @CompanionActor @Sendable (_ owner: String) -> Void
  typealias Vanished = @CompanionActor @Sendable () -> Void

  private struct Entry {
    var owner: String?
    var watchers: [Int: (appeared: Appeared, vanished: Vanished)] = [:]
  }

  private var entries: [String: Entry] = [:]

  var names: [String] { entries.keys.sorted() }

  func isWatched(_ name: String) -> Bool { entries[name] != nil }

  func owner(of name: String) -> String? { entries[name]?.owner }

  /// - Returns: whether this is the name's first watcher, so that the owner must be requested.
  func add(_ id: Int, _ name: String, _ appeared: @escaping Appeared, _ vanished: @escaping Vanished) -> Bool {
    let isNew = entries[name] == nil
    entries[name, default: Entry()].watchers[id] = (appeared, vanished)
    if let owner = entries[name]?.owner { appeared(owner) }
    return isNew
  }

  /// - Returns: the name if this was its last watcher; otherwise nil.
  func remove(_ id: Int) -> String? {
    guard let name = entries.first(where: { $0.value.watchers[id] != nil })?.key else { return nil }
    entries[name]?.watchers[id] = nil
    guard entries[name]?.watchers.isEmpty == true else { return nil }
    entries[name] = nil
    return name
  }

  /// Stores the owner, and calls the watchers if it has changed.
  func set(_ owner: String?, of name: String) {
    guard let entry = entries[name], entry.owner != owner else { return }
    entries[name]?.owner = owner
    for (id, watcher) in entry.watchers.sorted(by: { $0.key < $1.key }) {
      if entry.owner != nil, entries[name]?.watchers[id] != nil { watcher.vanished() }
      // A body may cancel another watch.
      if let owner, entries[name]?.watchers[id] != nil { watcher.appeared(owner) }
    }
  }

  /// Removes all owners, because the connection has ended.
  func forgetOwners() { for name in names { set(nil, of: name) } }
}
