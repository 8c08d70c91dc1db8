/// What happened to the set of interfaces in use.
public enum InterfaceChange: Sendable, Hashable {
  case appeared(NetworkInterface)
  /// It is gone, or its address is: nothing can be sent from that address any more where `canSend` is false.
  case vanished(NetworkInterface, canSend: Bool)
}
