/// The one action that a SOAP body asks for (UDA 1.1 §3.2.1), as tolerantly read as it can be without guessing.
package struct SOAPRequest: Sendable, Hashable {
  /// The local name of the element in the body.
  package var action: String
  /// Its namespace, which should be the service type and is not with some controllers.
  package var namespace: String
  package var arguments: ActionArguments
}
