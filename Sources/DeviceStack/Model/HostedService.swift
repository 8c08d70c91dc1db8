import UPnP

/// One service instance of a device: its definition, its evented variables, and who does its actions.
public struct HostedService {
  /// Does one action.
  public typealias Invoke = (_ action: String, _ arguments: ActionArguments) throws(ActionFault) -> [ActionResult]

  /// Begins an action whose results may come later, by the reply, once; false for all others.
  public typealias Begin = (
    _ action: String, _ arguments: ActionArguments, _ reply: @escaping Reply
  ) throws(ActionFault) -> Bool
  public typealias Reply = (Result<[ActionResult], ActionFault>) -> Void

  let definition: any ServiceDefinition.Type
  /// nil for a service that events nothing.
  let store: VariableStore?
  let begin: Begin?
  let invoke: Invoke

  /// - Parameter begin: the generated `begin`, on the provider; nil where no action is answered later.
  /// - Parameter invoke: the generated `invoke`, on the provider.
  public init(
    _ definition: any ServiceDefinition.Type, store: VariableStore?, begin: Begin? = nil, invoke: @escaping Invoke
  ) {
    self.definition = definition
    self.store = store
    self.begin = begin
    self.invoke = invoke
  }
}
