/// The shortest times between two events of one service instance.
public struct Moderation: Sendable, Hashable {
  /// For all variables that have no time of their own; zero for none.
  public var interval: Duration
  /// For single variables, by their names: what is large may come less often than what is urgent.
  public var variables: [String: Duration]

  public init(_ interval: Duration, variables: [String: Duration] = [:]) {
    self.interval = interval
    self.variables = variables
  }
}
