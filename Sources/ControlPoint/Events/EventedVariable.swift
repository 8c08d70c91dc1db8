import UPnP

/// The evented variables of a service. Each is nil, or empty, until an event contains it.
public protocol EventedValues: Sendable, Equatable {
  init()

  /// Sets one variable from an event.
  /// - Returns: false if the service has no such variable, or the text is not a value of its type.
  mutating func set(_ variable: EventedVariable) -> Bool
}

/// A variable as an event carries it.
public struct EventedVariable: Sendable, Hashable {
  public var name: String
  /// The channel within LastChange, such as `Master`; nil for variables without channels.
  public var channel: String?
  public var value: String

  public init(_ name: String, channel: String? = nil, _ value: String) {
    self.name = name
    self.channel = channel
    self.value = value
  }
}

extension EventedVariable {
  /// Limit for the channels of a variable, since a device may invent them. Further ones are refused.
  private static let maximumChannels = 64

  /// Reads the value. A number or boolean without a value, empty or `NOT_IMPLEMENTED`, becomes nil.
  /// - Returns: false if the text is not a value of the type.
  public func read<Value: ArgumentValue>(into variable: inout Value?) -> Bool {
    switch Value.read(value) {
    case .value(let value): variable = value
    case .notAllowed, .wrongType:
      guard value.isAbsentValue else { return false }
      variable = nil
    }
    return true
  }

  /// Reads the value of a channel. A variable without a channel is of the channel `Master`.
  /// - Returns: false if the text is not a value of the type.
  public func read<Value: ArgumentValue>(into variable: inout [String: Value]) -> Bool {
    let channel = channel ?? "Master"
    guard variable[channel] != nil || variable.count < Self.maximumChannels else { return false }
    return read(into: &variable[channel])
  }
}

/// Evented variables by name and channel, for services without a generated client.
public struct EventedVariables: EventedValues, Hashable, RandomAccessCollection, CustomStringConvertible {
  /// Number of variables. Further ones are refused, so that a device cannot fill the memory with new names.
  static let maximumCount = 2000
  /// Limit for all values together, in bytes.
  static let maximumSize = 4 << 20

  /// The identity of a variable.
  struct Key: Hashable, Sendable {
    var name: String
    var channel: String?

    init(_ variable: EventedVariable) { (name, channel) = (variable.name, variable.channel) }
  }

  private var variables: [EventedVariable] = []
  private var positions: [Key: Int] = [:]
  private(set) var size = 0

  public init() {}

  init(_ variables: some Sequence<EventedVariable>) { for variable in variables { _ = set(variable) } }

  /// Sets a variable, or adds it.
  /// - Returns: false if there are too many variables, or their values are too large.
  public mutating func set(_ variable: EventedVariable) -> Bool {
    let key = Key(variable)
    let position = positions[key]
    let former = position.map { variables[$0].value.utf8.count } ?? 0
    let newSize = size - former + variable.value.utf8.count
    guard newSize <= Self.maximumSize else { return false }
    if let position {
      variables[position] = variable
    } else {
      guard variables.count < Self.maximumCount else { return false }
      positions[key] = variables.count
      variables.append(variable)
    }
    size = newSize
    return true
  }

  /// The value of a variable; nil if no event contained it.
  public func value(_ name: String, channel: String? = nil) -> String? {
    positions[Key(EventedVariable(name, channel: channel, ""))].map { variables[$0].value }
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { variables.count }
  public subscript(position: Int) -> EventedVariable { variables[position] }

  /// `name=value` of all variables, separated by blanks.
  public var description: String {
    variables.map { "\($0.name)\($0.channel.map { "[\($0)]" } ?? "")=\($0.value)" }.joined(separator: " ")
  }
}
