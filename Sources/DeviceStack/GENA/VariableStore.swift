/// The evented state of one service instance: what was last told to subscribers, and what is to be told.
///
/// Providers set values; a value that differs marks its variable and tells `onChange` once until the mark is taken.
/// Lives on the event loop, like everything that uses it.
public final class VariableStore {
  /// One evented variable: a state variable, or for LastChange a state variable of one channel.
  public struct Variable: Sendable, Hashable {
    public var name: String
    /// `Master`, `LF`, … for what RenderingControl keeps per channel; nil otherwise.
    public var channel: String?

    public init(_ name: String, channel: String? = nil) {
      self.name = name
      self.channel = channel
    }
  }

  /// What a variable starts with.
  public enum Value: ExpressibleByStringLiteral {
    case text(String)
    /// Made when an event needs it, and again after each `touch(_:)`: for what is large and changes often.
    case made(() -> String)

    public init(stringLiteral text: String) { self = .text(text) }
  }

  /// How the variables travel.
  public enum Form: Sendable, Hashable {
    /// Each variable a property of its own (UDA 1.1 §4.3).
    case properties
    /// All within the one property LastChange, in the namespace of the service (AVTransport:1 §2.3.1, RenderingControl:1 §2.2.1).
    case lastChange(namespace: String)
  }

  public let form: Form
  public let variables: [Variable]
  private var values: [Value]
  /// The values made since their variables were last touched.
  private var made: [Int: String] = [:]
  /// Counts the changes of values, so that what was made of them can be told to be out of date.
  public private(set) var generation: UInt64 = 0
  private var changes: VariableSet = []
  /// Called with the index of each variable that is marked; not again for that one until the mark is taken.
  public var onChange: ((Int) -> Void)?
  /// Whether anybody has subscribed: what only subscribers hear of need not be kept up without.
  public internal(set) var isWatched = false {
    didSet { if isWatched != oldValue { onWatched?() } }
  }
  /// Called when `isWatched` has changed, before the initial event of the first subscriber.
  public var onWatched: (() -> Void)?

  /// - Parameter initial: every variable with its first value; there is no such thing as an unknown one in an initial event.
  public init(form: Form, initial: [(Variable, Value)]) {
    self.form = form
    variables = initial.map(\.0)
    values = initial.map(\.1)
  }

  public var all: VariableSet { .all(variables.count) }

  /// The current value as UPnP text, unescaped.
  public func value(of index: Int) -> String {
    switch values[index] {
    case .text(let text): return text
    case .made(let make):
      if let text = made[index] { return text }
      let text = make()
      made[index] = text
      return text
    }
  }

  /// Sets one value, marking the variable when it differs.
  public func set(_ index: Int, to value: String) {
    if case .text(value) = values[index] { return }
    values[index] = .text(value)
    touch(index)
  }

  /// Marks a variable, the value of which is made anew when it is needed.
  public func touch(_ index: Int) {
    generation += 1
    made[index] = nil
    if changes.insert(VariableSet(index: index)).inserted { onChange?(index) }
  }

  /// Those of the variables that are marked; they are clean afterwards.
  public func takeChanges(of variables: VariableSet) -> VariableSet {
    let taken = changes.intersection(variables)
    changes.subtract(taken)
    return taken
  }
}
