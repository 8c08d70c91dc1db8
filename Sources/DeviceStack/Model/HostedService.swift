/// One service instance of a device: its definition, its evented variables, and who does its actions.
public struct HostedService {
  /// Does one action.
  public typealias Invoke = (_ action: String, _ arguments: ActionArguments) throws(ActionFault) -> [ActionResult]

  let definition: any ServiceDefinition.Type
  /// nil for a service that events nothing.
  let store: VariableStore?
  let invoke: Invoke

  /// - Parameter invoke: the generated `invoke`, on the provider.
  public init(_ definition: any ServiceDefinition.Type, store: VariableStore?, invoke: @escaping Invoke) {
    self.definition = definition
    self.store = store
    self.invoke = invoke
  }
}
