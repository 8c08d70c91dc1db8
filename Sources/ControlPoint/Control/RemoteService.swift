import UPnP

/// A service of a device on the network, with its SCPD. Generated clients build on it.
public struct RemoteService: Sendable {
  public let description: DeviceDescription.Service
  public let scpd: ServiceDescription
  public let controlPoint: ControlPoint

  public init(
    _ description: DeviceDescription.Service, scpd: ServiceDescription, controlPoint: ControlPoint
  ) {
    self.description = description
    self.scpd = scpd
    self.controlPoint = controlPoint
  }

  /// Whether the SCPD declares the action.
  public func offers(_ action: String) -> Bool { scpd.action(action) != nil }

  /// Calls an action.
  /// - Parameter arguments: in the order of the specification.
  /// - Throws: `.notOffered`, without sending a request, if the SCPD does not declare the action.
  public func call(
    _ action: String, _ arguments: [(name: String, value: String)] = []
  ) async throws(ControlPointError) -> ActionOutputs {
    guard offers(action) else { throw .notOffered("the action \(action) of \(description.name)") }
    return ActionOutputs(
      action: action, arguments: try await controlPoint.rawAction(action, arguments, of: description))
  }
}

/// The output arguments of an action.
public struct ActionOutputs: Sendable {
  public let action: String
  /// In the order of the answer.
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
}
