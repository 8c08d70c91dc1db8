import NIOCore
import UPnP

/// The evented variables of one service instance: their current values, and which have changed since the last event.
///
/// The generated `Variables` of a service is the typed interface to it. Used on the host's event loop only.
public final class VariableStore {
  /// A state variable or, in LastChange, a state variable of one channel.
  public struct Variable: Sendable, Hashable {
    /// The name in the SCPD.
    public var name: String
    /// `Master`, `LF`, … for RenderingControl's variables per channel; nil otherwise.
    public var channel: String?

    /// A variable of the service or, with a channel, of one channel.
    public init(_ name: String, channel: String? = nil) {
      self.name = name
      self.channel = channel
    }
  }

  /// An initial value.
  public enum Value: ExpressibleByStringLiteral {
    /// A value in UPnP's text form, unescaped.
    case text(String)
    /// A closure that is called when an event needs the value, and again after each `touch(_:)`. For large values that
    /// change often.
    case made(() -> String)

    public init(stringLiteral text: String) { self = .text(text) }
  }

  /// How events carry the variables.
  public enum Form: Sendable, Hashable {
    /// Each variable is a property (UDA 1.1 §4.3).
    case properties
    /// All variables are within the property LastChange, in the namespace of the service (AVTransport:1 §2.3.1,
    /// RenderingControl:1 §2.2.1).
    case lastChange(namespace: String)
  }

  /// How events carry the variables.
  public let form: Form
  /// The variables. Other members refer to them by index.
  public let variables: [Variable]
  /// Variables whose values are paths on the HTTP server, which events send as URLs.
  let served: VariableSet
  private var values: [Value]
  /// Results of the closures since their variables were last touched.
  private var made: [Int: String] = [:]
  private var fingerprints: [Int: Int] = [:]
  /// Increases with every change, so that event bodies can be cached.
  private(set) var generation: UInt64 = 0
  private var changes: VariableSet = []
  /// Called with the index of a variable at each of its changes.
  var onChange: ((Int) -> Void)?
  /// Whether there are subscribers. Without any, variables that change all the time need not be kept up to date.
  public internal(set) var isWatched = false {
    didSet { if isWatched != oldValue { onWatched?() } }
  }
  /// Called when `isWatched` changes, before the initial event of the first subscriber.
  public var onWatched: (() -> Void)?

  /// - Parameters:
  ///   - form: how events carry the variables.
  ///   - initial: every variable with its first value. An initial event contains all of them.
  ///   - served: variables whose values are paths on the HTTP server. Events send them as URLs.
  public init(form: Form, initial: [(Variable, Value)], served: Set<String> = []) {
    self.form = form
    self.served = VariableSet(
      initial.indices.filter { served.contains(initial[$0].0.name) }.map(VariableSet.init(index:)))
    variables = initial.map(\.0)
    values = initial.map(\.1)
  }

  var all: VariableSet { .all(variables.count) }

  /// The current value in UPnP's text form, unescaped.
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

  /// A hash of the current value, by which a subscriber's queue knows whether the subscriber has it already.
  func fingerprint(of index: Int) -> Int {
    if let fingerprint = fingerprints[index] { return fingerprint }
    let fingerprint = value(of: index).hashValue
    fingerprints[index] = fingerprint
    return fingerprint
  }

  /// Sets a value. Setting the current value again is not a change.
  public func set(_ index: Int, to value: String) {
    if case .text(value) = values[index] { return }
    values[index] = .text(value)
    touch(index)
  }

  /// Marks a variable as changed. A closure for its value is called again for the next event.
  public func touch(_ index: Int) {
    generation += 1
    made[index] = nil
    fingerprints[index] = nil
    changes.insert(VariableSet(index: index))
    onChange?(index)
  }

  /// Returns those of the variables that changed since the last call.
  func takeChanges(of variables: VariableSet) -> VariableSet {
    let taken = changes.intersection(variables)
    changes.subtract(taken)
    return taken
  }
}

/// A set of a service's variables, by their index in the `VariableStore`; at most 64.
package struct VariableSet: OptionSet, Sendable, Hashable {
  package var rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package init(index: Int) { self.init(rawValue: 1 << UInt64(index)) }

  /// The indices 0 ..< count.
  static func all(_ count: Int) -> VariableSet {
    VariableSet(rawValue: count >= 64 ? .max : (1 << UInt64(count)) - 1)
  }

  /// One more than the highest member.
  package var count: Int { rawValue.bitWidth - rawValue.leadingZeroBitCount }

  /// The members in ascending order.
  package var indices: some Sequence<Int> {
    sequence(state: rawValue) { rest in
      guard rest != 0 else { return nil }
      let index = rest.trailingZeroBitCount
      rest &= rest - 1
      return index
    }
  }
}

extension EventBody {
  /// A property set with the current values of the variables (UDA 1.1 §4.3).
  /// - Parameter server: the base URL of the HTTP server as the subscriber reached it, for values that are paths.
  static func build(_ variables: VariableSet, of store: VariableStore, server: String = "") -> ByteBuffer {
    func value(_ index: Int) -> String {
      let value = store.value(of: index)
      return value.isEmpty || !store.served.contains(VariableSet(index: index)) ? value : server + value
    }
    switch store.form {
    case .properties: return build(variables.indices.lazy.map { (store.variables[$0].name, value($0)) })
    case .lastChange(let namespace):
      let text = lastChange(
        variables.indices.lazy.map { index in
          let variable = store.variables[index]
          return (variable.name, variable.channel, value(index))
        }, namespace: namespace)
      return build([("LastChange", text)])
    }
  }
}
