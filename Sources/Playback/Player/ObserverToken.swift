/// Names one observer of a player, to end it with `Player.removeObserver(_:)`.
public struct ObserverToken: Sendable, Hashable {
  let id: Int
}
