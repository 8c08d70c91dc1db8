import UPnP

/// A service of a device on the network, with its SCPD. Generated clients build on it.
public struct RemoteService: Sendable {
  public let description: DeviceDescription.Service
  public let scpd: ServiceDescription
  public let controlPoint: UPnPControlPoint

  public init(
    _ description: DeviceDescription.Service, scpd: ServiceDescription, controlPoint: UPnPControlPoint
  ) {
    self.description = description
    self.scpd = scpd
    self.controlPoint = controlPoint
  }

  /// Whether the SCPD declares the action.
  public func offers(_ action: String) -> Bool { scpd.action(action) != nil }

  /// Calls an action with those of the arguments that the SCPD declares, in its order (UDA 1.1 §3.2.1).
  /// - Throws: `.notOffered`, without sending a request, if the SCPD does not declare the action.
  public func call(
    _ action: String, _ arguments: [(name: String, value: String)] = []
  ) async throws(ControlPointError) -> ActionOutputs {
    guard let declared = scpd.action(action) else {
      throw .notOffered("the action \(action) of \(description.name)")
    }
    return ActionOutputs(
      action: action,
      arguments: try await controlPoint.rawAction(action, declared.ordered(arguments), of: description))
  }
}

extension ServiceDescription.Action {
  /// The arguments in the order of the SCPD, without those that it does not declare as inputs.
  func ordered(_ arguments: [(name: String, value: String)]) -> [(name: String, value: String)] {
    var remaining = arguments
    return inputs.compactMap { input in
      remaining.firstIndex { $0.name == input.name }.map { remaining.remove(at: $0) }
    }
  }
}

/// The output arguments of an action.
public struct ActionOutputs: Sendable {
  public let action: String
  /// The arguments, in the order of the answer.
  public let arguments: [(name: String, value: String)]

  public init(action: String, arguments: [(name: String, value: String)]) {
    self.action = action
    self.arguments = arguments
  }

  /// The value of an argument; nil if the answer does not contain it.
  public subscript(_ name: String) -> String? { arguments.first { $0.name == name }?.value }

  /// The value of an argument as a Swift type.
  /// - Throws: `.malformed` if the argument is missing or not of the type.
  public func value<Value: ArgumentValue>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(ControlPointError) -> Value {
    guard let text = self[name] else { throw .malformed("The answer to \(action) has no \(name).") }
    guard case .value(let value) = Value.read(text) else {
      throw .malformed("The answer to \(action) has the invalid \(name) \"\(text.prefix(100))\".")
    }
    return value
  }

  /// A number or boolean that some devices do not have.
  /// - Returns: nil if the argument is missing, empty, `NOT_IMPLEMENTED`, or a number that its type cannot hold.
  /// - Throws: `.malformed` for any other text that is not of the type.
  public func optionalValue<Value: ArgumentValue>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(ControlPointError) -> Value? {
    guard let text = self[name], !text.isAbsentValue else { return nil }
    if case .notAllowed = Value.read(text) { return nil }
    return try value(name)
  }
}

extension String {
  /// Whether a device has no value for a number or boolean: AVTransport:1 §2.2 defines `NOT_IMPLEMENTED` for text, but some
  /// devices send it for every variable.
  var isAbsentValue: Bool {
    let text = trimmingBlanks
    return text.isEmpty || text == "NOT_IMPLEMENTED"
  }
}
