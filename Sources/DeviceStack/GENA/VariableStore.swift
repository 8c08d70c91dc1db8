/// The evented state of one service instance: what was last told to subscribers, and what is to be told.
///
/// Providers set values; a value that differs marks its variable and tells `onChange` once until the marks are taken.
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

  /// How the variables travel.
  public enum Form: Sendable, Hashable {
    /// Each variable a property of its own (UDA 1.1 §4.3).
    case properties
    /// All within the one property LastChange, in the namespace of the service (AVTransport:1 §2.3.1, RenderingControl:1 §2.2.1).
    case lastChange(namespace: String)
  }

  public let form: Form
  public let variables: [Variable]
  /// The current values as UPnP text, unescaped.
  public private(set) var values: [String]
  /// Counts the changes of values, so that what was made of them can be told to be out of date.
  public private(set) var generation: UInt64 = 0
  /// What changed since the last `takeChanges()`.
  public private(set) var changes: VariableSet = []
  /// Called when the first change is marked; not again until `takeChanges()`.
  public var onChange: (() -> Void)?

  /// - Parameter initial: every variable with its first value; there is no such thing as an unknown one in an initial event.
  public init(form: Form, initial: [(Variable, String)]) {
    self.form = form
    variables = initial.map(\.0)
    values = initial.map(\.1)
  }

  public var all: VariableSet { .all(variables.count) }

  /// Sets one value, marking the variable when it differs.
  public func set(_ index: Int, to value: String) {
    guard values[index] != value else { return }
    values[index] = value
    generation += 1
    touch(index)
  }

  /// Marks a variable though its value is the same: some changes are events in themselves.
  public func touch(_ index: Int) {
    let wasClean = changes.isEmpty
    changes.insert(VariableSet(index: index))
    if wasClean { onChange?() }
  }

  /// The marked variables; they are clean afterwards.
  public func takeChanges() -> VariableSet {
    defer { changes = [] }
    return changes
  }
}
