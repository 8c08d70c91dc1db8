import PlaybackModel

/// Identifies an observer for `Player.removeObserver(_:)`.
public struct ObserverToken: Sendable, Hashable {
  fileprivate let id: Int
}

/// The player's observers and the changes not yet reported to them.
struct PlayerObservers {
  typealias Body = @Sendable (PlayerChanges) -> Void

  private struct Observer {
    let id: Int
    /// Nil to observe the current source, also when it changes.
    let source: Source?
    let body: Body
  }

  private var observers: [Observer] = []
  private var lastID = 0
  private var speakerChanges: PlayerChanges = []
  private var sourceChanges: [Source: PlayerChanges] = [:]

  mutating func add(_ source: Source?, _ body: @escaping Body) -> ObserverToken {
    lastID += 1
    observers.append(Observer(id: lastID, source: source, body: body))
    return ObserverToken(id: lastID)
  }

  mutating func remove(_ token: ObserverToken) { observers.removeAll { $0.id == token.id } }

  mutating func note(_ changes: PlayerChanges) { speakerChanges.formUnion(changes) }

  mutating func note(_ changes: PlayerChanges, of source: Source) {
    sourceChanges[source, default: []].formUnion(changes)
  }

  /// One notice for each observer that a change since the last call concerns.
  mutating func takeNotices(current: Source) -> [(body: Body, changes: PlayerChanges)] {
    defer { (speakerChanges, sourceChanges) = ([], [:]) }
    return observers.compactMap { observer in
      var changes = speakerChanges.union(sourceChanges[observer.source ?? current] ?? [])
      // Another current source may differ in everything.
      if observer.source == nil, speakerChanges.contains(.source) { changes.formUnion(.ofDeck) }
      return changes.isEmpty ? nil : (observer.body, changes)
    }
  }
}
